//===- AssignLayoutsTensors.cpp - Decide on the layouts of tensors --------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Layouts flow forward from ops that fix them (matrix products, memory
// accesses, user requests); where two meet, the stronger one goes on. What is
// still undecided then, mostly index arithmetic and buffer loads, takes what
// its users want. The rest gets a default.
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tlx/Analysis/RegisterLayouts.h"

using namespace mlir;
using namespace mlir::tlx;
using namespace mlir::tlx::layouts;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

Value TensorLayouts::getLeader(Value value) const {
  auto it = slots.findLeader(value.getAsOpaquePointer());
  return it == slots.member_end() ? value : Value::getFromOpaquePointer(*it);
}

Layout TensorLayouts::get(Value value) const {
  return layouts.lookup(getLeader(value).getAsOpaquePointer());
}

Layout TensorLayouts::getWanted(OpOperand &operand) const {
  if (!isTensor(operand.get()))
    return {};
  auto slot = slotOf.find(&operand);
  if (slot != slotOf.end())
    return get(slot->second);
  return inferLayouts(operand.getOwner(), *this)
      .operands[operand.getOperandNumber()];
}

ThreadCounts TensorLayouts::getThreads(Operation *op) const {
  return {static_cast<unsigned>(lookupNumWarps(op)), threadsPerWarp};
}

bool TensorLayouts::update(Value value, Layout layout) {
  if (!layout || !isTensor(value))
    return false;
  Layout &current = layouts[getLeader(value).getAsOpaquePointer()];
  if (current.strength == Strength::Given || current == layout ||
      (frozen && current))
    return false;
  current = layout;
  return true;
}

void TensorLayouts::collect() {
  if (auto attr = module->getAttrOfType<IntegerAttr>("ttg.threads-per-warp"))
    threadsPerWarp = attr.getInt();

  auto addGiven = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      if (type.getEncoding())
        update(value, {type.getEncoding(), Strength::Given});
  };

  forEachFlowEdge(module, [&](OpOperand &source, Value target) {
    if (!isTensor(target))
      return;
    auto [it, inserted] = slotOf.try_emplace(&source, target);
    slots.insert(target.getAsOpaquePointer());
    if (!inserted)
      slots.unionSets(it->second.getAsOpaquePointer(),
                      target.getAsOpaquePointer());
  });
  // Only now are the leaders final.
  module.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto slot = slotOf.find(&operand);
      if (slot != slotOf.end())
        slotSources[getLeader(slot->second).getAsOpaquePointer()].push_back(
            &operand);
    }
  });

  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::copy_if(block.getArguments(), std::back_inserter(blockArguments),
                      isTensor);
    if (llvm::any_of(op->getOperands(), isTensor) ||
        llvm::any_of(op->getResults(), isTensor))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    llvm::for_each(op->getResults(), addGiven);
  llvm::for_each(blockArguments, addGiven);

  // Callers and callees meet in one layout.
  auto addDefault = [&](Value value, Operation *op) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      update(value, {getDefaultBlocked(op->getContext(), type.getShape(),
                                       getThreads(op)),
                     Strength::Given});
  };
  for (Value argument : blockArguments)
    if (auto func =
            dyn_cast<tt::FuncOp>(argument.getParentRegion()->getParentOp()))
      if (cast<BlockArgument>(argument).getOwner()->isEntryBlock())
        addDefault(argument, func);
  for (Operation *op : ops)
    if (isa<tt::CallOp>(op))
      for (Value result : op->getResults())
        addDefault(result, op);
}

