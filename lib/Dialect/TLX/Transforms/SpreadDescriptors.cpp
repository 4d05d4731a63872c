//===- SpreadDescriptors.cpp - A place for each descriptor in flight ------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/ValueFlow.h"
#include "tlx/Dialect/TLX/IR/TLX.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"
#include "tlx/Target/Limits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXSPREADDESCRIPTORS
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

//===----------------------------------------------------------------------===//
// How many
//===----------------------------------------------------------------------===//

namespace {
/// Where values come from and go to, across control flow and views.
class Flow {
public:
  explicit Flow(ModuleOp module) {
    forEachFlowEdge(module, [&](OpOperand &source, Value target) {
      targets[source.get()].push_back(target);
      sources[target].push_back(source.get());
    });
  }

  /// The buffers that the TMA copies to or from through a descriptor.
  SmallVector<Value> getCopiedBuffers(Value descriptor) const;
  /// The slots of all allocations that a buffer may be of; one for each that is
  /// not known.
  int64_t countSlots(ArrayRef<Value> buffers) const;

private:
  llvm::DenseMap<Value, SmallVector<Value>> targets, sources;
};
} // namespace

SmallVector<Value> Flow::getCopiedBuffers(Value descriptor) const {
  SmallVector<Value> buffers;
  llvm::SetVector<Value> reached;
  reached.insert(descriptor);
  for (size_t i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    if (auto it = targets.find(value); it != targets.end())
      reached.insert(it->second.begin(), it->second.end());
    for (Operation *user : value.getUsers())
      if (auto load = dyn_cast<AsyncDescriptorLoadOp>(user))
        buffers.push_back(load.getResult());
      else if (auto store = dyn_cast<AsyncDescriptorStoreOp>(user))
        buffers.push_back(store.getSource());
  }
  return buffers;
}

int64_t Flow::countSlots(ArrayRef<Value> buffers) const {
  llvm::SetVector<Value> reached(buffers.begin(), buffers.end());
  int64_t slots = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    Operation *op = value.getDefiningOp();
    auto it = sources.find(value);
    if (auto alloc = dyn_cast_or_null<LocalAllocOp>(op))
      slots += alloc.getType().getNum();
    else if (isa_and_nonnull<LocalViewOp, LocalIndexOp, LocalSliceOp,
                             LocalTransOp, LocalReshapeOp, LocalReinterpretOp>(
                 op))
      reached.insert(op->getOperand(0));
    else if (it != sources.end())
      reached.insert(it->second.begin(), it->second.end());
    else
      ++slots;
  }
  return slots;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

namespace {
/// Counts how often an op has run, modulo the number of places: the count is
/// carried through the loops and conditionals around the op.
class UseCounter {
public:
  UseCounter(RewriterBase &rewriter, Operation *op, int64_t modulus)
      : rewriter(rewriter), op(op), modulus(modulus) {}

  /// Finds what is around the op; false if the count cannot be carried through
  /// all of it.
  bool collect();
  /// The outermost op around it.
  Operation *getOutermost() const { return around.front(); }
  /// Carries the count; returns its value where the op runs.
  Value carry();

private:
  Value carryThrough(unsigned depth, Value count);
  Value carryThroughFor(scf::ForOp loop, unsigned depth, Value count);
  Value carryThroughWhile(scf::WhileOp loop, unsigned depth, Value count);
  Value carryThroughIf(scf::IfOp conditional, unsigned depth, Value count);

  RewriterBase &rewriter;
  Operation *op;
  int64_t modulus;
  /// From the outermost to the innermost.
  SmallVector<Operation *> around;
  Value atOp;
};
} // namespace

bool UseCounter::collect() {
  bool isInLoop = false;
  Operation *parent = op->getParentOp();
  for (; !isa<AsyncTaskOp, FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(parent))
      return false;
    isInLoop |= isa<LoopLikeOpInterface>(parent);
    around.push_back(parent);
  }
  std::reverse(around.begin(), around.end());
  return isInLoop;
}

Value UseCounter::carry() {
  rewriter.setInsertionPoint(around.front());
  Value zero = arith::ConstantIntOp::create(rewriter, op->getLoc(), 0, 32);
  carryThrough(0, zero);
  return atOp;
}

/// Returns the count behind the op at `depth`.
Value UseCounter::carryThrough(unsigned depth, Value count) {
  if (depth == around.size()) {
    atOp = count;
    Location loc = op->getLoc();
    rewriter.setInsertionPointAfter(op);
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
    Value end = arith::ConstantIntOp::create(rewriter, loc, modulus, 32);
    Value next = arith::AddIOp::create(rewriter, loc, count, one);
    return arith::RemUIOp::create(rewriter, loc, next, end);
  }
  if (auto loop = dyn_cast<scf::ForOp>(around[depth]))
    return carryThroughFor(loop, depth, count);
  if (auto loop = dyn_cast<scf::WhileOp>(around[depth]))
    return carryThroughWhile(loop, depth, count);
  return carryThroughIf(cast<scf::IfOp>(around[depth]), depth, count);
}

