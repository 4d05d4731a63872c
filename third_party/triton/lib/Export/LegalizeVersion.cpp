//===- LegalizeVersion.cpp - The form that one release parses -------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "VersionTable.h"

#include "triton_interop/Export/Passes.h"
#include "triton_interop/TTNG/TTNG.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tt {
#define GEN_PASS_DEF_TRITONLEGALIZEVERSION
#include "triton_interop/Export/Passes.h.inc"
} // namespace mlir::tt

using namespace mlir;
using namespace mlir::tt;

namespace {
struct LegalizeVersion : tt::impl::TritonLegalizeVersionBase<LegalizeVersion> {
  using TritonLegalizeVersionBase::TritonLegalizeVersionBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  LogicalResult checkOp(Operation *op) const;
  LogicalResult legalizeCaching(Operation *op) const;
  LogicalResult splitCachePolicy(Operation *op) const;
  LogicalResult legalizeSubslice(ttng::TMEMSubsliceOp op) const;
  FailureOr<PtrType> legalizePointer(PtrType type) const;
  LogicalResult legalizeTypes(ModuleOp module) const;

  const Release *target = nullptr;
};
} // namespace

LogicalResult LegalizeVersion::initialize(MLIRContext *context) {
  target = llvm::find_if(kReleases, [&](const Release &release) {
    return toText(release.version) == version;
  });
  if (target != std::end(kReleases))
    return success();
  std::string known =
      llvm::join(llvm::map_range(kReleases,
                                 [](const Release &release) {
                                   return toText(release.version);
                                 }),
                 ", ");
  return emitError(UnknownLoc::get(context))
         << "expects 'version' to be one of " << known << ", but got '"
         << version << "'";
}

/// Rejects what the release does not know.
LogicalResult LegalizeVersion::checkOp(Operation *op) const {
  StringRef name = op->getName().getStringRef();
  if (name.starts_with("tlx."))
    return op->emitOpError("expects to be lowered before it goes to Triton");
  for (const Since &since : kSince) {
    if (since.op != name || since.version <= target->version)
      continue;
    if (since.attribute.empty())
      return op->emitOpError("expects Triton ")
             << toText(since.version) << " or newer, but got "
             << toText(target->version);
    Attribute value = op->getAttr(since.attribute);
    // Zero is how the operation behaves without the attribute.
    auto number = dyn_cast_if_present<IntegerAttr>(value);
    if (value && !(number && number.getValue().isZero()))
      return op->emitOpError("expects Triton ")
             << toText(since.version) << " or newer for '" << since.attribute
             << "', but got " << toText(target->version);
    op->removeAttr(since.attribute);
  }
  return success();
}

/// Makes one attribute of `cache` and `evict`.
static void mergeCachePolicy(Operation *op) {
  auto cache = op->getAttrOfType<CacheModifierAttr>("cache");
  auto evict = op->getAttrOfType<EvictionPolicyAttr>("evict");
  op->removeAttr("cache");
  op->removeAttr("evict");
  CacheModifier modifier = cache ? cache.getValue() : CacheModifier::None;
  EvictionPolicy policy = evict ? evict.getValue() : EvictionPolicy::Normal;
  if (modifier != CacheModifier::None || policy != EvictionPolicy::Normal)
    op->setAttr("cachePolicy",
                CachePolicyAttr::get(op->getContext(), modifier, policy));
}

/// Makes `cache` and `evict` of one attribute.
LogicalResult LegalizeVersion::splitCachePolicy(Operation *op) const {
  Attribute any = op->getAttr("cachePolicy");
  if (!any)
    return success();
  auto policy = dyn_cast<CachePolicyAttr>(any);
  if (!policy)
    return op->emitOpError("expects 'cachePolicy' to be #tt.cache_policy for "
                           "Triton ")
           << toText(target->version) << ", but got " << any;
  op->removeAttr("cachePolicy");
  MLIRContext *context = op->getContext();
  if (policy.getCacheModifier() != CacheModifier::None)
    op->setAttr("cache",
                CacheModifierAttr::get(context, policy.getCacheModifier()));
  if (policy.getEvictionPolicy() != EvictionPolicy::Normal)
    op->setAttr("evict",
                EvictionPolicyAttr::get(context, policy.getEvictionPolicy()));
  return success();
}

LogicalResult LegalizeVersion::legalizeCaching(Operation *op) const {
  // The one place where these names mean caching.
  if (!isa<LoadOp, StoreOp, DescriptorLoadOp, ttg::AsyncCopyGlobalToLocalOp,
           ttng::AsyncTMACopyGlobalToLocalOp>(op))
    return success();
  if (!target->hasCachePolicy)
    return splitCachePolicy(op);
  if (op->hasAttr("cache") || op->hasAttr("evict"))
    mergeCachePolicy(op);
  return success();
}

LogicalResult LegalizeVersion::legalizeSubslice(ttng::TMEMSubsliceOp op) const {
  if (target->hasSubsliceOffset) {
    if (std::optional<uint32_t> columns = op.getN()) {
      op.setOffset(columns);
      op.removeNAttr();
    }
    return success();
  }
  if (std::optional<uint32_t> offset = op.getOffset()) {
    uint32_t dim = op.getDim().value_or(1);
    if (dim != 1)
      return op.emitOpError("expects 'dim' to be 1 for Triton ")
             << toText(target->version) << ", but got " << dim;
    op.setN(offset);
    op.removeOffsetAttr();
    op.removeDimAttr();
  }
  return success();
}

/// Spells the address space of a pointer as the release does.
FailureOr<PtrType> LegalizeVersion::legalizePointer(PtrType type) const {
  Attribute space = type.getAddressSpace();
  if (!space)
    return type;
  MLIRContext *context = type.getContext();
  auto number = dyn_cast<IntegerAttr>(space);
  auto name = dyn_cast<StringAttr>(space);
  // A release that counts address spaces reads any number.
  if (number && !target->hasNamedAddressSpaces)
    return type;
  for (const AddressSpace &known : kAddressSpaces) {
    if ((number && number.getInt() == known.number) ||
        (name && name.getValue() == known.name)) {
      if (target->hasNamedAddressSpaces)
        return PtrType::get(type.getPointee(),
                            StringAttr::get(context, known.name));
      return PtrType::get(type.getPointee(), known.number);
    }
  }
  return failure();
}

LogicalResult LegalizeVersion::legalizeTypes(ModuleOp module) const {
  std::optional<PtrType> unknown;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](PtrType type) -> PtrType {
    FailureOr<PtrType> legal = legalizePointer(type);
    if (succeeded(legal))
      return *legal;
    unknown = type;
    return type;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  if (!unknown)
    return success();
  return module.emitError("expects an address space that Triton ")
         << toText(target->version) << " has, but got " << *unknown;
}

void LegalizeVersion::runOnOperation() {
  ModuleOp module = getOperation();
  WalkResult result = module->walk([&](Operation *op) {
    if (failed(checkOp(op)) || failed(legalizeCaching(op)))
      return WalkResult::interrupt();
    if (auto subslice = dyn_cast<ttng::TMEMSubsliceOp>(op))
      if (failed(legalizeSubslice(subslice)))
        return WalkResult::interrupt();
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (attribute.getName().strref().starts_with("tlx."))
        op->removeDiscardableAttr(attribute.getName());
    return WalkResult::advance();
  });
  if (result.wasInterrupted() || failed(legalizeTypes(module)))
    signalPassFailure();
}
