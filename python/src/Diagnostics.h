//===- Diagnostics.h - MLIR diagnostics as Python exceptions ----*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_PYTHON_DIAGNOSTICS_H
#define TLX_PYTHON_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace tlx_python {

/// One diagnostic, free of the context that it came from.
struct DiagnosticRecord {
  std::string severity;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
  /// What an error is about, such as "resource"; empty if no pass said so.
  std::string kind;
  std::vector<DiagnosticRecord> notes;

  /// "file:line:column: severity: message", then the notes.
  std::string str() const;
};

/// Thrown with everything that MLIR said; becomes `tlx._ext.DiagnosticError`.
class DiagnosticError : public std::runtime_error {
public:
  DiagnosticError(const std::string &what,
                  std::vector<DiagnosticRecord> diagnostics);

  std::vector<DiagnosticRecord> diagnostics;
};

/// Collects the diagnostics of a context while it lives, so that none of them
/// is printed.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext &context);

  /// Throws what was collected, with `what` as the first line if MLIR gave no
  /// error.
  [[noreturn]] void fail(const std::string &what);

  std::vector<DiagnosticRecord> diagnostics;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// The first file, line and column inside `loc`; an empty file if it has none.
/// Named locations, fusions and call sites are looked through.
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};
SourcePosition findSourcePosition(mlir::Location loc);

} // namespace tlx_python

#endif // TLX_PYTHON_DIAGNOSTICS_H
