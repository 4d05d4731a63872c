//===- TLXMemoryOps.cpp - On-chip buffers ---------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

using namespace mlir;
using namespace mlir::tlx;

/// Checks that a tensor and a buffer have the same shape and element type.
static LogicalResult verifySameTile(Operation *op, RankedTensorType tensor,
                                    BufferType buffer) {
  if (tensor.getShape() == buffer.getShape() &&
      tensor.getElementType() == buffer.getElementType())
    return success();
  return op->emitOpError()
         << "expects the tensor to have the shape and element type of the "
            "buffer, but got "
         << tensor << " and " << buffer;
}

/// Checks that a view keeps element type and storage.
static LogicalResult verifySameElements(Operation *op, BufferType source,
                                        BufferType result) {
  if (source.getElementType() == result.getElementType() &&
      source.getStorage() == result.getStorage())
    return success();
  return op->emitOpError()
         << "expects the result to keep element type and storage of " << source
         << ", but got " << result;
}

/// Checks that the type of a view is the expected one but for the layout.
static LogicalResult verifyView(Operation *op, BufferType expected,
                                BufferType actual) {
  if (expected.withLayout({}) == actual.withLayout({}))
    return success();
  return op->emitOpError() << "expects the result to be "
                           << expected.withLayout({}) << ", but got " << actual;
}

/// Verifiers compare inferred and actual types: a layout may come later.
#define TLX_IGNORE_LAYOUT_IN_INFERENCE(Op)                                     \
  bool Op::isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }

TLX_IGNORE_LAYOUT_IN_INFERENCE(LocalViewOp)
TLX_IGNORE_LAYOUT_IN_INFERENCE(LocalLoadOp)
TLX_IGNORE_LAYOUT_IN_INFERENCE(LocalTransOp)

//===----------------------------------------------------------------------===//
// LocalAllocOp
//===----------------------------------------------------------------------===//

LogicalResult LocalAllocOp::verify() {
  // local_alloc_c1
  if (!getType().isArray())
    return emitOpError("expects the result to be a ring, but got ")
           << getType();
  if (getType().getStorage() == Storage::smemCluster)
    return emitOpError("expects the result to be in smem or tmem, but got "
                       "smemCluster");
  return success();
}

//===----------------------------------------------------------------------===//
// LocalViewOp
//===----------------------------------------------------------------------===//

LogicalResult LocalViewOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location>,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto source = dyn_cast<BufferType>(adaptor.getSource().getType());
  if (!source)
    return failure();
  types.push_back(source.getSlotType());
  return success();
}

LogicalResult LocalViewOp::verify() {
  if (!getSource().getType().isArray()) // local_view_c1
    return emitOpError("expects 'source' to be a ring, but got ")
           << getSource().getType();
  // local_view_c2
  if (failed(verifyIndex(*this, getIndex(), getSource().getType().getNum())))
    return failure();
  return verifyView(*this, getSource().getType().getSlotType(),
                    getType()); // c3
}

//===----------------------------------------------------------------------===//
// LocalIndexOp
//===----------------------------------------------------------------------===//

LogicalResult LocalIndexOp::verify() {
  BufferType source = getSource().getType();
  if (failed(verifyOneSmemBuffer(*this, "source", source))) // local_index_c1
    return failure();
  if (source.getRank() < 2)
    return emitOpError("expects 'source' to have rank 2 or more, but got ")
           << source;
  // local_index_c2
  if (failed(verifyIndex(*this, getIndex(), source.getShape().front())))
    return failure();
  return verifyView(*this, source.withShape(source.getShape().drop_front()),
                    getType()); // c3
}

//===----------------------------------------------------------------------===//
// LocalLoadOp and LocalStoreOp
//===----------------------------------------------------------------------===//

LogicalResult LocalLoadOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location>,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto source = dyn_cast<BufferType>(adaptor.getSource().getType());
  if (!source)
    return failure();
  types.push_back(
      RankedTensorType::get(source.getShape(), source.getElementType()));
  return success();
}

