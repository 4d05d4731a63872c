//===- MemoryOps.cpp - Buffers and their views ----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "tlx/Target/Limits.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

Value tlx::indexMemDesc(RewriterBase &rewriter, Location loc, Value ring,
                        Value index) {
  auto type = cast<ttg::MemDescType>(ring.getType());
  auto slot = ttg::MemDescType::get(
      type.getShape().drop_front(), type.getElementType(), type.getEncoding(),
      type.getMemorySpace(), type.getMutableMemory());
  return ttg::MemDescIndexOp::create(rewriter, loc, slot, ring, index);
}

/// The type of a view of `source`: shape and layout as in `view`, a part of the
/// allocation of shape `allocShape`.
static ttg::MemDescType getViewType(Value source, BufferType view,
                                    ArrayRef<int64_t> allocShape) {
  auto type = cast<ttg::MemDescType>(source.getType());
  return ttg::MemDescType::get(view.getShape(), view.getElementType(),
                               view.getLayout(), type.getMemorySpace(),
                               type.getMutableMemory(), allocShape);
}

static LogicalResult convertTrans(LocalTransOp op, RewriterBase &rewriter) {
  auto source = cast<ttg::MemDescType>(op.getSourceMutable().get().getType());
  SmallVector<int64_t> allocShape;
  for (int32_t dim : op.getOrder())
    allocShape.push_back(source.getAllocShape()[dim]);
  rewriter.replaceOpWithNewOp<ttg::MemDescTransOp>(
      op, getViewType(op.getSourceMutable().get(), op.getType(), allocShape),
      op.getSourceMutable().get(), op.getOrder());
  return success();
}

static LogicalResult convertSlice(LocalSliceOp op, RewriterBase &rewriter) {
  auto source = cast<ttg::MemDescType>(op.getSourceMutable().get().getType());
  rewriter.replaceOpWithNewOp<ttg::MemDescSubsliceOp>(
      op,
      getViewType(op.getSourceMutable().get(), op.getType(),
                  source.getAllocShape()),
      op.getSourceMutable().get(), op.getOffsets());
  return success();
}

/// Checks that the source of a view is no slice, whose rows do not follow each
/// other; Triton has no views of those.
static LogicalResult checkWhole(Operation *op) {
  auto source = cast<ttg::MemDescType>(op->getOperand(0).getType());
  if (source.getAllocShape().take_back(source.getShape().size()) !=
      source.getShape())
    return op->emitOpError("expects 'source' to be a whole buffer, but got a "
                           "slice of one");
  return success();
}

/// Whether the entries of the first dimension follow one another in memory.
static bool hasEntriesInOrder(Attribute layout) {
  if (auto swizzled = dyn_cast<ttg::SwizzledSharedEncodingAttr>(layout))
    return swizzled.getMaxPhase() == 1 &&
           llvm::is_sorted(llvm::reverse(swizzled.getOrder()));
  auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(layout);
  return nvmma && !nvmma.getTransposed();
}

/// Triton selects entries of rings only, whose layout is that of an entry.
static LogicalResult convertIndex(LocalIndexOp op, RewriterBase &rewriter) {
  if (failed(checkWhole(op)))
    return failure();
  Value source = op.getSourceMutable().get();
  auto type = cast<ttg::MemDescType>(source.getType());
  if (!hasEntriesInOrder(type.getEncoding()))
    return op.emitOpError("expects the entries of 'source' to follow one "
                          "another in memory, but got the layout ")
           << type.getEncoding();
  auto ring = ttg::MemDescType::get(
      type.getShape(), type.getElementType(), op.getType().getLayout(),
      type.getMemorySpace(), type.getMutableMemory());
  Value view =
      ttg::MemDescReinterpretOp::create(rewriter, op.getLoc(), ring, source);
  rewriter.replaceOp(op,
                     indexMemDesc(rewriter, op.getLoc(), view, op.getIndex()));
  return success();
}