LogicalResult TensorLayouts::checkOps() {
  for (Operation *op : ops)
    if (failed(checkLayoutRequests(op, getThreads(op))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// The first of the strongest.
static Layout getStrongest(ArrayRef<Layout> candidates) {
  Layout best;
  for (const Layout &candidate : candidates)
    if (candidate && candidate.strength > best.strength)
      best = candidate;
  return best;
}

void TensorLayouts::propagateForward() {
  // Strengths only grow, but two layouts of the same strength could take turns
  // in a cycle of slots; stop then, any of them is right.
  constexpr int kMaxSweeps = 64;
  bool changed = true;
  for (int sweep = 0; changed && sweep < kMaxSweeps; ++sweep)
    changed = fillForward();
}

bool TensorLayouts::fillForward() {
  bool changed = false;
  for (Operation *op : ops) {
    OpLayouts rules = inferLayouts(op, *this);
    for (auto [result, layout] :
         llvm::zip_equal(op->getResults(), rules.results))
      changed |= update(result, layout);
  }
  for (auto &[leader, sources] : slotSources) {
    Value slot = Value::getFromOpaquePointer(leader);
    SmallVector<Layout> candidates;
    for (OpOperand *source : sources)
      candidates.push_back(get(source->get()));
    Layout best = getStrongest(candidates);
    if (best.strength >= get(slot).strength)
      changed |= update(slot, best);
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

bool TensorLayouts::mayAdopt(Value value) const {
  if (slotSources.contains(getLeader(value).getAsOpaquePointer()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && adoptsLayout(op);
}

bool TensorLayouts::fillBackward() {
  bool changed = false;
  auto adopt = [&](ValueRange values) {
    for (Value value : values) {
      if (!isTensor(value) || get(value) || !mayAdopt(value))
        continue;
      SmallVector<Layout> wanted;
      for (OpOperand &use : value.getUses())
        wanted.push_back(getWanted(use));
      changed |= update(value, getStrongest(wanted));
    }
  };
  for (Operation *op : llvm::reverse(ops))
    adopt(op->getResults());
  adopt(blockArguments);
  return changed;
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

/// Elements that a thread should have in a row in a tensor that comes from or
/// goes to a buffer: 16 bytes, the widest access.
static unsigned getVectorSize(Value value) {
  auto isBufferAccess = [](Operation *op) {
    return isa_and_nonnull<LocalLoadOp, LocalStoreOp, tt::DescriptorLoadOp,
                           tt::DescriptorStoreOp>(op);
  };
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.getElementType().isIntOrFloat() ||
      !(isBufferAccess(value.getDefiningOp()) ||
        llvm::any_of(value.getUsers(), isBufferAccess)))
    return 1;
  constexpr unsigned accessBits = 128;
  return std::max(1u, accessBits / type.getElementTypeBitWidth());
}

bool TensorLayouts::fillDefaults() {
  // Start from values that do not depend on undecided ones, those of the
  // highest rank first, as layouts of lower rank may become slices of them.
  SmallVector<Value> sources;
  auto addUndecided = [&](ValueRange values) {
    for (Value value : values)
      if (isTensor(value) && !get(value))
        sources.push_back(value);
  };
  for (Operation *op : ops) {
    if (llvm::none_of(op->getOperands(), [&](Value operand) {
          return isTensor(operand) && !get(operand);
        }))
      addUndecided(op->getResults());
  }
  addUndecided(blockArguments);
  if (sources.empty())
    return false;
  auto rankOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  int64_t rank = rankOf(*llvm::max_element(
      sources, [&](Value a, Value b) { return rankOf(a) < rankOf(b); }));
  for (Value value : sources) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() != rank)
      continue;
    Operation *op = value.getDefiningOp();
    ThreadCounts threads =
        getThreads(op ? op : value.getParentBlock()->getParentOp());
    update(value, {getDefaultBlocked(type.getContext(), type.getShape(),
                                     threads, getVectorSize(value)),
                   Strength::Default});
  }
  return true;
}

LogicalResult TensorLayouts::solve() {
  collect();
  if (failed(checkOps()))
    return failure();
  propagateForward();
  frozen = true;
  do {
    while (fillBackward() || fillForward())
      ;
  } while (fillDefaults());
  return success();
}
