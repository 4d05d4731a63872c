//===- LegalizeVersion.cpp - The form that one Triton release parses ------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/Export/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>
#include <utility>

namespace mlir::tt {
#define GEN_PASS_DEF_TRITONLEGALIZEVERSION
#include "triton_interop/Export/Passes.h.inc"
} // namespace mlir::tt

using namespace mlir;
using namespace mlir::tt;

namespace {
/// Major and minor number of a release.
using Version = std::pair<unsigned, unsigned>;

/// First release with the cache policy as one attribute and with address spaces
/// that have names.
constexpr Version kNamedPolicies = {3, 9};

/// Number and name of the address space of constant memory.
constexpr int kConstantNumber = 4;
constexpr StringLiteral kConstantName = "constant";

struct Since {
  StringLiteral op;
  /// Empty for the operation itself.
  StringLiteral attribute;
  Version version;
};

/// What later releases than the first supported one have added.
constexpr Since kSince[] = {
    {"tt.approx_divf", "", {3, 9}},
    {"tt.atomic_load", "", {3, 9}},
    {"tt.atomic_poll", "", {3, 9}},
    {"tt.atomic_store", "", {3, 9}},
    {"tt.grid_dependency_launch_dependents", "", {3, 9}},
    {"tt.grid_dependency_wait", "", {3, 9}},
    {"ttg.convert_layout", "force_warp_shuffle", {3, 9}},
    {"ttg.inline_asm", "", {3, 9}},
    {"ttng.arrive_barrier", "fromCTA", {3, 9}},
    {"ttng.arrive_barrier", "multicastCTA", {3, 9}},
    {"ttng.barrier_expect", "fromCTA", {3, 9}},
    {"ttng.clc_try_cancel_sync", "", {3, 9}},
    {"ttng.tmem_wait", "", {3, 9}},
    {"ttng.warp_group_dot_wait", "warpGroupLocal", {3, 9}},
};

struct LegalizeVersion : tt::impl::TritonLegalizeVersionBase<LegalizeVersion> {
  using TritonLegalizeVersionBase::TritonLegalizeVersionBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto [major, minor] = StringRef(version).split('.');
    if (llvm::to_integer(major, target.first, 10) &&
        llvm::to_integer(minor, target.second, 10))
      return success();
    return emitError(UnknownLoc::get(context), "expects 'version' to be ")
           << "MAJOR.MINOR, but got '" << version.getValue() << "'";
  }

  void runOnOperation() override;

private:
  LogicalResult checkOp(Operation *op) const;
  void setPolicy(Operation *op) const;
  void splitPolicy(Operation *op) const;
  PtrType convert(PtrType type) const;

  Version target;
};
} // namespace

static std::string toText(Version version) {
  return std::to_string(version.first) + "." + std::to_string(version.second);
}

/// Rejects what the release does not know.
LogicalResult LegalizeVersion::checkOp(Operation *op) const {
  StringRef name = op->getName().getStringRef();
  if (name.starts_with("tlx."))
    return op->emitOpError("expects to be lowered before it goes to Triton");
  for (const Since &since : kSince) {
    if (since.op != name || since.version <= target)
      continue;
    if (since.attribute.empty())
      return op->emitOpError("expects Triton ")
             << toText(since.version) << " or newer, but got "
             << toText(target);
    Attribute value = op->getAttr(since.attribute);
    // Zero is how the operation behaves without the attribute.
    auto number = dyn_cast_if_present<IntegerAttr>(value);
    if (value && !(number && number.getValue().isZero()))
      return op->emitOpError("expects Triton ")
             << toText(since.version) << " or newer for '" << since.attribute
             << "', but got " << toText(target);
    op->removeAttr(since.attribute);
  }
  return success();
}

/// Makes one attribute of `cache` and `evict`.
void LegalizeVersion::setPolicy(Operation *op) const {
  auto cache = op->getAttrOfType<CacheModifierAttr>("cache");
  auto evict = op->getAttrOfType<EvictionPolicyAttr>("evict");
  if (!cache && !evict)
    return;
  op->removeAttr("cache");
  op->removeAttr("evict");
  CacheModifier modifier = cache ? cache.getValue() : CacheModifier::None;
  EvictionPolicy policy = evict ? evict.getValue() : EvictionPolicy::Normal;
  if (modifier != CacheModifier::None || policy != EvictionPolicy::Normal)
    op->setAttr("cachePolicy",
                CachePolicyAttr::get(op->getContext(), modifier, policy));
}

/// Makes `cache` and `evict` of one attribute.
void LegalizeVersion::splitPolicy(Operation *op) const {
  auto policy = op->getAttrOfType<CachePolicyAttr>("cachePolicy");
  if (!policy)
    return;
  op->removeAttr("cachePolicy");
  MLIRContext *context = op->getContext();
  op->setAttr("cache",
              CacheModifierAttr::get(context, policy.getCacheModifier()));
  op->setAttr("evict",
              EvictionPolicyAttr::get(context, policy.getEvictionPolicy()));
}

/// Spells the address space of a pointer as the release does.
PtrType LegalizeVersion::convert(PtrType type) const {
  MLIRContext *context = type.getContext();
  Attribute space = type.getAddressSpace();
  auto number = dyn_cast_if_present<IntegerAttr>(space);
  auto name = dyn_cast_if_present<StringAttr>(space);
  if (target >= kNamedPolicies && number && number.getInt() == kConstantNumber)
    return PtrType::get(type.getPointee(),
                        StringAttr::get(context, kConstantName));
  if (target < kNamedPolicies && name && name.getValue() == kConstantName)
    return PtrType::get(type.getPointee(), kConstantNumber);
  return type;
}

void LegalizeVersion::runOnOperation() {
  ModuleOp module = getOperation();
  WalkResult result = module->walk([&](Operation *op) {
    if (failed(checkOp(op)))
      return WalkResult::interrupt();
    if (target >= kNamedPolicies)
      setPolicy(op);
    else
      splitPolicy(op);
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (attribute.getName().strref().starts_with("tlx."))
        op->removeDiscardableAttr(attribute.getName());
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return signalPassFailure();

  AttrTypeReplacer replacer;
  replacer.addReplacement([this](PtrType type) { return convert(type); });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
