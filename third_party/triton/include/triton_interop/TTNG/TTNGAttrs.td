//===- TTNGAttrs.td - Attributes of the ttng dialect ----- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGATTRS_TD
#define TRITON_INTEROP_TTNG_TTNGATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "triton_interop/TT/TTEnums.td"
include "triton_interop/TTG/TTGAttrs.td"
include "triton_interop/TTNG/TTNGBase.td"
include "triton_interop/TTNG/TTNGEnums.td"

class TTNG_AttrDef<string name, string attrMnemonic>
    : AttrDef<TTNG_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def TTNG_TensorMemorySpaceAttr
    : TTNG_AttrDef<"TensorMemorySpace", "tensor_memory"> {
  let summary = "Memory space of tensor memory (sm_100)";
}

def TTNG_TMEMLoadReduceModifierAttr
    : EnumAttr<TTNG_Dialect, TTNG_TMEMLoadReduceModifier, "redOp"> {
  let assemblyFormat = "`<` $value `>`";
}

def TTNG_CachePolicyAttr : TTNG_AttrDef<"CachePolicy", "cache_policy"> {
  let summary = "Cache policy with the priorities of both cache levels";
  let description = [{
    Constraints:

    - (C1) `cache_modifier` and `l1` are not both given.
    - (C2) `l2_primary`, `l2_secondary` and `l2_fraction` come together.
    - (C3) `l2_primary` is not `no_allocate`; `l2_secondary` is `evict_first` or
      `evict_unchanged`.
    - (C4) `l2_fraction` is an `f32` in (0, 1].
    - (C5) `l2_prefetch_size` is an `i32`, 64, 128 or 256 bytes.

    Source of (C3) to (C5): PTX ISA, `createpolicy` and `ld`.

    Example:
    `#ttng.cache_policy<l1 = evict_first, l2_prefetch_size = 64 : i32>`.
  }];
  let parameters = (ins
    DefaultValuedParameter<"::mlir::tt::CacheModifier",
                           "::mlir::tt::CacheModifier::None">:$cache_modifier,
    DefaultValuedParameter<"::mlir::ttng::CacheEvictionPriority",
        "::mlir::ttng::CacheEvictionPriority::None">:$l1,
    DefaultValuedParameter<"::mlir::ttng::CacheEvictionPriority",
        "::mlir::ttng::CacheEvictionPriority::None">:$l2_primary,
    DefaultValuedParameter<"::mlir::ttng::CacheEvictionPriority",
        "::mlir::ttng::CacheEvictionPriority::None">:$l2_secondary,
    OptionalParameter<"::mlir::FloatAttr">:$l2_fraction,
    OptionalParameter<"::mlir::IntegerAttr">:$l2_prefetch_size
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TTNG_TensorMemoryEncodingAttr
    : TTNG_AttrDef<"TensorMemoryEncoding", "tensor_memory_encoding"> {
  let summary = "Tile of 32-bit columns by lanes in tensor memory";
  let description = [{
    A tile is cut into blocks of `blockM` lanes by `blockN` columns; elements of
    a row are `colStride` apart. With `twoCTAs`, a pair of CTAs holds the tile.

    Example: `#ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
    colStride = 1>`.
  }];
  let parameters = (ins
    "unsigned":$blockM,
    "unsigned":$blockN,
    "unsigned":$colStride,
    TTG_BasesParameter:$CGALayout,
    "bool":$twoCTAs,
    "bool":$fp4Padded
  );
  let builders = [
    /// A tile within one CTA.
    AttrBuilder<(ins "unsigned":$blockM, "unsigned":$blockN,
                     "unsigned":$colStride), [{
      return $_get($_ctxt, blockM, blockN, colStride, ::mlir::ttg::Bases(),
                   false, false);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTNG_TensorMemoryScalesEncodingAttr
    : TTNG_AttrDef<"TensorMemoryScalesEncoding",
                   "tensor_memory_scales_encoding"> {
  let summary = "Scales of a block-scaled MMA in tensor memory";
  let description = [{
    Example: `#ttng.tensor_memory_scales_encoding<>`.
  }];
  let parameters = (ins
    TTG_BasesParameter:$CGALayout,
    EnumParameter<TTNG_TensorMemoryScalesBlockRepOrder>:$blockRepOrder
  );
  let builders = [
    /// The default order, within one CTA.
    AttrBuilder<(ins), [{
      return $_get($_ctxt, ::mlir::ttg::Bases(),
                   TensorMemoryScalesBlockRepOrder::MNThenK);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
}

#endif // TRITON_INTEROP_TTNG_TTNGATTRS_TD
