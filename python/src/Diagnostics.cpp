//===- Diagnostics.cpp - MLIR diagnostics as Python exceptions ------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "mlir/IR/Location.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

static std::string severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

/// The kind that `tlx::ofKind` has put into the metadata.
static std::string findKind(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata())
    if (argument.getKind() ==
        DiagnosticArgument::DiagnosticArgumentKind::String)
      return argument.getAsString().str();
  return "";
}

static DiagnosticRecord makeRecord(Diagnostic &diagnostic) {
  SourcePosition position = findSourcePosition(diagnostic.getLocation());
  DiagnosticRecord record{severityName(diagnostic.getSeverity()),
                          position.file,
                          position.line,
                          position.column,
                          diagnostic.str(),
                          findKind(diagnostic),
                          {}};
  for (Diagnostic &note : diagnostic.getNotes())
    record.notes.push_back(makeRecord(note));
  return record;
}

SourcePosition tlx_python::findSourcePosition(Location loc) {
  SourcePosition position;
  loc->walk([&](Location inner) {
    auto fileLoc = dyn_cast<FileLineColLoc>(inner);
    if (!fileLoc)
      return WalkResult::advance();
    position = {fileLoc.getFilename().str(), fileLoc.getLine(),
                fileLoc.getColumn()};
    return WalkResult::interrupt();
  });
  return position;
}

std::string DiagnosticRecord::str() const {
  std::string text;
  if (!file.empty())
    text =
        file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
  text += severity + ": " + message;
  for (const DiagnosticRecord &note : notes)
    text += "\n" + note.str();
  return text;
}

static std::string join(const std::string &what,
                        const std::vector<DiagnosticRecord> &diagnostics) {
  bool hasError = llvm::any_of(diagnostics, [](const auto &record) {
    return record.severity == "error";
  });
  std::string text = hasError ? "" : what;
  for (const DiagnosticRecord &record : diagnostics)
    text += (text.empty() ? "" : "\n") + record.str();
  return text;
}

DiagnosticError::DiagnosticError(const std::string &what,
                                 std::vector<DiagnosticRecord> diagnostics)
    : std::runtime_error(join(what, diagnostics)),
      diagnostics(std::move(diagnostics)) {}

DiagnosticCollector::DiagnosticCollector(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        diagnostics.push_back(makeRecord(diagnostic));
        return success();
      }) {}

void DiagnosticCollector::fail(const std::string &what) {
  throw DiagnosticError(what, std::move(diagnostics));
}

void tlx_python::bindDiagnostics(py::module_ &m) {
  py::class_<DiagnosticRecord>(m, "Diagnostic", "One message of the compiler.")
      .def_readonly("severity", &DiagnosticRecord::severity,
                    "\"error\", \"warning\", \"remark\" or \"note\".")
      .def_readonly("file", &DiagnosticRecord::file, "Empty if unknown.")
      .def_readonly("line", &DiagnosticRecord::line, "From 1; 0 if unknown.")
      .def_readonly("column", &DiagnosticRecord::column)
      .def_readonly("message", &DiagnosticRecord::message)
      .def_readonly("kind", &DiagnosticRecord::kind,
                    "What an error is about: \"resource\", \"target\" or \"\".")
      .def_readonly("notes", &DiagnosticRecord::notes)
      .def("__str__", &DiagnosticRecord::str)
      .def("__repr__", [](const DiagnosticRecord &self) {
        return "<Diagnostic " + self.str() + ">";
      });

  // The attribute `diagnostics` holds the records.
  static py::exception<DiagnosticError> error(m, "DiagnosticError",
                                              PyExc_ValueError);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (const DiagnosticError &e) {
      py::object instance = py::object(error)(e.what());
      instance.attr("diagnostics") = py::cast(e.diagnostics);
      PyErr_SetObject(error.ptr(), instance.ptr());
    }
  });
}
