//===- TMAOps.cpp - Tensor memory accelerator -----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tlx;

static LogicalResult convertLoad(AsyncDescriptorLoadOp op,
                                 RewriterBase &rewriter) {
  Value pred = getPredicate(rewriter, op.getLoc(), op.getPred());
  auto load = ttng::AsyncTMACopyGlobalToLocalOp::create(
      rewriter, op.getLoc(), op.getDesc(), op.getCoord(),
      op.getBarrierMutable().get(), op.getResultMutable().get(), pred);
  if (Attribute policy = getCachePolicy(op.getContext(), op.getCacheModifier(),
                                        op.getEvictionPolicy()))
    load.setCachePolicyAttr(policy);
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult convertStore(AsyncDescriptorStoreOp op,
                                  RewriterBase &rewriter) {
  if (std::optional<tt::DescriptorReduceKind> kind = op.getReduce())
    rewriter.replaceOpWithNewOp<ttng::AsyncTMAReduceOp>(
        op, *kind, op.getDesc(), op.getCoord(), op.getSourceMutable().get());
  else
    rewriter.replaceOpWithNewOp<ttng::AsyncTMACopyLocalToGlobalOp>(
        op, op.getDesc(), op.getCoord(), op.getSourceMutable().get(),
        getCachePolicy(op.getContext(), tt::CacheModifier::None,
                       op.getEvictionPolicy()));
  return success();
}

static ttg::NVMMASharedEncodingAttr getLayout(tt::TensorDescType desc) {
  return dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(desc.getSharedLayout());
}

/// The part of the block that one TMA message covers: up to 256 elements in
/// each dimension, and in a row as many as the swizzle is wide.
static SmallVector<int64_t> getBox(tt::TensorDescType desc) {
  SmallVector<int64_t> box(desc.getShape());
  for (int64_t &extent : box)
    extent = std::min<int64_t>(extent, 256);
  ttg::NVMMASharedEncodingAttr layout = getLayout(desc);
  if (layout && layout.getSwizzlingByteWidth() != 0)
    box.back() =
        std::min<int64_t>(box.back(), 8 * layout.getSwizzlingByteWidth() /
                                          layout.getElementBitWidth());
  return box;
}

/// Emits one prefetch for each message that a load of the block takes.
static LogicalResult convertPrefetch(AsyncDescriptorPrefetchOp op,
                                     RewriterBase &rewriter) {
  Location loc = op.getLoc();
  auto desc = cast<tt::TensorDescType>(op.getDesc().getType());
  int64_t rank = desc.getRank();
  std::string ptx = "@$" + std::to_string(rank + 1) +
                    " cp.async.bulk.prefetch.tensor." + std::to_string(rank) +
                    "d.L2.global [$0, {";
  std::string constraints = "l";
  // PTX counts dimensions from the innermost one.
  for (int64_t i = 0; i < rank; ++i) {
    ptx += (i ? ", $" : "$") + std::to_string(i + 1);
    constraints += ",r";
  }
  ptx += "}];";
  constraints += ",b";
  Value address = getDescriptorAddress(rewriter, loc, op.getDesc());
  Value pred = isFirstThread(rewriter, loc, op.getPred());
  SmallVector<int64_t> box = getBox(desc);
  for (const SmallVector<int64_t> &offsets :
       StaticTileOffsetRange(desc.getShape(), box)) {
    SmallVector<Value> operands{address};
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      Value coord = op.getCoord()[dim];
      if (int64_t offset = offsets[dim])
        coord = arith::AddIOp::create(
            rewriter, loc, coord,
            arith::ConstantIntOp::create(rewriter, loc, offset, 32));
      operands.push_back(coord);
    }
    operands.push_back(pred);
    emitPTX(rewriter, loc, ptx, constraints, operands);
  }
  rewriter.eraseOp(op);
  return success();
}

/// The number that `tensormap.replace` has for an element type.
static std::optional<int32_t> getElementTypeCode(Type type) {
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isBF16())
    return 10;
  switch (type.getIntOrFloatBitWidth()) {
  case 8:
    return 0;
  case 16:
    return 1;
  case 32:
    return type.isSignedInteger() ? 3 : 2;
  default:
    return std::nullopt;
  }
}

