//===- LayoutSyntax.h - Text of layout attributes ------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_LAYOUTSYNTAX_H
#define TRITON_INTEROP_TTG_LAYOUTSYNTAX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "triton_interop/TTG/Bases.h"

namespace mlir::ttg {

/// Reads the `key = value` fields of a layout attribute. Each `take` consumes
/// one field and emits an error if it is absent (unless optional) or of the
/// wrong kind; `finish` rejects fields that nobody took.
class LayoutFields {
public:
  explicit LayoutFields(AsmParser &parser)
      : parser(parser), loc(parser.getCurrentLocation()) {}

  /// `{key = value, ...}`
  ParseResult parseBraced();
  /// `key = value, ...` up to, and not including, a closing `>`. A bare word
  /// as value is kept as a string.
  ParseResult parseUntilGreater();

  bool has(StringRef key) const { return bool(fields.get(key)); }
  ParseResult take(StringRef key, unsigned &value);
  ParseResult take(StringRef key, bool &value);
  ParseResult take(StringRef key, SmallVectorImpl<unsigned> &values);
  ParseResult take(StringRef key, Attribute &value);
  ParseResult take(StringRef key, BasesStorage &bases);
  /// Leaves `value` alone if there is no such field.
  template <typename T>
  ParseResult takeOptional(StringRef key, T &value) {
    return has(key) ? take(key, value) : ParseResult::success();
  }
  ParseResult finish();
  InFlightDiagnostic emitError() const { return parser.emitError(loc); }

private:
  ParseResult add(StringRef key, Attribute value);
  FailureOr<Attribute> takeAny(StringRef key);

  AsmParser &parser;
  SMLoc loc;
  NamedAttrList fields;
};

void printArray(AsmPrinter &printer, ArrayRef<unsigned> values);
/// Prints `[[0, 1], [0, 2]]`.
void printBases(AsmPrinter &printer, Bases bases);
/// Prints `, CGALayout = ...` unless the layout is that of a single CTA.
void printCGALayout(AsmPrinter &printer, Bases bases);

} // namespace mlir::ttg

#endif // TRITON_INTEROP_TTG_LAYOUTSYNTAX_H
