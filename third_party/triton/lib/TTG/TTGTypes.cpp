//===- TTGTypes.cpp - Types of the ttg dialect ----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/TTG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ttg;

#define GET_TYPEDEF_CLASSES
#include "triton_interop/TTG/TTGTypes.cpp.inc"

void TTGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton_interop/TTG/TTGTypes.cpp.inc"
      >();
}

MemDescType MemDescType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                   Type elementType) const {
  return get(shape.value_or(getShape()), elementType, getEncoding(),
             getMemorySpace(), getMutableMemory(), getAllocShape());
}

LogicalResult MemDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType,
                                  Attribute encoding, Attribute memorySpace,
                                  bool mutableMemory,
                                  ArrayRef<int64_t> allocShape) {
  if (shape.empty())
    return emitError() << "expects rank to be positive, but got 0";
  if (llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }))
    return emitError() << "expects extents to be positive, but got " << shape;
  if (allocShape.size() < shape.size())
    return emitError() << "expects allocation shape to have rank "
                       << shape.size() << " or more, but got rank "
                       << allocShape.size();
  for (auto [extent, allocated] :
       llvm::zip_equal(shape, allocShape.take_back(shape.size())))
    if (extent > allocated)
      return emitError() << "expects extents to fit into the allocation ["
                         << allocShape << "], but got [" << shape << "]";
  auto shared = dyn_cast<SharedEncoding>(encoding);
  if (!shared)
    return success();
  if (!isa<SharedMemorySpaceAttr>(memorySpace))
    return emitError() << "expects memory space of a shared layout to be "
                          "#ttg.shared_memory, but got "
                       << memorySpace;
  // A ring of tiles has one dimension more than its layout.
  unsigned rank = shared.getRank();
  if (shape.size() != rank && shape.size() != rank + 1)
    return emitError() << "expects rank to be that of the layout, " << rank
                       << ", or one more, but got " << shape.size();
  return success();
}

Type MemDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, allocShape;
  Type elementType;
  Attribute encoding, memorySpace;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(encoding) || parser.parseComma() ||
      parser.parseAttribute(memorySpace))
    return {};
  bool mutableMemory = false;
  if (succeeded(parser.parseOptionalComma())) {
    mutableMemory = succeeded(parser.parseOptionalKeyword("mutable"));
    if (!mutableMemory || succeeded(parser.parseOptionalComma()))
      if (parser.parseDimensionList(allocShape, /*allowDynamic=*/false,
                                    /*withTrailingX=*/false))
        return {};
  }
  if (parser.parseGreater())
    return {};
  if (allocShape.empty())
    allocShape = shape;
  return parser.getChecked<MemDescType>(parser.getContext(), shape, elementType,
                                        encoding, memorySpace, mutableMemory,
                                        allocShape);
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << getEncoding() << ", "
          << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    printer.printDimensionList(getAllocShape());
  }
  printer << ">";
}
