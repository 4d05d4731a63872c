//===- Attributes.cpp - Attributes of the IR ------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/SmallString.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

static Attribute listToAttribute(ContextHandle &context, py::handle object) {
  Builder builder(&context.context);
  auto items = py::reinterpret_borrow<py::sequence>(object);
  bool integers = true;
  for (py::handle item : items)
    integers &= PyLong_CheckExact(item.ptr());
  if (integers) {
    SmallVector<int32_t> values;
    for (py::handle item : items)
      values.push_back(item.cast<int32_t>());
    return builder.getDenseI32ArrayAttr(values);
  }
  SmallVector<Attribute> values;
  for (py::handle item : items)
    values.push_back(toAttribute(context, item));
  return builder.getArrayAttr(values);
}

Attribute tlx_python::toAttribute(ContextHandle &context, py::handle object) {
  Builder builder(&context.context);
  if (py::isinstance<AttributeHandle>(object))
    return object.cast<const AttributeHandle &>().attribute;
  if (py::isinstance<TypeHandle>(object))
    return TypeAttr::get(object.cast<const TypeHandle &>().type);
  if (PyBool_Check(object.ptr()))
    return builder.getBoolAttr(object.cast<bool>());
  if (PyLong_CheckExact(object.ptr()))
    return builder.getI32IntegerAttr(object.cast<int32_t>());
  if (PyFloat_CheckExact(object.ptr()))
    return builder.getF64FloatAttr(object.cast<double>());
  if (py::isinstance<py::str>(object))
    return builder.getStringAttr(object.cast<std::string>());
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object))
    return listToAttribute(context, object);
  if (py::isinstance<py::dict>(object)) {
    NamedAttrList values;
    for (auto [key, value] : py::reinterpret_borrow<py::dict>(object))
      values.set(key.cast<std::string>(), toAttribute(context, value));
    return values.getDictionary(&context.context);
  }
  throw py::type_error("expects an attribute or a bool, int, float, str, list, "
                       "tuple or dict, but got " +
                       py::repr(object).cast<std::string>());
}

/// Integer, bool, float, string or list value of `attribute`.
static py::object toPythonValue(const ContextRef &context,
                                Attribute attribute) {
  if (auto value = dyn_cast<BoolAttr>(attribute))
    return py::bool_(value.getValue());
  if (auto value = dyn_cast<IntegerAttr>(attribute)) {
    if (value.getValue().getSignificantBits() <= 64)
      return py::int_(value.getValue().getSExtValue());
    llvm::SmallString<40> digits;
    value.getValue().toStringSigned(digits);
    return py::int_(py::str(digits.c_str()));
  }
  if (auto value = dyn_cast<FloatAttr>(attribute))
    return py::float_(value.getValueAsDouble());
  if (auto value = dyn_cast<StringAttr>(attribute))
    return toPython(value.getValue());
  if (auto value = dyn_cast<FlatSymbolRefAttr>(attribute))
    return toPython(value.getValue());
  if (auto value = dyn_cast<TypeAttr>(attribute))
    return py::cast(TypeHandle{context, value.getValue()});
  if (auto value = dyn_cast<DenseI32ArrayAttr>(attribute))
    return py::cast(value.asArrayRef().vec());
  if (auto value = dyn_cast<DenseI64ArrayAttr>(attribute))
    return py::cast(value.asArrayRef().vec());
  if (auto value = dyn_cast<ArrayAttr>(attribute)) {
    py::list items;
    for (Attribute item : value)
      items.append(toPythonValue(context, item));
    return items;
  }
  if (auto value = dyn_cast<DictionaryAttr>(attribute)) {
    py::dict items;
    for (NamedAttribute item : value)
      items[toPython(item.getName())] = toPythonValue(context, item.getValue());
    return items;
  }
  return py::cast(AttributeHandle{context, attribute});
}

