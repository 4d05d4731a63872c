//===- TTGDialect.cpp - Registration of the ttg dialect -------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/TTG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
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

struct InferLayout : tt::InferLayoutInterface {
  using InferLayoutInterface::InferLayoutInterface;

  Attribute inferReduce(Attribute source, unsigned axis) const override {
    auto parent = dyn_cast<DistributedEncoding>(source);
    return parent ? SliceEncodingAttr::get(source.getContext(), axis, parent)
                  : Attribute();
  }

  Attribute inferExpandDims(Attribute source, unsigned axis) const override {
    auto slice = dyn_cast<SliceEncodingAttr>(source);
    return slice && slice.getDim() == axis ? Attribute(slice.getParent())
                                           : Attribute();
  }

  Attribute inferTrans(Attribute source,
                       ArrayRef<int32_t> order) const override {
    auto blocked = dyn_cast<BlockedEncodingAttr>(source);
    if (!blocked || !blocked.getCGALayout().empty())
      return {};
    auto permute = [&](ArrayRef<unsigned> values) {
      SmallVector<unsigned> result;
      for (int32_t dim : order)
        result.push_back(values[dim]);
      return result;
    };
    SmallVector<unsigned> newOrder(order.size());
    for (auto [index, dim] : llvm::enumerate(blocked.getOrder()))
      newOrder[index] =
          llvm::find(order, static_cast<int32_t>(dim)) - order.begin();
    return BlockedEncodingAttr::get(
        source.getContext(), permute(blocked.getSizePerThread()),
        permute(blocked.getThreadsPerWarp()), permute(blocked.getWarpsPerCTA()),
        newOrder);
  }
};

struct TTGInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};
} // namespace

void TTGDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton_interop/TTG/TTGAttrs.cpp.inc"
      >();
  registerOps();
  addInterfaces<LayoutAliases, InferLayout, TTGInlinerInterface>();
}
