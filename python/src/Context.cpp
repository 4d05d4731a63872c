//===- Context.cpp - Contexts and who owns what ---------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "tlx/InitAllDialects.h"

#include "mlir/AsmParser/AsmParser.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

// One kernel is compiled at a time, and each process of a parallel build would
// start its own thread pool.
ContextHandle::ContextHandle(bool allowUnregistered)
    : context(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  mlir::tlx::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects(allowUnregistered);
  // A diagnostic names a line of the user's; the IR there is no help to them.
  context.printOpOnDiagnostic(false);
}

IROwner::IROwner(ContextRef context, OwningOpRef<ModuleOp> module)
    : context(std::move(context)), module(std::move(module)) {}

IROwner::~IROwner() {
  // Erased IR may use values of the module and the other way round.
  detached.dropAllReferences();
  module.get()->dropAllReferences();
}

Block *IROwner::getErasedOps() {
  if (!erasedOps) {
    erasedOps = new Block;
    detached.push_back(erasedOps);
  }
  return erasedOps;
}

void ContextHandle::check() const {
  if (runsPasses)
    throw std::runtime_error("the context is in use: passes are running in "
                             "another thread");
}

void IRHandle::check() const {
  owner->context->check();
  if (generation != owner->generation)
    throw std::runtime_error("this handle is stale: passes have run on its "
                             "module since it was made");
}

void tlx_python::bindContext(py::module_ &m) {
  py::class_<ContextHandle, ContextRef>(
      m, "Context", "Owns types and attributes; modules keep it alive.")
      .def(py::init<bool>(), py::arg("allow_unregistered") = false)
      .def(
          "parse_type",
          [](const ContextRef &self, const std::string &text) {
            DiagnosticCollector collector(self->context);
            Type type = mlir::parseType(text, &self->context);
            if (!type)
              collector.fail("expects a type, but got '" + text + "'");
            return TypeHandle{self, type};
          },
          py::arg("text"))
      .def(
          "parse_attr",
          [](const ContextRef &self, const std::string &text) {
            DiagnosticCollector collector(self->context);
            Attribute attribute = mlir::parseAttribute(text, &self->context);
            if (!attribute)
              collector.fail("expects an attribute, but got '" + text + "'");
            return AttributeHandle{self, attribute};
          },
          py::arg("text"))
      .def("is_registered_op",
           [](ContextHandle &self, const std::string &name) {
             return self.context.isOperationRegistered(name);
           });

  m.def("dialects", [] {
    DialectRegistry registry;
    mlir::tlx::registerAllDialects(registry);
    py::list names;
    for (StringRef name : registry.getDialectNames())
      names.append(toPython(name));
    return names;
  });
}
