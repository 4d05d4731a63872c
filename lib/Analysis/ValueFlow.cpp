//===- ValueFlow.cpp - Values across control flow -------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/ValueFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "triton_interop/TT/TT.h"

using namespace mlir;
using namespace mlir::tlx;

using EdgeVisitor = llvm::function_ref<void(OpOperand &, Value)>;

static void visitFor(scf::ForOp loop, EdgeVisitor visit) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [init, next, argument, result] :
       llvm::zip_equal(loop.getInitArgsMutable(), yield->getOpOperands(),
                       loop.getRegionIterArgs(), loop.getResults()))
    for (OpOperand *operand : {&init, &next}) {
      visit(*operand, argument);
      visit(*operand, result);
    }
}

static void visitWhile(scf::WhileOp loop, EdgeVisitor visit) {
  for (auto [init, next, argument] : llvm::zip_equal(
           loop.getInitsMutable(), loop.getYieldOp()->getOpOperands(),
           loop.getBeforeArguments())) {
    visit(init, argument);
    visit(next, argument);
  }
  for (auto [passed, argument, result] :
       llvm::zip_equal(loop.getConditionOp().getArgsMutable(),
                       loop.getAfterArguments(), loop.getResults())) {
    visit(passed, argument);
    visit(passed, result);
  }
}

static void visitIf(scf::IfOp conditional, EdgeVisitor visit) {
  if (conditional.getNumResults() == 0)
    return;
  for (Block *branch : {conditional.thenBlock(), conditional.elseBlock()})
    for (auto [operand, result] :
         llvm::zip_equal(branch->getTerminator()->getOpOperands(),
                         conditional.getResults()))
      visit(operand, result);
}

static void visitBranch(BranchOpInterface branch, EdgeVisitor visit) {
  for (unsigned i = 0, e = branch->getNumSuccessors(); i < e; ++i) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    Block *successor = branch->getSuccessor(i);
    for (unsigned j = operands.getProducedOperandCount(); j < operands.size();
         ++j)
      visit(branch->getOpOperand(operands.getOperandIndex(j)),
            successor->getArgument(j));
  }
}

static void visitCall(tt::CallOp call, SymbolTableCollection &symbols,
                      EdgeVisitor visit) {
  auto callee =
      symbols.lookupNearestSymbolFrom<tt::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return;
  for (auto [operand, argument] :
       llvm::zip_equal(call->getOpOperands(), callee.getArguments()))
    visit(operand, argument);
  callee.walk([&](tt::ReturnOp ret) {
    for (auto [operand, result] :
         llvm::zip_equal(ret->getOpOperands(), call->getResults()))
      visit(operand, result);
  });
}

void tlx::forEachFlowEdge(ModuleOp module, EdgeVisitor visit) {
  SymbolTableCollection symbols;
  module.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      visitFor(loop, visit);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      visitWhile(loop, visit);
    else if (auto conditional = dyn_cast<scf::IfOp>(op))
      visitIf(conditional, visit);
    else if (auto call = dyn_cast<tt::CallOp>(op))
      visitCall(call, symbols, visit);
    else if (auto branch = dyn_cast<BranchOpInterface>(op))
      visitBranch(branch, visit);
  });
}
