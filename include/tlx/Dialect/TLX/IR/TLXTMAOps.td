//===- TLXTMAOps.td - Tensor memory accelerator ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXTMAOPS_TD
#define TLX_DIALECT_TLX_IR_TLXTMAOPS_TD

include "tlx/Dialect/TLX/IR/TLXCopyOps.td"

def TLX_AsyncDescriptorLoadOp : TLX_OrderedOp<"async_descriptor_load", [
    AttrSizedOperandSegments]> {
  let summary = "Copy a tile from memory to a buffer with the TMA";
  let description = [{
    One thread of the task issues the copy. Its bytes complete on `barrier`,
    whose phase must expect them (`tlx.barrier_expect_bytes`); elements outside
    the tensor are zero and count as well.

    Constraints:

    - (C1) There is one `i32` index for each of the 1 to 5 dimensions.
    - (C2) `result` is one buffer in shared memory with the shape and element
      type of the block.
    - (C3) `barrier` is one slot.
    - (C4) A row of the block (its last dimension) has at least 16 bytes.

    Lowers to `ttng.async_tma_copy_global_to_local`.

    Source of (C1) and (C4): PTX ISA, `cp.async.bulk.tensor`; CUDA driver API,
    `cuTensorMapEncodeTiled`.

    Example:

    ```mlir
    %desc, %v, %bar, %i = "test.values"() : ()
        -> (!tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>,
        !tlx.barrier<count = 1>, i32)
    tlx.async_descriptor_load %desc[%i, %i], %v, %bar
        : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>,
        !tlx.barrier<count = 1>
    ```
  }];
  let arguments = (ins
    TLX_TensorDesc:$desc,
    Variadic<I32>:$coord,
    TLX_Buffer:$result,
    TLX_Barrier:$barrier,
    Optional<I1>:$pred,
    DefaultValuedAttr<TT_CacheModifier,
      "::mlir::tt::CacheModifier::None">:$cache_modifier,
    DefaultValuedAttr<TT_EvictionPolicy,
      "::mlir::tt::EvictionPolicy::Normal">:$eviction_policy
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` `,` $result `,` $barrier (`pred` $pred^)? attr-dict
    `:` qualified(type($desc)) `,` qualified(type($result)) `,`
    qualified(type($barrier))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TLX_AsyncDescriptorStoreOp : TLX_OrderedOp<"async_descriptor_store"> {
  let summary = "Copy a buffer to a tile in memory with the TMA";
  let description = [{
    With `reduce` the tile is combined with the memory's old contents. Generic
    writes to the buffer need a `tlx.fence async_shared` before;
    `tlx.async_descriptor_store_wait` waits for the copy.

    Constraints:

    - (C1) There is one `i32` index for each of the 1 to 5 dimensions.
    - (C2) `source` is one buffer in shared memory with the shape and element
      type of the block.
    - (C3) A row of the block (its last dimension) has at least 16 bytes.

    Lowers to `ttng.async_tma_copy_local_to_global` or `ttng.async_tma_reduce`.

    Source of (C1) and (C3): PTX ISA, `cp.async.bulk.tensor`.

    Example:

    ```mlir
    %desc, %v, %i = "test.values"() : ()
        -> (!tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, i32)
    tlx.async_descriptor_store %desc[%i, %i], %v
        : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
    ```
  }];
  let arguments = (ins
    TLX_TensorDesc:$desc,
    Variadic<I32>:$coord,
    TLX_Buffer:$source,
    OptionalAttr<TT_DescriptorReduceKind>:$reduce,
    DefaultValuedAttr<TT_EvictionPolicy,
      "::mlir::tt::EvictionPolicy::Normal">:$eviction_policy
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` `,` $source attr-dict
    `:` qualified(type($desc)) `,` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def TLX_AsyncDescriptorStoreWaitOp
    : TLX_OrderedOp<"async_descriptor_store_wait"> {
  let summary = "Wait until few TMA or bulk stores are outstanding";
  let description = [{
    Waits until at most `pendings` stores have not yet read their buffer; then
    the buffer may be written again.

    Constraints:

    - (C1) `pendings` is not negative.

    Lowers to `ttng.async_tma_store_wait`.

    Example:

    ```mlir
    tlx.async_descriptor_store_wait 0
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$pendings);
  let assemblyFormat = "$pendings attr-dict";
}

def TLX_AsyncDescriptorPrefetchOp
    : TLX_OrderedOp<"async_descriptor_prefetch", [AttrSizedOperandSegments]> {
  let summary = "Bring a tile into the L2 cache with the TMA";
  let description = [{
    Constraints:

    - (C1) There is one `i32` index for each of the 1 to 5 dimensions.

    Lowers to inline PTX, `cp.async.bulk.prefetch.tensor`.

    Example:

    ```mlir
    %desc, %i = "test.values"() : () -> (!tt.tensordesc<64x64xf16>, i32)
    tlx.async_descriptor_prefetch %desc[%i, %i] : !tt.tensordesc<64x64xf16>
    ```
  }];
  let arguments = (ins
    TLX_TensorDesc:$desc,
    Variadic<I32>:$coord,
    Optional<I1>:$pred,
    DefaultValuedAttr<TT_EvictionPolicy,
      "::mlir::tt::EvictionPolicy::Normal">:$eviction_policy
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` (`pred` $pred^)? attr-dict `:` qualified(type($desc))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TLX_MakeTensorDescriptorOp
    : TLX_OrderedOp<"make_tensor_descriptor", [AttrSizedOperandSegments]> {
  let summary = "Write a tensor descriptor to memory";
  let description = [{
    `desc_ptr` is the address of 128 bytes of global memory, a multiple of 64.
    `strides` are in elements and leave out the last one, which is 1. The layout
    of a descriptor follows from its block, so that
    `tlx.reinterpret_tensor_descriptor` finds it again.

    Constraints:

    - (C1) `desc_ptr` is a pointer to `i8`, `base` one to the element type of
      the block.
    - (C2) There is one extent for each of the 1 to 5 dimensions of the block,
      and one stride for each but the last.
    - (C3) A row of the block (its last dimension) has at least 16 bytes.

    Lowers to `ttng.tensormap_create`, a fence and
    `ttng.reinterpret_tensor_descriptor`.

    Source of (C2) and (C3): CUDA driver API, `cuTensorMapEncodeTiled`.

    Example:

    ```mlir
    %p, %base, %m, %n, %s = "test.values"()
        : () -> (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i64)
    %d = tlx.make_tensor_descriptor %p, %base, [%m, %n], [%s]
        : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<16x64xf16>
    ```
  }];
  let arguments = (ins
    TLX_Pointer:$desc_ptr,
    TLX_Pointer:$base,
    Variadic<I32>:$shape,
    Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOption,
      "::mlir::tt::PaddingOption::Zero">:$padding
  );
  let results = (outs TLX_TensorDesc:$result);
  let assemblyFormat = [{
    $desc_ptr `,` $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:`
    qualified(type($desc_ptr)) `,` qualified(type($base)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_ReinterpretTensorDescriptorOp
    : TLX_OrderedOp<"reinterpret_tensor_descriptor"> {
  let summary = "Use a tensor descriptor that is in memory";
  let description = [{
    Makes what was written at `desc_ptr` visible to the TMA; a barrier has to
    order the op after the one that wrote.

    Constraints:

    - (C1) `desc_ptr` is a pointer to `i8`.

    Lowers to a fence and `ttng.reinterpret_tensor_descriptor`.

    Source: PTX ISA, `fence.proxy.tensormap`.

    Example:

    ```mlir
    %p = "test.value"() : () -> !tt.ptr<i8>
    %d = tlx.reinterpret_tensor_descriptor %p
        : !tt.ptr<i8> -> !tt.tensordesc<16x64xf16>
    ```
  }];
  let arguments = (ins TLX_Pointer:$desc_ptr);
  let results = (outs TLX_TensorDesc:$result);
  let assemblyFormat = [{
    $desc_ptr attr-dict `:` qualified(type($desc_ptr)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_PrefetchDescriptorOp : TLX_OrderedOp<"prefetch_descriptor"> {
  let summary = "Bring a tensor descriptor into the cache of the TMA";
  let description = [{
    One thread of the task asks for it.

    Lowers to inline PTX, `prefetch.tensormap`.

    Source: PTX ISA, `prefetch`.

    Example:

    ```mlir
    %desc = "test.value"() : () -> !tt.tensordesc<64x64xf16>
    tlx.prefetch_descriptor %desc : !tt.tensordesc<64x64xf16>
    ```
  }];
  let arguments = (ins TLX_TensorDesc:$desc);
  let assemblyFormat = "$desc attr-dict `:` qualified(type($desc))";
}

#endif // TLX_DIALECT_TLX_IR_TLXTMAOPS_TD
