//===- CheckAlignment.cpp - Addresses of the tiles of TMA copies ---------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/SharedLayouts.h"
#include "tlx/Analysis/ValueFlow.h"
#include "tlx/Dialect/TLX/IR/TLX.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"
#include "tlx/Target/Limits.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXCHECKALIGNMENT
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

/// Allocations are aligned to the largest pattern of a swizzle.
static constexpr int64_t kAllocationBytes = 1024;

static BufferType getType(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

namespace {
/// An offset of a buffer from its allocation that is not known to be zero.
struct Step {
  /// What makes the offset; null if there is none.
  Operation *view = nullptr;
  /// The offset is a multiple of this.
  int64_t bytes = kAllocationBytes;
};

struct CheckAlignment : tlx::impl::TLXCheckAlignmentBase<CheckAlignment> {
  void runOnOperation() override;

  /// The smallest step between the allocation of `buffer` and its address.
  Step getSmallestStep(Value buffer, llvm::SmallDenseSet<Value> &visited) const;
  LogicalResult check(Operation *op, StringRef name, Value buffer,
                      int64_t alignment) const;

  /// What block arguments and results of control flow may be.
  llvm::DenseMap<Value, SmallVector<Value>> incoming;
};
} // namespace

/// The multiple of `bytes` that an index selects.
static int64_t getStep(Value index, int64_t bytes) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    bytes *= constant.getSExtValue();
  return std::gcd(bytes, kAllocationBytes);
}

/// Same for a slice, whose offsets are constants.
static int64_t getStep(LocalSliceOp slice) {
  BufferType source = getType(slice.getSource());
  int64_t elementBits = source.getElementType().getIntOrFloatBitWidth();
  SmallVector<int64_t> offsets(slice.getOffsets().begin(),
                               slice.getOffsets().end());
  SmallVector<int64_t> shape(source.getShape());
  auto nvmma =
      dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(source.getLayout());
  if (nvmma && nvmma.getTransposed()) {
    std::swap(offsets.back(), offsets[offsets.size() - 2]);
    std::swap(shape.back(), shape[shape.size() - 2]);
  }
  // Swizzled tiles are as wide as the swizzle, one after the other.
  if (nvmma && nvmma.getSwizzlingByteWidth() != 0) {
    int64_t columnBytes = offsets.back() * elementBits / 8;
    if (columnBytes % nvmma.getSwizzlingByteWidth() == 0)
      return kAllocationBytes;
    return std::gcd(columnBytes, kAllocationBytes);
  }
  int64_t element = 0;
  for (auto [offset, extent] : llvm::zip_equal(offsets, shape))
    element = element * extent + offset;
  return std::gcd(element * elementBits / 8, kAllocationBytes);
}

Step CheckAlignment::getSmallestStep(
    Value buffer, llvm::SmallDenseSet<Value> &visited) const {
  if (!visited.insert(buffer).second)
    return {};
  Step own;
  SmallVector<Value> sources;
  if (auto it = incoming.find(buffer); it != incoming.end())
    sources = it->second;
  if (Operation *op = buffer.getDefiningOp()) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](LocalViewOp view) {
          own = {op, getStep(view.getIndex(), getType(buffer).getSlotBytes())};
        })
        .Case([&](LocalIndexOp view) {
          own = {op, getStep(view.getIndex(), getType(buffer).getSlotBytes())};
        })
        .Case([&](LocalSliceOp view) { own = {op, getStep(view)}; });
    if (isa<LocalViewOp, LocalIndexOp, LocalSliceOp, LocalTransOp,
            LocalReshapeOp, LocalReinterpretOp>(op))
      sources.push_back(op->getOperand(0));
  }
  for (Value source : sources)
    if (Step step = getSmallestStep(source, visited); step.bytes < own.bytes)
      own = step;
  return own;
}

LogicalResult CheckAlignment::check(Operation *op, StringRef name, Value buffer,
                                    int64_t alignment) const {
  llvm::SmallDenseSet<Value> visited;
  Step step = getSmallestStep(buffer, visited);
  if (step.bytes % alignment == 0)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expects '" << name
                            << "' to start at a multiple of " << alignment
                            << " bytes, but got a view that starts at a "
                               "multiple of "
                            << step.bytes;
  if (isa<LocalViewOp>(step.view))
    diag << "; let a slot of the ring have a multiple of " << alignment
         << " bytes";
  diag.attachNote(step.view->getLoc()) << "the view is made here";
  return diag;
}

/// The alignment that the hardware and the swizzle of a tile ask for: a pattern
/// has eight rows.
static int64_t getTileAlignment(Value buffer) {
  auto nvmma = dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(
      getType(buffer).getLayout());
  int64_t pattern = nvmma ? 8 * nvmma.getSwizzlingByteWidth() : 0;
  return std::max(kTensorCopyAlignment, pattern);
}

void CheckAlignment::runOnOperation() {
  forEachFlowEdge(getOperation(), [&](OpOperand &source, Value target) {
    if (isa<BufferType>(target.getType()))
      incoming[target].push_back(source.get());
  });
  // One error is enough: other slots of the ring have the same fault.
  WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](AsyncDescriptorLoadOp load) {
          return check(op, "result", load.getResult(),
                       getTileAlignment(load.getResult()));
        })
        .Case([&](AsyncDescriptorStoreOp store) {
          return check(op, "source", store.getSource(),
                       getTileAlignment(store.getSource()));
        })
        .Default(success());
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
