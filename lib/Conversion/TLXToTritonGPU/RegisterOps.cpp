//===- RegisterOps.cpp - Matrix products, layouts, special registers ------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

static LogicalResult convertDotWait(AsyncDotWaitOp op, RewriterBase &rewriter) {
  if (op.getInputs().empty()) {
    // Triton's op wants a value that depends on the wait.
    NVVM::WgmmaWaitGroupSyncOp::create(rewriter, op.getLoc(), op.getPendings());
    rewriter.eraseOp(op);
    return success();
  }
  rewriter.replaceOpWithNewOp<ttng::WarpGroupDotWaitOp>(
      op, op.getResultTypes(), op.getInputs(), op.getPendings(),
      /*warpGroupLocal=*/false);
  return success();
}

static LogicalResult convertThreadId(ThreadIdOp op, RewriterBase &rewriter) {
  Type i32 = rewriter.getI32Type();
  switch (op.getAxis()) {
  case Axis::x:
    rewriter.replaceOpWithNewOp<NVVM::ThreadIdXOp>(op, i32, nullptr);
    break;
  case Axis::y:
    rewriter.replaceOpWithNewOp<NVVM::ThreadIdYOp>(op, i32, nullptr);
    break;
  case Axis::z:
    rewriter.replaceOpWithNewOp<NVVM::ThreadIdZOp>(op, i32, nullptr);
    break;
  }
  return success();
}

/// The elements of a tensor that one thread holds.
static int64_t getElementsPerThread(RankedTensorType type,
                                    ttg::BlockedEncodingAttr layout) {
  int64_t elements = 1;
  for (auto [extent, own, lanes, warps] :
       llvm::zip_equal(type.getShape(), layout.getSizePerThread(),
                       layout.getThreadsPerWarp(), layout.getWarpsPerCTA()))
    elements *= own * llvm::divideCeil(extent, own * lanes * warps);
  return elements;
}

/// PTX that combines the `n` predicates of a thread and votes. Operands: `n`
/// results, `n` predicates as words, and the mask, which comes `n` times.
static std::string getVotePTX(int64_t n) {
  auto operand = [](int64_t i) { return "$" + std::to_string(i); };
  std::string ptx = "{ .reg .pred p; .reg .b32 t; mov.b32 t, " + operand(n);
  for (int64_t i = 1; i < n; ++i)
    ptx += "; or.b32 t, t, " + operand(n + i);
  ptx += "; setp.ne.u32 p, t, 0; vote.sync.ballot.b32 t, p, " + operand(2 * n);
  for (int64_t i = 0; i < n; ++i)
    ptx += "; mov.b32 " + operand(i) + ", t";
  return ptx + "; }";
}

static LogicalResult convertVote(VoteBallotOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Type result = op.getResult().getType();
  auto type = dyn_cast<RankedTensorType>(op.getPred().getType());
  if (!type) {
    auto vote = LLVM::CallIntrinsicOp::create(
        rewriter, loc, result,
        rewriter.getStringAttr("llvm.nvvm.vote.ballot.sync"),
        ValueRange{op.getMask(), op.getPred()});
    rewriter.replaceOp(op, vote->getResults());
    return success();
  }
  // More operands than registers would spill.
  constexpr int64_t maxElements = 64;
  auto layout = dyn_cast_or_null<ttg::BlockedEncodingAttr>(type.getEncoding());
  if (!layout || result != type.clone(rewriter.getI32Type()))
    return op.emitOpError("expects one blocked layout, but got ")
           << type << " and " << result;
  int64_t elements = getElementsPerThread(type, layout);
  if (elements > maxElements)
    return op.emitOpError("expects at most ")
           << maxElements << " elements in each thread, but got " << elements;
  Value words =
      arith::ExtUIOp::create(rewriter, loc, result, op.getPred()).getResult();
  Value masks = tt::SplatOp::create(rewriter, loc, result, op.getMask());
  std::string constraints = "=r";
  for (int64_t i = 1; i < elements; ++i)
    constraints += ",=r";
  for (int64_t i = 0; i < 2 * elements; ++i)
    constraints += ",r";
  rewriter.replaceOpWithNewOp<tt::ElementwiseInlineAsmOp>(
      op, TypeRange(result), getVotePTX(elements), constraints, /*pure=*/false,
      elements, ValueRange{words, masks});
  return success();
}

/// Replaces a change of layout by a conversion, or by nothing.
static LogicalResult convertLayout(Operation *op, RewriterBase &rewriter) {
  Value source = op->getOperand(0);
  Type type = op->getResult(0).getType();
  if (source.getType() == type)
    rewriter.replaceOp(op, source);
  else
    rewriter.replaceOpWithNewOp<ttg::ConvertLayoutOp>(op, type, source);
  return success();
}

std::optional<LogicalResult> tlx::convertRegisterOp(Operation *op,
                                                    RewriterBase &rewriter) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](AsyncDotOp op) {
        rewriter.replaceOpWithNewOp<ttng::WarpGroupDotOp>(
            op, op.getType(), op.getA(), op.getBMutable().get(), op.getC(),
            op.getUseAcc(), op.getInputPrecision(), op.getMaxNumImpreciseAcc(),
            /*isAsync=*/true);
        return success();
      })
      .Case([&](AsyncDotWaitOp op) { return convertDotWait(op, rewriter); })
      .Case([&](ThreadIdOp op) { return convertThreadId(op, rewriter); })
      .Case([&](Clock64Op op) {
        rewriter.replaceOp(op, emitPTX(rewriter, op.getLoc(),
                                       "mov.u64 $0, %clock64;", "=l", {},
                                       rewriter.getI64Type()));
        return success();
      })
      .Case([&](VoteBallotOp op) { return convertVote(op, rewriter); })
      .Case<RequireLayoutOp, ReleaseLayoutOp>(
          [&](Operation *op) { return convertLayout(op, rewriter); })
      .Default([](Operation *) { return std::nullopt; });
}
