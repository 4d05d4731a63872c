//===- TTGAttrs.td - Attributes of the ttg dialect ------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGATTRS_TD
#define TRITON_INTEROP_TTG_TTGATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "triton_interop/TTG/TTGBase.td"
include "triton_interop/TTG/TTGEnums.td"
include "triton_interop/TTG/TTGInterfaces.td"

class TTG_AttrDef<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTG_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTG_EncodingAttr<string name, string attrMnemonic, list<Trait> traits>
    : TTG_AttrDef<name, attrMnemonic, traits> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class TTG_DistributedEncodingAttr<string name, string attrMnemonic>
    : TTG_EncodingAttr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<TTG_DistributedEncoding>,
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]>;

class TTG_SharedEncodingAttr<string name, string attrMnemonic>
    : TTG_EncodingAttr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<TTG_SharedEncoding>]>;

def TTG_BasesParameter
    : AttrOrTypeParameter<"::mlir::ttg::Bases", "basis vectors"> {
  let allocator = [{ $_dst = $_self.copyInto($_allocator); }];
}

def TTG_SharedMemorySpaceAttr
    : TTG_AttrDef<"SharedMemorySpace", "shared_memory"> {
  let summary = "Memory space of shared memory";
}

//===----------------------------------------------------------------------===//
// BlockedEncoding
//===----------------------------------------------------------------------===//

def TTG_BlockedEncodingAttr
    : TTG_DistributedEncodingAttr<"BlockedEncoding", "blocked"> {
  let summary = "Each thread holds a block of the tensor";
  let description = [{
    Tiles of `sizePerThread` elements are dealt to threads, then warps, the
    dimension `order[0]` first, and repeated until the tensor is covered.
    `CGALayout` says how CTAs of a cluster split the tensor; empty for one CTA.

    Example:
    `#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
    warpsPerCTA = [4, 1], order = [1, 0]}>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$sizePerThread,
    ArrayRefParameter<"unsigned">:$threadsPerWarp,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$order,
    TTG_BasesParameter:$CGALayout
  );
  let builders = [
    /// A layout within one CTA.
    AttrBuilder<(ins "::llvm::ArrayRef<unsigned>":$sizePerThread,
                     "::llvm::ArrayRef<unsigned>":$threadsPerWarp,
                     "::llvm::ArrayRef<unsigned>":$warpsPerCTA,
                     "::llvm::ArrayRef<unsigned>":$order), [{
      return $_get($_ctxt, sizePerThread, threadsPerWarp, warpsPerCTA, order,
                   ::mlir::ttg::Bases());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// SliceEncoding
//===----------------------------------------------------------------------===//

def TTG_SliceEncodingAttr
    : TTG_DistributedEncodingAttr<"SliceEncoding", "slice"> {
  let summary = "A distributed layout with one dimension removed";
  let description = [{
    The layout of a reduction of a tensor with layout `parent` along `dim`.

    Example: `#ttg.slice<{dim = 1, parent = #blocked}>`.
  }];
  let parameters = (ins
    "unsigned":$dim,
    "::mlir::ttg::DistributedEncoding":$parent
  );
}

//===----------------------------------------------------------------------===//
// DotOperandEncoding
//===----------------------------------------------------------------------===//

def TTG_DotOperandEncodingAttr
    : TTG_DistributedEncodingAttr<"DotOperandEncoding", "dot_op"> {
  let summary = "Registers of a dot operand";
  let description = [{
    The layout that operand `opIdx` (0 for a, 1 for b) of a dot needs if its
    result has layout `parent`. Each thread holds `kWidth` consecutive elements
    along the reduction; 0 if the parent is blocked.

    Example: `#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>`.
  }];
  let parameters = (ins
    "unsigned":$opIdx,
    "::mlir::ttg::DistributedEncoding":$parent,
    "unsigned":$kWidth
  );
}

//===----------------------------------------------------------------------===//
// NvidiaMmaEncoding
//===----------------------------------------------------------------------===//

