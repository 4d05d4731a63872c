//===- Operations.cpp - Operations and functions --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

/// The type attribute of a function, or null if `op` is none.
static TypeAttr getFunctionTypeAttr(Operation *op) {
  return op->getAttrOfType<TypeAttr>("function_type");
}

py::object tlx_python::wrap(const OwnerRef &owner, Operation *op) {
  if (!op)
    return py::none();
  if (op->getNumRegions() == 1 && getFunctionTypeAttr(op))
    return py::cast(FunctionHandle(owner, op));
  return py::cast(OperationHandle(owner, op));
}

static void checkIndex(size_t index, size_t size, const char *what) {
  if (index >= size)
    throw py::index_error(std::string("expects a ") + what + " index below " +
                          std::to_string(size) + ", but got " +
                          std::to_string(index));
}

static Region &getRegion(const OperationHandle &self, unsigned index) {
  checkIndex(index, self.get()->getNumRegions(), "region");
  return self.get()->getRegion(index);
}

/// First block of a region.
static BlockHandle getBody(const OperationHandle &self, unsigned index) {
  Region &region = getRegion(self, index);
  if (region.empty())
    throw std::runtime_error("expects region " + std::to_string(index) +
                             " to have a block");
  return {self.owner, &region.front()};
}

static ValueHandle getResult(const OperationHandle &self, unsigned index) {
  checkIndex(index, self.get()->getNumResults(), "result");
  return {self.owner, self.get()->getResult(index)};
}

static void eraseOp(const OperationHandle &self) {
  Operation *op = self.get();
  if (!op->use_empty())
    throw std::runtime_error(
        "expects an operation without uses to erase, but '" +
        op->getName().getStringRef().str() + "' has uses");
  op->dropAllReferences();
  Block *erased = self.owner->getErasedOps();
  if (op->getBlock())
    op->moveBefore(erased, erased->end());
}

static std::string print(const OperationHandle &self, bool generic,
                         bool debug) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(debug);
  if (generic)
    flags.printGenericOpForm();
  std::string text;
  llvm::raw_string_ostream os(text);
  self.get()->print(os, flags);
  return text;
}

static py::dict getAttributes(const OperationHandle &self) {
  py::dict attributes;
  for (NamedAttribute named : self.get()->getAttrDictionary())
    attributes[toPython(named.getName())] =
        AttributeHandle{self.owner->context, named.getValue()};
  return attributes;
}

static void bindOperation(py::module_ &m) {
  py::class_<OperationHandle>(m, "Operation", "An operation of a module.")
      .def("__eq__",
           [](const OperationHandle &self, py::object other) {
             return py::isinstance<OperationHandle>(other) &&
                    self.op == other.cast<const OperationHandle &>().op;
           })
      .def("__hash__",
           [](const OperationHandle &self) {
             return std::hash<Operation *>()(self.op);
           })
      .def(
          "__str__",
          [](const OperationHandle &self) { return print(self, false, false); })
      .def("str", &print, py::arg("generic") = false, py::arg("debug") = false,
           "Text of the operation; `debug` adds locations.")
      .def_property_readonly(
          "name",
          [](const OperationHandle &self) {
            return self.get()->getName().getStringRef().str();
          })
      .def_property_readonly("location",
                             [](const OperationHandle &self) {
                               return LocationHandle{self.owner->context,
                                                     self.get()->getLoc()};
                             })
      .def(
          "set_loc",
          [](const OperationHandle &self, const LocationHandle &loc) {
            self.get()->setLoc(loc.location);
          },
          py::arg("location"))
      .def_property_readonly("operands",
                             [](const OperationHandle &self) {
                               py::list values;
                               for (Value value : self.get()->getOperands())
                                 values.append(wrap(self.owner, value));
                               return values;
                             })
      .def_property_readonly("results",
                             [](const OperationHandle &self) {
                               py::list values;
                               for (Value value : self.get()->getResults())
                                 values.append(wrap(self.owner, value));
                               return values;
                             })
      .def_property_readonly("regions",
                             [](const OperationHandle &self) {
                               std::vector<RegionHandle> regions;
                               for (Region &region : self.get()->getRegions())
                                 regions.emplace_back(self.owner, &region);
                               return regions;
                             })
      .def_property_readonly("successors",
                             [](const OperationHandle &self) {
                               std::vector<BlockHandle> blocks;
                               for (Block *block : self.get()->getSuccessors())
                                 blocks.emplace_back(self.owner, block);
                               return blocks;
                             })
      .def_property_readonly("parent",
                             [](const OperationHandle &self) {
                               return wrap(self.owner,
                                           self.get()->getParentOp());
                             })
      .def_property_readonly("block",
                             [](const OperationHandle &self) {
                               return wrap(self.owner, self.get()->getBlock());
                             })
      .def_property_readonly("attributes", &getAttributes)
      .def(
          "get_attr",
          [](const OperationHandle &self,
             const std::string &name) -> std::optional<AttributeHandle> {
            Attribute attribute = self.get()->getAttr(name);
            if (!attribute)
              return std::nullopt;
            return AttributeHandle{self.owner->context, attribute};
          },
          py::arg("name"))
      .def(
          "set_attr",
          [](const OperationHandle &self, const std::string &name,
             py::object value) {
            self.get()->setAttr(name, toAttribute(*self.owner->context, value));
          },
          py::arg("name"), py::arg("value"))
      .def(
          "remove_attr",
          [](const OperationHandle &self, const std::string &name) {
            self.get()->removeAttr(name);
          },
          py::arg("name"))
      .def("get_num_results",
           [](const OperationHandle &self) {
             return self.get()->getNumResults();
           })
      .def("get_result", &getResult, py::arg("index"))
      .def("get_num_regions",
           [](const OperationHandle &self) {
             return self.get()->getNumRegions();
           })
      .def(
          "get_region",
          [](const OperationHandle &self, unsigned index) {
            return RegionHandle(self.owner, &getRegion(self, index));
          },
          py::arg("index"))
      .def("get_body", &getBody, py::arg("index") = 0)
      .def("get_induction_var",
           [](const OperationHandle &self) {
             BlockHandle body = getBody(self, 0);
             checkIndex(0, body.block->getNumArguments(), "block argument");
             return ValueHandle(self.owner, body.block->getArgument(0));
           })
      .def("get_then_block",
           [](const OperationHandle &self) { return getBody(self, 0); })
      .def("get_else_block",
           [](const OperationHandle &self) { return getBody(self, 1); })
      .def("get_before",
           [](const OperationHandle &self) {
             return RegionHandle(self.owner, &getRegion(self, 0));
           })
      .def("get_after",
           [](const OperationHandle &self) {
             return RegionHandle(self.owner, &getRegion(self, 1));
           })
      .def(
          "walk",
          [](const OperationHandle &self) {
            SmallVector<Operation *> ops;
            self.get()->walk<WalkOrder::PreOrder>(
                [&](Operation *op) { ops.push_back(op); });
            py::list handles;
            for (Operation *op : ops)
              handles.append(wrap(self.owner, op));
            return handles;
          },
          "This operation and all inside, parents first.")
      .def(
          "verify",
          [](const OperationHandle &self) {
            DiagnosticCollector collector(self.owner->context->context);
            if (failed(mlir::verify(self.get())))
              collector.fail("verification failed");
            return true;
          },
          "True, or raises DiagnosticError.")
      .def("erase", &eraseOp,
           "Take the operation out of the module. Its results must not be "
           "used.");
}

