//===- TLXCopyOps.td - Copies without descriptor -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXCOPYOPS_TD
#define TLX_DIALECT_TLX_IR_TLXCOPYOPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tlx/Dialect/TLX/IR/TLXTypes.td"

/// Asynchronous copies and waits keep their order among each other.
class TLX_OrderedOp<string mnemonic, list<Trait> traits = []>
    : TLX_Op<mnemonic, !listconcat(
          [MemoryEffects<[MemRead, MemWrite]>], traits)>;

def TLX_AsyncLoadOp : TLX_OrderedOp<"async_load", [AttrSizedOperandSegments]> {
  let summary = "Copy from a tensor of pointers to a buffer asynchronously";
  let description = [{
    Elements whose `mask` is false become `other`, or zero without it. The copy
    belongs to the next `tlx.async_load_commit_group` of the task.

    Constraints:

    - (C1) `result` is one buffer in shared memory, not a ring.
    - (C2) `src` has the shape of the buffer and points to its element type.
    - (C3) `mask` has the shape of `src`.
    - (C4) `other` comes with a `mask`; it is a scalar or a tensor of the
      element type.

    Lowers to `ttg.async_copy_global_to_local` (`cp.async`).

    Example:

    ```mlir
    %p, %v = "test.values"() : ()
        -> (tensor<64x!tt.ptr<f16>>, !tlx.buffer<64xf16, smem>)
    %tok = tlx.async_load %p, %v : tensor<64x!tt.ptr<f16>>
        -> !tlx.buffer<64xf16, smem>
    ```
  }];
  let arguments = (ins
    TLX_Tensor:$src,
    TLX_Buffer:$result,
    Optional<TLX_Tensor>:$mask,
    Optional<AnyType>:$other,
    DefaultValuedAttr<TT_CacheModifier,
      "::mlir::tt::CacheModifier::None">:$cache_modifier,
    DefaultValuedAttr<TT_EvictionPolicy,
      "::mlir::tt::EvictionPolicy::Normal">:$eviction_policy,
    UnitAttr:$is_volatile
  );
  let results = (outs TLX_Token:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^ `:` qualified(type($mask)))?
    (`other` $other^ `:` qualified(type($other)))? attr-dict
    `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_AsyncLoadCommitGroupOp
    : TLX_OrderedOp<"async_load_commit_group"> {
  let summary = "Close a group of asynchronous loads";
  let description = [{
    Lowers to `ttg.async_commit_group`.

    Example:

    ```mlir
    %tok = "test.token"() : () -> !tlx.token
    %group = tlx.async_load_commit_group tokens %tok
    ```
  }];
  let arguments = (ins Variadic<TLX_Token>:$tokens);
  let results = (outs TLX_Token:$result);
  let assemblyFormat = "(`tokens` $tokens^)? attr-dict";
}

def TLX_AsyncLoadWaitGroupOp : TLX_OrderedOp<"async_load_wait_group"> {
  let summary = "Wait until few groups of asynchronous loads are outstanding";
  let description = [{
    Constraints:

    - (C1) `pendings` is not negative.

    Lowers to `ttg.async_wait`.

    Example:

    ```mlir
    %group = tlx.async_load_commit_group
    %tok = tlx.async_load_wait_group 0 tokens %group
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I32Attr, [IntNonNegative]>:$pendings,
    Variadic<TLX_Token>:$tokens
  );
  let results = (outs TLX_Token:$result);
  let assemblyFormat = "$pendings (`tokens` $tokens^)? attr-dict";
}

def TLX_AsyncBulkLoadOp : TLX_OrderedOp<"async_bulk_load"> {
  let summary = "Copy contiguous bytes to a buffer asynchronously";
  let description = [{
    One thread of the task copies `size` bytes to the start of `result` and lets
    them complete on `barrier`, whose phase must expect them. If `src` is a
    tensor of pointers, its first one counts.

    Constraints:

    - (C1) `result` is one 1-D buffer in shared memory, not a ring.
    - (C2) `src` points to the element type of the buffer.
    - (C3) `barrier` is one slot.
    - (C4) A constant `size` is a multiple of 16 in [16, bytes of the buffer].

    Source of (C4): PTX ISA, `cp.async.bulk`.

    Example:

    ```mlir
    %p, %v, %bar = "test.values"() : ()
        -> (!tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>)
    %size = arith.constant 128 : i32
    tlx.async_bulk_load %p, %v, %size, %bar
        : !tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>
    ```
  }];
  let arguments = (ins
    AnyType:$src,
    TLX_Buffer:$result,
    I32:$size,
    TLX_Barrier:$barrier,
    Optional<I1>:$pred
  );
  let assemblyFormat = [{
    $src `,` $result `,` $size `,` $barrier (`pred` $pred^)? attr-dict
    `:` qualified(type($src)) `,` qualified(type($result)) `,`
    qualified(type($barrier))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TLX_AsyncBulkStoreOp : TLX_OrderedOp<"async_bulk_store"> {
  let summary = "Copy contiguous bytes of a buffer to memory asynchronously";
  let description = [{
    One thread of the task copies the first `size` bytes of `source`. Generic
    writes to the buffer need a `tlx.fence async_shared` before, and
    `tlx.async_descriptor_store_wait` waits for the copy.

    Constraints:

    - (C1) `source` is one buffer in shared memory, not a ring.
    - (C2) `dest` points to the element type of the buffer.
    - (C3) A constant `size` is a multiple of 16 in [16, bytes of the buffer].

    Source of (C3): PTX ISA, `cp.async.bulk`.

    Example:

    ```mlir
    %p, %v = "test.values"() : () -> (!tt.ptr<f16>, !tlx.buffer<64xf16, smem>)
    %size = arith.constant 128 : i32
    tlx.async_bulk_store %v, %p, %size : !tlx.buffer<64xf16, smem>, !tt.ptr<f16>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source, AnyType:$dest, I32:$size);
  let assemblyFormat = [{
    $source `,` $dest `,` $size attr-dict `:` qualified(type($source)) `,`
    qualified(type($dest))
  }];
  let hasVerifier = 1;
}

#endif // TLX_DIALECT_TLX_IR_TLXCOPYOPS_TD
