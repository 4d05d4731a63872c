//===- TLXMemoryOps.td - On-chip buffers -------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXMEMORYOPS_TD
#define TLX_DIALECT_TLX_IR_TLXMEMORYOPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tlx/Dialect/TLX/IR/TLXTypes.td"

def TLX_LocalAllocOp : TLX_Op<"local_alloc"> {
  let summary = "Allocate a ring of on-chip buffers";
  let description = [{
    The buffers live as long as the kernel and are not initialised.

    Constraints:

    - (C1) The result is a ring in shared or tensor memory of this CTA.

    Lowers to `ttg.local_alloc`.

    Example:

    ```mlir
    %b = tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem>
    ```
  }];
  // The allocation effect keeps two equal allocations apart.
  let results = (outs Res<TLX_Buffer, "the buffers", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

/// A view: the same bytes under another type.
class TLX_ViewOp<string mnemonic, list<Trait> traits = []>
    : TLX_Op<mnemonic, !listconcat([Pure], traits)>;

def TLX_LocalViewOp
    : TLX_ViewOp<"local_view", [InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Select one buffer of a ring";
  let description = [{
    Constraints:

    - (C1) `source` is a ring.
    - (C2) A constant `index` is in [0, number of buffers).
    - (C3) The result is one buffer of the type of a slot.

    Lowers to `ttg.memdesc_index`.

    Example:

    ```mlir
    %i = arith.constant 2 : i32
    %b = tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem>
    %v = tlx.local_view %b[%i] : !tlx.buffer<[3] 64x64xf16, smem>
        -> !tlx.buffer<64x64xf16, smem>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source, I32:$index);
  let results = (outs TLX_Buffer:$result);
  let assemblyFormat = [{
    $source `[` $index `]` attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_LocalIndexOp : TLX_ViewOp<"local_index"> {
  let summary = "Select one entry of the first dimension of a buffer";
  let description = [{
    Constraints:

    - (C1) `source` is one buffer in shared memory of rank 2 or more.
    - (C2) A constant `index` is in [0, first extent).
    - (C3) The result is one buffer without the first dimension; element type
      and storage are those of the source.

    Lowers to `ttg.memdesc_reinterpret` and `ttg.memdesc_index`.

    Example:

    ```mlir
    %i = arith.constant 2 : i32
    %v = "test.buffer"() : () -> !tlx.buffer<4x64x64xf16, smem>
    %w = tlx.local_index %v[%i]
        : !tlx.buffer<4x64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source, I32:$index);
  let results = (outs TLX_Buffer:$result);
  let assemblyFormat = [{
    $source `[` $index `]` attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_LocalLoadOp
    : TLX_Op<"local_load", [InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Read a buffer into a tensor";
  let description = [{
    `token`, the result of an async wait, only orders the load after that wait.

    Constraints:

    - (C1) `source` is one buffer of this CTA, not a ring.
    - (C2) The result has the shape and element type of the buffer.

    Lowers to `ttg.local_load`.

    Example:

    ```mlir
    %v = "test.buffer"() : () -> !tlx.buffer<64x64xf16, smem>
    %t = tlx.local_load %v : !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf16>
    ```
  }];
  let arguments = (ins
    Arg<TLX_Buffer, "the buffer", [MemRead]>:$source,
    Optional<TLX_Token>:$token
  );
  let results = (outs TLX_Tensor:$result);
  let assemblyFormat = [{
    $source (`token` $token^)? attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_LocalStoreOp : TLX_Op<"local_store"> {
  let summary = "Write a tensor to a buffer";
  let description = [{
    Constraints:

    - (C1) `dest` is one buffer, not a ring.
    - (C2) `source` has the shape and element type of the buffer.

    Lowers to `ttg.local_store`.

    Example:

    ```mlir
    %t, %v = "test.values"() : ()
        -> (tensor<64x64xf16>, !tlx.buffer<64x64xf16, smem>)
    tlx.local_store %t, %v : tensor<64x64xf16> -> !tlx.buffer<64x64xf16, smem>
    ```
  }];
  let arguments = (ins
    TLX_Tensor:$source,
    Arg<TLX_Buffer, "the buffer", [MemWrite]>:$dest
  );
  let assemblyFormat = [{
    $source `,` $dest attr-dict `:` qualified(type($source)) `->`
    qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def TLX_LocalGatherOp : TLX_Op<"local_gather"> {
  let summary = "Read elements of a buffer that indices select";
  let description = [{
    Element `i` of the result is the element of the buffer at `i`, but at
    `indices[i]` along `axis`. Indices are not checked at run time.

    Constraints:

    - (C1) `source` is one buffer in shared memory.
    - (C2) `axis` is one of its dimensions.
    - (C3) `indices` has the rank of the buffer, and its extents but that along
      `axis` are those of the buffer; it holds integers.
    - (C4) The result has the shape of `indices` and the element type of the
      buffer.

    Lowers to `ttg.local_gather`.

    Example:

    ```mlir
    %v, %i = "test.values"()
        : () -> (!tlx.buffer<64x64xf16, smem>, tensor<8x64xi32>)
    %t = tlx.local_gather %v[%i] {axis = 0 : i32}
        : !tlx.buffer<64x64xf16, smem>, tensor<8x64xi32> -> tensor<8x64xf16>
    ```
  }];
  let arguments = (ins
    Arg<TLX_Buffer, "the buffer", [MemRead]>:$source,
    TLX_Tensor:$indices,
    I32Attr:$axis
  );
  let results = (outs TLX_Tensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` qualified(type($source)) `,`
    qualified(type($indices)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_LocalScatterOp : TLX_Op<"local_scatter"> {
  let summary = "Write elements of a buffer that indices select";
  let description = [{
    Element `i` of `source` goes to the element of the buffer at `i`, but at
    `indices[i]` along `axis`. Where two go to one place, one of them stays.

    Constraints:

    - (C1) `dest` is one buffer in shared memory.
    - (C2) `axis` is one of its dimensions.
    - (C3) `indices` has the rank of the buffer, and its extents but that along
      `axis` are those of the buffer; it holds integers.
    - (C4) `source` has the shape of `indices` and the element type of the
      buffer.

    Lowers to `ttg.local_scatter`.

    Example:

    ```mlir
    %t, %v, %i = "test.values"()
        : () -> (tensor<8x64xf16>, !tlx.buffer<64x64xf16, smem>,
            tensor<8x64xi32>)
    tlx.local_scatter %t, %v[%i] {axis = 0 : i32}
        : tensor<8x64xf16>, tensor<8x64xi32> -> !tlx.buffer<64x64xf16, smem>
    ```
  }];
  let arguments = (ins
    TLX_Tensor:$source,
    Arg<TLX_Buffer, "the buffer", [MemWrite]>:$dest,
    TLX_Tensor:$indices,
    I32Attr:$axis
  );
  let assemblyFormat = [{
    $source `,` $dest `[` $indices `]` attr-dict `:` qualified(type($source))
    `,` qualified(type($indices)) `->` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def TLX_LocalTransOp
    : TLX_ViewOp<"local_trans", [InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Permute the dimensions of a buffer without moving data";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source.

    Constraints:

    - (C1) `source` is one buffer, not a ring.
    - (C2) `order` is a permutation of the dimensions.
    - (C3) The shape of the result is the permuted shape; element type and
      storage are those of the source.

    Lowers to `ttg.memdesc_trans`.

    Example:

    ```mlir
    %v = "test.buffer"() : () -> !tlx.buffer<64x128xf16, smem>
    %w = tlx.local_trans %v {order = array<i32: 1, 0>}
        : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<128x64xf16, smem>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source, DenseI32ArrayAttr:$order);
  let results = (outs TLX_Buffer:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TLX_LocalSliceOp : TLX_ViewOp<"local_slice"> {
  let summary = "Select a rectangle of a buffer";
  let description = [{
    The shape of the result is that of the rectangle.

    Constraints:

    - (C1) `source` is one buffer, not a ring.
    - (C2) `offsets` has one entry for each dimension, and the rectangle lies
      inside the source.
    - (C3) Each offset is a multiple of the extent of the result there.
    - (C4) Rank, element type and storage are those of the source.

    Lowers to `ttg.memdesc_subslice`.

    Example:

    ```mlir
    %v = "test.buffer"() : () -> !tlx.buffer<64x64xf16, smem>
    %w = tlx.local_slice %v {offsets = array<i32: 0, 32>}
        : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<64x32xf16, smem>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source, DenseI32ArrayAttr:$offsets);
  let results = (outs TLX_Buffer:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TLX_LocalReshapeOp : TLX_ViewOp<"local_reshape"> {
  let summary = "View a buffer under another shape";
  let description = [{
    Keeps the row-major order of the elements.

    Constraints:

    - (C1) `source` is one buffer in shared memory, not a ring.
    - (C2) The result has as many elements; element type and storage are those
      of the source.

    Lowers to `ttg.memdesc_reshape`.

    Example:

    ```mlir
    %v = "test.buffer"() : () -> !tlx.buffer<64x64xf16, smem>
    %w = tlx.local_reshape %v : !tlx.buffer<64x64xf16, smem>
        -> !tlx.buffer<4096xf16, smem>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source);
  let results = (outs TLX_Buffer:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TLX_LocalReinterpretOp : TLX_ViewOp<"local_reinterpret"> {
  let summary = "View the bytes of a buffer as other elements";
  let description = [{
    The result starts at the first byte of the source.

    Constraints:

    - (C1) Source and result are both one buffer, or both rings of equal length
      with slots of equal size.
    - (C2) The result takes no more bytes than the source; storage is the same.

    Lowers to `ttg.memdesc_reinterpret`.

    Example:

    ```mlir
    %v = "test.buffer"() : () -> !tlx.buffer<64x64xf16, smem>
    %w = tlx.local_reinterpret %v : !tlx.buffer<64x64xf16, smem>
        -> !tlx.buffer<64x32xf32, smem>
    ```
  }];
  let arguments = (ins TLX_Buffer:$source);
  let results = (outs TLX_Buffer:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // TLX_DIALECT_TLX_IR_TLXMEMORYOPS_TD
