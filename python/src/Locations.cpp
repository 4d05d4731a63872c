//===- Locations.cpp - Source locations -----------------------------------===//
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

void tlx_python::bindLocations(py::module_ &m) {
  py::class_<LocationHandle>(m, "Location", "A source location.")
      .def("__str__",
           [](const LocationHandle &self) {
             return toString(Attribute(LocationAttr(self.location)));
           })
      .def("__eq__",
           [](const LocationHandle &self, py::object other) {
             return py::isinstance<LocationHandle>(other) &&
                    self.location ==
                        other.cast<const LocationHandle &>().location;
           })
      .def("__hash__",
           [](const LocationHandle &self) {
             return static_cast<size_t>(hash_value(self.location));
           })
      .def_property_readonly(
          "file",
          [](const LocationHandle &self) {
            return findSourcePosition(self.location).file;
          },
          "File of the innermost position; empty if unknown.")
      .def_property_readonly("line",
                             [](const LocationHandle &self) {
                               return findSourcePosition(self.location).line;
                             })
      .def_property_readonly("column",
                             [](const LocationHandle &self) {
                               return findSourcePosition(self.location).column;
                             })
      .def("get_name",
           [](const LocationHandle &self) -> std::optional<std::string> {
             if (auto named = dyn_cast<NameLoc>(self.location))
               return named.getName().str();
             return std::nullopt;
           })
      .def(
          "set_name",
          [](LocationHandle &self, const std::string &name) {
            MLIRContext *context = &self.context->context;
            self.location =
                NameLoc::get(StringAttr::get(context, name), self.location);
          },
          py::arg("name"));

  auto context =
      m.attr("Context").cast<py::class_<ContextHandle, ContextRef>>();
  context
      .def("unknown_loc",
           [](const ContextRef &self) {
             return LocationHandle{self, UnknownLoc::get(&self->context)};
           })
      .def(
          "file_loc",
          [](const ContextRef &self, const std::string &file, unsigned line,
             unsigned column) {
            return LocationHandle{
                self, FileLineColLoc::get(&self->context, file, line, column)};
          },
          py::arg("file"), py::arg("line"), py::arg("column"))
      .def(
          "name_loc",
          [](const ContextRef &self, const std::string &name,
             const std::optional<LocationHandle> &child) {
            auto attribute = StringAttr::get(&self->context, name);
            return LocationHandle{
                self, child ? NameLoc::get(attribute, child->location)
                            : NameLoc::get(attribute)};
          },
          py::arg("name"), py::arg("child") = py::none());
}