static void appendOperand(Operation *op, Value value) {
  op->insertOperands(op->getNumOperands(), value);
}

Value UseCounter::carryThroughFor(scf::ForOp loop, unsigned depth,
                                  Value count) {
  // The count itself stands for its next value until that is there.
  auto yieldCount = [](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
    return SmallVector<Value>(added.begin(), added.end());
  };
  auto carried = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, count, /*replaceInitOperandUsesInLoop=*/false, yieldCount));
  Value next = carryThrough(depth + 1, carried.getRegionIterArgs().back());
  Operation *yield = carried.getBody()->getTerminator();
  yield->setOperand(yield->getNumOperands() - 1, next);
  return carried.getResults().back();
}

Value UseCounter::carryThroughWhile(scf::WhileOp loop, unsigned depth,
                                    Value count) {
  Location loc = loop.getLoc();
  bool isBefore = loop.getBefore().isAncestor(
      depth + 1 == around.size() ? op->getParentRegion()
                                 : around[depth + 1]->getParentRegion());
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(count);
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(count.getType());
  rewriter.setInsertionPoint(loop);
  auto carried = scf::WhileOp::create(rewriter, loc, types, inits);
  carried.getBefore().takeBody(loop.getBefore());
  carried.getAfter().takeBody(loop.getAfter());
  Value before = carried.getBefore().addArgument(count.getType(), loc);
  Value after = carried.getAfter().addArgument(count.getType(), loc);
  rewriter.replaceOp(loop, carried.getResults().drop_back());
  Value next = carryThrough(depth + 1, isBefore ? before : after);
  appendOperand(carried.getConditionOp(), isBefore ? next : before);
  appendOperand(carried.getYieldOp(), isBefore ? after : next);
  return carried.getResults().back();
}

Value UseCounter::carryThroughIf(scf::IfOp conditional, unsigned depth,
                                 Value count) {
  Location loc = conditional.getLoc();
  Region *inner = depth + 1 == around.size()
                      ? op->getParentRegion()
                      : around[depth + 1]->getParentRegion();
  bool isThen = conditional.getThenRegion().isAncestor(inner);
  SmallVector<Type> types(conditional.getResultTypes());
  types.push_back(count.getType());
  rewriter.setInsertionPoint(conditional);
  auto carried =
      scf::IfOp::create(rewriter, loc, types, conditional.getCondition(),
                        /*withElseRegion=*/true);
  carried.getThenRegion().takeBody(conditional.getThenRegion());
  if (conditional.elseBlock())
    carried.getElseRegion().takeBody(conditional.getElseRegion());
  else {
    rewriter.setInsertionPointToStart(carried.elseBlock());
    scf::YieldOp::create(rewriter, loc);
  }
  rewriter.replaceOp(conditional, carried.getResults().drop_back());
  Value next = carryThrough(depth + 1, count);
  appendOperand(carried.thenYield(), isThen ? next : count);
  appendOperand(carried.elseYield(), isThen ? count : next);
  return carried.getResults().back();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
struct SpreadDescriptors
    : tlx::impl::TLXSpreadDescriptorsBase<SpreadDescriptors> {
  void runOnOperation() override {
    SmallVector<tt::MakeTensorDescriptorOp> ops;
    getOperation().walk(
        [&](tt::MakeTensorDescriptorOp op) { ops.push_back(op); });
    for (tt::MakeTensorDescriptorOp op : ops)
      spread(op);
  }

  void spread(tt::MakeTensorDescriptorOp op);
};
} // namespace

void SpreadDescriptors::spread(tt::MakeTensorDescriptorOp op) {
  // The flow changes with each loop that carries a count.
  Flow flow(getOperation());
  SmallVector<Value> buffers = flow.getCopiedBuffers(op.getResult());
  if (buffers.empty())
    return;
  IRRewriter rewriter(&getContext());
  int64_t places = flow.countSlots(buffers) + 1;
  UseCounter counter(rewriter, op, places);
  if (!counter.collect())
    return;

  Location loc = op.getLoc();
  Type byte = rewriter.getI8Type();
  auto pointer =
      tt::PtrType::get(byte, op.getBase().getType().getAddressSpace());
  rewriter.setInsertionPoint(counter.getOutermost());
  Value storage = ttg::GlobalScratchAllocOp::create(
      rewriter, loc, pointer, places * kDescriptorBytes, kDescriptorBytes);
  Value place = counter.carry();
  rewriter.setInsertionPoint(op);
  Value size =
      arith::ConstantIntOp::create(rewriter, loc, kDescriptorBytes, 32);
  Value offset = arith::MulIOp::create(rewriter, loc, place, size);
  Value address =
      tt::AddPtrOp::create(rewriter, loc, storage.getType(), storage, offset);
  rewriter.replaceOpWithNewOp<MakeTensorDescriptorOp>(
      op, op.getType(), address, op.getBase(), op.getShape(),
      op.getStrides().drop_back(), op.getPadding());
}
