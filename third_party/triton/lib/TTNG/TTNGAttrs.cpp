//===- TTNGAttrs.cpp - Layouts in tensor memory ---------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/LayoutSyntax.h"
#include "triton_interop/TTNG/TTNG.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ttng;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// CachePolicyAttr
//===----------------------------------------------------------------------===//

LogicalResult
CachePolicyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        tt::CacheModifier modifier, CacheEvictionPriority l1,
                        CacheEvictionPriority primary,
                        CacheEvictionPriority secondary, FloatAttr fraction,
                        IntegerAttr prefetchSize) {
  using Priority = CacheEvictionPriority;
  if (modifier != tt::CacheModifier::None && l1 != Priority::None) // c1
    return emitError() << "expects 'cache_modifier' or 'l1', but got both";
  bool hasPrimary = primary != Priority::None;
  if ((secondary != Priority::None) != hasPrimary ||
      bool(fraction) != hasPrimary) // c2
    return emitError() << "expects 'l2_primary', 'l2_secondary' and "
                          "'l2_fraction' to come together";
  if (primary == Priority::NoAllocate) // c3
    return emitError() << "expects 'l2_primary' to be another priority than "
                          "no_allocate";
  if (hasPrimary && secondary != Priority::EvictFirst &&
      secondary != Priority::EvictUnchanged)
    return emitError() << "expects 'l2_secondary' to be evict_first or "
                          "evict_unchanged, but got "
                       << stringifyCacheEvictionPriority(secondary);
  if (fraction &&
      (!fraction.getType().isF32() || !(fraction.getValueAsDouble() > 0) ||
       fraction.getValueAsDouble() > 1)) // c4
    return emitError() << "expects 'l2_fraction' to be an f32 in (0, 1], but "
                          "got "
                       << fraction;
  if (prefetchSize && (!prefetchSize.getType().isInteger(32) ||
                       !llvm::is_contained({64, 128, 256},
                                           prefetchSize.getInt()))) // c5
    return emitError() << "expects 'l2_prefetch_size' to be an i32, 64, 128 or "
                          "256, but got "
                       << prefetchSize;
  return success();
}

//===----------------------------------------------------------------------===//
// TensorMemoryEncodingAttr
//===----------------------------------------------------------------------===//

LogicalResult
TensorMemoryEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned blockM, unsigned blockN,
                                 unsigned colStride, ttg::Bases layout,
                                 bool twoCTAs, bool fp4Padded) {
  if (blockM != 64 && blockM != 128)
    return emitError() << "expects 'blockM' to be 64 or 128, but got "
                       << blockM;
  for (auto [name, value] :
       {std::pair("blockN", blockN), std::pair("colStride", colStride)})
    if (!llvm::isPowerOf2_32(value))
      return emitError() << "expects '" << name
                         << "' to be a power of two, but got " << value;
  if (twoCTAs && layout.empty())
    return emitError() << "expects 'CGALayout' to be set for a pair of CTAs";
  return ttg::verifyCGALayout(emitError, layout, 2);
}

Attribute TensorMemoryEncodingAttr::parse(AsmParser &parser, Type) {
  ttg::LayoutFields fields(parser);
  unsigned blockM, blockN, colStride;
  ttg::BasesStorage layout;
  bool twoCTAs = false, fp4Padded = false;
  if (parser.parseLess() || fields.parseUntilGreater() ||
      fields.take("blockM", blockM) || fields.take("blockN", blockN) ||
      fields.take("colStride", colStride) ||
      fields.takeOptional("CGALayout", layout) ||
      fields.takeOptional("twoCTAs", twoCTAs) ||
      fields.takeOptional("fp4Padded", fp4Padded) || fields.finish() ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  return TensorMemoryEncodingAttr::getChecked(
      EmitError(emitError), parser.getContext(), blockM, blockN, colStride,
      layout.get(), twoCTAs, fp4Padded);
}

void TensorMemoryEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<blockM = " << getBlockM() << ", blockN = " << getBlockN()
          << ", colStride = " << getColStride();
  ttg::printCGALayout(printer, getCGALayout());
  if (getTwoCTAs())
    printer << ", twoCTAs = true";
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  printer << ">";
}

//===----------------------------------------------------------------------===//
// TensorMemoryScalesEncodingAttr
//===----------------------------------------------------------------------===//

Attribute TensorMemoryScalesEncodingAttr::parse(AsmParser &parser, Type) {
  ttg::LayoutFields fields(parser);
  ttg::BasesStorage layout;
  auto order = TensorMemoryScalesBlockRepOrder::MNThenK;
  if (parser.parseLess() || fields.parseUntilGreater() ||
      fields.takeOptional("CGALayout", layout))
    return {};
  if (fields.has("blockRepOrder")) {
    Attribute value;
    if (fields.take("blockRepOrder", value))
      return {};
    auto name = dyn_cast<StringAttr>(value);
    auto parsed = symbolizeTensorMemoryScalesBlockRepOrder(
        name ? name.getValue() : StringRef());
    if (!parsed) {
      fields.emitError()
          << "expects 'blockRepOrder' to be mnThenK or kThenMn, but got "
          << value;
      return {};
    }
    order = *parsed;
  }
  if (fields.finish() || parser.parseGreater())
    return {};
  return get(parser.getContext(), layout.get(), order);
}

void TensorMemoryScalesEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<";
  bool hasLayout = !getCGALayout().empty();
  if (hasLayout) {
    printer << "CGALayout = ";
    ttg::printBases(printer, getCGALayout());
  }
  if (getBlockRepOrder() != TensorMemoryScalesBlockRepOrder::MNThenK)
    printer << (hasLayout ? ", " : "") << "blockRepOrder = "
            << stringifyTensorMemoryScalesBlockRepOrder(getBlockRepOrder());
  printer << ">";
}
