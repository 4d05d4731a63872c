//===- TTOps.cpp - Rules of tt ops ----------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

#define GET_OP_CLASSES
#include "triton_interop/TT/TTOps.cpp.inc"

void TTDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "triton_interop/TT/TTOps.cpp.inc"
      >();
}

static int64_t getNumElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  // Pointers have 64 bits.
  auto getWidth = [](Type type) -> unsigned {
    Type element = getElementTypeOrSelf(type);
    return isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
  };
  unsigned source = getWidth(getSrc().getType()), result = getWidth(getType());
  if (source != result)
    return emitOpError("expects result elements to have ")
           << source << " bits, but got " << result;
  return success();
}

LogicalResult FpToFpOp::verify() {
  unsigned source = getElementTypeOrSelf(getSrc()).getIntOrFloatBitWidth();
  unsigned result = getElementTypeOrSelf(getType()).getIntOrFloatBitWidth();
  if (result < source && !getRounding())
    return emitOpError("expects 'rounding' to be set if ")
           << source << " bits become " << result;
  return success();
}

/// Effects of an op that is opaque unless flagged as pure.
static void addOpaqueEffects(
    bool pure,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

static Speculation::Speculatability getOpaqueSpeculatability(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

void ExternElementwiseOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addOpaqueEffects(getPure(), effects);
}
Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getOpaqueSpeculatability(getPure());
}

void ElementwiseInlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addOpaqueEffects(getPure(), effects);
}
Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getOpaqueSpeculatability(getPure());
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("expects one result or more, but got 0");
  int64_t packed = static_cast<int32_t>(getPackedElement());
  if (packed < 1)
    return emitOpError("expects 'packed_element' to be positive, but got ")
           << packed;
  for (Type type : getOperandTypes())
    if (getNumElements(type) % packed != 0)
      return emitOpError("expects number of elements to be a multiple of ")
             << packed << ", but got " << getNumElements(type);
  return success();
}

LogicalResult MapElementwiseOp::verify() {
  int64_t pack = static_cast<int32_t>(getPack());
  if (getSrcs().empty())
    return emitOpError("expects one source or more, but got 0");
  if (pack < 1)
    return emitOpError("expects 'pack' to be positive, but got ") << pack;
  SmallVector<Type> scalars;
  for (Type type : getSrcs().getTypes())
    scalars.append(pack, getElementTypeOrSelf(type));
  if (TypeRange(getScalarOp().getArgumentTypes()) != TypeRange(scalars))
    return emitOpError("expects region arguments of types (")
           << scalars << "), but got (" << getScalarOp().getArgumentTypes()
           << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// Shape ops
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart());
  int64_t end = static_cast<int32_t>(getEnd());
  if (start >= end)
    return emitOpError("expects 'start' to be less than 'end' ")
           << end << ", but got " << start;
  ArrayRef<int64_t> shape = getType().getShape();
  if (shape.size() != 1 || shape[0] != end - start)
    return emitOpError("expects result to have ")
           << end - start << " elements in one dimension, but got "
           << getType();
  return success();
}

LogicalResult SplatOp::verify() {
  if (isa<RankedTensorType>(getSrc().getType()))
    return emitOpError("expects source to be a scalar, but got ")
           << getSrc().getType();
  return success();
}

LogicalResult UnsplatOp::verify() {
  if (getNumElements(getSrc().getType()) != 1)
    return emitOpError("expects source to have one element, but got ")
           << getSrc().getType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  if (source.getRank() != getType().getRank())
    return emitOpError("expects result to have rank ")
           << source.getRank() << ", but got " << getType();
  for (auto [from, to] :
       llvm::zip_equal(source.getShape(), getType().getShape()))
    if (from != to && from != 1)
      return emitOpError(
                 "expects repeated dimensions to have extent 1, but got ")
             << source << " and " << getType();
  return success();
}

LogicalResult ReshapeOp::verify() {
  int64_t source = getNumElements(getSrc().getType());
  if (source != getNumElements(getType()))
    return emitOpError("expects result to have ")
           << source << " elements, but got " << getType();
  return success();
}