/// Replaces a view of other shape or elements.
template <typename NewOp>
static LogicalResult replaceView(Operation *op, RewriterBase &rewriter) {
  if (failed(checkWhole(op)))
    return failure();
  rewriter.replaceOpWithNewOp<NewOp>(
      op, convertType(op->getResult(0).getType()), op->getOperand(0));
  return success();
}

/// The alignment that a layout asks of its buffer: TMA takes tiles at multiples
/// of 128 bytes, and a swizzle repeats after eight rows.
static int64_t getAlignment(Attribute layout) {
  auto nvmma = dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(layout);
  return nvmma ? std::max<int64_t>(kTensorCopyAlignment,
                                   8 * nvmma.getSwizzlingByteWidth())
               : 1;
}

/// Allocates a buffer. Triton aligns it for its own layout; a view with another
/// element type or shape may ask for more.
static LogicalResult convertAlloc(LocalAllocOp op, RewriterBase &rewriter) {
  int64_t own = getAlignment(op.getType().getLayout()), wanted = own;
  llvm::SetVector<Operation *> views;
  views.insert(op);
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i]->getUsers())
      if (isa<LocalViewOp, LocalIndexOp, LocalSliceOp, LocalTransOp,
              LocalReshapeOp, LocalReinterpretOp>(user)) {
        views.insert(user);
        auto type = cast<BufferType>(user->getResult(0).getType());
        wanted = std::max(wanted, getAlignment(type.getLayout()));
      }
  IntegerAttr alignment;
  if (wanted > own)
    alignment = rewriter.getI32IntegerAttr(wanted);
  rewriter.replaceOpWithNewOp<ttg::LocalAllocOp>(op, convertType(op.getType()),
                                                 /*src=*/Value(), alignment);
  return success();
}

std::optional<LogicalResult> tlx::convertMemoryOp(Operation *op,
                                                  RewriterBase &rewriter) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](LocalAllocOp op) { return convertAlloc(op, rewriter); })
      .Case([&](LocalViewOp op) {
        rewriter.replaceOp(op, indexMemDesc(rewriter, op.getLoc(),
                                            op.getSourceMutable().get(),
                                            op.getIndex()));
        return success();
      })
      .Case([&](LocalIndexOp op) { return convertIndex(op, rewriter); })
      .Case([&](LocalGatherOp op) {
        rewriter.replaceOpWithNewOp<ttg::LocalGatherOp>(
            op, op.getType(), op.getSourceMutable().get(), op.getIndices(),
            /*token=*/Value(), op.getAxis());
        return success();
      })
      .Case([&](LocalScatterOp op) {
        rewriter.replaceOpWithNewOp<ttg::LocalScatterOp>(
            op, op.getDestMutable().get(), op.getSource(), op.getIndices(),
            /*token=*/Value(), op.getAxis());
        return success();
      })
      .Case([&](LocalLoadOp op) {
        Value token = op->getNumOperands() == 2 ? op->getOperand(1) : Value();
        rewriter.replaceOpWithNewOp<ttg::LocalLoadOp>(
            op, op.getType(), op.getSourceMutable().get(), token);
        return success();
      })
      .Case([&](LocalStoreOp op) {
        rewriter.replaceOpWithNewOp<ttg::LocalStoreOp>(
            op, op.getSourceMutable().get(), op.getDestMutable().get());
        return success();
      })
      .Case([&](LocalTransOp op) { return convertTrans(op, rewriter); })
      .Case([&](LocalSliceOp op) { return convertSlice(op, rewriter); })
      .Case([&](LocalReshapeOp op) {
        return replaceView<ttg::MemDescReshapeOp>(op, rewriter);
      })
      .Case([&](LocalReinterpretOp op) {
        return replaceView<ttg::MemDescReinterpretOp>(op, rewriter);
      })
      .Default([](Operation *) { return std::nullopt; });
}
