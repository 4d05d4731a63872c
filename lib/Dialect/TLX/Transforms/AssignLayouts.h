//===- AssignLayouts.h - Parts of the layout assignment -------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Shared by the files of `tlx-assign-layouts` only.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_LIB_DIALECT_TLX_TRANSFORMS_ASSIGNLAYOUTS_H
#define TLX_LIB_DIALECT_TLX_TRANSFORMS_ASSIGNLAYOUTS_H

#include "mlir/IR/BuiltinOps.h"
#include "tlx/Analysis/RegisterLayouts.h"
#include "tlx/Analysis/ValueFlow.h"
#include "tlx/Dialect/TLX/IR/TLX.h"
#include "triton_interop/TT/TT.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tlx::layouts {

/// Gives each function as many copies as there are different warp counts among
/// its callers, so that every function body has one warp count.
LogicalResult specializeFunctions(ModuleOp module);

//===----------------------------------------------------------------------===//
// Buffers and descriptors
//===----------------------------------------------------------------------===//

/// Gives every buffer a layout that suits all its uses. A layout that is there
/// already is kept.
LogicalResult assignBufferLayouts(ModuleOp module);

/// Gives every tensor descriptor the layout of the buffers that it fills or
/// drains. Runs after `assignBufferLayouts`.
LogicalResult assignDescriptorLayouts(ModuleOp module);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Reasons for a layout, the stronger the greater.
enum class Strength : uint8_t {
  None,
  /// Nothing wanted anything.
  Default,
  /// Chosen by an op that works on any layout of a kind.
  Derived,
  /// Memory accesses and what is computed from them.
  Memory,
  /// Result of a `tt.dot`.
  Dot,
  /// Computed from a slice of a matrix product, which was wider.
  WidenedProduct,
  /// Matrix product in instruction registers.
  Product,
  /// `tlx.require_layout`.
  Pinned,
  /// Part of the input IR.
  Given
};

struct Layout {
  Attribute encoding;
  Strength strength = Strength::None;

  explicit operator bool() const { return static_cast<bool>(encoding); }
  bool operator==(const Layout &other) const {
    return encoding == other.encoding && strength == other.strength;
  }
};

/// What one op says about the layouts of its tensors. An entry without encoding
/// says nothing; entries of values that are no tensors are unused.
struct OpLayouts {
  SmallVector<Layout> operands;
  SmallVector<Layout> results;
};

/// The layouts of all tensors of a module, and how they are found.
class TensorLayouts {
public:
  explicit TensorLayouts(ModuleOp module) : module(module) {}

  /// Decides on the layout of every tensor; changes nothing.
  LogicalResult solve();

  /// The layout of a tensor. Empty for other values.
  Layout get(Value value) const;
  /// The layout in which an op uses its operand; empty if any will do.
  Layout getWanted(OpOperand &operand) const;
  /// Whether decisions on values are final, so that an op adapts to what has
  /// been decided for its results instead of the other way around.
  bool isFrozen() const { return frozen; }
  ThreadCounts getThreads(Operation *op) const;

private:
  void collect();
  LogicalResult checkOps();
  /// From operands to results, until nothing changes.
  void propagateForward();
  /// One sweep in each direction over the undecided; true if any was decided.
  bool fillForward();
  bool fillBackward();
  /// Decides on sources that nothing has an opinion on.
  bool fillDefaults();
  bool update(Value value, Layout layout);
  bool mayAdopt(Value value) const;
  Value getLeader(Value value) const;

  ModuleOp module;
  bool frozen = false;
  unsigned threadsPerWarp = 32;
  /// Ops with tensors, in program order.
  std::vector<Operation *> ops;
  /// Block arguments that are tensors.
  std::vector<Value> blockArguments;
  /// Values that control flow hands on, one group for each slot.
  llvm::EquivalenceClasses<void *> slots;
  llvm::MapVector<void *, SmallVector<OpOperand *>> slotSources;
  llvm::DenseMap<OpOperand *, Value> slotOf;
  llvm::DenseMap<void *, Layout> layouts;
};

/// The rules of `op` given the layouts so far (AssignLayoutsRules.cpp).
OpLayouts inferLayouts(Operation *op, const TensorLayouts &layouts);

/// Whether a tensor may take the layout that its users want, as opposed to the
/// layout that its op gives it.
bool adoptsLayout(Operation *op);

/// Whether `op` only makes a tensor out of constants and scalars.
bool isTensorSource(Operation *op);

/// Whether users and operands of `op` have one and the same layout.
bool isElementwise(Operation *op);

/// Checks what a user can get wrong: products that no instruction computes,
/// layouts for another number of warps.
LogicalResult checkLayoutRequests(Operation *op, ThreadCounts threads);

/// Writes the layouts into the types and inserts conversions, or copies of
/// cheap ops, where an op wants another one.
LogicalResult materialize(ModuleOp module, const TensorLayouts &layouts);

} // namespace mlir::tlx::layouts

#endif // TLX_LIB_DIALECT_TLX_TRANSFORMS_ASSIGNLAYOUTS_H
