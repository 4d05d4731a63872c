//===- TTGAccessOps.td - Accesses of shared memory ------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGACCESSOPS_TD
#define TRITON_INTEROP_TTG_TTGACCESSOPS_TD

include "triton_interop/TTG/TTGOpBase.td"

//===----------------------------------------------------------------------===//
// LocalLoadOp
//===----------------------------------------------------------------------===//

def TTG_LocalLoadOp : TTG_Op<"local_load", [
    MemoryEffects<[MemRead<TTG_SharedMemory>]>
  ]> {
  let summary = "Shared memory to registers";
  let description = [{
    `token` orders it after an asynchronous copy.

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !tile) {
      %x = ttg.local_load %b : !tile -> tensor<64x64xf16, #blocked>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$src,
    Optional<TTG_AsyncTokenType>:$token
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`token` $token^)? attr-dict `:` qualified(type($src)) `->`
    type($result)
  }];
  let hasVerifier = 1;
  let builders = [
    /// Without a token.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, src, ::mlir::Value());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// LocalStoreOp
//===----------------------------------------------------------------------===//

def TTG_LocalStoreOp : TTG_Op<"local_store", [
    MemoryEffects<[MemWrite<TTG_SharedMemory>]>
  ]> {
  let summary = "Registers to shared memory";
  let description = [{
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%x: tensor<64x64xf16, #blocked>, %b: !tile) {
      ttg.local_store %x, %b : tensor<64x64xf16, #blocked> -> !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src, TTG_MemDescType:$dst);
  let assemblyFormat = [{
    $src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// LocalGatherOp
//===----------------------------------------------------------------------===//

def TTG_LocalGatherOp : TTG_Op<"local_gather", [
    MemoryEffects<[MemRead<TTG_SharedMemory>]>
  ]> {
  let summary = "Elements of shared memory selected by indices";
  let description = [{
    Element `i` is read at index `indices[i]` along `axis`.

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                   order = [1, 0]}>
    #smem = #ttg.shared_memory
    !plain = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
    tt.func @f(%b: !plain, %i: tensor<64x64xi32, #blocked>) {
      %x = ttg.local_gather %b[%i] {axis = 0 : i32}
        : !plain, tensor<64x64xi32, #blocked> -> tensor<64x64xf16, #blocked>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$src,
    TT_IntTensor:$indices,
    Optional<TTG_AsyncTokenType>:$token,
    I32Attr:$axis
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict `:`
    qualified(type($src)) `,` type($indices) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// LocalScatterOp
//===----------------------------------------------------------------------===//

def TTG_LocalScatterOp : TTG_Op<"local_scatter", [
    MemoryEffects<[MemWrite<TTG_SharedMemory>]>
  ]> {
  let summary = "Stores to selected elements of shared memory";
  let description = [{
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                   order = [1, 0]}>
    #smem = #ttg.shared_memory
    !plain = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
    tt.func @f(%b: !plain, %i: tensor<64x64xi32, #blocked>,
               %x: tensor<64x64xf16, #blocked>) {
      ttg.local_scatter %b[%i], %x {axis = 0 : i32}
        : !plain, tensor<64x64xi32, #blocked>, tensor<64x64xf16, #blocked>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$dst,
    TT_Tensor:$values,
    TT_IntTensor:$indices,
    Optional<TTG_AsyncTokenType>:$token,
    I32Attr:$axis
  );
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict
    `:` qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
}

//===----------------------------------------------------------------------===//
// LocalAtomicScatterRmwOp
//===----------------------------------------------------------------------===//

def TTG_LocalAtomicScatterRmwOp : TTG_Op<"local_atomic_scatter_rmw", [
    MemoryEffects<[MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>,
    AllTypesMatch<["values", "result"]>
  ]> {
  let summary = "Atomic updates of selected elements";
  let description = [{
    Returns the old values. Triton 3.8 and newer.

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                   order = [1, 0]}>
    #smem = #ttg.shared_memory
    !plain32 = !ttg.memdesc<64x64xi32, #plain, #smem, mutable>
    tt.func @f(%b: !plain32, %i: tensor<64x64xi32, #blocked>) {
      %old = ttg.local_atomic_scatter_rmw add, %b[%i], %i {axis = 0 : i32}
        : (!plain32, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>)
        -> tensor<64x64xi32, #blocked>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_RMWOp:$atomic_rmw_op,
    TTG_MemDescType:$dst,
    TT_Tensor:$values,
    TT_IntTensor:$indices,
    Optional<TT_BoolTensor>:$mask,
    I32Attr:$axis
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// AsyncCopyGlobalToLocalOp
//===----------------------------------------------------------------------===//

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    AttrSizedOperandSegments,
    TT_MaskTypeOf<"src", "mask">,
    TT_OptionalPointeeTypeIs<"src", "other">
  ]> {
  let summary = "Asynchronous gather into shared memory";
  let description = [{
    `cp.async` of each element whose `mask` is true; `other` is stored
    elsewhere. `contiguity` elements are copied at once. Triton 3.9 takes
    `cachePolicy`; older versions `cache` and `evict`.

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                   order = [1, 0]}>
    #smem = #ttg.shared_memory
    !plain = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
    tt.func @f(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %b: !plain) {
      %t = ttg.async_copy_global_to_local %p, %b
        : tensor<64x64x!tt.ptr<f16>, #blocked>
        -> <64x64xf16, #plain, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrTensor:$src,
    TTG_MemDescType:$result,
    Optional<TT_BoolTensor>:$mask,
    Optional<TT_Tensor>:$other,
    OptionalAttr<AnyAttr>:$cachePolicy,
    OptionalAttr<TT_CacheModifier>:$cache,
    OptionalAttr<TT_EvictionPolicy>:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    DefaultValuedAttr<I32Attr, "1">:$contiguity
  );
  let results = (outs TTG_AsyncTokenType:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// AsyncCommitGroupOp
//===----------------------------------------------------------------------===//

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group"> {
  let summary = "Close the current group of copies";
  let description = [{
    ```mlir
    tt.func @f() {
      %t = ttg.async_commit_group
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TTG_AsyncTokenType>:$inputTokens);
  let results = (outs TTG_AsyncTokenType:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

//===----------------------------------------------------------------------===//
// AsyncWaitOp
//===----------------------------------------------------------------------===//

def TTG_AsyncWaitOp : TTG_Op<"async_wait"> {
  let summary = "Wait until at most `num` groups are pending";
  let description = [{
    ```mlir
    tt.func @f() {
      %t = ttg.async_commit_group
      %w = ttg.async_wait %t {num = 1 : i32}
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TTG_AsyncTokenType>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncTokenType:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

#endif // TRITON_INTEROP_TTG_TTGACCESSOPS_TD
