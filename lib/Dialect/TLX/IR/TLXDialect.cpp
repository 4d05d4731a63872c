//===- TLXDialect.cpp - TLX dialect registration --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tlx;

#include "tlx/Dialect/TLX/IR/TLXDialect.cpp.inc"

namespace {
/// Keeps the constants of a task in the task, so that they are no captures.
struct TLXFoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  bool shouldMaterializeInto(Region *region) const final {
    return isa<AsyncTaskOp>(region->getParentOp());
  }
};

/// Ops and regions of this dialect may be inlined anywhere.
struct TLXInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void TLXDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tlx/Dialect/TLX/IR/TLXOps.cpp.inc"
      >();
  addInterfaces<TLXFoldInterface, TLXInlinerInterface>();
}

std::optional<int> tlx::maybeLookupNumWarps(Operation *op) {
  for (Operation *parent = op; parent; parent = parent->getParentOp()) {
    if (auto task = dyn_cast<AsyncTaskOp>(parent);
        task && task != op && !task.getIsDefault())
      return task.getNumWarps();
    if (auto numWarps = parent->getAttrOfType<IntegerAttr>(kNumWarpsAttrName))
      return numWarps.getInt();
  }
  return std::nullopt;
}

int tlx::lookupNumWarps(Operation *op) {
  std::optional<int> numWarps = maybeLookupNumWarps(op);
  assert(numWarps && "expects the module to have 'ttg.num-warps'");
  return *numWarps;
}
