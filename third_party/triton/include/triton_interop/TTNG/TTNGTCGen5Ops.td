//===- TTNGTCGen5Ops.td - tcgen05 (sm_100) --------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGTCGEN5OPS_TD
#define TRITON_INTEROP_TTNG_TTNGTCGEN5OPS_TD

include "triton_interop/TTNG/TTNGOpBase.td"

//===----------------------------------------------------------------------===//
// TCGen5MMAOp
//===----------------------------------------------------------------------===//

def TTNG_TCGen5MMAOp : TTNG_Op<"tc_gen5_mma", [AttrSizedOperandSegments]> {
  let summary = "d = a * b (+ d) in tensor memory";
  let description = [{
    `useD` false ignores the old `d`. When done, it arrives at each of
    `barriers` whose predicate is true. Without `is_async` the op waits.

    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    !tile_a = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    tt.func @f(%a: !tile_a, %b: !tile, %d: !acc, %t: i1, %bar: !bar) {
      ttng.tc_gen5_mma %a, %b, %d, %t, %t, %bar[%t] {is_async}
        : !tile_a, !tile, !acc, !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$a,
    TTG_MemDescType:$b,
    TTG_MemDescType:$d,
    Optional<TTG_AsyncTokenType>:$acc_dep,
    I1:$useD,
    I1:$pred,
    Variadic<TTG_MemDescType>:$barriers,
    Variadic<I1>:$barrier_preds,
    UnitAttr:$is_async,
    UnitAttr:$two_ctas,
    UnitAttr:$multicast,
    UnitAttr:$is_unsigned
  );
  let results = (outs Optional<TTG_AsyncTokenType>:$token);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD `,`
    $pred `` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d))
    (`,` qualified(type($barriers))^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TCGen5MMAScaledOp
//===----------------------------------------------------------------------===//

def TTNG_TCGen5MMAScaledOp : TTNG_Op<"tc_gen5_mma_scaled", [
    AttrSizedOperandSegments
  ]> {
  let summary = "Product of block-scaled matrices in tensor memory";
  let description = [{
    ```mlir
    #shared8 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                   elementBitWidth = 8}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    #scales = #ttng.tensor_memory_scales_encoding<>
    #smem = #ttg.shared_memory
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    !fp8 = !ttg.memdesc<128x64xf8E5M2, #shared8, #smem, mutable>
    !fp8b = !ttg.memdesc<64x64xf8E5M2, #shared8, #smem, mutable>
    !scales = !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>
    !scalesb = !ttg.memdesc<64x2xi8, #scales, #ttng.tensor_memory, mutable>
    tt.func @f(%a: !fp8, %b: !fp8b, %d: !acc, %s: !scales, %r: !scalesb,
               %t: i1) {
      ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %r, %t, %t lhs = e5m2 rhs = e5m2
        : !fp8, !fp8b, !acc, !scales, !scalesb
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$a,
    TTG_MemDescType:$b,
    TTG_MemDescType:$d,
    Optional<TTG_AsyncTokenType>:$acc_dep,
    TTG_MemDescType:$a_scale,
    TTG_MemDescType:$b_scale,
    TT_ScaleDotElemType:$a_type,
    TT_ScaleDotElemType:$b_type,
    I1:$useD,
    I1:$pred,
    Variadic<TTG_MemDescType>:$barriers,
    Variadic<I1>:$barrier_preds,
    UnitAttr:$two_ctas,
    UnitAttr:$multicast,
    UnitAttr:$is_async
  );
  let results = (outs Optional<TTG_AsyncTokenType>:$token);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,`
    $b_scale `,` $useD `,` $pred `lhs` `=` $a_type `rhs` `=` $b_type ``
    custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict `:`
    qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) `,`
    qualified(type($a_scale)) `,` qualified(type($b_scale))
    (`,` qualified(type($barriers))^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TCGen5CommitOp
//===----------------------------------------------------------------------===//

def TTNG_TCGen5CommitOp : TTNG_Op<"tc_gen5_commit", [
    AttrSizedOperandSegments
  ]> {
  let summary = "Arrive when earlier tcgen05 work is done";
  let description = [{
    `descs` are the buffers that it frees.

    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.func @f(%b: !bar, %p: i1) {
      ttng.tc_gen5_commit %b, %p : !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$barrier,
    Optional<I1>:$pred,
    Variadic<TTG_MemDescType>:$descs
  );
  let assemblyFormat = [{
    $barrier (`,` $pred^)? (`descs` $descs^)? attr-dict `:`
    qualified(type($barrier)) (`,` qualified(type($descs))^)?
  }];
  let hasVerifier = 1;
}

#endif // TRITON_INTEROP_TTNG_TTNGTCGEN5OPS_TD
