//===- TTGMemDescOps.td - Allocation and views ----------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGMEMDESCOPS_TD
#define TRITON_INTEROP_TTG_TTGMEMDESCOPS_TD

include "triton_interop/TTG/TTGOpBase.td"

//===----------------------------------------------------------------------===//
// LocalAllocOp
//===----------------------------------------------------------------------===//

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Allocation in shared memory";
  let description = [{
    Initialised with `src` if given. `alignment` is in bytes.

    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    tt.func @f() {
      %b = ttg.local_alloc : () -> !ring
      tt.return
    }
    ```
  }];
  let arguments = (ins
    Optional<TT_Tensor>:$src,
    OptionalAttr<I32Attr>:$alignment
  );
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    ($src^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let builders = [
    /// Without an initial value.
    OpBuilder<(ins "::mlir::Type":$result), [{
      build($_builder, $_state, result, ::mlir::Value(), ::mlir::IntegerAttr());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// LocalDeallocOp
//===----------------------------------------------------------------------===//

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc", [
    MemoryEffects<[MemFree<TTG_SharedMemory>]>
  ]> {
  let summary = "End of life of an allocation";
  let description = [{
    Keeps the memory from being reused before this point.

    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !tile) {
      ttg.local_dealloc %b : !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

//===----------------------------------------------------------------------===//
// MemDescIndexOp
//===----------------------------------------------------------------------===//

def TTG_MemDescIndexOp : TTG_Op<"memdesc_index", [Pure]> {
  let summary = "One tile of a ring";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    !ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !ring, %i: i32) {
      %v = ttg.memdesc_index %b[%i] : !ring -> !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` qualified(type($src)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MemDescSubsliceOp
//===----------------------------------------------------------------------===//

def TTG_MemDescSubsliceOp : TTG_Op<"memdesc_subslice", [Pure]> {
  let summary = "Part of a tile";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !tile) {
      %v = ttg.memdesc_subslice %b[32, 0] : !tile
        -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src `` custom<Offsets>($offsets) attr-dict `:` qualified(type($src))
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MemDescTransOp
//===----------------------------------------------------------------------===//

def TTG_MemDescTransOp : TTG_Op<"memdesc_trans", [Pure]> {
  let summary = "Permutation of dimensions";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #shared_t = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true,
                                    elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !tile) {
      %v = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !tile
        -> !ttg.memdesc<64x64xf16, #shared_t, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MemDescReshapeOp
//===----------------------------------------------------------------------===//

def TTG_MemDescReshapeOp : TTG_Op<"memdesc_reshape", [
    Pure,
    SameOperandsAndResultElementType
  ]> {
  let summary = "Another shape of the same elements";
  let description = [{
    ```mlir
    #plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                   order = [1, 0]}>
    #smem = #ttg.shared_memory
    !plain = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
    tt.func @f(%b: !plain) {
      %v = ttg.memdesc_reshape %b : !plain
        -> !ttg.memdesc<128x32xf16, #plain, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MemDescReinterpretOp
//===----------------------------------------------------------------------===//

def TTG_MemDescReinterpretOp : TTG_Op<"memdesc_reinterpret", [Pure]> {
  let summary = "The same bytes as another tile";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !tile) {
      %v = ttg.memdesc_reinterpret %b : !tile
        -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// GlobalScratchAllocOp
//===----------------------------------------------------------------------===//

def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "Scratch memory of this program in global memory";
  let description = [{
    Sizes are in bytes. `third_party_allocation` and `shared_cluster_state`:
    Triton 3.8 and newer.

    ```mlir
    tt.func @f() {
      %p = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
        : !tt.ptr<i8>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    I32Attr:$nbytes,
    I32Attr:$alignment,
    UnitAttr:$third_party_allocation,
    UnitAttr:$shared_cluster_state
  );
  let results = (outs TT_PtrType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

#endif // TRITON_INTEROP_TTG_TTGMEMDESCOPS_TD
