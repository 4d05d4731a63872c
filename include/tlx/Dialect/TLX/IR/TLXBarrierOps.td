//===- TLXBarrierOps.td - Barriers and fences --------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXBARRIEROPS_TD
#define TLX_DIALECT_TLX_IR_TLXBARRIEROPS_TD

include "tlx/Dialect/TLX/IR/TLXAttrs.td"
include "tlx/Dialect/TLX/IR/TLXCopyOps.td"

def TLX_AllocBarriersOp : TLX_Op<"alloc_barriers"> {
  let summary = "Allocate and initialise an array of mbarriers";
  let description = [{
    Each slot waits for the arrivals that the type states. The barriers keep
    their address for the whole kernel.

    Constraints:

    - (C1) The result is an array.

    Lowers to `ttg.local_alloc` and one `ttng.init_barrier` for each slot.

    Example:

    ```mlir
    %m = tlx.alloc_barriers : !tlx.barrier<[3], count = 1>
    ```
  }];
  let results = (outs Res<TLX_Barrier, "the barriers", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def TLX_BarrierViewOp : TLX_Op<"barrier_view", [
    Pure, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Select one barrier of an array";
  let description = [{
    Constraints:

    - (C1) `source` is an array.
    - (C2) A constant `index` is in [0, length of the array).
    - (C3) The result is one barrier of the kind and count of the array.

    Lowers to `ttg.memdesc_index`.

    Example:

    ```mlir
    %i = arith.constant 2 : i32
    %m = tlx.alloc_barriers : !tlx.barrier<[3], count = 1>
    %m0 = tlx.barrier_view %m[%i] : !tlx.barrier<[3], count = 1>
        -> !tlx.barrier<count = 1>
    ```
  }];
  let arguments = (ins TLX_Barrier:$source, I32:$index);
  let results = (outs TLX_Barrier:$result);
  let assemblyFormat = [{
    $source `[` $index `]` attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_BarrierExpectBytesOp : TLX_OrderedOp<"barrier_expect_bytes"> {
  let summary = "Arrive on a barrier and announce bytes to come";
  let description = [{
    One thread of the task arrives and adds `size` to the bytes that the phase
    waits for.

    Constraints:

    - (C1) `barrier` is one slot.
    - (C2) `size` is in [0, 1048575] bytes.

    Lowers to `ttng.barrier_expect` (`mbarrier.arrive.expect_tx`).

    Source of (C2): PTX ISA, mbarrier, range of the tx-count.

    Example:

    ```mlir
    %m = "test.barrier"() : () -> !tlx.barrier<count = 1>
    tlx.barrier_expect_bytes %m, 16384 : !tlx.barrier<count = 1>
    ```
  }];
  let arguments = (ins
    TLX_Barrier:$barrier,
    I32Attr:$size,
    Optional<I1>:$pred
  );
  let assemblyFormat = [{
    $barrier `,` $size (`pred` $pred^)? attr-dict `:` qualified(type($barrier))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TLX_BarrierWaitOp : TLX_OrderedOp<"barrier_wait"> {
  let summary = "Wait until the phase of a barrier has completed";
  let description = [{
    Returns when the phase of parity `phase` has completed. A new barrier is in
    phase 0, so waiting for parity 1 returns at once.

    Constraints:

    - (C1) `barrier` is one slot.
    - (C2) A constant `phase` is 0 or 1.

    Lowers to `ttng.wait_barrier` (`mbarrier.try_wait.parity`).

    Example:

    ```mlir
    %m, %phase = "test.values"() : () -> (!tlx.barrier<count = 1>, i32)
    tlx.barrier_wait %m, %phase : !tlx.barrier<count = 1>
    ```
  }];
  let arguments = (ins
    TLX_Barrier:$barrier,
    I32:$phase,
    Optional<I1>:$pred
  );
  let assemblyFormat = [{
    $barrier `,` $phase (`pred` $pred^)? attr-dict `:` qualified(type($barrier))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TLX_BarrierArriveOp : TLX_OrderedOp<"barrier_arrive"> {
  let summary = "Arrive on a barrier";
  let description = [{
    One thread of the task arrives `count` times. On a `warp` barrier every
    thread arrives once.

    Constraints:

    - (C1) `barrier` is one slot.
    - (C2) `count` is in [1, arrivals of a phase].
    - (C3) `count` is 1 for a `warp` barrier.

    Lowers to `ttng.arrive_barrier` (`mbarrier.arrive`).

    Source of (C2): PTX ISA, `mbarrier.arrive`, range of the count.

    Example:

    ```mlir
    %m = "test.barrier"() : () -> !tlx.barrier<count = 1>
    tlx.barrier_arrive %m, 1 : !tlx.barrier<count = 1>
    ```
  }];
  let arguments = (ins
    TLX_Barrier:$barrier,
    DefaultValuedAttr<I32Attr, "1">:$count,
    Optional<I1>:$pred
  );
  let assemblyFormat = [{
    $barrier `,` $count (`pred` $pred^)? attr-dict `:` qualified(type($barrier))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

class TLX_NamedBarrierOp<string mnemonic> : TLX_OrderedOp<mnemonic> {
  let arguments = (ins I32:$barrier_id, I32:$num_threads);
  let assemblyFormat = [{
    $barrier_id `,` $num_threads attr-dict
    `:` qualified(type($barrier_id)) `,` qualified(type($num_threads))
  }];
  let hasVerifier = 1;
}

def TLX_NamedBarrierWaitOp : TLX_NamedBarrierOp<"named_barrier_wait"> {
  let summary = "Arrive on a hardware barrier and wait for all";
  let description = [{
    All threads of the task arrive on barrier `barrier_id` and wait until
    `num_threads` threads have come.

    Constraints:

    - (C1) A constant `barrier_id` is in [0, 15].
    - (C2) A constant `num_threads` is a multiple of 32 in [32, 1024].

    Lowers to `bar.sync`.

    Source: PTX ISA, `bar`, `barrier`.

    Example:

    ```mlir
    %id = arith.constant 9 : i32
    %n = arith.constant 256 : i32
    tlx.named_barrier_wait %id, %n : i32, i32
    ```
  }];
}

def TLX_NamedBarrierArriveOp : TLX_NamedBarrierOp<"named_barrier_arrive"> {
  let summary = "Arrive on a hardware barrier without waiting";
  let description = [{
    All threads of the task arrive on barrier `barrier_id`, which completes when
    `num_threads` threads have come.

    Constraints:

    - (C1) A constant `barrier_id` is in [0, 15].
    - (C2) A constant `num_threads` is a multiple of 32 in [32, 1024].

    Lowers to `bar.arrive`.

    Source: PTX ISA, `bar`, `barrier`.

    Example:

    ```mlir
    %id = arith.constant 9 : i32
    %n = arith.constant 256 : i32
    tlx.named_barrier_arrive %id, %n : i32, i32
    ```
  }];
}

def TLX_FenceOp : TLX_OrderedOp<"fence"> {
  let summary = "Order memory accesses of the thread";
  let description = [{
    - `async_shared`: generic writes before TMA, bulk copies and wgmma
      (`fence.proxy.async.shared::cta`);
    - `gpu`: all accesses, as seen by the device (`fence.acq_rel.gpu`);
    - `sys`: all accesses, as seen by the host and other devices
      (`fence.acq_rel.sys`).

    Source: PTX ISA, `membar`, `fence`.

    Example:

    ```mlir
    tlx.fence async_shared
    ```
  }];
  let arguments = (ins TLX_FenceScope:$scope);
  let assemblyFormat = "$scope attr-dict";
}

#endif // TLX_DIALECT_TLX_IR_TLXBARRIEROPS_TD
