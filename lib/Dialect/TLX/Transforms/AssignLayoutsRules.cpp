//===- AssignLayoutsRules.cpp - Layouts that one op asks for --------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tlx/Analysis/RegisterLayouts.h"
#include "tlx/Target/Limits.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tlx;
using namespace mlir::tlx::layouts;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type getElementType(AsyncDotOp dot) {
  return cast<BufferType>(dot.getB().getType()).getElementType();
}

bool layouts::isTensorSource(Operation *op) {
  return isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op);
}

bool layouts::isElementwise(Operation *op) {
  if (isTensorSource(op))
    return false;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<tt::AddPtrOp, tt::BitcastOp, tt::FpToFpOp, tt::IntToPtrOp,
             tt::PtrToIntOp, tt::ClampfOp, tt::MulhiuiOp, tt::PreciseDivfOp,
             tt::PreciseSqrtOp, tt::ApproxDivfOp, tt::ElementwiseInlineAsmOp,
             tt::ExternElementwiseOp, tt::MapElementwiseOp, tt::BroadcastOp>(
             op);
}

bool layouts::adoptsLayout(Operation *op) {
  return isTensorSource(op) || isElementwise(op) ||
         isa<LocalLoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp,
             tt::ExpandDimsOp, tt::TransOp, tt::GatherOp, ReleaseLayoutOp,
             ub::PoisonOp>(op);
}

namespace {
/// Fills in the rules of one op.
class Rules {
public:
  Rules(Operation *op, const TensorLayouts &layouts)
      : op(op), context(op->getContext()), layouts(layouts),
        threads(layouts.getThreads(op)) {
    rules.operands.resize(op->getNumOperands());
    rules.results.resize(op->getNumResults());
  }

  OpLayouts infer();

private:
  // One function for each family of ops.
  void inferElementwise();
  void inferDotWait(AsyncDotWaitOp wait);
  void inferAsyncDot(AsyncDotOp dot);
  void inferDot(tt::DotOp dot);
  void inferReduce(tt::ReduceOp reduce);
  void inferScan(tt::ScanOp scan);
  void inferExpandDims(tt::ExpandDimsOp expand);
  void inferTrans(tt::TransOp trans);
  void inferReshape(tt::ReshapeOp reshape);
  void inferJoin(tt::JoinOp join);
  void inferSplit(tt::SplitOp split);
  void inferCat(tt::CatOp cat);
  void inferGather(tt::GatherOp gather);
  void inferRequire(RequireLayoutOp require);
  void inferRelease(ReleaseLayoutOp release);

  /// All tensors of the op have the default layout of the first one's shape.
  void inferMemory();
  /// Each tensor has the default layout of its own shape.
  void inferDefaults();

  Layout getDefault(Value value, Strength strength = Strength::Derived) const {
    return {getDefaultBlocked(context, getShape(value), threads), strength};
  }
  /// The layout of `value` if it is blocked, else the default one.
  ttg::BlockedEncodingAttr getBlocked(Value value) const {
    if (auto blocked = dyn_cast_if_present<ttg::BlockedEncodingAttr>(
            layouts.get(value).encoding))
      return blocked;
    return getDefaultBlocked(context, getShape(value), threads);
  }
  /// A layout that the input IR gave to one of the tensors of this op.
  Layout getGiven() const;
  Layout getStrongestOperand() const;
  void setAllOperands(Layout layout) {
    for (auto [operand, rule] :
         llvm::zip_equal(op->getOperands(), rules.operands))
      if (isTensor(operand))
        rule = layout;
  }
  void setAllResults(Layout layout) {
    for (auto [result, rule] : llvm::zip_equal(op->getResults(), rules.results))
      if (isTensor(result))
        rule = layout;
  }
  void setAll(Layout layout) {
    setAllOperands(layout);
    setAllResults(layout);
  }

  Operation *op;
  MLIRContext *context;
  const TensorLayouts &layouts;
  ThreadCounts threads;
  OpLayouts rules;
};
} // namespace

Layout Rules::getGiven() const {
  for (ValueRange values :
       {ValueRange(op->getResults()), ValueRange(op->getOperands())})
    for (Value value : values)
      if (Layout layout = layouts.get(value);
          layout.strength == Strength::Given)
        return layout;
  return {};
}

