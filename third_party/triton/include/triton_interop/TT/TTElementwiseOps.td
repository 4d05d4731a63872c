//===- TTElementwiseOps.td - Ops on each element --------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTELEMENTWISEOPS_TD
#define TRITON_INTEROP_TT_TTELEMENTWISEOPS_TD

include "triton_interop/TT/TTOpBase.td"

//===----------------------------------------------------------------------===//
// AddPtrOp
//===----------------------------------------------------------------------===//

def TT_AddPtrOp : TT_Op<"addptr", [
    Pure,
    Elementwise,
    SameOperandsAndResultShape,
    TT_SameEncoding,
    AllTypesMatch<["ptr", "result"]>
  ]> {
  let summary = "Pointers plus offsets in elements";
  let description = [{
    ```mlir
    tt.func @f(%p: !tt.ptr<f32>, %i: i32) {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)
  }];
}

//===----------------------------------------------------------------------===//
// IntToPtrOp
//===----------------------------------------------------------------------===//

def TT_IntToPtrOp : TT_Op<"int_to_ptr", [
    Pure,
    Elementwise,
    SameOperandsAndResultShape,
    TT_SameEncoding
  ]> {
  let summary = "Addresses to pointers";
  let description = [{
    ```mlir
    tt.func @f(%x: i64) {
      %p = tt.int_to_ptr %x : i64 -> !tt.ptr<f32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// PtrToIntOp
//===----------------------------------------------------------------------===//

def TT_PtrToIntOp : TT_Op<"ptr_to_int", [
    Pure,
    Elementwise,
    SameOperandsAndResultShape,
    TT_SameEncoding
  ]> {
  let summary = "Pointers to addresses";
  let description = [{
    ```mlir
    tt.func @f(%p: !tt.ptr<f32>) {
      %x = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// BitcastOp
//===----------------------------------------------------------------------===//

def TT_BitcastOp : TT_Op<"bitcast", [
    Pure,
    Elementwise,
    SameOperandsAndResultShape,
    TT_SameEncoding
  ]> {
  let summary = "Same bits, other type of the same width";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<128xf32>) {
      %y = tt.bitcast %x : tensor<128xf32> -> tensor<128xi32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_ScalarOrTensor:$src);
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// FpToFpOp
//===----------------------------------------------------------------------===//

def TT_FpToFpOp : TT_Op<"fp_to_fp", [
    Pure,
    Elementwise,
    SameOperandsAndResultShape,
    TT_SameEncoding
  ]> {
  let summary = "Conversion between float types";
  let description = [{
    `rounding` is needed if the result is narrower.

    ```mlir
    tt.func @f(%x: tensor<128xf32>) {
      %y = tt.fp_to_fp %x, rounding = rtne
      : tensor<128xf32> -> tensor<128xf8E5M2>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_FloatLike:$src,
    OptionalAttr<TT_RoundingMode>:$rounding
  );
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src (`,` `rounding` `=` $rounding^)? attr-dict `:` type($src) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ClampfOp
//===----------------------------------------------------------------------===//

def TT_ClampfOp : TT_Op<"clampf", [
    Pure,
    Elementwise,
    SameOperandsAndResultType
  ]> {
  let summary = "Clamp to an interval";
  let description = [{
    ```mlir
    tt.func @f(%x: f32, %lo: f32, %hi: f32) {
      %y = tt.clampf %x, %lo, %hi, propagateNan = none : f32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_FloatLike:$x,
    TT_FloatLike:$min,
    TT_FloatLike:$max,
    TT_PropagateNan:$propagateNan
  );
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:`
    type($result)
  }];
}

//===----------------------------------------------------------------------===//
// PreciseSqrtOp
//===----------------------------------------------------------------------===//

def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [
    Pure,
    Elementwise,
    SameOperandsAndResultType
  ]> {
  let summary = "Square root, rounded to nearest";
  let description = [{
    ```mlir
    tt.func @f(%x: f32) {
      %z = tt.precise_sqrt %x : f32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// PreciseDivfOp
//===----------------------------------------------------------------------===//

def TT_PreciseDivfOp : TT_Op<"precise_divf", [
    Pure,
    Elementwise,
    SameOperandsAndResultType
  ]> {
  let summary = "Quotient, rounded to nearest";
  let description = [{
    ```mlir
    tt.func @f(%x: f32, %y: f32) {
      %z = tt.precise_divf %x, %y : f32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// ApproxDivfOp
//===----------------------------------------------------------------------===//

def TT_ApproxDivfOp : TT_Op<"approx_divf", [
    Pure,
    Elementwise,
    SameOperandsAndResultType
  ]> {
  let summary = "Fast quotient";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f(%x: f32, %y: f32) {
      %z = tt.approx_divf %x, %y : f32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_F32Like:$x, TT_F32Like:$y);
  let results = (outs TT_F32Like:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// MulhiuiOp
//===----------------------------------------------------------------------===//

def TT_MulhiuiOp : TT_Op<"mulhiui", [
    Pure,
    Elementwise,
    SameOperandsAndResultType
  ]> {
  let summary = "High half of an unsigned product";
  let description = [{
    ```mlir
    tt.func @f(%x: i32, %y: i32) {
      %z = tt.mulhiui %x, %y : i32
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// ExternElementwiseOp
//===----------------------------------------------------------------------===//

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    Elementwise,
    TT_SameEncoding,
    ConditionallySpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Call of a device library function for each element";
  let description = [{
    ```mlir
    tt.func @f(%x: f32) {
      %y = tt.extern_elementwise %x {libname = "libdevice", libpath = "",
      pure = true, symbol = "__nv_sinf"} : (f32) -> f32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    Variadic<TT_ScalarOrTensor>:$srcs,
    StrAttr:$libname,
    StrAttr:$libpath,
    StrAttr:$symbol,
    BoolAttr:$pure
  );
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
}

//===----------------------------------------------------------------------===//
// ElementwiseInlineAsmOp
//===----------------------------------------------------------------------===//

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    Elementwise,
    TT_SameEncoding,
    ConditionallySpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "PTX for each group of `packed_element` elements";
  let description = [{
    ```mlir
    tt.func @f(%x: i32) {
      %y = tt.elementwise_inline_asm "brev.b32 $0, $1;" {constraints = "=r,r",
      packed_element = 1 : i32, pure = true} %x : i32 -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$asm_string,
    StrAttr:$constraints,
    BoolAttr:$pure,
    I32Attr:$packed_element,
    Variadic<TT_ScalarOrTensor>:$args
  );
  let results = (outs Variadic<TT_ScalarOrTensor>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^ `:` type($args))? `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
}

//===----------------------------------------------------------------------===//
// MapElementwiseOp
//===----------------------------------------------------------------------===//

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [
    RecursiveMemoryEffects,
    SameOperandsAndResultShape,
    TT_SameEncoding
  ]> {
  let summary = "A region applied to each group of `pack` elements";
  let description = [{
    The region may branch. Its arguments are the scalars of all sources, `pack`
    of each.

    ```mlir
    tt.func @f(%x: tensor<128xf32>) {
      %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
      ^bb0(%a: f32):
      tt.map_elementwise.return %a : f32
      }) : (tensor<128xf32>) -> tensor<128xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MapElementwiseReturnOp
//===----------------------------------------------------------------------===//

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return", [
    HasParent<"MapElementwiseOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of the region of `tt.map_elementwise`";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<128xf32>) {
      %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
      ^bb0(%a: f32):
      tt.map_elementwise.return %a : f32
      }) : (tensor<128xf32>) -> tensor<128xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

#endif // TRITON_INTEROP_TT_TTELEMENTWISEOPS_TD
