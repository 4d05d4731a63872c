//===- DistributedEncodings.cpp - Layouts in registers --------------------===//
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

static unsigned product(ArrayRef<unsigned> values) {
  unsigned result = 1;
  for (unsigned value : values)
    result *= value;
  return result;
}

//===----------------------------------------------------------------------===//
// Rules shared by several layouts
//===----------------------------------------------------------------------===//

LogicalResult ttg::verifyOrder(EmitError emitError, ArrayRef<unsigned> order) {
  llvm::SmallBitVector seen(order.size());
  for (unsigned dim : order) {
    if (dim >= order.size() || seen.test(dim)) {
      InFlightDiagnostic diag = emitError();
      diag << "expects 'order' to be a permutation of 0 to "
           << static_cast<int64_t>(order.size()) - 1 << ", but got [";
      llvm::interleaveComma(order, diag);
      return diag << "]";
    }
    seen.set(dim);
  }
  return success();
}

LogicalResult ttg::verifyCGALayout(EmitError emitError, Bases layout,
                                   unsigned rank) {
  if (layout.empty() || layout.getRank() == rank)
    return success();
  return emitError() << "expects vectors of 'CGALayout' to have length " << rank
                     << ", but got length " << layout.getRank();
}

static LogicalResult verifyPowersOfTwo(EmitError emitError, StringRef name,
                                       ArrayRef<unsigned> values,
                                       unsigned rank) {
  if (values.size() != rank)
    return emitError() << "expects '" << name << "' to have " << rank
                       << " entries, but got " << values.size();
  for (unsigned value : values)
    if (!llvm::isPowerOf2_32(value))
      return emitError() << "expects '" << name
                         << "' to hold powers of two, but got " << value;
  return success();
}

static LogicalResult verifyTensorRank(EmitError emitError,
                                      ArrayRef<int64_t> shape,
                                      DistributedEncoding encoding) {
  if (shape.size() == encoding.getRank())
    return success();
  return emitError() << "expects layout of a rank " << shape.size()
                     << " tensor to have the same rank, but got rank "
                     << encoding.getRank();
}

//===----------------------------------------------------------------------===//
// BlockedEncodingAttr
//===----------------------------------------------------------------------===//

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

unsigned BlockedEncodingAttr::getNumWarps() const {
  return product(getWarpsPerCTA());
}

LogicalResult BlockedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape,
                                                  Type elementType,
                                                  EmitError emitError) const {
  return verifyTensorRank(emitError, shape, *this);
}

LogicalResult BlockedEncodingAttr::verify(EmitError emitError,
                                          ArrayRef<unsigned> sizePerThread,
                                          ArrayRef<unsigned> threadsPerWarp,
                                          ArrayRef<unsigned> warpsPerCTA,
                                          ArrayRef<unsigned> order,
                                          Bases layout) {
  unsigned rank = order.size();
  if (failed(verifyOrder(emitError, order)) ||
      failed(
          verifyPowersOfTwo(emitError, "sizePerThread", sizePerThread, rank)) ||
      failed(verifyPowersOfTwo(emitError, "threadsPerWarp", threadsPerWarp,
                               rank)) ||
      failed(verifyPowersOfTwo(emitError, "warpsPerCTA", warpsPerCTA, rank)))
    return failure();
  return verifyCGALayout(emitError, layout, rank);
}

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  SmallVector<unsigned> sizePerThread, threadsPerWarp, warpsPerCTA, order;
  BasesStorage layout;
  if (parser.parseLess() || fields.parseBraced() ||
      fields.take("sizePerThread", sizePerThread) ||
      fields.take("threadsPerWarp", threadsPerWarp) ||
      fields.take("warpsPerCTA", warpsPerCTA) || fields.take("order", order) ||
      fields.takeOptional("CGALayout", layout) || fields.finish() ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return BlockedEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(),
      ArrayRef<unsigned>(sizePerThread), ArrayRef<unsigned>(threadsPerWarp),
      ArrayRef<unsigned>(warpsPerCTA), ArrayRef<unsigned>(order), layout.get());
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{sizePerThread = ";
  printArray(printer, getSizePerThread());
  printer << ", threadsPerWarp = ";
  printArray(printer, getThreadsPerWarp());
  printer << ", warpsPerCTA = ";
  printArray(printer, getWarpsPerCTA());
  printer << ", order = ";
  printArray(printer, getOrder());
  printCGALayout(printer, getCGALayout());
  printer << "}>";
}

//===----------------------------------------------------------------------===//
// SliceEncodingAttr
//===----------------------------------------------------------------------===//

unsigned SliceEncodingAttr::getRank() const {
  return getParent().getRank() - 1;
}

unsigned SliceEncodingAttr::getNumWarps() const {
  return getParent().getNumWarps();
}

LogicalResult SliceEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape,
                                                Type elementType,
                                                EmitError emitError) const {
  return verifyTensorRank(emitError, shape, *this);
}

LogicalResult SliceEncodingAttr::verify(EmitError emitError, unsigned dim,
                                        DistributedEncoding parent) {
  if (parent.getRank() < 2)
    return emitError() << "expects parent of a slice to have rank 2 or more, "
                          "but got rank "
                       << parent.getRank();
  if (dim >= parent.getRank())
    return emitError() << "expects 'dim' to be less than the parent's rank "
                       << parent.getRank() << ", but got " << dim;
  return success();
}

