//===- TTDescriptorOps.td - Tensor descriptor ops -------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTDESCRIPTOROPS_TD
#define TRITON_INTEROP_TT_TTDESCRIPTOROPS_TD

include "triton_interop/TT/TTMemoryOps.td"
include "triton_interop/TT/TTOpBase.td"

def TT_OffsetTensor : RankedTensorOf<[I16, I32]>;

//===----------------------------------------------------------------------===//
// MakeTensorDescriptorOp
//===----------------------------------------------------------------------===//

def TT_MakeTensorDescriptorOp : TT_Op<"make_tensor_descriptor", [
    Pure,
    SameVariadicOperandSize
  ]> {
  let summary = "Descriptor of a tensor, made on the device";
  let description = [{
    `strides` are in elements.

    ```mlir
    tt.func @f(%p: !tt.ptr<f16>, %m: i32, %n: i32, %s: i64, %one: i64) {
      %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %one]
      : <f16>, <64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrType:$base,
    Variadic<I32>:$shape,
    Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOption,
        "::mlir::tt::PaddingOption::Zero">:$padding
  );
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:`
    type($base) `,` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DescriptorLoadOp
//===----------------------------------------------------------------------===//

def TT_DescriptorLoadOp : TT_Op<"descriptor_load", [
    MemoryEffects<[MemRead<TT_GlobalMemory>]>
  ]> {
  let summary = "Load of one block";
  let description = [{
    `indices` are the coordinates of its first element. Triton 3.9 takes
    `cachePolicy`; older versions `cache` and `evict`.

    ```mlir
    tt.func @f(%d: !tt.tensordesc<64x64xf16>, %i: i32) {
      %x = tt.descriptor_load %d[%i, %i]
      : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    Variadic<I32>:$indices,
    OptionalAttr<AnyAttr>:$cachePolicy,
    OptionalAttr<TT_CacheModifier>:$cache,
    OptionalAttr<TT_EvictionPolicy>:$evict
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]`
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DescriptorStoreOp
//===----------------------------------------------------------------------===//

def TT_DescriptorStoreOp : TT_Op<"descriptor_store", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Store of one block";
  let description = [{
    ```mlir
    tt.func @f(%d: !tt.tensordesc<64x64xf16>, %x: tensor<64x64xf16>,
               %i: i32) {
      tt.descriptor_store %d[%i, %i], %x
      : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    TT_Tensor:$src,
    Variadic<I32>:$indices
  );
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,`
    type($src)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DescriptorReduceOp
//===----------------------------------------------------------------------===//

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Reduction of one block into memory";
  let description = [{
    ```mlir
    tt.func @f(%d: !tt.tensordesc<64x64xf16>, %x: tensor<64x64xf16>,
               %i: i32) {
      tt.descriptor_reduce add, %d[%i, %i], %x
      : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_DescriptorReduceKind:$kind,
    TT_TensorDescType:$desc,
    TT_Tensor:$src,
    Variadic<I32>:$indices
  );
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:`
    qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DescriptorGatherOp
//===----------------------------------------------------------------------===//

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather", [
    MemoryEffects<[MemRead<TT_GlobalMemory>]>
  ]> {
  let summary = "Load of selected rows";
  let description = [{
    Row `x_offsets[i]`, from column `y_offset`, of a descriptor whose block has
    one row.

    ```mlir
    tt.func @f(%d: !tt.tensordesc<1x32xf16>, %x: tensor<32xi32>, %y: i32) {
      %r = tt.descriptor_gather %d[%x, %y]
      : (!tt.tensordesc<1x32xf16>, tensor<32xi32>, i32) -> tensor<32x32xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    TT_OffsetTensor:$x_offsets,
    I32:$y_offset
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DescriptorScatterOp
//===----------------------------------------------------------------------===//

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Store of selected rows";
  let description = [{
    ```mlir
    tt.func @f(%d: !tt.tensordesc<1x32xf16>, %x: tensor<32xi32>, %y: i32,
               %r: tensor<32x32xf16>) {
      tt.descriptor_scatter %d[%x, %y], %r
      : !tt.tensordesc<1x32xf16>, tensor<32xi32>, i32, tensor<32x32xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_TensorDescType:$desc,
    TT_OffsetTensor:$x_offsets,
    I32:$y_offset,
    TT_Tensor:$src
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_INTEROP_TT_TTDESCRIPTOROPS_TD
