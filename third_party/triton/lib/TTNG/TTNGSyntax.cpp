//===- TTNGSyntax.cpp - Text of token and barrier lists -------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTNG/TTNGSyntax.h"

#include "triton_interop/TTNG/TTNG.h"

using namespace mlir;
using namespace mlir::ttng;

ParseResult ttng::parseToken(OpAsmParser &parser,
                             std::optional<OpAsmParser::UnresolvedOperand> &dep,
                             Type &token) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  token = ttg::AsyncTokenType::get(parser.getContext());
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  if (parser.parseOperand(dep.emplace()))
    return failure();
  return parser.parseRSquare();
}

void ttng::printToken(OpAsmPrinter &printer, Operation *, Value dep,
                      Type token) {
  if (!token)
    return;
  printer << '[';
  if (dep)
    printer << dep;
  printer << ']';
}

ParseResult ttng::parseBarriersAndPreds(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &barriers,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &preds) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(preds.emplace_back()) || parser.parseRSquare())
      return failure();
  return success();
}

void ttng::printBarriersAndPreds(OpAsmPrinter &printer, Operation *,
                                 OperandRange barriers, OperandRange preds) {
  for (auto [barrier, pred] : llvm::zip(barriers, preds))
    printer << ", " << barrier << '[' << pred << ']';
}