void tlx_python::bindAttributes(py::module_ &m) {
  py::class_<AttributeHandle>(m, "Attribute",
                              "An attribute; equal attributes compare equal.")
      .def("__str__",
           [](const AttributeHandle &self) { return toString(self.attribute); })
      .def("__repr__",
           [](const AttributeHandle &self) {
             return "<Attribute " + toString(self.attribute) + ">";
           })
      .def("__eq__",
           [](const AttributeHandle &self, py::object other) {
             return py::isinstance<AttributeHandle>(other) &&
                    self.attribute ==
                        other.cast<const AttributeHandle &>().attribute;
           })
      .def("__hash__",
           [](const AttributeHandle &self) {
             return static_cast<size_t>(hash_value(self.attribute));
           })
      .def_property_readonly(
          "context", [](const AttributeHandle &self) { return self.context; })
      .def_property_readonly(
          "value",
          [](const AttributeHandle &self) {
            return toPythonValue(self.context, self.attribute);
          },
          "Python value of an integer, float, string, type, array or "
          "dictionary; the attribute itself if it is none of these.")
      .def_property_readonly(
          "splat_value",
          [](const AttributeHandle &self) -> std::optional<AttributeHandle> {
            auto elements = dyn_cast<DenseElementsAttr>(self.attribute);
            if (!elements || !elements.isSplat())
              return std::nullopt;
            return AttributeHandle{self.context,
                                   elements.getSplatValue<Attribute>()};
          },
          "The element of a dense attribute whose elements are all equal.");

  auto context =
      m.attr("Context").cast<py::class_<ContextHandle, ContextRef>>();
  context
      .def(
          "attr",
          [](const ContextRef &self, py::object value) {
            return AttributeHandle{self, toAttribute(*self, value)};
          },
          py::arg("value"),
          "Converts bool to i1, int to i32, float to f64, str, types, lists of "
          "int to array<i32>, other lists and dicts.")
      .def(
          "int_attr",
          [](const ContextRef &self, py::int_ value, unsigned width) {
            std::string digits = py::str(value);
            llvm::APInt bits(std::max<unsigned>(width, digits.size() * 4 + 1),
                             digits, 10);
            auto type = IntegerType::get(&self->context, width);
            return AttributeHandle{self,
                                   IntegerAttr::get(type, bits.trunc(width))};
          },
          py::arg("value"), py::arg("width"),
          "Integer attribute; the low `width` bits of `value`.")
      .def(
          "float_attr",
          [](const ContextRef &self, double value, const TypeHandle &type) {
            if (!isa<FloatType>(type.type))
              throw py::type_error("expects a floating point type, but got '" +
                                   toString(type.type) + "'");
            return AttributeHandle{self, FloatAttr::get(type.type, value)};
          },
          py::arg("value"), py::arg("type"))
      .def("unit_attr",
           [](const ContextRef &self) {
             return AttributeHandle{self, UnitAttr::get(&self->context)};
           })
      .def(
          "symbol_attr",
          [](const ContextRef &self, const std::string &name) {
            return AttributeHandle{
                self, FlatSymbolRefAttr::get(&self->context, name)};
          },
          py::arg("name"))
      .def(
          "splat_attr",
          [](const ContextRef &self, const TypeHandle &type,
             const AttributeHandle &element) {
            auto shaped = dyn_cast<RankedTensorType>(type.type);
            auto typed = dyn_cast<TypedAttr>(element.attribute);
            if (!shaped || !typed || typed.getType() != shaped.getElementType())
              throw py::type_error(
                  "expects a tensor type and an attribute of its "
                  "element type, but got '" +
                  toString(type.type) + "' and '" +
                  toString(element.attribute) + "'");
            return AttributeHandle{
                self, DenseElementsAttr::get(shaped, element.attribute)};
          },
          py::arg("type"), py::arg("element"))
      .def(
          "i32_array_attr",
          [](const ContextRef &self, const std::vector<int32_t> &values) {
            return AttributeHandle{
                self, DenseI32ArrayAttr::get(&self->context, values)};
          },
          py::arg("values"))
      .def(
          "i64_array_attr",
          [](const ContextRef &self, const std::vector<int64_t> &values) {
            return AttributeHandle{
                self, DenseI64ArrayAttr::get(&self->context, values)};
          },
          py::arg("values"));
}
