//===- TTNGTMAOps.td - Tensor memory accelerator --------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGTMAOPS_TD
#define TRITON_INTEROP_TTNG_TTNGTMAOPS_TD

include "triton_interop/TTNG/TTNGOpBase.td"

//===----------------------------------------------------------------------===//
// AsyncTMACopyGlobalToLocalOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncTMACopyGlobalToLocalOp
    : TTNG_Op<"async_tma_copy_global_to_local", [
    AttrSizedOperandSegments
  ]> {
  let summary = "TMA load of one block";
  let description = [{
    Completes `barrier` by the bytes of the block. `offsets` are those of an
    im2col descriptor. Triton 3.9 takes `cachePolicy`; older versions `cache`
    and `evict`.

    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    !desc = !tt.tensordesc<64x64xf16, #shared>
    tt.func @f(%d: !desc, %i: i32, %t: !tile, %b: !bar, %p: i1) {
      ttng.async_tma_copy_global_to_local %d[%i, %i] %t, %b, %p
        : !desc, !bar -> !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTNG_AnyTensorDesc:$desc,
    Variadic<I32>:$coord,
    Variadic<I16>:$offsets,
    TTG_MemDescType:$barrier,
    TTG_MemDescType:$result,
    I1:$pred,
    UnitAttr:$multicast,
    OptionalAttr<AnyAttr>:$cachePolicy,
    OptionalAttr<TT_CacheModifier>:$cache,
    OptionalAttr<TT_EvictionPolicy>:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier
    `,` $pred oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `,` qualified(type($barrier)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
  let builders = [
    /// A tiled load with default attributes.
    OpBuilder<(ins "::mlir::Value":$desc, "::mlir::ValueRange":$coord,
                   "::mlir::Value":$barrier, "::mlir::Value":$result,
                   "::mlir::Value":$pred), [{
      build($_builder, $_state, desc, coord, ::mlir::ValueRange(), barrier,
            result, pred, /*multicast=*/false,
            /*cachePolicy=*/::mlir::Attribute(),
            /*cache=*/::mlir::tt::CacheModifierAttr(),
            /*evict=*/::mlir::tt::EvictionPolicyAttr(), /*isVolatile=*/false);
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// AsyncTMACopyLocalToGlobalOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncTMACopyLocalToGlobalOp
    : TTNG_Op<"async_tma_copy_local_to_global"> {
  let summary = "TMA store of one block";
  let description = [{
    `cachePolicy`: Triton 3.9.

    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    !desc = !tt.tensordesc<64x64xf16, #shared>
    tt.func @f(%d: !desc, %i: i32, %t: !tile) {
      ttng.async_tma_copy_local_to_global %d[%i, %i] %t : !desc, !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    Variadic<I32>:$coord,
    TTG_MemDescType:$src,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,`
    qualified(type($src))
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$desc, "::mlir::ValueRange":$coord,
                   "::mlir::Value":$src), [{
      build($_builder, $_state, desc, coord, src, ::mlir::Attribute());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// AsyncTMAReduceOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce"> {
  let summary = "TMA reduction of one block into global memory";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    !desc = !tt.tensordesc<64x64xf16, #shared>
    tt.func @f(%d: !desc, %i: i32, %t: !tile) {
      ttng.async_tma_reduce add, %d[%i, %i] %t : !desc, !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_DescriptorReduceKind:$kind,
    TT_TensorDescType:$desc,
    Variadic<I32>:$coord,
    TTG_MemDescType:$src
  );
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,`
    qualified(type($src))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// AsyncTMAGatherOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather"> {
  let summary = "TMA load of selected rows";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    !row = !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    !rowdesc = !tt.tensordesc<1x64xf16, #shared>
    tt.func @f(%d: !rowdesc, %x: tensor<32xi32>, %y: i32, %t: !row,
               %b: !bar, %p: i1) {
      ttng.async_tma_gather %d[%x, %y] %t, %b, %p
        : !rowdesc, tensor<32xi32>, i32, !bar, !row, i1
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset,
    TTG_MemDescType:$barrier,
    TTG_MemDescType:$result,
    I1:$pred,
    UnitAttr:$multicast,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred
    attr-dict `:` type(operands)
  }];
}

//===----------------------------------------------------------------------===//
// AsyncTMAScatterOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter"> {
  let summary = "TMA store of selected rows";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !row = !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    !rowdesc = !tt.tensordesc<1x64xf16, #shared>
    tt.func @f(%d: !rowdesc, %x: tensor<32xi32>, %y: i32, %t: !row) {
      ttng.async_tma_scatter %d[%x, %y] %t
        : !rowdesc, tensor<32xi32>, i32, !row
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset,
    TTG_MemDescType:$src,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)
  }];
}

//===----------------------------------------------------------------------===//
// AsyncTMAStoreWaitOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncTMAStoreWaitOp : TTNG_Op<"async_tma_store_wait"> {
  let summary = "Wait until at most `pendings` TMA stores are pending";
  let description = [{
    With `read_only`, until their sources have been read.

    ```mlir
    tt.func @f() {
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      tt.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// TensormapCreateOp
//===----------------------------------------------------------------------===//

def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create", [
    AttrSizedOperandSegments
  ]> {
  let summary = "Write a TMA descriptor to memory";
  let description = [{
    Enum values are those of the driver's tensor map; strides are in bytes.

    ```mlir
    tt.func @f(%p: !tt.ptr<i8>, %q: !tt.ptr<i8>, %i: i32, %s: i64) {
      ttng.tensormap_create %p, %q, [%i, %i], [%i, %i], [%s], [%i, %i]
        {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32,
         swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrType:$desc_ptr,
    TT_PtrType:$global_address,
    Variadic<I32>:$box_dim,
    Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride,
    Variadic<I32>:$element_stride,
    I32Attr:$elem_type,
    I32Attr:$interleave_layout,
    I32Attr:$swizzle_mode,
    I32Attr:$fill_mode
  );
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]`
    `,` `[` $global_stride `]` `,` `[` $element_stride `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TensormapFenceproxyAcquireOp
//===----------------------------------------------------------------------===//

def TTNG_TensormapFenceproxyAcquireOp
    : TTNG_Op<"tensormap_fenceproxy_acquire"> {
  let summary = "Make a descriptor in memory visible to TMA";
  let description = [{
    ```mlir
    tt.func @f(%p: !tt.ptr<i8>) {
      ttng.tensormap_fenceproxy_acquire %p : !tt.ptr<i8>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_PtrType:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

//===----------------------------------------------------------------------===//
// ReinterpretTensorDescriptorOp
//===----------------------------------------------------------------------===//

def TTNG_ReinterpretTensorDescriptorOp
    : TTNG_Op<"reinterpret_tensor_descriptor", [
    Pure
  ]> {
  let summary = "A descriptor in memory as a value";
  let description = [{
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    !desc = !tt.tensordesc<64x64xf16, #shared>
    tt.func @f(%p: !tt.ptr<i8>) {
      %d = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !desc
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_PtrType:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $rawDesc attr-dict `:` qualified(type($rawDesc)) `to`
    qualified(type($result))
  }];
}

#endif // TRITON_INTEROP_TTNG_TTNGTMAOPS_TD
