//===- Modules.cpp - Modules: parse, print, verify ------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

static ModuleHandle makeModule(const ContextRef &context,
                               OwningOpRef<ModuleOp> module) {
  return {std::make_shared<IROwner>(context, std::move(module))};
}

static ModuleHandle parse(const std::string &text, const ContextRef &context,
                          const std::string &name) {
  DiagnosticCollector collector(context->context);
  auto module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context->context), name);
  if (!module)
    collector.fail("expects the text of a module");
  return makeModule(context, std::move(module));
}

static std::string print(const ModuleHandle &self, bool generic, bool debug) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(debug);
  if (generic)
    flags.printGenericOpForm();
  std::string text;
  llvm::raw_string_ostream os(text);
  self.get()->print(os, flags);
  os << '\n';
  return text;
}

static Operation *lookup(const ModuleHandle &self, const std::string &name) {
  return SymbolTable::lookupSymbolIn(self.get(), name);
}

/// `function` becomes the last op of the module.
static void pushBack(const ModuleHandle &self, const FunctionHandle &function) {
  if (function.owner != self.owner)
    throw std::runtime_error("expects a function of this module");
  Block *body = self.get().getBody();
  function.get()->moveBefore(body, body->end());
}

void tlx_python::bindModules(py::module_ &m) {
  py::class_<ModuleHandle>(m, "Module", py::dynamic_attr(),
                           "A `builtin.module` and everything in it.")
      .def("__str__",
           [](const ModuleHandle &self) { return print(self, false, false); })
      .def("str", &print, py::arg("generic") = false, py::arg("debug") = false,
           "Text of the module; `debug` adds locations.")
      .def_property(
          "context",
          [](const ModuleHandle &self) { return self.owner->context; },
          [](const ModuleHandle &self, const ContextRef &context) {
            if (context != self.owner->context)
              throw std::runtime_error("a module cannot change its context");
          },
          "The context; the setter accepts only the one that it has.")
      .def_property_readonly("operation",
                             [](const ModuleHandle &self) {
                               return OperationHandle(self.owner, self.get());
                             })
      .def_property_readonly("body",
                             [](const ModuleHandle &self) {
                               return BlockHandle(self.owner,
                                                  self.get().getBody());
                             })
      .def("walk",
           [](const ModuleHandle &self) {
             return py::cast(OperationHandle(self.owner, self.get()))
                 .attr("walk")();
           })
      .def_property_readonly("functions",
                             [](const ModuleHandle &self) {
                               py::list functions;
                               for (Operation &op : *self.get().getBody()) {
                                 py::object handle = wrap(self.owner, &op);
                                 if (py::isinstance<FunctionHandle>(handle))
                                   functions.append(handle);
                               }
                               return functions;
                             })
      .def(
          "has_function",
          [](const ModuleHandle &self, const std::string &name) {
            return lookup(self, name) != nullptr;
          },
          py::arg("name"))
      .def(
          "get_function",
          [](const ModuleHandle &self, const std::string &name) {
            Operation *op = lookup(self, name);
            if (!op)
              throw py::key_error("no function '" + name + "' in the module");
            return wrap(self.owner, op);
          },
          py::arg("name"))
      .def(
          "new_block",
          [](const ModuleHandle &self) {
            auto *block = new Block;
            self.owner->detached.push_back(block);
            return BlockHandle(self.owner, block);
          },
          "A block outside of the module, for code that is thrown away.")
      .def("push_back", &pushBack, py::arg("function"))
      .def(
          "get_attr",
          [](const ModuleHandle &self,
             const std::string &name) -> std::optional<AttributeHandle> {
            Attribute attribute = self.get()->getAttr(name);
            if (!attribute)
              return std::nullopt;
            return AttributeHandle{self.owner->context, attribute};
          },
          py::arg("name"))
      .def(
          "set_attr",
          [](const ModuleHandle &self, const std::string &name,
             py::object value) {
            self.get()->setAttr(name, toAttribute(*self.owner->context, value));
          },
          py::arg("name"), py::arg("value"))
      .def(
          "verify",
          [](const ModuleHandle &self) {
            DiagnosticCollector collector(self.owner->context->context);
            if (failed(mlir::verify(self.get())))
              collector.fail("verification failed");
            return true;
          },
          "True, or raises DiagnosticError.")
      .def("clone", [](const ModuleHandle &self) {
        return makeModule(self.owner->context,
                          OwningOpRef<ModuleOp>(self.get().clone()));
      });

  m.def("parse", &parse, py::arg("text"), py::arg("context"),
        py::arg("name") = "<text>",
        "Parse and verify the text of a module; `name` is the file name in "
        "diagnostics.");
  m.attr("Context").cast<py::class_<ContextHandle, ContextRef>>().def(
      "create_module",
      [](const ContextRef &self, const std::optional<LocationHandle> &loc) {
        Location location =
            loc ? loc->location : Location(UnknownLoc::get(&self->context));
        return makeModule(self,
                          OwningOpRef<ModuleOp>(ModuleOp::create(location)));
      },
      py::arg("location") = py::none());
}
