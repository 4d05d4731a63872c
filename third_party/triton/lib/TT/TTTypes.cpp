//===- TTTypes.cpp - Types of the tt dialect ------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;

#define GET_TYPEDEF_CLASSES
#include "triton_interop/TT/TTTypes.cpp.inc"

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton_interop/TT/TTTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// PtrType
//===----------------------------------------------------------------------===//

PtrType PtrType::get(Type pointee, int addressSpace) {
  if (addressSpace == kGlobal)
    return get(pointee);
  MLIRContext *context = pointee.getContext();
  return get(pointee,
             IntegerAttr::get(IntegerType::get(context, 32), addressSpace));
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type pointee, Attribute addressSpace) {
  if (isa<ShapedType>(pointee))
    return emitError() << "expects pointee to be a scalar, but got " << pointee;
  if (addressSpace && !isa<IntegerAttr, StringAttr>(addressSpace))
    return emitError() << "expects address space to be an integer or a string, "
                          "but got "
                       << addressSpace;
  return success();
}

Type PtrType::parse(AsmParser &parser) {
  Type pointee;
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  Attribute addressSpace;
  if (succeeded(parser.parseOptionalComma())) {
    std::string name;
    int number;
    if (succeeded(parser.parseOptionalString(&name))) {
      if (name != "global")
        addressSpace = parser.getBuilder().getStringAttr(name);
    } else if (parser.parseInteger(number)) {
      return {};
    } else if (number != kGlobal) {
      addressSpace = parser.getBuilder().getI32IntegerAttr(number);
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PtrType>(parser.getContext(), pointee, addressSpace);
}

void PtrType::print(AsmPrinter &printer) const {
  printer << "<" << getPointee();
  if (Attribute space = getAddressSpace()) {
    printer << ", ";
    printer.printAttributeWithoutType(space);
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// TensorDescType
//===----------------------------------------------------------------------===//

LogicalResult
TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                       RankedTensorType blockType) {
  if (!blockType.hasStaticShape())
    return emitError() << "expects block shape to be static, but got "
                       << blockType;
  return success();
}

Type TensorDescType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return {};
  RankedTensorType blockType;
  if (auto tensor = dyn_cast<RankedTensorType>(elementType)) {
    if (!shape.empty()) {
      parser.emitError(loc, "expects either a shape or a tensor type");
      return {};
    }
    blockType = tensor;
  } else {
    Attribute layout;
    if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
      return {};
    blockType = RankedTensorType::getChecked(
        [&] { return parser.emitError(loc); }, shape, elementType, layout);
  }
  if (!blockType || parser.parseGreater())
    return {};
  return parser.getChecked<TensorDescType>(parser.getContext(), blockType);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType();
  if (Attribute layout = getSharedLayout())
    printer << ", " << layout;
  printer << ">";
}
