//===- TTNGDotOps.td - wgmma ----------------------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGDOTOPS_TD
#define TRITON_INTEROP_TTNG_TTNGDOTOPS_TD

include "triton_interop/TTNG/TTNGOpBase.td"

def TTNG_NumberTensor : RankedTensorOf<[AnyFloat, AnySignlessInteger]>;

//===----------------------------------------------------------------------===//
// WarpGroupDotOp
//===----------------------------------------------------------------------===//

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [
    AllTypesMatch<["c", "d"]>
  ]> {
  let summary = "d = a * b + c by `wgmma`";
  let description = [{
    `a` may be in registers. Without `useC` true, `c` counts as zero. If
    `isAsync`, the result is valid after `ttng.warp_group_dot_wait`.

    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0,
                             warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%a: !tile, %b: !tile, %c: tensor<64x64xf32, #mma>) {
      %d = ttng.warp_group_dot %a, %b, %c {isAsync = true}
        : !tile * !tile -> tensor<64x64xf32, #mma>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_TensorOrMemDesc:$a,
    TTG_MemDescType:$b,
    TTNG_NumberTensor:$c,
    Optional<I1>:$useC,
    DefaultValuedAttr<TT_InputPrecision,
        "::mlir::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc,
    DefaultValuedAttr<BoolAttr, "false">:$isAsync
  );
  let results = (outs TTNG_NumberTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*`
    qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// WarpGroupDotWaitOp
//===----------------------------------------------------------------------===//

def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [
    InferTypeOpAdaptor
  ]> {
  let summary = "Wait until at most `pendings` groups of wgmma are pending";
  let description = [{
    Passes `inputs` on; uses of the outputs come after the wait.
    `warpGroupLocal`: Triton 3.9.

    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0,
                             warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    tt.func @f(%d: tensor<64x64xf32, #mma>) {
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32}
        : tensor<64x64xf32, #mma>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    Variadic<TTG_TensorOrMemDesc>:$inputs,
    I32Attr:$pendings,
    UnitAttr:$warpGroupLocal
  );
  let results = (outs Variadic<TTG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

//===----------------------------------------------------------------------===//
// PackedArithOp
//===----------------------------------------------------------------------===//

def TTNG_PackedArithOp : TTNG_Op<"packed_arith", [
    Pure,
    SameOperandsAndResultType
  ]> {
  let summary = "Arithmetic on pairs of f32";
  let description = [{
    Triton 3.8 and newer.

    ```mlir
    #rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1],
                          warpsPerCTA = [4, 1], order = [0, 1]}>
    tt.func @f(%x: tensor<128x64xf32, #rows>) {
      %y = ttng.packed_arith fma %x, %x, %x
        : (tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>,
           tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTNG_PackedArithOpKind:$op_kind,
    Variadic<TT_Tensor>:$operands
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $op_kind $operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_INTEROP_TTNG_TTNGDOTOPS_TD
