//===- TTNGSyntax.h - Text of token and barrier lists --------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGSYNTAX_H
#define TRITON_INTEROP_TTNG_TTNGSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::ttng {

/// `[%dep]`, or `[]` if there is a token result without a dependency, or
/// nothing if there is no token result.
ParseResult parseToken(OpAsmParser &parser,
                       std::optional<OpAsmParser::UnresolvedOperand> &dep,
                       Type &token);
void printToken(OpAsmPrinter &printer, Operation *op, Value dep, Type token);

/// `, %barrier[%pred], ...`
ParseResult
parseBarriersAndPreds(OpAsmParser &parser,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &barriers,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &preds);
void printBarriersAndPreds(OpAsmPrinter &printer, Operation *op,
                           OperandRange barriers, OperandRange preds);

} // namespace mlir::ttng

#endif // TRITON_INTEROP_TTNG_TTNGSYNTAX_H