LogicalResult LocalLoadOp::verify() {
  BufferType source = getSource().getType();
  if (failed(verifyOneBuffer(*this, "source", source))) // local_load_c1
    return failure();
  if (source.getStorage() == Storage::smemCluster)
    return emitOpError("expects 'source' to be a buffer of this CTA");
  return verifySameTile(*this, getType(), source); // local_load_c2
}

LogicalResult LocalStoreOp::verify() {
  BufferType dest = getDest().getType();
  if (failed(verifyOneBuffer(*this, "dest", dest))) // local_store_c1
    return failure();
  return verifySameTile(*this, getSource().getType(), dest); // local_store_c2
}

//===----------------------------------------------------------------------===//
// LocalGatherOp and LocalScatterOp
//===----------------------------------------------------------------------===//

/// Checks the parts that gather and scatter have in common; `values` is what is
/// read or written.
static LogicalResult verifySelection(Operation *op, StringRef bufferName,
                                     BufferType buffer,
                                     RankedTensorType indices, int32_t axis,
                                     StringRef valuesName,
                                     RankedTensorType values) {
  if (failed(verifyOneSmemBuffer(op, bufferName, buffer))) // c1
    return failure();
  if (axis < 0 || axis >= buffer.getRank()) // c2
    return op->emitOpError("expects 'axis' to be in [0, ")
           << buffer.getRank() - 1 << "], but got " << axis;
  if (!indices.getElementType().isInteger()) // c3
    return op->emitOpError("expects 'indices' to hold integers, but got ")
           << indices;
  SmallVector<int64_t> expected(buffer.getShape());
  if (indices.getRank() == buffer.getRank())
    expected[axis] = indices.getDimSize(axis);
  if (ArrayRef<int64_t>(expected) != indices.getShape())
    return op->emitOpError("expects 'indices' to have the shape of ")
           << buffer << " but for dimension " << axis << ", but got "
           << indices;
  if (values.getShape() != indices.getShape() ||
      values.getElementType() != buffer.getElementType()) // c4
    return op->emitOpError("expects ")
           << valuesName
           << " to have the shape of 'indices' and the element type of the "
              "buffer, but got "
           << values;
  return success();
}

LogicalResult LocalGatherOp::verify() {
  return verifySelection(*this, "source", getSource().getType(),
                         getIndices().getType(), getAxis(), "the result",
                         getType());
}

LogicalResult LocalScatterOp::verify() {
  return verifySelection(*this, "dest", getDest().getType(),
                         getIndices().getType(), getAxis(), "'source'",
                         getSource().getType());
}

//===----------------------------------------------------------------------===//
// LocalTransOp
//===----------------------------------------------------------------------===//

static bool isPermutation(ArrayRef<int32_t> order, int64_t rank) {
  if (static_cast<int64_t>(order.size()) != rank)
    return false;
  SmallVector<bool> seen(rank);
  for (int32_t dim : order) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen[dim] = true;
  }
  return true;
}

/// The type with permuted dimensions; its layout is for the layout pass to say.
static BufferType permute(BufferType type, ArrayRef<int32_t> order) {
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(type.getShape()[dim]);
  return type.withShape(shape).withLayout({});
}

LogicalResult LocalTransOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto source = dyn_cast<BufferType>(adaptor.getSource().getType());
  if (!source)
    return failure();
  ArrayRef<int32_t> order = adaptor.getOrder();
  if (!isPermutation(order, source.getRank()))
    return emitOptionalError(loc, "'tlx.local_trans' op expects 'order' to be "
                                  "a permutation of the dimensions");
  types.push_back(permute(source, order));
  return success();
}

LogicalResult LocalTransOp::verify() {
  BufferType source = getSource().getType();
  if (failed(verifyOneBuffer(*this, "source", source))) // local_trans_c1
    return failure();
  if (!isPermutation(getOrder(), source.getRank())) // local_trans_c2
    return emitOpError("expects 'order' to be a permutation of the ")
           << source.getRank() << " dimensions, but got [" << getOrder() << "]";
  return verifyView(*this, permute(source, getOrder()), getType()); // c3
}

