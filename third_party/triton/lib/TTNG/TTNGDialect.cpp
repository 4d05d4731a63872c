//===- TTNGDialect.cpp - Registration of the ttng dialect -----------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTNG/TTNG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ttng;

#include "triton_interop/TTNG/TTNGDialect.cpp.inc"
#include "triton_interop/TTNG/TTNGEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TTNG/TTNGAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "triton_interop/TTNG/TTNGTypes.cpp.inc"

Type TensorDescIm2ColType::parse(AsmParser &parser) {
  // The text between the brackets is that of an ordinary descriptor.
  auto desc =
      dyn_cast_or_null<tt::TensorDescType>(tt::TensorDescType::parse(parser));
  return desc ? get(parser.getContext(), desc.getBlockType()) : Type();
}

void TensorDescIm2ColType::print(AsmPrinter &printer) const {
  tt::TensorDescType::get(getBlockType()).print(printer);
}

namespace {
/// Short names for layouts, as Triton prints them.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<TensorMemoryEncodingAttr>(attr))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attr))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};

struct TTNGInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};
} // namespace

void TTNGDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton_interop/TTNG/TTNGTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton_interop/TTNG/TTNGAttrs.cpp.inc"
      >();
  registerOps();
  addInterfaces<LayoutAliases, TTNGInlinerInterface>();
}
