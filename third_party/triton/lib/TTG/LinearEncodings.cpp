//===- LinearEncodings.cpp - Register layouts given by bases --------------===//
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

namespace {
/// The four lists of a linear layout.
struct LinearBases {
  BasesStorage registers, lanes, warps, blocks;
};
} // namespace

static ParseResult parseLinear(AsmParser &parser, LinearBases &bases) {
  LayoutFields fields(parser);
  return failure(parser.parseLess() || fields.parseBraced() ||
                 fields.take("register", bases.registers) ||
                 fields.take("lane", bases.lanes) ||
                 fields.take("warp", bases.warps) ||
                 fields.take("block", bases.blocks) || fields.finish() ||
                 parser.parseGreater());
}

template <typename EncodingAttr>
static void printLinear(AsmPrinter &printer, EncodingAttr encoding) {
  printer << "<{register = ";
  printBases(printer, encoding.getRegisterBases());
  printer << ", lane = ";
  printBases(printer, encoding.getLaneBases());
  printer << ", warp = ";
  printBases(printer, encoding.getWarpBases());
  printer << ", block = ";
  printBases(printer, encoding.getBlockBases());
  printer << "}>";
}

static unsigned getLinearRank(ArrayRef<Bases> lists) {
  for (Bases bases : lists)
    if (!bases.empty())
      return bases.getRank();
  return 0;
}

static LogicalResult verifyLinearRank(EmitError emitError,
                                      ArrayRef<Bases> lists) {
  unsigned rank = getLinearRank(lists);
  if (rank == 0)
    return emitError() << "expects at least one basis vector";
  for (Bases bases : lists)
    if (!bases.empty() && bases.getRank() != rank)
      return emitError() << "expects all basis vectors to have length " << rank
                         << ", but got length " << bases.getRank();
  return success();
}

static LogicalResult verifyTensor(EmitError emitError, ArrayRef<int64_t> shape,
                                  unsigned rank) {
  if (shape.size() == rank)
    return success();
  return emitError() << "expects layout of a rank " << shape.size()
                     << " tensor to have the same rank, but got rank " << rank;
}

//===----------------------------------------------------------------------===//
// LinearEncodingAttr
//===----------------------------------------------------------------------===//

unsigned LinearEncodingAttr::getRank() const {
  return getLinearRank(
      {getRegisterBases(), getLaneBases(), getWarpBases(), getBlockBases()});
}

unsigned LinearEncodingAttr::getNumWarps() const {
  return 1u << getWarpBases().size();
}

LogicalResult LinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                 EmitError emitError) const {
  return verifyTensor(emitError, shape, getRank());
}

LogicalResult LinearEncodingAttr::verify(EmitError emitError, Bases registers,
                                         Bases lanes, Bases warps,
                                         Bases blocks) {
  if (failed(verifyLinearRank(emitError, {registers, lanes, warps, blocks})))
    return failure();
  for (Bases bases : {registers, lanes, warps, blocks}) {
    for (size_t i = 0; i != bases.size(); ++i) {
      unsigned bits = 0;
      for (int32_t coordinate : bases[i])
        bits += llvm::popcount(static_cast<uint32_t>(coordinate));
      if (bits > 1)
        return emitError() << "expects each basis vector to have at most one "
                              "bit, but got "
                           << bits << " bits";
    }
  }
  return success();
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  LinearBases bases;
  if (parseLinear(parser, bases))
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return LinearEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), bases.registers.get(),
      bases.lanes.get(), bases.warps.get(), bases.blocks.get());
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printLinear(printer, *this);
}

//===----------------------------------------------------------------------===//
// GenericLinearEncodingAttr
//===----------------------------------------------------------------------===//

unsigned GenericLinearEncodingAttr::getRank() const {
  return getLinearRank(
      {getRegisterBases(), getLaneBases(), getWarpBases(), getBlockBases()});
}

unsigned GenericLinearEncodingAttr::getNumWarps() const {
  return 1u << getWarpBases().size();
}

LogicalResult
GenericLinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                          EmitError emitError) const {
  return verifyTensor(emitError, shape, getRank());
}

LogicalResult GenericLinearEncodingAttr::verify(EmitError emitError,
                                                Bases registers, Bases lanes,
                                                Bases warps, Bases blocks) {
  return verifyLinearRank(emitError, {registers, lanes, warps, blocks});
}

Attribute GenericLinearEncodingAttr::parse(AsmParser &parser, Type) {
  LinearBases bases;
  if (parseLinear(parser, bases))
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return GenericLinearEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), bases.registers.get(),
      bases.lanes.get(), bases.warps.get(), bases.blocks.get());
}

void GenericLinearEncodingAttr::print(AsmPrinter &printer) const {
  printLinear(printer, *this);
}
