//===- Verifiers.cpp - Checks shared by TLX ops ---------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tlx;

std::optional<int64_t> tlx::getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return value.getType().isInteger(1) ? constant.getZExtValue()
                                      : constant.getSExtValue();
}

LogicalResult tlx::verifyOneBuffer(Operation *op, StringRef name,
                                   BufferType type) {
  if (!type.isArray())
    return success();
  return op->emitOpError() << "expects '" << name
                           << "' to be one buffer, but got a ring of "
                           << type.getNum() << "; select one by its index";
}

LogicalResult tlx::verifyOneSmemBuffer(Operation *op, StringRef name,
                                       BufferType type) {
  if (failed(verifyOneBuffer(op, name, type)))
    return failure();
  if (type.getStorage() == Storage::smem)
    return success();
  return op->emitOpError() << "expects '" << name << "' to be in smem, but got "
                           << stringifyStorage(type.getStorage());
}

LogicalResult tlx::verifyOneBarrier(Operation *op, BarrierType type) {
  if (!type.isArray())
    return success();
  return op->emitOpError()
         << "expects 'barrier' to be one barrier, but got an array of "
         << type.getNum() << "; select one by its index";
}

LogicalResult tlx::verifyIndex(Operation *op, Value index, int64_t num) {
  std::optional<int64_t> constant = getConstant(index);
  if (!constant || (*constant >= 0 && *constant < num))
    return success();
  return op->emitOpError() << "expects 'index' to be in [0, " << num - 1
                           << "], but got " << *constant;
}

LogicalResult tlx::verifyPointsTo(Operation *op, StringRef name, Type type,
                                  Type pointee) {
  auto pointer = dyn_cast<tt::PtrType>(getElementTypeOrSelf(type));
  if (pointer && pointer.getPointee() == pointee)
    return success();
  return op->emitOpError() << "expects '" << name << "' to point to " << pointee
                           << ", but got " << type;
}
