//===- TTAttrs.td - Attributes of the tt dialect --------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTATTRS_TD
#define TRITON_INTEROP_TT_TTATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "triton_interop/TT/TTBase.td"
include "triton_interop/TT/TTEnums.td"

def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "Cache modifier and eviction priority of a memory access";
  let description = [{
    Example:
    `#tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>`.
  }];
  let parameters = (ins
    EnumParameter<TT_CacheModifier>:$cache_modifier,
    EnumParameter<TT_EvictionPolicy>:$eviction_policy
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TRITON_INTEROP_TT_TTATTRS_TD