/// Reads the field `parent`, which must be a distributed layout.
static ParseResult takeParent(LayoutFields &fields,
                              DistributedEncoding &parent) {
  Attribute any;
  if (fields.take("parent", any))
    return failure();
  parent = dyn_cast<DistributedEncoding>(any);
  if (!parent)
    return fields.emitError()
           << "expects 'parent' to be a distributed layout, but got " << any;
  return success();
}

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned dim;
  DistributedEncoding parent;
  if (parser.parseLess() || fields.parseBraced() || fields.take("dim", dim) ||
      takeParent(fields, parent) || fields.finish() || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return SliceEncodingAttr::getChecked(EmitError(emitError),
                                       parser.getContext(), dim, parent);
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << Attribute(getParent())
          << "}>";
}

//===----------------------------------------------------------------------===//
// DotOperandEncodingAttr
//===----------------------------------------------------------------------===//

unsigned DotOperandEncodingAttr::getRank() const {
  return getParent().getRank();
}

unsigned DotOperandEncodingAttr::getNumWarps() const {
  return getParent().getNumWarps();
}

LogicalResult DotOperandEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType, EmitError emitError) const {
  return verifyTensorRank(emitError, shape, *this);
}

LogicalResult DotOperandEncodingAttr::verify(EmitError emitError,
                                             unsigned opIdx,
                                             DistributedEncoding parent,
                                             unsigned kWidth) {
  if (opIdx > 1)
    return emitError() << "expects 'opIdx' to be 0 or 1, but got " << opIdx;
  if (isa<NvidiaMmaEncodingAttr>(parent) && kWidth == 0)
    return emitError() << "expects 'kWidth' to be set for an MMA parent";
  if (isa<BlockedEncodingAttr>(parent) && kWidth != 0)
    return emitError() << "expects 'kWidth' to be absent for a blocked parent, "
                          "but got "
                       << kWidth;
  return success();
}

Attribute DotOperandEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned opIdx;
  DistributedEncoding parent;
  unsigned kWidth = 0;
  if (parser.parseLess() || fields.parseBraced() ||
      fields.take("opIdx", opIdx) || takeParent(fields, parent) ||
      fields.takeOptional("kWidth", kWidth) || fields.finish() ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return DotOperandEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), opIdx, parent, kWidth);
}

void DotOperandEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{opIdx = " << getOpIdx()
          << ", parent = " << Attribute(getParent());
  if (getKWidth())
    printer << ", kWidth = " << getKWidth();
  printer << "}>";
}

//===----------------------------------------------------------------------===//
// NvidiaMmaEncodingAttr
//===----------------------------------------------------------------------===//

unsigned NvidiaMmaEncodingAttr::getRank() const {
  return getWarpsPerCTA().size();
}

unsigned NvidiaMmaEncodingAttr::getNumWarps() const {
  return product(getWarpsPerCTA());
}

LogicalResult NvidiaMmaEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape,
                                                    Type elementType,
                                                    EmitError emitError) const {
  return verifyTensorRank(emitError, shape, *this);
}

LogicalResult NvidiaMmaEncodingAttr::verify(EmitError emitError,
                                            unsigned versionMajor,
                                            unsigned versionMinor,
                                            ArrayRef<unsigned> warpsPerCTA,
                                            Bases layout,
                                            ArrayRef<unsigned> instrShape) {
  if (versionMajor != 2 && versionMajor != 3)
    return emitError() << "expects 'versionMajor' to be 2 or 3, but got "
                       << versionMajor;
  unsigned rank = warpsPerCTA.size();
  if (failed(verifyPowersOfTwo(emitError, "warpsPerCTA", warpsPerCTA, rank)))
    return failure();
  // wgmma has a k extent; mma.sync gives m and n, with a batch of 1 in rank 3.
  unsigned expected = versionMajor == 3 ? 3 : rank;
  if (instrShape.size() != expected)
    return emitError() << "expects 'instrShape' to have " << expected
                       << " entries, but got " << instrShape.size();
  return verifyCGALayout(emitError, layout, rank);
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned versionMajor, versionMinor;
  SmallVector<unsigned> warpsPerCTA, instrShape;
  BasesStorage layout;
  if (parser.parseLess() || fields.parseBraced() ||
      fields.take("versionMajor", versionMajor) ||
      fields.take("versionMinor", versionMinor) ||
      fields.take("warpsPerCTA", warpsPerCTA) ||
      fields.takeOptional("CGALayout", layout) ||
      fields.take("instrShape", instrShape) || fields.finish() ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return NvidiaMmaEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), versionMajor, versionMinor,
      ArrayRef<unsigned>(warpsPerCTA), layout.get(),
      ArrayRef<unsigned>(instrShape));
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{versionMajor = " << getVersionMajor()
          << ", versionMinor = " << getVersionMinor() << ", warpsPerCTA = ";
  printArray(printer, getWarpsPerCTA());
  printCGALayout(printer, getCGALayout());
  printer << ", instrShape = ";
  printArray(printer, getInstrShape());
  printer << "}>";
}