OpFoldResult LocalTransOp::fold(FoldAdaptor) {
  if (getSource().getType() != getType())
    return {};
  for (auto [i, dim] : llvm::enumerate(getOrder()))
    if (static_cast<int32_t>(i) != dim)
      return {};
  return getSource();
}

/// Merges a permutation of a permutation.
LogicalResult LocalTransOp::canonicalize(LocalTransOp op,
                                         PatternRewriter &rewriter) {
  auto inner = op.getSource().getDefiningOp<LocalTransOp>();
  if (!inner)
    return failure();
  SmallVector<int32_t> order;
  for (int32_t dim : op.getOrder())
    order.push_back(inner.getOrder()[dim]);
  rewriter.replaceOpWithNewOp<LocalTransOp>(op, op.getType(), inner.getSource(),
                                            order);
  return success();
}

//===----------------------------------------------------------------------===//
// LocalSliceOp
//===----------------------------------------------------------------------===//

LogicalResult LocalSliceOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  if (failed(verifyOneBuffer(*this, "source", source)) || // local_slice_c1
      failed(verifySameElements(*this, source, result)))  // local_slice_c4
    return failure();
  if (result.isArray() || result.getRank() != source.getRank())
    return emitOpError("expects the result to be one buffer of rank ")
           << source.getRank() << ", but got " << result; // local_slice_c4
  ArrayRef<int32_t> offsets = getOffsets();
  if (static_cast<int64_t>(offsets.size()) != source.getRank())
    return emitOpError("expects one offset for each of the ")
           << source.getRank() << " dimensions, but got " << offsets.size();
  for (auto [offset, size, extent] :
       llvm::zip(offsets, result.getShape(), source.getShape())) {
    if (offset < 0 || offset + size > extent) // local_slice_c2
      return emitOpError("expects the slice to be inside the buffer, but got "
                         "offset ")
             << offset << " and size " << size << " in a dimension of "
             << extent;
    if (offset % size != 0) // local_slice_c3
      return emitOpError("expects each offset to be a multiple of the size of "
                         "the slice, but got offset ")
             << offset << " and size " << size;
  }
  return success();
}

OpFoldResult LocalSliceOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}

//===----------------------------------------------------------------------===//
// LocalReshapeOp and LocalReinterpretOp
//===----------------------------------------------------------------------===//

LogicalResult LocalReshapeOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  if (failed(verifyOneSmemBuffer(*this, "source", source)) || // c1
      failed(verifySameElements(*this, source, result)))      // c2
    return failure();
  if (result.isArray() || source.getNumElements() != result.getNumElements())
    return emitOpError("expects the result to be one buffer of ")
           << source.getNumElements() << " elements, but got " << result;
  return success();
}

OpFoldResult LocalReshapeOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}

LogicalResult LocalReinterpretOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  // local_reinterpret_c1
  if (source.getNum() != result.getNum())
    return emitOpError("expects as many buffers as in the source, ")
           << source.getNum() << ", but got " << result.getNum();
  if (source.isArray() && source.getSlotBytes() != result.getSlotBytes())
    return emitOpError("expects slots of ")
           << source.getSlotBytes() << " bytes, but got "
           << result.getSlotBytes();
  // local_reinterpret_c2
  if (source.getStorage() != result.getStorage())
    return emitOpError("expects the result to be in ")
           << stringifyStorage(source.getStorage()) << ", but got "
           << stringifyStorage(result.getStorage());
  if (result.getTotalBytes() > source.getTotalBytes())
    return emitOpError("expects the result to take at most the ")
           << source.getTotalBytes() << " bytes of the source, but got "
           << result.getTotalBytes();
  return success();
}

OpFoldResult LocalReinterpretOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}