LogicalResult CatOp::verify() {
  int64_t count = 2 * getNumElements(getLhs().getType());
  if (count != getNumElements(getType()))
    return emitOpError("expects result to have ")
           << count << " elements, but got " << getType();
  return success();
}

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("expects 'axis' to be from 0 to ")
           << source.getRank() - 1 << ", but got " << axis;
  if (indices.getRank() != source.getRank())
    return emitOpError("expects indices to have rank ")
           << source.getRank() << ", but got " << indices;
  for (int64_t dim = 0; dim != source.getRank(); ++dim)
    if (dim != axis && indices.getDimSize(dim) != source.getDimSize(dim))
      return emitOpError("expects dimension ")
             << dim << " of the indices to have extent "
             << source.getDimSize(dim) << ", but got "
             << indices.getDimSize(dim);
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// A combine region takes and yields one scalar of each source, twice the
/// former.
static LogicalResult verifyCombine(Operation *op, Region &region) {
  SmallVector<Type> scalars;
  for (Type type : op->getOperandTypes())
    scalars.push_back(getElementTypeOrSelf(type));
  SmallVector<Type> arguments(scalars);
  llvm::append_range(arguments, scalars);
  if (TypeRange(region.getArgumentTypes()) != TypeRange(arguments))
    return op->emitOpError("expects region arguments of types (")
           << arguments << "), but got (" << region.getArgumentTypes() << ")";
  Operation *terminator = region.front().getTerminator();
  if (TypeRange(terminator->getOperandTypes()) != TypeRange(scalars))
    return terminator->emitOpError("expects values of types (")
           << scalars << "), but got (" << terminator->getOperandTypes() << ")";
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyCombine(*this, getCombineOp());
}

LogicalResult ScanOp::verifyRegions() {
  return verifyCombine(*this, getCombineOp());
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// Shapes [batch x] m x k, [batch x] k x n, [batch x] m x n, where the extents
/// along k are `scaleA` and `scaleB` times those of the types.
static LogicalResult verifyDotShapes(Operation *op, RankedTensorType a,
                                     RankedTensorType b, RankedTensorType c,
                                     int64_t scaleA = 1, int64_t scaleB = 1) {
  int64_t rank = c.getRank();
  if (rank < 2 || rank > 3 || a.getRank() != rank || b.getRank() != rank)
    return op->emitOpError("expects operands of rank 2, or all 3, but got ")
           << a << ", " << b << ", " << c;
  bool match =
      a.getDimSize(rank - 1) * scaleA == b.getDimSize(rank - 2) * scaleB &&
      a.getDimSize(rank - 2) == c.getDimSize(rank - 2) &&
      b.getDimSize(rank - 1) == c.getDimSize(rank - 1) &&
      (rank == 2 || (a.getDimSize(0) == c.getDimSize(0) &&
                     b.getDimSize(0) == c.getDimSize(0)));
  if (!match)
    return op->emitOpError("expects shapes m x k, k x n and m x n, but got ")
           << a << ", " << b << ", " << c;
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType();
  if (a.getElementType().getIntOrFloatBitWidth() !=
      b.getElementType().getIntOrFloatBitWidth())
    return emitOpError(
               "expects a and b to have elements of one width, but got ")
           << a.getElementType() << " and " << b.getElementType();
  return verifyDotShapes(*this, a, b, getC().getType());
}

LogicalResult DotScaledOp::verify() {
  // Two fp4 values share a byte.
  auto getPacking = [](ScaleDotElemType type, bool alongK) {
    return type == ScaleDotElemType::E2M1 && alongK ? 2 : 1;
  };
  auto getUnpacked = [](RankedTensorType type, ScaleDotElemType element,
                        bool alongK, int64_t dimFromEnd) {
    if (element != ScaleDotElemType::E2M1 || alongK)
      return type;
    SmallVector<int64_t> shape(type.getShape());
    shape[shape.size() - dimFromEnd] *= 2;
    return RankedTensorType::get(shape, type.getElementType());
  };
  RankedTensorType a = getA().getType(), b = getB().getType();
  if (a.getRank() < 2 || b.getRank() < 2)
    return emitOpError("expects operands of rank 2, or all 3, but got ")
           << a << ", " << b;
  return verifyDotShapes(
      *this, getUnpacked(a, getAElemType(), getLhsKPack(), 2),
      getUnpacked(b, getBElemType(), getRhsKPack(), 1), getC().getType(),
      getPacking(getAElemType(), getLhsKPack()),
      getPacking(getBElemType(), getRhsKPack()));
}

//===----------------------------------------------------------------------===//
// Memory ops
//===----------------------------------------------------------------------===//

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(),
                       GlobalMemory::get());
  // A volatile load must be neither removed nor repeated.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

/// `value` is what `ptr` points to, up to layouts.
static LogicalResult verifyPointee(Operation *op, Type ptr, Type value) {
  Type pointee = getElementTypeOrSelf(getPointeeType(ptr));
  if (pointee == getElementTypeOrSelf(value) &&
      succeeded(verifyCompatibleShape(ptr, value)))
    return success();
  return op->emitOpError("expects value to be what the pointer ")
         << ptr << " points to, but got " << value;
}

LogicalResult AtomicRmwOp::verify() {
  return verifyPointee(*this, getPtr().getType(), getVal().getType());
}

LogicalResult AtomicCasOp::verify() {
  return verifyPointee(*this, getPtr().getType(), getVal().getType());
}

LogicalResult AtomicLoadOp::verify() {
  return verifyPointee(*this, getPtr().getType(), getType());
}