static FunctionType getFunctionType(const FunctionHandle &self) {
  return cast<FunctionType>(getFunctionTypeAttr(self.get()).getValue());
}

static BlockHandle addEntryBlock(const FunctionHandle &self) {
  Operation *op = self.get();
  if (!op->getRegion(0).empty())
    throw std::runtime_error("expects a function without a body");
  auto *block = new Block;
  op->getRegion(0).push_back(block);
  for (Type type : getFunctionType(self).getInputs())
    block->addArgument(type, op->getLoc());
  return {self.owner, block};
}

static void setArgAttr(const FunctionHandle &self, unsigned index,
                       const std::string &name, py::object value) {
  checkIndex(index, getFunctionType(self).getNumInputs(), "argument");
  auto function = dyn_cast<FunctionOpInterface>(self.get());
  if (!function)
    throw py::type_error("expects a function operation, but got '" +
                         self.get()->getName().getStringRef().str() + "'");
  function.setArgAttr(index, name, toAttribute(*self.owner->context, value));
}

static void bindFunction(py::module_ &m) {
  py::class_<FunctionHandle, OperationHandle>(m, "Function",
                                              "A function of a module.")
      .def_property_readonly(
          "symbol_name",
          [](const FunctionHandle &self) {
            return SymbolTable::getSymbolName(self.get()).str();
          })
      .def_property_readonly("type",
                             [](const FunctionHandle &self) {
                               return TypeHandle{self.owner->context,
                                                 getFunctionType(self)};
                             })
      .def_property_readonly("input_types",
                             [](const FunctionHandle &self) {
                               std::vector<TypeHandle> types;
                               for (Type type :
                                    getFunctionType(self).getInputs())
                                 types.push_back({self.owner->context, type});
                               return types;
                             })
      .def_property_readonly("result_types",
                             [](const FunctionHandle &self) {
                               std::vector<TypeHandle> types;
                               for (Type type :
                                    getFunctionType(self).getResults())
                                 types.push_back({self.owner->context, type});
                               return types;
                             })
      .def("add_entry_block", &addEntryBlock)
      .def("get_num_args",
           [](const FunctionHandle &self) {
             return getFunctionType(self).getNumInputs();
           })
      .def(
          "args",
          [](const FunctionHandle &self, unsigned index) {
            BlockHandle body = getBody(self, 0);
            checkIndex(index, body.block->getNumArguments(), "argument");
            return ValueHandle(self.owner, body.block->getArgument(index));
          },
          py::arg("index"))
      .def("set_arg_attr", &setArgAttr, py::arg("index"), py::arg("name"),
           py::arg("value"))
      .def(
          "reset_type",
          [](const FunctionHandle &self, const TypeHandle &type) {
            if (!isa<FunctionType>(type.type))
              throw py::type_error("expects a function type, but got '" +
                                   toString(type.type) + "'");
            self.get()->setAttr("function_type", TypeAttr::get(type.type));
          },
          py::arg("type"));
}

void tlx_python::bindOperations(py::module_ &m) {
  bindOperation(m);
  bindFunction(m);
}
