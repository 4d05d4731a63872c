//===- TTGOps.cpp - Rules of ttg ops --------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/TTG.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::ttg;

/// Text of `[1, 2]`.
static ParseResult parseOffsets(OpAsmParser &parser,
                                DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(values.emplace_back());
      }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

static void printOffsets(OpAsmPrinter &printer, Operation *,
                         DenseI32ArrayAttr offsets) {
  printer << '[';
  llvm::interleaveComma(offsets.asArrayRef(), printer);
  printer << ']';
}

/// Text of `local|global_read`.
static ParseResult parseAddrSpace(OpAsmParser &parser, AddrSpaceAttr &space) {
  AddrSpace value = AddrSpace::None;
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<AddrSpace> bit = symbolizeAddrSpace(name);
    if (!bit)
      return parser.emitError(loc, "expects an address space, but got '")
             << name << "'";
    value = value | *bit;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  space = AddrSpaceAttr::get(parser.getContext(), value);
  return success();
}

static void printAddrSpace(OpAsmPrinter &printer, Operation *,
                           AddrSpaceAttr space) {
  printer << stringifyAddrSpace(space.getValue());
}

#define GET_OP_CLASSES
#include "triton_interop/TTG/TTGOps.cpp.inc"

void TTGDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "triton_interop/TTG/TTGOps.cpp.inc"
      >();
}

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static LogicalResult verifyShared(Operation *op, MemDescType type) {
  if (isa<SharedMemorySpaceAttr>(type.getMemorySpace()))
    return success();
  return op->emitOpError("expects a tile in shared memory, but got ") << type;
}

LogicalResult ttg::verifyMutable(Operation *op, MemDescType type) {
  if (type.getMutableMemory())
    return success();
  return op->emitOpError("expects memory that is written to be mutable, but "
                         "got ")
         << type;
}

LogicalResult ttg::verifySameTile(Operation *op, MemDescType memory,
                                  RankedTensorType tensor) {
  if (memory.getShape() == tensor.getShape() &&
      memory.getElementType() == tensor.getElementType())
    return success();
  return op->emitOpError("expects tensor to have shape and elements of ")
         << memory << ", but got " << tensor;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void LocalAllocOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(),
                         getOperation()->getOpResult(0), SharedMemory::get());
}

LogicalResult LocalAllocOp::verify() {
  MemDescType type = getType();
  if (failed(verifyShared(*this, type)))
    return failure();
  if (getSrc())
    return verifySameTile(*this, type,
                          cast<RankedTensorType>(getSrc().getType()));
  return verifyMutable(*this, type);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// A view is in the same memory, and no more writable.
static LogicalResult verifyView(Operation *op, MemDescType source,
                                MemDescType result) {
  if (source.getMemorySpace() != result.getMemorySpace())
    return op->emitOpError("expects view to be in ")
           << source.getMemorySpace() << ", but got "
           << result.getMemorySpace();
  if (result.getMutableMemory() && !source.getMutableMemory())
    return op->emitOpError("expects view to be mutable only if its source is, "
                           "but got ")
           << source << " and " << result;
  return success();
}

LogicalResult MemDescIndexOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifyView(*this, source, result)))
    return failure();
  if (source.getShape().drop_front() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError("expects result to be one tile of ")
           << source << ", but got " << result;
  return success();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifyView(*this, source, result)))
    return failure();
  ArrayRef<int32_t> offsets = getOffsets();
  size_t rank = source.getShape().size();
  if (offsets.size() != rank || result.getShape().size() != rank)
    return emitOpError("expects ")
           << rank << " offsets and a result of that rank, but got "
           << offsets.size() << " offsets and " << result;
  for (auto [offset, extent, whole] :
       llvm::zip_equal(offsets, result.getShape(), source.getShape()))
    if (offset < 0 || offset + extent > whole)
      return emitOpError("expects slice to lie within ")
             << source << ", but got offset " << offset << " and extent "
             << extent;
  return success();
}

LogicalResult MemDescTransOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifyView(*this, source, result)))
    return failure();
  SmallVector<int64_t> order(getOrder().begin(), getOrder().end());
  if (order.size() != source.getShape().size() || !isPermutationVector(order))
    return emitOpError("expects 'order' to be a permutation of the ")
           << source.getShape().size() << " dimensions, but got "
           << getOrderAttr();
  if (applyPermutation(source.getShape(), order) != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError("expects result to be ")
           << source << " transposed, but got " << result;
  return success();
}

LogicalResult MemDescReshapeOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifyView(*this, source, result)))
    return failure();
  if (source.getNumElements() != result.getNumElements())
    return emitOpError("expects result to have ")
           << source.getNumElements() << " elements, but got " << result;
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult LocalLoadOp::verify() {
  if (failed(verifyShared(*this, getSrc().getType())))
    return failure();
  return verifySameTile(*this, getSrc().getType(),
                        cast<RankedTensorType>(getType()));
}

LogicalResult LocalStoreOp::verify() {
  if (failed(verifyShared(*this, getDst().getType())) ||
      failed(verifyMutable(*this, getDst().getType())))
    return failure();
  return verifySameTile(*this, getDst().getType(),
                        cast<RankedTensorType>(getSrc().getType()));
}

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  if (failed(verifyShared(*this, getResult().getType())) ||
      failed(verifyMutable(*this, getResult().getType())))
    return failure();
  return verifySameTile(
      *this, getResult().getType(),
      cast<RankedTensorType>(tt::getPointeeType(getSrc().getType())));
}

//===----------------------------------------------------------------------===//
// Conversions and escapes
//===----------------------------------------------------------------------===//

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? getSrc() : Value();
}

LogicalResult Fp4ToFpOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto result = cast<RankedTensorType>(getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("expects 'axis' to be from 0 to ")
           << source.getRank() - 1 << ", but got " << axis;
  SmallVector<int64_t> shape(source.getShape());
  shape[axis] *= 2;
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("expects result to have twice the extent along 'axis', "
                       "but got ")
           << source << " and " << result;
  return success();
}

void InlineAsmOp::getEffects(EffectList &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

Speculation::Speculatability InlineAsmOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
