//===- Passes.cpp - Running pass pipelines --------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <mutex>

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

static std::vector<DiagnosticRecord>
runPipeline(const ModuleHandle &self, const std::string &pipeline, bool verify,
            const std::optional<std::string> &reproducer, bool printAfterAll) {
  ModuleOp module = self.get();
  MLIRContext &context = self.owner->context->context;
  DiagnosticCollector collector(context);
  PassManager manager(&context, ModuleOp::getOperationName(),
                      PassManager::Nesting::Implicit);
  manager.enableVerifier(verify);
  // The text may name the module itself; the manager stands for it already.
  StringRef passes(pipeline);
  if (passes.consume_front("builtin.module("))
    passes.consume_back(")");
  std::string parseErrors;
  llvm::raw_string_ostream os(parseErrors);
  if (failed(parsePassPipeline(passes, manager, os)))
    collector.fail("expects a pass pipeline, but got '" + pipeline +
                   "': " + parseErrors);
  if (printAfterAll)
    manager.enableIRPrinting(/*shouldPrintBeforePass=*/{},
                             [](Pass *, Operation *) { return true; });
  if (reproducer)
    manager.enableCrashReproducerGeneration(*reproducer);

  // Passes may assume valid IR; the manager verifies only what they leave.
  if (verify && failed(mlir::verify(module)))
    collector.fail("verification failed");
  // Erased IR may point to what passes are about to delete.
  self.owner->detached.dropAllReferences();
  ++self.owner->generation;
  LogicalResult result = failure();
  self.owner->context->runsPasses = true;
  {
    // The passes touch no Python object.
    py::gil_scoped_release release;
    result = manager.run(module);
  }
  self.owner->context->runsPasses = false;
  if (failed(result))
    collector.fail("pass pipeline '" + pipeline + "' failed");
  return std::move(collector.diagnostics);
}

void tlx_python::bindPasses(py::module_ &m) {
  m.def("run_pipeline", &runPipeline, py::arg("module"), py::arg("pipeline"),
        py::arg("verify") = true, py::arg("reproducer") = py::none(),
        py::arg("print_after_all") = false,
        "Run passes, e.g. \"canonicalize,cse\" or the same in "
        "\"builtin.module(...)\", on the module.\n\nHandles to IR "
        "inside the module become stale. Returns the warnings and remarks; "
        "raises DiagnosticError if a pass fails. If `reproducer` is a path, a "
        "failure writes the input and the pipeline there. `print_after_all` "
        "prints "
        "the IR to stderr after each pass.");
}
