//===- AssignLayoutsMaterialize.cpp - Write layouts into the IR -----------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// A value that is needed in another layout than its own is computed again in
// that layout where this is cheap: constants, ranges and index arithmetic on
// them, and reads of a buffer. A value spread from a smaller one is spread
// again from the converted smaller one. All others are converted.
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tlx;
using namespace mlir::tlx::layouts;

static Type withEncoding(Type type, Attribute encoding) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && encoding ? tensor.cloneWithEncoding(encoding) : type;
}

/// Sets the type of the result of a constant also in its value.
static void setConstantEncoding(arith::ConstantOp constant, Type type) {
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  constant.setValueAttr(elements.reshape(cast<ShapedType>(type)));
}

namespace {
class Materializer {
public:
  Materializer(ModuleOp module, const TensorLayouts &layouts)
      : module(module), layouts(layouts) {}

  LogicalResult run();

private:
  LogicalResult check(OpOperand &operand, Layout wanted);
  void setTypes();
  void setFunctionTypes();
  void eraseRequests();

  /// `value` in the layout `encoding`, for the use of `user`.
  Value getIn(Value value, Attribute encoding, Operation *user);
  Value cloneIn(Value value, Attribute encoding);
  Value convert(Value value, Attribute encoding, Operation *user);
  bool isCheap(Value value, int depth);

  ModuleOp module;
  const TensorLayouts &layouts;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> clones;
  llvm::DenseMap<std::tuple<Value, Attribute, Block *>, Value> conversions;
  llvm::SetVector<Operation *> replaced;
};
} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void Materializer::setTypes() {
  auto setType = [&](Value value) {
    value.setType(withEncoding(value.getType(), layouts.get(value).encoding));
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), setType);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), setType);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (isa<RankedTensorType>(constant.getType()))
        setConstantEncoding(constant, constant.getType());
  });
}

void Materializer::setFunctionTypes() {
  module.walk([&](tt::FuncOp func) {
    if (func.isExternal())
      return;
    SmallVector<Type> results(func.getFunctionType().getResults());
    func.walk([&](tt::ReturnOp ret) {
      results.assign(ret->operand_type_begin(), ret->operand_type_end());
    });
    func.setFunctionType(FunctionType::get(
        func.getContext(), func.getBody().getArgumentTypes(), results));
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

bool Materializer::isCheap(Value value, int depth) {
  constexpr int kMaxDepth = 16;
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return false;
  if (isTensorSource(op))
    return true;
  return (isElementwise(op) || isa<tt::ExpandDimsOp>(op)) && isPure(op) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isCheap(operand, depth + 1);
         });
}

/// Copies the op of `value` next to it, with all its tensors in `encoding` or,
/// for the source of an expansion, the slice of it.
Value Materializer::cloneIn(Value value, Attribute encoding) {
  Value &clone = clones[{value, encoding}];
  if (clone)
    return clone;
  Operation *op = value.getDefiningOp();
  Attribute operandEncoding = encoding;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    operandEncoding =
        ttg::SliceEncodingAttr::get(op->getContext(), expand.getAxis(),
                                    cast<ttg::DistributedEncoding>(encoding));

  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && !mapping.contains(operand))
      mapping.map(operand, getIn(operand, operandEncoding, op));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op, mapping);
  for (Value result : copy->getResults())
    result.setType(withEncoding(result.getType(), encoding));
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    setConstantEncoding(constant, withEncoding(constant.getType(), encoding));
  // The map may have grown in the meantime.
  return clones[{value, encoding}] =
             copy->getResult(cast<OpResult>(value).getResultNumber());
}

Value Materializer::convert(Value value, Attribute encoding, Operation *user) {
  // As late as possible, but not in a loop that `value` does not change in.
  Operation *point = user;
  while (point->getParentRegion() != value.getParentRegion() &&
         isa<scf::ForOp, scf::WhileOp>(point->getParentOp()))
    point = point->getParentOp();
  Value &conversion = conversions[{value, encoding, point->getBlock()}];
  if (!conversion) {
    OpBuilder builder(point);
    conversion = ttg::ConvertLayoutOp::create(
        builder, user->getLoc(), withEncoding(value.getType(), encoding),
        value);
  } else if (Operation *op = conversion.getDefiningOp();
             point->isBeforeInBlock(op)) {
    op->moveBefore(point);
  }
  return conversion;
}

Value Materializer::getIn(Value value, Attribute encoding, Operation *user) {
  if (cast<RankedTensorType>(value.getType()).getEncoding() == encoding)
    return value;
  Operation *op = value.getDefiningOp();
  bool spreads = isa_and_nonnull<tt::BroadcastOp, tt::ExpandDimsOp>(op);
  if (!spreads && !isa_and_nonnull<LocalLoadOp>(op) &&
      !isCheap(value, /*depth=*/0))
    return convert(value, encoding, user);
  replaced.insert(op);
  return cloneIn(value, encoding);
}

void Materializer::eraseRequests() {
  SmallVector<Operation *> requests;
  module.walk([&](Operation *op) {
    if (isa<RequireLayoutOp, ReleaseLayoutOp>(op))
      requests.push_back(op);
  });
  for (Operation *op : requests) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
}

/// Checks that the value of `operand` may be had in the layout `wanted`.
LogicalResult Materializer::check(OpOperand &operand, Layout wanted) {
  Operation *op = operand.getOwner();
  Value value = operand.get();
  if (value.getDefiningOp<AsyncDotOp>()) {
    InFlightDiagnostic error =
        op->emitError("uses a product that is not complete in another layout; "
                      "wait for it first with async_dot_wait");
    error.attachNote(value.getLoc()) << "the product is started here";
    return error;
  }
  Layout own = layouts.get(value);
  if (isElementwise(op) && wanted.strength == Strength::Pinned &&
      own.strength == Strength::Pinned) {
    InFlightDiagnostic error =
        op->emitError("combines tensors for which two layouts are required, ")
        << own.encoding << " and " << wanted.encoding
        << "; end one requirement with tlx.release_layout";
    error.attachNote(value.getLoc()) << "the first one is made here";
    return error;
  }
  return success();
}

LogicalResult Materializer::run() {
  // Find out all wishes before the first change.
  SmallVector<std::pair<OpOperand *, Attribute>> wanted;
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Layout layout = layouts.getWanted(operand);
      if (!layout || layouts.get(operand.get()).encoding == layout.encoding)
        continue;
      if (failed(check(operand, layout)))
        return WalkResult::interrupt();
      wanted.emplace_back(&operand, layout.encoding);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  setTypes();
  for (auto [operand, encoding] : wanted)
    operand->set(getIn(operand->get(), encoding, operand->getOwner()));
  eraseRequests();

  // Users before the ops that they use.
  while (!replaced.empty()) {
    Operation *op = replaced.pop_back_val();
    if (!op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (isPure(producer) && producer->getNumRegions() == 0)
          replaced.insert(producer);
    op->erase();
  }
  setFunctionTypes();
  return success();
}

LogicalResult layouts::materialize(ModuleOp module,
                                   const TensorLayouts &layouts) {
  return Materializer(module, layouts).run();
}
