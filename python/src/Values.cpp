//===- Values.cpp - SSA values --------------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "mlir/IR/Value.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

py::object tlx_python::wrap(const OwnerRef &owner, Value value) {
  if (!value)
    return py::none();
  return py::cast(ValueHandle(owner, value));
}

static TypeHandle getType(const ValueHandle &self) {
  return {self.owner->context, self.get().getType()};
}

static LocationHandle getLoc(const ValueHandle &self) {
  return {self.owner->context, self.get().getLoc()};
}

void tlx_python::bindValues(py::module_ &m) {
  py::class_<ValueHandle>(m, "Value",
                          "An SSA value; handles to the same value are equal.")
      .def("__eq__",
           [](const ValueHandle &self, py::object other) {
             return py::isinstance<ValueHandle>(other) &&
                    self.value == other.cast<const ValueHandle &>().value;
           })
      .def("__hash__",
           [](const ValueHandle &self) {
             return static_cast<size_t>(hash_value(self.value));
           })
      .def("__str__",
           [](const ValueHandle &self) { return toString(self.get()); })
      .def_property_readonly("type", &getType)
      .def("get_type", &getType)
      .def_property_readonly("location", &getLoc)
      .def("get_loc", &getLoc)
      .def(
          "set_loc",
          [](const ValueHandle &self, const LocationHandle &loc) {
            self.get().setLoc(loc.location);
          },
          py::arg("location"))
      .def_property_readonly(
          "context",
          [](const ValueHandle &self) { return self.owner->context; })
      .def_property_readonly(
          "owner",
          [](const ValueHandle &self) {
            Value value = self.get();
            if (auto argument = dyn_cast<BlockArgument>(value))
              return wrap(self.owner, argument.getOwner());
            return wrap(self.owner, value.getDefiningOp());
          },
          "The operation that defines it, or the block it is an argument of.")
      .def_property_readonly(
          "index",
          [](const ValueHandle &self) {
            Value value = self.get();
            if (auto argument = dyn_cast<BlockArgument>(value))
              return argument.getArgNumber();
            return cast<OpResult>(value).getResultNumber();
          },
          "Position among the results or arguments of its owner.")
      .def_property_readonly("users",
                             [](const ValueHandle &self) {
                               py::list users;
                               for (Operation *user : self.get().getUsers())
                                 users.append(wrap(self.owner, user));
                               return users;
                             })
      .def(
          "replace_all_uses_with",
          [](const ValueHandle &self, const ValueHandle &other) {
            Value from = self.get(), to = other.get();
            if (from.getType() != to.getType())
              throw py::type_error("expects a value of type '" +
                                   toString(from.getType()) + "', but got '" +
                                   toString(to.getType()) + "'");
            from.replaceAllUsesWith(to);
          },
          py::arg("other"));
}
