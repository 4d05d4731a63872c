//===- TTGMiscOps.td - Conversions, barriers, escapes ---- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGMISCOPS_TD
#define TRITON_INTEROP_TTG_TTGMISCOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "triton_interop/TTG/TTGOpBase.td"

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [
    Pure,
    SameOperandsAndResultElementType,
    SameOperandsAndResultShape
  ]> {
  let summary = "The same tensor in another layout";
  let description = [{
    `force_warp_shuffle` (Triton 3.9): by shuffles within a warp.

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0,
                             warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    tt.func @f(%x: tensor<64x64xf16, #blocked>) {
      %y = ttg.convert_layout %x
        : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$force_warp_shuffle);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, src, /*force_warp_shuffle=*/false);
    }]>
  ];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Fp4ToFpOp
//===----------------------------------------------------------------------===//

def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure]> {
  let summary = "Unpack pairs of fp4 along `axis`";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64x32xi8>) {
      %y = ttg.fp4_to_fp %x {axis = 1 : i32}
        : tensor<64x32xi8> -> tensor<64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$src, I32Attr:$axis);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// BarrierOp
//===----------------------------------------------------------------------===//

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "Barrier of all warps of the task";
  let description = [{
    `addrSpace` is the memory whose accesses it orders.

    ```mlir
    tt.func @f() {
      ttg.barrier local|global_read|global_write
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let assemblyFormat = "custom<AddrSpace>($addrSpace) attr-dict";
}

//===----------------------------------------------------------------------===//
// WarpIdOp
//===----------------------------------------------------------------------===//

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "Number of this warp";
  let description = [{
    The compiler is told that it is uniform unless `omitUniformHint`.

    ```mlir
    tt.func @f() {
      %w = ttg.warp_id
      tt.return
    }
    ```
  }];
  let arguments = (ins UnitAttr:$omitUniformHint);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// InlineAsmOp
//===----------------------------------------------------------------------===//

def TTG_InlineAsmOp : TTG_Op<"inline_asm", [
    ConditionallySpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "PTX over whole values";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f(%x: i32) {
      %y = ttg.inline_asm "mov.u32 $0, $1;" {constraints = "=r,r",
        pure = false} %x : (i32) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$asm_string,
    StrAttr:$constraints,
    BoolAttr:$pure,
    Variadic<AnyType>:$args
  );
  let results = (outs Variadic<TT_ScalarOrTensor>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^)? `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
}

//===----------------------------------------------------------------------===//
// MaskOp
//===----------------------------------------------------------------------===//

def TTG_MaskOp : TTG_Op<"mask", [SingleBlock]> {
  let summary = "A predicated region";
  let description = [{
    ```mlir
    tt.func @f(%p: i1, %x: i32) {
      %y = "ttg.mask"(%p) ({
        ttg.mask.return %x : i32
      }) : (i1) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);
}

//===----------------------------------------------------------------------===//
// MaskReturnOp
//===----------------------------------------------------------------------===//

def TTG_MaskReturnOp : TTG_Op<"mask.return", [
    HasParent<"MaskOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of a predicated region";
  let description = [{
    ```mlir
    tt.func @f(%p: i1, %x: i32) {
      %y = "ttg.mask"(%p) ({
        ttg.mask.return %x : i32
      }) : (i1) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// PredicateStageOp
//===----------------------------------------------------------------------===//

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [
    Pure,
    AllTypesMatch<["iv", "ub", "step"]>
  ]> {
  let summary = "Whether a pipeline stage runs in this iteration";
  let description = [{
    ```mlir
    tt.func @f(%i: i32, %n: i32, %s: i32) {
      %p = ttg.predicate_stage %i, %n, %s maxStage 2 stage 1 : i32 -> i1
      tt.return
    }
    ```
  }];
  let arguments = (ins
    AnySignlessIntegerOrIndex:$iv,
    AnySignlessIntegerOrIndex:$ub,
    AnySignlessIntegerOrIndex:$step,
    I32Attr:$maxStage,
    I32Attr:$stage
  );
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict
    `:` type($iv) `->` type($result)
  }];
}

#endif // TRITON_INTEROP_TTG_TTGMISCOPS_TD
