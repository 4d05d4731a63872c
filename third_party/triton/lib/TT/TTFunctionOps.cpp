//===- TTFunctionOps.cpp - Functions, calls, inlining ---------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tt;

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

namespace {
/// Everything may be inlined, except functions that ask not to be.
struct TTInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool wouldBeCloned) const override {
    auto func = dyn_cast<FuncOp>(callable);
    return func && !func.isNoInline();
  }
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &mapping) const override {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const override {
    return true;
  }

  void handleTerminator(Operation *op, Block *dest) const override {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), dest, returnOp.getSrcs());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange results) const override {
    auto returnOp = cast<ReturnOp>(op);
    for (auto [result, value] : llvm::zip_equal(results, returnOp.getSrcs()))
      result.replaceAllUsesWith(value);
  }
};
} // namespace

void TTDialect::registerInterfaces() { addInterfaces<TTInlinerInterface>(); }

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type, ArrayRef<NamedAttribute> attrs) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttributes(attrs);
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

bool FuncOp::isNoInline() {
  auto noInline = (*this)->getAttrOfType<BoolAttr>("noinline");
  return noInline && noInline.getValue();
}

//===----------------------------------------------------------------------===//
// CallOp
//===----------------------------------------------------------------------===//

void CallOp::build(OpBuilder &builder, OperationState &state, FuncOp callee,
                   ValueRange operands) {
  build(builder, state, callee.getFunctionType().getResults(),
        SymbolRefAttr::get(callee), operands, /*arg_attrs=*/nullptr,
        /*res_attrs=*/nullptr);
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expects 'callee' to be a tt.func, but got ")
           << getCalleeAttr();
  FunctionType type = callee.getFunctionType();
  if (TypeRange(type.getInputs()) != TypeRange(getOperandTypes()))
    return emitOpError("expects operands of types (")
           << type.getInputs() << "), but got (" << getOperandTypes() << ")";
  if (TypeRange(type.getResults()) != TypeRange(getResultTypes()))
    return emitOpError("expects results of types (")
           << type.getResults() << "), but got (" << getResultTypes() << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  ArrayRef<Type> expected =
      (*this)->getParentOfType<FuncOp>().getFunctionType().getResults();
  if (TypeRange(expected) != TypeRange(getOperandTypes()))
    return emitOpError("expects values of types (")
           << expected << "), but got (" << getOperandTypes() << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// PrintOp
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() != getArgs().size())
    return emitOpError("expects 'isSigned' to have ")
           << getArgs().size() << " entries, but got " << getIsSigned().size();
  return success();
}
