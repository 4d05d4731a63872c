//===- Types.cpp - Types of the IR ----------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/StringSwitch.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

using FloatGetter = Type (*)(MLIRContext *);

template <typename T>
static Type getFloat(MLIRContext *context) {
  return T::get(context);
}

static TypeHandle floatType(const ContextRef &context,
                            const std::string &name) {
  auto getter = llvm::StringSwitch<FloatGetter>(name)
                    .Case("f16", getFloat<Float16Type>)
                    .Case("bf16", getFloat<BFloat16Type>)
                    .Case("f32", getFloat<Float32Type>)
                    .Case("f64", getFloat<Float64Type>)
                    .Case("f8E4M3FN", getFloat<Float8E4M3FNType>)
                    .Case("f8E4M3FNUZ", getFloat<Float8E4M3FNUZType>)
                    .Case("f8E4M3B11FNUZ", getFloat<Float8E4M3B11FNUZType>)
                    .Case("f8E5M2", getFloat<Float8E5M2Type>)
                    .Case("f8E5M2FNUZ", getFloat<Float8E5M2FNUZType>)
                    .Default(nullptr);
  if (!getter)
    throw py::value_error(
        "expects the name of a floating point type, but got '" + name + "'");
  return {context, getter(&context->context)};
}

static TypeHandle makeTensor(const ContextRef &context, ArrayRef<int64_t> shape,
                             Type element, Attribute encoding) {
  DiagnosticCollector collector(context->context);
  Location loc = UnknownLoc::get(&context->context);
  auto type = RankedTensorType::getChecked([&] { return emitError(loc); },
                                           shape, element, encoding);
  if (!type)
    collector.fail("expects the shape and element type of a tensor");
  return {context, type};
}

static TypeHandle tensorType(const ContextRef &context,
                             const std::vector<int64_t> &shape,
                             const TypeHandle &element,
                             const std::optional<AttributeHandle> &encoding) {
  return makeTensor(context, shape, element.type,
                    encoding ? encoding->attribute : Attribute());
}

static RankedTensorType asTensor(const TypeHandle &self) {
  auto tensor = dyn_cast<RankedTensorType>(self.type);
  if (!tensor)
    throw py::type_error("expects a tensor type, but got '" +
                         toString(self.type) + "'");
  return tensor;
}

static std::vector<Type> unwrap(const std::vector<TypeHandle> &handles) {
  std::vector<Type> types;
  for (const TypeHandle &handle : handles)
    types.push_back(handle.type);
  return types;
}

void tlx_python::bindTypes(py::module_ &m) {
  py::class_<TypeHandle>(m, "Type", "A type; equal types compare equal.")
      .def("__str__",
           [](const TypeHandle &self) { return toString(self.type); })
      .def("__repr__",
           [](const TypeHandle &self) {
             return "<Type " + toString(self.type) + ">";
           })
      .def("__eq__",
           [](const TypeHandle &self, py::object other) {
             return py::isinstance<TypeHandle>(other) &&
                    self.type == other.cast<const TypeHandle &>().type;
           })
      .def("__hash__",
           [](const TypeHandle &self) {
             return static_cast<size_t>(hash_value(self.type));
           })
      .def_property_readonly(
          "context", [](const TypeHandle &self) { return self.context; })
      .def_property_readonly("is_tensor",
                             [](const TypeHandle &self) {
                               return isa<RankedTensorType>(self.type);
                             })
      .def_property_readonly(
          "is_integer",
          [](const TypeHandle &self) { return self.type.isInteger(); },
          "Whether this is a scalar integer type.")
      .def_property_readonly(
          "is_float",
          [](const TypeHandle &self) { return isa<FloatType>(self.type); },
          "Whether this is a scalar floating point type.")
      .def_property_readonly(
          "width",
          [](const TypeHandle &self) {
            if (!self.type.isIntOrFloat())
              throw py::type_error("expects an integer or floating point type, "
                                   "but got '" +
                                   toString(self.type) + "'");
            return self.type.getIntOrFloatBitWidth();
          },
          "Bits of a scalar integer or floating point type.")
      .def_property_readonly("shape",
                             [](const TypeHandle &self) {
                               return asTensor(self).getShape().vec();
                             })
      .def_property_readonly(
          "element_type",
          [](const TypeHandle &self) {
            return TypeHandle{self.context, getElementTypeOrSelf(self.type)};
          },
          "Element type of a tensor; any other type itself.")
      .def_property_readonly(
          "encoding",
          [](const TypeHandle &self) -> std::optional<AttributeHandle> {
            Attribute encoding = asTensor(self).getEncoding();
            if (!encoding)
              return std::nullopt;
            return AttributeHandle{self.context, encoding};
          })
      .def(
          "with_element_type",
          [](const TypeHandle &self, const TypeHandle &element) -> TypeHandle {
            auto tensor = dyn_cast<RankedTensorType>(self.type);
            if (!tensor)
              return element;
            return makeTensor(self.context, tensor.getShape(), element.type,
                              tensor.getEncoding());
          },
          py::arg("element"),
          "A tensor of `element` of the same shape; `element` itself for a "
          "scalar.")
      .def(
          "with_shape",
          [](const TypeHandle &self, const std::vector<int64_t> &shape) {
            auto tensor = asTensor(self);
            return makeTensor(self.context, shape, tensor.getElementType(),
                              tensor.getEncoding());
          },
          py::arg("shape"));

  auto context =
      m.attr("Context").cast<py::class_<ContextHandle, ContextRef>>();
  context
      .def(
          "int_type",
          [](const ContextRef &self, unsigned width) {
            if (width < 1 || width > IntegerType::kMaxWidth)
              throw py::value_error(
                  "expects 'width' to be in [1, 16777215], but "
                  "got " +
                  std::to_string(width));
            return TypeHandle{self, IntegerType::get(&self->context, width)};
          },
          py::arg("width"))
      .def("index_type",
           [](const ContextRef &self) {
             return TypeHandle{self, IndexType::get(&self->context)};
           })
      .def("none_type",
           [](const ContextRef &self) {
             return TypeHandle{self, NoneType::get(&self->context)};
           })
      .def("float_type", &floatType, py::arg("name"))
      .def("tensor_type", &tensorType, py::arg("shape"), py::arg("element"),
           py::arg("encoding") = py::none())
      .def(
          "function_type",
          [](const ContextRef &self, const std::vector<TypeHandle> &inputs,
             const std::vector<TypeHandle> &results) {
            return TypeHandle{self,
                              FunctionType::get(&self->context, unwrap(inputs),
                                                unwrap(results))};
          },
          py::arg("inputs"), py::arg("results"));
}
