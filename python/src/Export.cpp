//===- Export.cpp - Text for an installed Triton --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "triton_interop/Export/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

static std::string printFor(const ModuleHandle &self,
                            std::pair<unsigned, unsigned> version) {
  MLIRContext &context = self.owner->context->context;
  DiagnosticCollector collector(context);
  OwningOpRef<ModuleOp> module = self.get().clone();
  PassManager manager(&context, ModuleOp::getOperationName());
  tt::TritonLegalizeVersionOptions options;
  options.version =
      std::to_string(version.first) + "." + std::to_string(version.second);
  manager.addPass(tt::createTritonLegalizeVersion(options));
  if (failed(manager.run(*module)))
    collector.fail("the module has no form for Triton " + options.version);
  return tt::printForTriton(*module);
}

void tlx_python::bindExport(py::module_ &m) {
  m.def(
      "print_for_triton", &printFor, py::arg("module"), py::arg("version"),
      "Text of a module of tt, ttg and ttng operations that the parser of "
      "Triton `version`, such as (3, 9), accepts. Leaves the module as it is; "
      "raises DiagnosticError if it holds what that version does not know.");
}
