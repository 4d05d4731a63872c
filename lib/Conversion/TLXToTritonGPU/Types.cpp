//===- Types.cpp - Types of Triton's GPU dialects -------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

using namespace mlir;
using namespace mlir::tlx;

/// Puts the length of a ring before the shape of a slot.
static SmallVector<int64_t> getRingShape(int64_t num, ArrayRef<int64_t> slot) {
  SmallVector<int64_t> shape;
  if (num != 0)
    shape.push_back(num);
  llvm::append_range(shape, slot);
  return shape;
}

ttg::MemDescType tlx::getBarrierMemDesc(MLIRContext *context, int64_t num) {
  auto layout = ttg::SwizzledSharedEncodingAttr::get(
      context, /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1, /*order=*/{0});
  return ttg::MemDescType::get(
      getRingShape(num, {1}), IntegerType::get(context, 64), layout,
      ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/true);
}

Type tlx::convertType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<TokenType>(type))
    return ttg::AsyncTokenType::get(context);
  if (auto barrier = dyn_cast<BarrierType>(type))
    return getBarrierMemDesc(context, barrier.getNum());
  auto buffer = dyn_cast<BufferType>(type);
  if (!buffer)
    return type;
  if (!buffer.getLayout() || buffer.getStorage() != Storage::smem)
    return {};
  return ttg::MemDescType::get(getRingShape(buffer.getNum(), buffer.getShape()),
                               buffer.getElementType(), buffer.getLayout(),
                               ttg::SharedMemorySpaceAttr::get(context),
                               /*mutableMemory=*/true);
}
