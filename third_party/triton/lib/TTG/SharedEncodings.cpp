//===- SharedEncodings.cpp - Layouts in shared memory ---------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/LayoutSyntax.h"
#include "triton_interop/TTG/TTG.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ttg;

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyPowerOfTwo(EmitError emitError, StringRef name,
                                      unsigned value) {
  if (llvm::isPowerOf2_32(value))
    return success();
  return emitError() << "expects '" << name
                     << "' to be a power of two, but got " << value;
}

static unsigned getBasesRank(Bases first, Bases second) {
  return first.empty() ? second.getRank() : first.getRank();
}

static LogicalResult verifyBasesRank(EmitError emitError, Bases offsets,
                                     Bases blocks) {
  if (getBasesRank(offsets, blocks) == 0)
    return emitError() << "expects at least one basis vector";
  if (!offsets.empty() && !blocks.empty() &&
      offsets.getRank() != blocks.getRank())
    return emitError() << "expects basis vectors of 'block' to have length "
                       << offsets.getRank() << ", but got length "
                       << blocks.getRank();
  return success();
}

//===----------------------------------------------------------------------===//
// SwizzledSharedEncodingAttr
//===----------------------------------------------------------------------===//

unsigned SwizzledSharedEncodingAttr::getRank() const {
  return getOrder().size();
}

LogicalResult
SwizzledSharedEncodingAttr::verify(EmitError emitError, unsigned vec,
                                   unsigned perPhase, unsigned maxPhase,
                                   ArrayRef<unsigned> order, Bases layout) {
  if (failed(verifyPowerOfTwo(emitError, "vec", vec)) ||
      failed(verifyPowerOfTwo(emitError, "perPhase", perPhase)) ||
      failed(verifyPowerOfTwo(emitError, "maxPhase", maxPhase)) ||
      failed(verifyOrder(emitError, order)))
    return failure();
  return verifyCGALayout(emitError, layout, order.size());
}

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned vec, perPhase, maxPhase;
  SmallVector<unsigned> order;
  BasesStorage layout;
  if (parser.parseLess() || fields.parseBraced() || fields.take("vec", vec) ||
      fields.take("perPhase", perPhase) || fields.take("maxPhase", maxPhase) ||
      fields.take("order", order) || fields.takeOptional("CGALayout", layout) ||
      fields.finish() || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return SwizzledSharedEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), vec, perPhase, maxPhase,
      ArrayRef<unsigned>(order), layout.get());
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{vec = " << getVec() << ", perPhase = " << getPerPhase()
          << ", maxPhase = " << getMaxPhase() << ", order = ";
  printArray(printer, getOrder());
  printCGALayout(printer, getCGALayout());
  printer << "}>";
}

//===----------------------------------------------------------------------===//
// NVMMASharedEncodingAttr
//===----------------------------------------------------------------------===//

unsigned NVMMASharedEncodingAttr::getRank() const { return getTileRank(); }

LogicalResult NVMMASharedEncodingAttr::verify(
    EmitError emitError, unsigned swizzlingByteWidth, bool transposed,
    unsigned elementBitWidth, bool fp4Padded, unsigned rank, Bases layout) {
  if (!llvm::is_contained({0u, 32u, 64u, 128u}, swizzlingByteWidth))
    return emitError()
           << "expects 'swizzlingByteWidth' to be 0, 32, 64 or 128, but got "
           << swizzlingByteWidth;
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, elementBitWidth))
    return emitError()
           << "expects 'elementBitWidth' to be 8, 16, 32 or 64, but got "
           << elementBitWidth;
  if (fp4Padded && elementBitWidth != 8)
    return emitError()
           << "expects 'elementBitWidth' of padded fp4 to be 8, but "
              "got "
           << elementBitWidth;
  if (rank == 0)
    return emitError() << "expects 'rank' to be positive, but got 0";
  return verifyCGALayout(emitError, layout, rank);
}

Attribute NVMMASharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned swizzlingByteWidth, elementBitWidth;
  bool transposed, fp4Padded = false;
  BasesStorage layout;
  if (parser.parseLess() || fields.parseBraced() ||
      fields.take("swizzlingByteWidth", swizzlingByteWidth) ||
      fields.take("transposed", transposed) ||
      fields.take("elementBitWidth", elementBitWidth) ||
      fields.takeOptional("fp4Padded", fp4Padded) ||
      fields.takeOptional("CGALayout", layout))
    return {};
  unsigned rank = layout.get().empty() ? 2 : layout.get().getRank();
  if (fields.takeOptional("rank", rank) || fields.finish() ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return NVMMASharedEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), swizzlingByteWidth, transposed,
      elementBitWidth, fp4Padded, rank, layout.get());
}

void NVMMASharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << (getTransposed() ? "true" : "false")
          << ", elementBitWidth = " << getElementBitWidth();
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  // The vectors of a CGA layout tell the rank already.
  if (getCGALayout().empty() && getRank() != 2)
    printer << ", rank = " << getRank();
  printCGALayout(printer, getCGALayout());
  printer << "}>";
}

//===----------------------------------------------------------------------===//
// SharedLinearEncodingAttr
//===----------------------------------------------------------------------===//

unsigned SharedLinearEncodingAttr::getRank() const {
  return getBasesRank(getOffsetBases(), getBlockBases());
}

LogicalResult SharedLinearEncodingAttr::verify(EmitError emitError,
                                               Bases offsets, Bases blocks,
                                               unsigned alignment) {
  if (failed(verifyPowerOfTwo(emitError, "alignment", alignment)))
    return failure();
  return verifyBasesRank(emitError, offsets, blocks);
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  BasesStorage offsets, blocks;
  unsigned alignment;
  if (parser.parseLess() || fields.parseBraced() ||
      fields.take("offset", offsets) || fields.takeOptional("block", blocks) ||
      fields.finish() || parser.parseComma() ||
      parser.parseKeyword("alignment") || parser.parseEqual() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return SharedLinearEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), offsets.get(), blocks.get(),
      alignment);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{offset = ";
  printBases(printer, getOffsetBases());
  if (!getBlockBases().empty()) {
    printer << ", block = ";
    printBases(printer, getBlockBases());
  }
  printer << "}, alignment = " << getAlignment() << ">";
}

//===----------------------------------------------------------------------===//
// PaddedSharedEncodingAttr
//===----------------------------------------------------------------------===//

unsigned PaddedSharedEncodingAttr::getRank() const {
  return getBasesRank(getOffsetBases(), getBlockBases());
}

LogicalResult PaddedSharedEncodingAttr::verify(EmitError emitError,
                                               ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings,
                                               Bases offsets, Bases blocks) {
  if (intervals.empty() || intervals.size() != paddings.size())
    return emitError() << "expects one padding for each of " << intervals.size()
                       << " intervals, but got " << paddings.size();
  for (auto [interval, padding] : llvm::zip_equal(intervals, paddings))
    if (failed(verifyPowerOfTwo(emitError, "interval", interval)) ||
        failed(verifyPowerOfTwo(emitError, "padding", padding)))
      return failure();
  return verifyBasesRank(emitError, offsets, blocks);
}

/// Bases of a dense tile of `shape` whose fastest dimension is `order[0]`.
static BasesStorage getDenseBases(ArrayRef<unsigned> order,
                                  ArrayRef<unsigned> shape) {
  std::vector<std::vector<int32_t>> vectors;
  for (unsigned dim : order) {
    for (unsigned stride = 1; stride < shape[dim]; stride *= 2) {
      std::vector<int32_t> &vector = vectors.emplace_back(shape.size(), 0);
      vector[dim] = stride;
    }
  }
  return BasesStorage(vectors);
}

/// Reads `order` and `shape` and turns them into bases.
static ParseResult takeDenseBases(LayoutFields &fields, BasesStorage &offsets) {
  SmallVector<unsigned> order, shape;
  if (fields.take("order", order) || fields.take("shape", shape))
    return failure();
  auto emitError = [&] { return fields.emitError(); };
  if (failed(verifyOrder(emitError, order)))
    return failure();
  if (order.size() != shape.size())
    return fields.emitError() << "expects 'shape' to have " << order.size()
                              << " entries, but got " << shape.size();
  for (unsigned extent : shape)
    if (failed(verifyPowerOfTwo(emitError, "shape", extent)))
      return failure();
  offsets = getDenseBases(order, shape);
  return success();
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  SmallVector<unsigned> intervals, paddings;
  auto parsePadding = [&]() -> ParseResult {
    return failure(parser.parseInteger(intervals.emplace_back()) ||
                   parser.parseColon() || parser.parsePlus() ||
                   parser.parseInteger(paddings.emplace_back()));
  };
  BasesStorage offsets, blocks;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parsePadding) ||
      fields.parseBraced())
    return {};
  if (fields.has("offset")) {
    if (fields.take("offset", offsets) || fields.takeOptional("block", blocks))
      return {};
  } else if (takeDenseBases(fields, offsets)) {
    return {};
  }
  if (fields.finish() || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return PaddedSharedEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), ArrayRef<unsigned>(intervals),
      ArrayRef<unsigned>(paddings), offsets.get(), blocks.get());
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(
      llvm::zip_equal(getIntervals(), getPaddings()), printer, [&](auto pair) {
        printer << std::get<0>(pair) << ":+" << std::get<1>(pair);
      });
  printer << "] {offset = ";
  printBases(printer, getOffsetBases());
  printer << ", block = ";
  printBases(printer, getBlockBases());
  printer << "}>";
}
