//===- TTGDialect.cpp - Registration of the ttg dialect -------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/TTG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ttg;

#include "triton_interop/TTG/TTGDialect.cpp.inc"
#include "triton_interop/TTG/TTGEnums.cpp.inc"
#include "triton_interop/TTG/TTGInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TTG/TTGAttrs.cpp.inc"

namespace {
/// Short names for layouts, as Triton prints them.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef name =
        llvm::TypeSwitch<Attribute, StringRef>(attr)
            .Case<BlockedEncodingAttr>([](auto) { return "blocked"; })
            .Case<NvidiaMmaEncodingAttr>([](auto) { return "mma"; })
            .Case<LinearEncodingAttr>([](auto) { return "linear"; })
            .Case<GenericLinearEncodingAttr>(
                [](auto) { return "generic_linear"; })
            .Case<SharedMemorySpaceAttr>([](auto) { return "smem"; })
            .Case<SharedEncoding>([](auto) { return "shared"; })
            .Default([](auto) { return ""; });
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTGDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton_interop/TTG/TTGAttrs.cpp.inc"
      >();
  addInterfaces<LayoutAliases>();
}
