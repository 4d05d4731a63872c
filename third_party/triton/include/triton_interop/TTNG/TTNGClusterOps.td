//===- TTNGClusterOps.td - Clusters and dynamic work ----- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGCLUSTEROPS_TD
#define TRITON_INTEROP_TTNG_TTNGCLUSTEROPS_TD

include "triton_interop/TTNG/TTNGOpBase.td"

def TTNG_I128 : I<128>;

//===----------------------------------------------------------------------===//
// ClusterBarrierOp
//===----------------------------------------------------------------------===//

def TTNG_ClusterBarrierOp : TTNG_Op<"cluster_barrier"> {
  let summary = "Barrier of all CTAs of the cluster";
  let description = [{
    Triton 3.8 and newer; needs `ttg.num-ctas` above 1.

    ```mlir
    tt.func @f() {
      ttng.cluster_barrier {relaxed = true}
      tt.return
    }
    ```
  }];
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// FenceMBarrierInitReleaseClusterOp
//===----------------------------------------------------------------------===//

def TTNG_FenceMBarrierInitReleaseClusterOp
    : TTNG_Op<"fence_mbarrier_init_release_cluster"> {
  let summary = "Make initialised mbarriers visible to the cluster";
  let description = [{
    ```mlir
    tt.func @f() {
      ttng.fence_mbarrier_init_release_cluster
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// AsyncSharedStoreOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncSharedStoreOp : TTNG_Op<"async_shared_store"> {
  let summary = "Store to the shared memory of a cluster";
  let description = [{
    Completes `mbarrier` by the bytes stored. Triton 3.8 and newer.

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                   order = [1, 0]}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    !plain = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
    tt.func @f(%x: tensor<64x64xf16, #blocked>, %t: !plain, %b: !bar) {
      ttng.async_shared_store %x, %t, %b
        : tensor<64x64xf16, #blocked> -> !plain, !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_Tensor:$src,
    TTG_MemDescType:$dst,
    TTG_MemDescType:$mbarrier
  );
  let assemblyFormat = [{
    $src `,` $dst `,` $mbarrier attr-dict `:` type($src) `->`
    qualified(type($dst))
    `,` qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// CLCTryCancelOp
//===----------------------------------------------------------------------===//

def TTNG_CLCTryCancelOp : TTNG_Op<"clc_try_cancel"> {
  let summary = "Ask for the work of a program that has not started";
  let description = [{
    The answer is written to `result`, 16 bytes, and completes `mbarrier`.
    Triton 3.8 and newer, as all `clc` ops.

    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    !clc = !ttg.memdesc<2xi64, #bar, #smem, mutable>
    tt.func @f(%r: !clc, %b: !bar) {
      ttng.clc_try_cancel %r, %b : !clc, !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$result, TTG_MemDescType:$mbarrier);
  let assemblyFormat = [{
    $result `,` $mbarrier attr-dict `:` qualified(type($result)) `,`
    qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// CLCLoadResultOp
//===----------------------------------------------------------------------===//

def TTNG_CLCLoadResultOp : TTNG_Op<"clc_load_result"> {
  let summary = "Read an answer";
  let description = [{
    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !clc = !ttg.memdesc<2xi64, #bar, #smem, mutable>
    tt.func @f(%r: !clc) {
      %x = ttng.clc_load_result %r : !clc -> i128
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let results = (outs TTNG_I128:$clcResult);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` type($clcResult)
  }];
}

//===----------------------------------------------------------------------===//
// CLCIsCanceledOp
//===----------------------------------------------------------------------===//

def TTNG_CLCIsCanceledOp : TTNG_Op<"clc_is_canceled", [Pure]> {
  let summary = "Whether there was a program to take over";
  let description = [{
    ```mlir
    tt.func @f(%x: i128) {
      %ok = ttng.clc_is_canceled %x : i128 -> i1
      tt.return
    }
    ```
  }];
  let arguments = (ins TTNG_I128:$clcResult);
  let results = (outs I1:$is_canceled);
  let assemblyFormat = [{
    $clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)
  }];
}

//===----------------------------------------------------------------------===//
// CLCGetProgramIdOp
//===----------------------------------------------------------------------===//

def TTNG_CLCGetProgramIdOp : TTNG_Op<"clc_get_program_id", [Pure]> {
  let summary = "Position of the program taken over";
  let description = [{
    ```mlir
    tt.func @f(%x: i128) {
      %i = ttng.clc_get_program_id %x, y : i128 -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins TTNG_I128:$clcResult, TT_ProgramIDDim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// CLCTryCancelSyncOp
//===----------------------------------------------------------------------===//

def TTNG_CLCTryCancelSyncOp : TTNG_Op<"clc_try_cancel_sync"> {
  let summary = "Ask for work and wait for the answer";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f() {
      %x = ttng.clc_try_cancel_sync : tensor<4xi32>
      tt.return
    }
    ```
  }];
  let results = (outs TT_Tensor:$response);
  let assemblyFormat = "attr-dict `:` type($response)";
}

#endif // TRITON_INTEROP_TTNG_TTNGCLUSTEROPS_TD
