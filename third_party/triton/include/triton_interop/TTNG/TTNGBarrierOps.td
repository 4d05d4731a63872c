//===- TTNGBarrierOps.td - mbarriers and fences ---------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGBARRIEROPS_TD
#define TRITON_INTEROP_TTNG_TTNGBARRIEROPS_TD

include "triton_interop/TTNG/TTNGOpBase.td"

//===----------------------------------------------------------------------===//
// InitBarrierOp
//===----------------------------------------------------------------------===//

def TTNG_InitBarrierOp : TTNG_Op<"init_barrier"> {
  let summary = "Initialise an mbarrier";
  let description = [{
    A phase completes after `count` arrivals.

    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.func @f(%b: !bar) {
      ttng.init_barrier %b, 1 : !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$alloc, I32Attr:$count);
  let assemblyFormat = [{
    $alloc `,` $count attr-dict `:` qualified(type($alloc))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// InvalBarrierOp
//===----------------------------------------------------------------------===//

def TTNG_InvalBarrierOp : TTNG_Op<"inval_barrier"> {
  let summary = "Make the memory of an mbarrier ordinary again";
  let description = [{
    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.func @f(%b: !bar) {
      ttng.inval_barrier %b : !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// BarrierExpectOp
//===----------------------------------------------------------------------===//

def TTNG_BarrierExpectOp : TTNG_Op<"barrier_expect"> {
  let summary = "Arrive and expect `size` bytes of asynchronous copies";
  let description = [{
    `fromCTA`, Triton 3.9: only this CTA of the cluster arrives.

    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.func @f(%b: !bar, %p: i1) {
      ttng.barrier_expect %b, 16384, %p : !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$alloc,
    I32Attr:$size,
    I1:$pred,
    OptionalAttr<I32Attr>:$fromCTA
  );
  let assemblyFormat = [{
    $alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$alloc, "uint32_t":$size,
                   "::mlir::Value":$pred), [{
      build($_builder, $_state, alloc, size, pred, ::mlir::IntegerAttr());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// WaitBarrierOp
//===----------------------------------------------------------------------===//

def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments]> {
  let summary = "Wait for the end of a phase";
  let description = [{
    Returns when the phase of parity `phase` has completed; at once if `pred` is
    false. `deps` are the buffers that become readable.

    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                  elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    !tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.func @f(%b: !bar, %phase: i32, %p: i1, %x: !tile) {
      ttng.wait_barrier %b, %phase, %p deps %x : !bar, !tile
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$alloc,
    I32:$phase,
    Optional<I1>:$pred,
    Variadic<TTG_MemDescType>:$deps
  );
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:`
    qualified(type($alloc)) (`,` qualified(type($deps))^)?
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$alloc, "::mlir::Value":$phase,
                   CArg<"::mlir::Value", "{}">:$pred), [{
      build($_builder, $_state, alloc, phase, pred, ::mlir::ValueRange());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// ArriveBarrierOp
//===----------------------------------------------------------------------===//

def TTNG_ArriveBarrierOp : TTNG_Op<"arrive_barrier"> {
  let summary = "Arrive `count` times";
  let description = [{
    The CTA attributes, Triton 3.9, direct arrivals within a cluster.

    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.func @f(%b: !bar, %p: i1) {
      ttng.arrive_barrier %b, 1, %p : !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$alloc,
    I32Attr:$count,
    Optional<I1>:$pred,
    OptionalAttr<I32Attr>:$fromCTA,
    OptionalAttr<I32Attr>:$multicastCTA
  );
  let assemblyFormat = [{
    $alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$alloc, "uint32_t":$count,
                   CArg<"::mlir::Value", "{}">:$pred), [{
      build($_builder, $_state, alloc, count, pred, ::mlir::IntegerAttr(),
            ::mlir::IntegerAttr());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// AsyncCopyMbarrierArriveOp
//===----------------------------------------------------------------------===//

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive"> {
  let summary = "Arrive when this thread's `cp.async` copies are done";
  let description = [{
    `noIncrement` counts the arrival against the expected ones.

    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,
                                 order = [0]}>
    #smem = #ttg.shared_memory
    !bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.func @f(%b: !bar) {
      ttng.async_copy_mbarrier_arrive %b {noIncrement} : !bar
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// FenceAsyncSharedOp
//===----------------------------------------------------------------------===//

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared"> {
  let summary = "Make stores to shared memory visible to the async proxy";
  let description = [{
    ```mlir
    tt.func @f() {
      ttng.fence_async_shared {bCluster = false}
      tt.return
    }
    ```
  }];
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}

#endif // TRITON_INTEROP_TTNG_TTNGBARRIEROPS_TD
