//===- TLXTypes.cpp - TLX types -------------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tlx;

#include "tlx/Dialect/TLX/IR/TLXEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tlx/Dialect/TLX/IR/TLXTypes.cpp.inc"

void TLXDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tlx/Dialect/TLX/IR/TLXTypes.cpp.inc"
      >();
}

/// Parses `[N]`; 0 if there is none, which is not what `[0]` means.
static ParseResult parseNumSlots(AsmParser &parser, int64_t &num) {
  num = 0;
  if (failed(parser.parseOptionalLSquare()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(num) || parser.parseRSquare())
    return failure();
  if (num <= 0)
    return parser.emitError(loc)
           << "expects the number of slots to be at least 1, but got " << num;
  return success();
}

//===----------------------------------------------------------------------===//
// BufferType
//===----------------------------------------------------------------------===//

int64_t BufferType::getSlotBytes() const {
  int64_t bits = getElementType().getIntOrFloatBitWidth();
  return getNumElements() * std::max<int64_t>(bits, 8) / 8;
}

Type BufferType::parse(AsmParser &parser) {
  int64_t num;
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parseNumSlots(parser, num) ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<Storage> storage = symbolizeStorage(keyword);
  if (!storage) {
    parser.emitError(loc)
        << "expects the storage to be smem, tmem or smemCluster, but got "
        << keyword;
    return {};
  }
  Attribute layout;
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(parser.getContext(), num, shape,
                                       elementType, *storage, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << "<";
  if (isArray())
    printer << "[" << getNum() << "] ";
  for (int64_t dim : getShape())
    printer << dim << "x";
  printer << getElementType() << ", " << stringifyStorage(getStorage());
  if (getLayout())
    printer << ", " << getLayout();
  printer << ">";
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t num, ArrayRef<int64_t> shape,
                                 Type elementType, Storage storage,
                                 Attribute layout) {
  if (num < 0) // buffer_c1
    return emitError() << "expects the number of slots to be at least 1, but "
                          "got "
                       << num;
  if (shape.empty()) // buffer_c2
    return emitError() << "expects a buffer to have at least one dimension";
  for (int64_t dim : shape)
    if (dim <= 0 || !llvm::isPowerOf2_64(dim))
      return emitError()
             << "expects each dimension of a buffer to be a power of two, but "
                "got "
             << dim;
  if (!elementType.isIntOrFloat() || // buffer_c3
      elementType.getIntOrFloatBitWidth() > 64)
    return emitError() << "expects the element type of a buffer to be an "
                          "integer or float of 1 to 64 bits, but got "
                       << elementType;
  return success();
}

//===----------------------------------------------------------------------===//
// BarrierType
//===----------------------------------------------------------------------===//

Type BarrierType::parse(AsmParser &parser) {
  int64_t num, count;
  if (parser.parseLess() || parseNumSlots(parser, num))
    return {};
  if (num && parser.parseComma())
    return {};
  if (parser.parseKeyword("count") || parser.parseEqual() ||
      parser.parseInteger(count))
    return {};
  bool isWarpBarrier = succeeded(parser.parseOptionalComma());
  if ((isWarpBarrier && parser.parseKeyword("warp")) || parser.parseGreater())
    return {};
  return parser.getChecked<BarrierType>(parser.getContext(), num, count,
                                        isWarpBarrier);
}

void BarrierType::print(AsmPrinter &printer) const {
  printer << "<";
  if (isArray())
    printer << "[" << getNum() << "], ";
  printer << "count = " << getArriveCount();
  if (getIsWarpBarrier())
    printer << ", warp";
  printer << ">";
}

LogicalResult BarrierType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t num, int64_t arriveCount,
                                  bool isWarpBarrier) {
  if (num < 0) // barrier_c1
    return emitError() << "expects the number of slots to be at least 1, but "
                          "got "
                       << num;
  if (arriveCount < 1 || arriveCount > kMaxCount) // barrier_c2
    return emitError() << "expects the arrival count of a barrier to be in "
                          "[1, "
                       << kMaxCount << "], but got " << arriveCount;
  return success();
}