Layout Rules::getStrongestOperand() const {
  Layout best;
  for (Value operand : op->getOperands())
    if (Layout layout = layouts.get(operand);
        layout && layout.strength > best.strength)
      best = layout;
  return best;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

void Rules::inferElementwise() {
  Layout result = layouts.get(op->getResult(0));
  Layout layout = getStrongestOperand();
  if (result &&
      (!layout || layouts.isFrozen() || result.strength == Strength::Given))
    layout = result;
  setAll(layout);
}

void Rules::inferDotWait(AsyncDotWaitOp wait) {
  // Each value keeps its own layout: it may still be in flight.
  for (auto [i, input] : llvm::enumerate(wait.getInputs())) {
    Layout result = layouts.get(op->getResult(i));
    Layout layout = layouts.get(input);
    if (result && (!layout || layouts.isFrozen()))
      layout = result;
    rules.operands[i] = rules.results[i] = layout;
  }
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

void Rules::inferAsyncDot(AsyncDotOp dot) {
  Layout result = layouts.get(dot.getD());
  auto mma = dyn_cast_if_present<ttg::NvidiaMmaEncodingAttr>(result.encoding);
  Type elementType = getElementType(dot);
  if (!mma) {
    // The request was checked before; silence it here.
    auto layout = getWgmmaLayout(
        [&] { return InFlightDiagnostic(); }, getShape(dot.getD())[0],
        getShape(dot.getD())[1], elementType, threads.numWarps);
    if (failed(layout))
      return;
    mma = *layout;
  }
  unsigned c = dot.getCMutable().getOperandNumber();
  rules.results[0] = rules.operands[c] = {mma, Strength::Product};
  if (isTensor(dot.getA()))
    rules.operands[0] = {
        getWgmmaOperandLayout(mma, elementType.getIntOrFloatBitWidth()),
        Strength::Product};
}

void Rules::inferDot(tt::DotOp dot) {
  Layout layout{getDotBlocked(context, getShape(dot.getD()), threads),
                Strength::Dot};
  if (Layout given = layouts.get(dot.getD()); given.strength == Strength::Given)
    layout = given;
  auto parent = cast<ttg::DistributedEncoding>(layout.encoding);
  for (unsigned i : {0, 1})
    rules.operands[i] = {
        ttg::DotOperandEncodingAttr::get(context, i, parent, /*kWidth=*/0),
        Strength::Dot};
  rules.operands[2] = rules.results[0] = layout;
}

//===----------------------------------------------------------------------===//
// Reductions and shapes
//===----------------------------------------------------------------------===//

void Rules::inferReduce(tt::ReduceOp reduce) {
  Layout layout = getStrongestOperand();
  if (layouts.isFrozen() && isTensor(op->getResult(0)))
    if (auto slice = dyn_cast_if_present<ttg::SliceEncodingAttr>(
            layouts.get(op->getResult(0)).encoding))
      layout.encoding = slice.getParent();
  if (!layout)
    return;
  setAllOperands(layout);
  // A tensor of rank 1 is reduced to scalars.
  if (!isTensor(op->getResult(0)))
    return;
  setAllResults({ttg::SliceEncodingAttr::get(
                     context, reduce.getAxis(),
                     cast<ttg::DistributedEncoding>(layout.encoding)),
                 layout.strength});
}

void Rules::inferScan(tt::ScanOp scan) {
  if (Layout given = getGiven())
    return setAll(given);
  // Scans are implemented on blocked layouts only.
  Layout layout = getStrongestOperand();
  if (!isa_and_nonnull<ttg::BlockedEncodingAttr>(layout.encoding))
    layout = getDefault(op->getOperand(0));
  setAll(layout);
}

void Rules::inferExpandDims(tt::ExpandDimsOp expand) {
  Layout result = layouts.get(expand.getResult());
  Layout source = layouts.get(expand.getSrc());
  auto slice = dyn_cast_if_present<ttg::SliceEncodingAttr>(source.encoding);
  if (slice && slice.getDim() == expand.getAxis() &&
      !(layouts.isFrozen() && result)) {
    // A product that this is combined with should keep its own layout.
    result = {slice.getParent(),
              std::min(source.strength, Strength::WidenedProduct)};
  }
  if (!result)
    return;
  rules.results[0] = result;
  rules.operands[0] = {ttg::SliceEncodingAttr::get(
                           context, expand.getAxis(),
                           cast<ttg::DistributedEncoding>(result.encoding)),
                       result.strength};
}

void Rules::inferTrans(tt::TransOp trans) {
  ArrayRef<int32_t> order = trans.getOrder();
  SmallVector<int32_t> inverse(order.size());
  for (auto [dim, sourceDim] : llvm::enumerate(order))
    inverse[sourceDim] = dim;
  Layout source = layouts.get(trans.getSrc());
  Layout result = layouts.get(trans.getResult());
  auto wanted = dyn_cast_if_present<ttg::BlockedEncodingAttr>(result.encoding);
  if (wanted && (layouts.isFrozen() || !source)) {
    rules.results[0] = result;
    rules.operands[0] = {permuteBlocked(wanted, inverse), Strength::Derived};
    return;
  }
  if (!source)
    return;
  ttg::BlockedEncodingAttr blocked = getBlocked(trans.getSrc());
  rules.operands[0] = {blocked, Strength::Derived};
  rules.results[0] = {permuteBlocked(blocked, order), Strength::Derived};
}

void Rules::inferReshape(tt::ReshapeOp reshape) {
  if (layouts.get(reshape.getResult()).strength == Strength::Given) {
    rules.operands[0] = layouts.get(reshape.getSrc());
    return;
  }
  if (reshape.getAllowReorder()) {
    // Threads keep their elements, so both sides need as many in each thread.
    return inferDefaults();
  }
  if (!layouts.get(reshape.getSrc()))
    return;
  ttg::BlockedEncodingAttr blocked = getBlocked(reshape.getSrc());
  rules.operands[0] = {blocked, Strength::Derived};
  rules.results[0] = {reshapeBlocked(blocked, getShape(reshape.getSrc()),
                                     getShape(reshape.getResult())),
                      Strength::Derived};
}

void Rules::inferJoin(tt::JoinOp join) {
  ttg::BlockedEncodingAttr blocked = getBlocked(join.getLhs());
  setAllOperands({blocked, Strength::Derived});
  rules.results[0] = {joinBlocked(blocked), Strength::Derived};
}

void Rules::inferSplit(tt::SplitOp split) {
  auto source = dyn_cast_if_present<ttg::BlockedEncodingAttr>(
      layouts.get(split.getSrc()).encoding);
  ttg::BlockedEncodingAttr half = source ? splitBlocked(source) : source;
  if (!half) {
    half = getDefaultBlocked(context, getShape(op->getResult(0)), threads);
    source = joinBlocked(half);
  }
  rules.operands[0] = {source, Strength::Derived};
  setAllResults({half, Strength::Derived});
}

void Rules::inferCat(tt::CatOp cat) {
  ttg::BlockedEncodingAttr blocked = getBlocked(cat.getLhs());
  setAllOperands({blocked, Strength::Derived});
  rules.results[0] = {catBlocked(blocked, getShape(cat.getLhs()),
                                 getShape(cat.getResult()), threads),
                      Strength::Derived};
}

void Rules::inferGather(tt::GatherOp gather) {
  // Any layout of the source will do.
  Layout result = layouts.get(gather.getResult());
  Layout indices = layouts.get(gather.getIndices());
  if (!indices || (layouts.isFrozen() && result))
    indices = result;
  rules.operands[1] = rules.results[0] = indices;
}

//===----------------------------------------------------------------------===//
// Requests and conversions
//===----------------------------------------------------------------------===//

void Rules::inferRequire(RequireLayoutOp require) {
  rules.results[0] = {require.getLayout(), Strength::Pinned};
  rules.operands[0] = rules.results[0];
}

void Rules::inferRelease(ReleaseLayoutOp release) {
  Layout source = layouts.get(release.getSource());
  if (!source)
    source = layouts.get(release.getResult());
  if (source)
    source.strength = std::min(source.strength, Strength::Derived);
  rules.operands[0] = rules.results[0] = source;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

void Rules::inferMemory() {
  Layout layout = getGiven();
  for (ValueRange values :
       {ValueRange(op->getResults()), ValueRange(op->getOperands())})
    for (Value value : values)
      if (isTensor(value) && !layout)
        layout = getDefault(value, Strength::Memory);
  setAll(layout);
}

void Rules::inferDefaults() {
  for (auto [operand, rule] :
       llvm::zip_equal(op->getOperands(), rules.operands))
    if (isTensor(operand))
      rule = getDefault(operand);
  for (auto [result, rule] : llvm::zip_equal(op->getResults(), rules.results))
    if (isTensor(result))
      rule = getDefault(result);
}

OpLayouts Rules::infer() {
  // Values that control flow hands on have the layout of their slot.
  if (isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
          BranchOpInterface, tt::CallOp, tt::ReturnOp>(op) &&
      !isa<tt::MapElementwiseOp>(op))
    return rules;
  if (isElementwise(op)) {
    inferElementwise();
    return rules;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](AsyncDotOp dot) { inferAsyncDot(dot); })
      .Case([&](AsyncDotWaitOp wait) { inferDotWait(wait); })
      .Case([&](tt::DotOp dot) { inferDot(dot); })
      .Case([&](tt::ReduceOp reduce) { inferReduce(reduce); })
      .Case([&](tt::ScanOp scan) { inferScan(scan); })
      .Case([&](tt::ExpandDimsOp expand) { inferExpandDims(expand); })
      .Case([&](tt::TransOp trans) { inferTrans(trans); })
      .Case([&](tt::ReshapeOp reshape) { inferReshape(reshape); })
      .Case([&](tt::JoinOp join) { inferJoin(join); })
      .Case([&](tt::SplitOp split) { inferSplit(split); })
      .Case([&](tt::CatOp cat) { inferCat(cat); })
      .Case([&](tt::GatherOp gather) { inferGather(gather); })
      .Case([&](RequireLayoutOp require) { inferRequire(require); })
      .Case([&](ReleaseLayoutOp release) { inferRelease(release); })
      .Case<tt::DescriptorGatherOp, tt::DescriptorScatterOp>([&](auto) {
        rules.operands[1] = {getGatherIndexLayout(context, threads),
                             Strength::Memory};
      })
      .Case<tt::LoadOp, tt::StoreOp, tt::AtomicRmwOp, tt::AtomicCasOp,
            tt::AtomicLoadOp, tt::AtomicStoreOp, tt::AtomicPollOp, AsyncLoadOp,
            LocalGatherOp, LocalScatterOp>([&](auto) { inferMemory(); })
      // Any layout will do.
      .Case<LocalLoadOp, LocalStoreOp, tt::DescriptorLoadOp,
            tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::PrintOp,
            tt::AssertOp, tt::UnsplatOp, ttg::ConvertLayoutOp,
            arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp, ub::PoisonOp>(
          [](auto) {})
      .Default([&](Operation *) { inferDefaults(); });
  return rules;
}

OpLayouts layouts::inferLayouts(Operation *op, const TensorLayouts &layouts) {
  return Rules(op, layouts).infer();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult checkAsyncDot(AsyncDotOp dot, ThreadCounts threads) {
  auto type = cast<RankedTensorType>(dot.getD().getType());
  return getWgmmaLayout([&] { return dot.emitOpError(); }, type.getDimSize(0),
                        type.getDimSize(1), getElementType(dot),
                        threads.numWarps);
}

/// A thread copies elements that lie side by side at once. How many it may take
/// for that depends on the pointers, but it has no more than its share.
static LogicalResult checkAsyncLoad(AsyncLoadOp load, ThreadCounts threads) {
  BufferType buffer = load.getResult().getType();
  int64_t numThreads = threads.numWarps * threads.threadsPerWarp;
  int64_t numElements = ShapedType::getNumElements(buffer.getShape());
  int64_t bytes = llvm::divideCeil(numElements, numThreads) *
                  buffer.getElementType().getIntOrFloatBitWidth() / 8;
  if (bytes >= kMinAsyncCopyBytes)
    return success();
  return load.emitOpError("expects each thread to copy at least ")
         << kMinAsyncCopyBytes << " bytes, but " << numElements
         << " elements of " << buffer.getElementType() << " give each of "
         << numThreads << " threads " << bytes
         << "; copy a larger buffer, or load a tensor and store it";
}

static LogicalResult checkRequire(RequireLayoutOp require,
                                  ThreadCounts threads) {
  auto layout = dyn_cast<ttg::DistributedEncoding>(require.getLayout());
  if (!layout)
    return require.emitOpError("expects 'layout' to be a register layout, but "
                               "got ")
           << require.getLayout();
  auto type = cast<RankedTensorType>(require.getResult().getType());
  if (layout.getRank() != type.getRank())
    return require.emitOpError("expects 'layout' to have rank ")
           << type.getRank() << " as the tensor has, but got "
           << layout.getRank();
  if (layout.getNumWarps() != threads.numWarps)
    return require.emitOpError("expects 'layout' to be for the ")
           << threads.numWarps << " warps of its task, but got one for "
           << layout.getNumWarps();
  return success();
}

LogicalResult layouts::checkLayoutRequests(Operation *op,
                                           ThreadCounts threads) {
  if (auto dot = dyn_cast<AsyncDotOp>(op))
    return checkAsyncDot(dot, threads);
  if (auto load = dyn_cast<AsyncLoadOp>(op))
    return checkAsyncLoad(load, threads);
  if (auto require = dyn_cast<RequireLayoutOp>(op))
    return checkRequire(require, threads);
  return success();
}
