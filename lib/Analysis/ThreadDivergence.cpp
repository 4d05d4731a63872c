//===- ThreadDivergence.cpp - What differs between threads ----------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/ThreadDivergence.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tlx/Analysis/ValueFlow.h"

using namespace mlir;
using namespace mlir::tlx;

/// Whether assembly reads what differs by thread: special registers (PTX ISA,
/// "Special Registers") or values of other threads.
static bool readsThread(StringRef assembly) {
  static constexpr StringLiteral marks[] = {
      "%tid",       "%laneid",    "%warpid", "%lanemask", "%clock", "%global",
      "activemask", "elect.sync", "match.",  "shfl.",     "vote."};
  return llvm::any_of(marks,
                      [&](StringRef mark) { return assembly.contains(mark); });
}

/// Whether the results of `op` differ by thread whatever its operands are.
static bool isOrigin(Operation *op) {
  if (isa<ThreadIdOp, Clock64Op, VoteBallotOp>(op))
    return true;
  if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    return readsThread(assembly.getAsmString());
  return false;
}

/// Whether the results of `op` are the same in all threads whatever its
/// operands are: one thread computes them, or all together.
static bool isUniting(Operation *op) {
  return isa<tt::ReduceOp, tt::AtomicRmwOp, tt::AtomicCasOp, tt::AtomicPollOp>(
      op);
}

/// The scalars that decide which way `op` goes.
static SmallVector<Value> getConditions(Operation *op) {
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return {conditional.getCondition()};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getCondition()};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  // A branch with one successor decides nothing.
  if (isa<BranchOpInterface>(op) && op->getNumSuccessors() > 1)
    return {op->getOperand(0)};
  return {};
}

/// The blocks that are reached from `branch`, but not on all ways from it, and
/// the one where all ways meet, which is null if they never do.
static std::pair<SmallVector<Block *>, Block *>
getPartialBlocks(Operation *branch, PostDominanceInfo &postDominance) {
  Block *start = branch->getBlock();
  auto *node = postDominance.getNode(start);
  auto *next = node ? node->getIDom() : nullptr;
  Block *meet = next ? next->getBlock() : nullptr;
  llvm::SetVector<Block *> reached;
  for (Block *successor : branch->getSuccessors())
    if (successor != meet)
      reached.insert(successor);
  for (size_t i = 0; i < reached.size(); ++i)
    for (Block *successor : reached[i]->getSuccessors())
      if (successor != meet)
        reached.insert(successor);
  return {reached.takeVector(), meet};
}

ThreadDivergence::ThreadDivergence(ModuleOp module) {
  // Differences only spread, so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    module.walk([&](Operation *op) { changed |= visit(op); });
    forEachFlowEdge(module, [&](OpOperand &source, Value target) {
      if (Operation *origin = findOrigin(source.get()))
        changed |= mark(target, origin);
    });
  }
}

Operation *ThreadDivergence::findOrigin(ValueRange values) const {
  for (Value value : values)
    if (Operation *origin = origins.lookup(value))
      return origin;
  return nullptr;
}

bool ThreadDivergence::mark(ValueRange values, Operation *origin) {
  bool changed = false;
  for (Value value : values)
    changed |= origins.try_emplace(value, origin).second;
  return changed;
}

bool ThreadDivergence::visit(Operation *op) {
  if (isOrigin(op))
    return mark(op->getResults(), op);
  if (isUniting(op) || isa<tt::CallOp>(op))
    return false;
  if (Operation *origin = findOrigin(getConditions(op)))
    return visitBranch(op, origin);
  // What control flow hands on is seen by its edges.
  if (op->getNumRegions() != 0)
    return false;
  Operation *origin = findOrigin(op->getOperands());
  return origin && mark(op->getResults(), origin);
}

bool ThreadDivergence::visitBranch(Operation *op, Operation *origin) {
  bool changed = mark(op->getResults(), origin);
  // Threads leave a loop at different times, with different values.
  if (isa<LoopLikeOpInterface>(op))
    for (Region &region : op->getRegions())
      changed |= mark(region.getArguments(), origin);
  if (op->getNumSuccessors() == 0)
    return changed;
  PostDominanceInfo postDominance(op->getParentOp());
  auto [blocks, meet] = getPartialBlocks(op, postDominance);
  for (Block *block : blocks) {
    changed |= partialBlocks.try_emplace(block, op).second;
    changed |= mark(block->getArguments(), origin);
  }
  if (meet)
    changed |= mark(meet->getArguments(), origin);
  return changed;
}

Operation *ThreadDivergence::getDivergentBranch(Operation *op) const {
  for (; op && op->getBlock(); op = op->getParentOp()) {
    if (Operation *branch = partialBlocks.lookup(op->getBlock()))
      return branch;
    Operation *parent = op->getParentOp();
    if (parent && findOrigin(getConditions(parent)))
      return parent;
  }
  return nullptr;
}

Operation *ThreadDivergence::getOrigin(Operation *branch) const {
  return findOrigin(getConditions(branch));
}