def TTG_NvidiaMmaEncodingAttr
    : TTG_DistributedEncodingAttr<"NvidiaMmaEncoding", "nvidia_mma"> {
  let summary = "Result registers of an NVIDIA MMA instruction";
  let description = [{
    Major version 2 is `mma.sync`, 3 is `wgmma`.

    Example: `#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0,
    warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>`.
  }];
  let parameters = (ins
    "unsigned":$versionMajor,
    "unsigned":$versionMinor,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    TTG_BasesParameter:$CGALayout,
    ArrayRefParameter<"unsigned">:$instrShape
  );
  let builders = [
    /// A layout within one CTA.
    AttrBuilder<(ins "unsigned":$versionMajor, "unsigned":$versionMinor,
                     "::llvm::ArrayRef<unsigned>":$warpsPerCTA,
                     "::llvm::ArrayRef<unsigned>":$instrShape), [{
      return $_get($_ctxt, versionMajor, versionMinor, warpsPerCTA,
                   ::mlir::ttg::Bases(), instrShape);
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// LinearEncoding
//===----------------------------------------------------------------------===//

def TTG_LinearEncodingAttr
    : TTG_DistributedEncodingAttr<"LinearEncoding", "linear"> {
  let summary = "A distributed layout given by its bases";
  let description = [{
    Element coordinates are the XOR of the basis vectors selected by the bits of
    register, lane, warp and block number. Vectors are distinct powers of two
    or zero.

    Example: `#ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]],
    warp = [[64]], block = []}>`.
  }];
  let parameters = (ins
    TTG_BasesParameter:$registerBases,
    TTG_BasesParameter:$laneBases,
    TTG_BasesParameter:$warpBases,
    TTG_BasesParameter:$blockBases
  );
  let builders = [
    AttrBuilder<(ins
        "::llvm::ArrayRef<std::vector<int32_t>>":$registerBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$laneBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$warpBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$blockBases), [{
      ::mlir::ttg::BasesStorage reg(registerBases), lane(laneBases),
          warp(warpBases), block(blockBases);
      return $_get($_ctxt, reg.get(), lane.get(), warp.get(), block.get());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// GenericLinearEncoding
//===----------------------------------------------------------------------===//

def TTG_GenericLinearEncodingAttr
    : TTG_DistributedEncodingAttr<"GenericLinearEncoding", "generic_linear"> {
  let summary = "A linear layout whose bases may combine bits";
  let description = [{
    As `#ttg.linear`, without the rule that a basis vector has a single bit.
    Triton 3.8 and newer.

    Example: `#ttg.generic_linear<{register = [[1]], lane = [[3], [4], [8],
    [16], [32]], warp = [[64]], block = []}>`.
  }];
  let parameters = (ins
    TTG_BasesParameter:$registerBases,
    TTG_BasesParameter:$laneBases,
    TTG_BasesParameter:$warpBases,
    TTG_BasesParameter:$blockBases
  );
  let builders = [
    AttrBuilder<(ins
        "::llvm::ArrayRef<std::vector<int32_t>>":$registerBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$laneBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$warpBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$blockBases), [{
      ::mlir::ttg::BasesStorage reg(registerBases), lane(laneBases),
          warp(warpBases), block(blockBases);
      return $_get($_ctxt, reg.get(), lane.get(), warp.get(), block.get());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// SwizzledSharedEncoding
//===----------------------------------------------------------------------===//

def TTG_SwizzledSharedEncodingAttr
    : TTG_SharedEncodingAttr<"SwizzledSharedEncoding", "swizzled_shared"> {
  let summary = "Shared memory tile with XOR swizzling";
  let description = [{
    Groups of `vec` elements are swizzled by the row number divided by
    `perPhase`, modulo `maxPhase`. All ones mean a plain tile.

    Example: `#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8,
    order = [1, 0]}>`.
  }];
  let parameters = (ins
    "unsigned":$vec,
    "unsigned":$perPhase,
    "unsigned":$maxPhase,
    ArrayRefParameter<"unsigned">:$order,
    TTG_BasesParameter:$CGALayout
  );
  let builders = [
    /// A layout within one CTA.
    AttrBuilder<(ins "unsigned":$vec, "unsigned":$perPhase,
                     "unsigned":$maxPhase,
                     "::llvm::ArrayRef<unsigned>":$order), [{
      return $_get($_ctxt, vec, perPhase, maxPhase, order,
                   ::mlir::ttg::Bases());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// NVMMASharedEncoding
//===----------------------------------------------------------------------===//

def TTG_NVMMASharedEncodingAttr
    : TTG_SharedEncodingAttr<"NVMMASharedEncoding", "nvmma_shared"> {
  let summary = "Shared memory tile as TMA, wgmma and tcgen05 read it";
  let description = [{
    `swizzlingByteWidth` is 0, 32, 64 or 128. A tile is row-major unless
    `transposed`. `fp4Padded` marks packed fp4 whose bytes are padded to the
    double width.

    Example: `#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
    elementBitWidth = 16}>`.
  }];
  let parameters = (ins
    "unsigned":$swizzlingByteWidth,
    "bool":$transposed,
    "unsigned":$elementBitWidth,
    "bool":$fp4Padded,
    "unsigned":$tileRank,
    TTG_BasesParameter:$CGALayout
  );
  let builders = [
    /// A layout within one CTA.
    AttrBuilder<(ins "unsigned":$swizzlingByteWidth, "bool":$transposed,
                     "unsigned":$elementBitWidth,
                     CArg<"bool", "false">:$fp4Padded,
                     CArg<"unsigned", "2">:$tileRank), [{
      return $_get($_ctxt, swizzlingByteWidth, transposed, elementBitWidth,
                   fp4Padded, tileRank, ::mlir::ttg::Bases());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// SharedLinearEncoding
//===----------------------------------------------------------------------===//

def TTG_SharedLinearEncodingAttr
    : TTG_SharedEncodingAttr<"SharedLinearEncoding", "shared_linear"> {
  let summary = "Shared memory tile given by the bases of its offsets";
  let description = [{
    `alignment` is in bytes.

    Example: `#ttg.shared_linear<{offset = [[1], [2], [4]]}, alignment = 16>`.
  }];
  let parameters = (ins
    TTG_BasesParameter:$offsetBases,
    TTG_BasesParameter:$blockBases,
    "unsigned":$alignment
  );
  let builders = [
    AttrBuilder<(ins
        "::llvm::ArrayRef<std::vector<int32_t>>":$offsetBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$blockBases,
        "unsigned":$alignment), [{
      ::mlir::ttg::BasesStorage offset(offsetBases), block(blockBases);
      return $_get($_ctxt, offset.get(), block.get(), alignment);
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// PaddedSharedEncoding
//===----------------------------------------------------------------------===//

def TTG_PaddedSharedEncodingAttr
    : TTG_SharedEncodingAttr<"PaddedSharedEncoding", "padded_shared"> {
  let summary = "Shared memory tile with padding between rows";
  let description = [{
    After every `intervals[i]` elements, `paddings[i]` unused ones follow. The
    order of elements is given by bases, or by `order` and `shape` for which
    the bases are derived.

    Example: `#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$intervals,
    ArrayRefParameter<"unsigned">:$paddings,
    TTG_BasesParameter:$offsetBases,
    TTG_BasesParameter:$blockBases
  );
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<unsigned>":$intervals,
        "::llvm::ArrayRef<unsigned>":$paddings,
        "::llvm::ArrayRef<std::vector<int32_t>>":$offsetBases,
        "::llvm::ArrayRef<std::vector<int32_t>>":$blockBases), [{
      ::mlir::ttg::BasesStorage offset(offsetBases), block(blockBases);
      return $_get($_ctxt, intervals, paddings, offset.get(), block.get());
    }]>
  ];
}

#endif // TRITON_INTEROP_TTG_TTGATTRS_TD