static LogicalResult convertMake(MakeTensorDescriptorOp op,
                                 RewriterBase &rewriter) {
  Location loc = op.getLoc();
  tt::TensorDescType desc = op.getResult().getType();
  ttg::NVMMASharedEncodingAttr layout = getLayout(desc);
  std::optional<int32_t> code = getElementTypeCode(desc.getElementType());
  if (!layout || !code)
    return op.emitOpError("expects a descriptor with elements of 8, 16 or 32 "
                          "bits and a layout, but got ")
           << desc;
  auto getInt = [&](int64_t value, unsigned width) -> Value {
    return arith::ConstantIntOp::create(rewriter, loc, value, width);
  };
  // PTX counts dimensions from the innermost one, and strides in bytes.
  SmallVector<Value> box, extents, strides;
  SmallVector<int64_t> boxShape = getBox(desc);
  for (int64_t extent : llvm::reverse(boxShape))
    box.push_back(getInt(extent, 32));
  llvm::append_range(extents, llvm::reverse(op.getShape()));
  Value bytes = getInt(layout.getElementBitWidth() / 8, 64);
  for (Value stride : llvm::reverse(op.getStrides()))
    strides.push_back(arith::MulIOp::create(rewriter, loc, stride, bytes));
  SmallVector<Value> steps(desc.getRank(), getInt(1, 32));
  int32_t swizzleMode = llvm::Log2_32(
      std::max(16u, unsigned(layout.getSwizzlingByteWidth())) / 16);
  ttng::TensormapCreateOp::create(
      rewriter, loc, op.getDescPtr(), op.getBase(), box, extents, strides,
      steps, *code, /*interleave_layout=*/0, swizzleMode,
      /*fill_mode=*/op.getPadding() == tt::PaddingOption::NaN);
  ttng::TensormapFenceproxyAcquireOp::create(rewriter, loc, op.getDescPtr());
  rewriter.replaceOpWithNewOp<ttng::ReinterpretTensorDescriptorOp>(
      op, desc, op.getDescPtr());
  return success();
}

static LogicalResult convertReinterpret(ReinterpretTensorDescriptorOp op,
                                        RewriterBase &rewriter) {
  ttng::TensormapFenceproxyAcquireOp::create(rewriter, op.getLoc(),
                                             op.getDescPtr());
  rewriter.replaceOpWithNewOp<ttng::ReinterpretTensorDescriptorOp>(
      op, op.getResult().getType(), op.getDescPtr());
  return success();
}

static LogicalResult convertPrefetchDescriptor(PrefetchDescriptorOp op,
                                               RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value address = getDescriptorAddress(rewriter, loc, op.getDesc());
  emitPTX(rewriter, loc, "@$1 prefetch.tensormap [$0];", "l,b",
          {address, isFirstThread(rewriter, loc, /*pred=*/{})});
  rewriter.eraseOp(op);
  return success();
}

std::optional<LogicalResult> tlx::convertTMAOp(Operation *op,
                                               RewriterBase &rewriter) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](AsyncDescriptorLoadOp op) { return convertLoad(op, rewriter); })
      .Case(
          [&](AsyncDescriptorStoreOp op) { return convertStore(op, rewriter); })
      .Case([&](AsyncDescriptorStoreWaitOp op) {
        // The buffer may be written again once the copies have read it.
        rewriter.replaceOpWithNewOp<ttng::AsyncTMAStoreWaitOp>(
            op, op.getPendings(), /*read_only=*/true);
        return success();
      })
      .Case([&](AsyncDescriptorPrefetchOp op) {
        return convertPrefetch(op, rewriter);
      })
      .Case(
          [&](MakeTensorDescriptorOp op) { return convertMake(op, rewriter); })
      .Case([&](ReinterpretTensorDescriptorOp op) {
        return convertReinterpret(op, rewriter);
      })
      .Case([&](PrefetchDescriptorOp op) {
        return convertPrefetchDescriptor(op, rewriter);
      })
      .Default([](Operation *) { return std::nullopt; });
}
