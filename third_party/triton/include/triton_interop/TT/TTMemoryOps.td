//===- TTMemoryOps.td - Loads, stores, atomics ----------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTMEMORYOPS_TD
#define TRITON_INTEROP_TT_TTMEMORYOPS_TD

include "triton_interop/TT/TTOpBase.td"

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_SameEncoding,
    TT_PointeeTypeIs<"ptr", "result">,
    TT_MaskTypeOf<"ptr", "mask">,
    TT_OptionalPointeeTypeIs<"ptr", "other">
  ]> {
  let summary = "Load from global memory";
  let description = [{
    Elements whose `mask` is false are `other`, or undefined without it. Triton
    3.9 takes `cachePolicy`; older versions `cache` and `evict`.

    ```mlir
    tt.func @f(%p: tensor<128x!tt.ptr<f32>>, %m: tensor<128xi1>,
               %o: tensor<128xf32>) {
      %x = tt.load %p, %m, %o {cachePolicy = #tt.cache_policy<
      cache_modifier = cg, eviction_policy = evict_last>}
      : tensor<128x!tt.ptr<f32>>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrLike:$ptr,
    Optional<TT_BoolLike>:$mask,
    Optional<TT_ScalarOrTensor>:$other,
    OptionalAttr<AnyAttr>:$cachePolicy,
    OptionalAttr<TT_CacheModifier>:$cache,
    OptionalAttr<TT_EvictionPolicy>:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile
  );
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

def TT_StoreOp : TT_Op<"store", [
    TT_SameEncoding,
    TT_PointeeTypeIs<"ptr", "value">,
    TT_MaskTypeOf<"ptr", "mask">,
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>
  ]> {
  let summary = "Store to global memory";
  let description = [{
    Elements whose `mask` is false are not stored. With `ignore_cta` every CTA
    of a cluster stores. Triton 3.9 takes `cachePolicy`; older versions `cache`
    and `evict`.

    ```mlir
    tt.func @f(%p: !tt.ptr<f32>, %x: f32) {
      tt.store %p, %x : !tt.ptr<f32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrLike:$ptr,
    TT_ScalarOrTensor:$value,
    Optional<TT_BoolLike>:$mask,
    OptionalAttr<AnyAttr>:$cachePolicy,
    OptionalAttr<TT_CacheModifier>:$cache,
    OptionalAttr<TT_EvictionPolicy>:$evict,
    UnitAttr:$ignore_cta
  );
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

//===----------------------------------------------------------------------===//
// AtomicRmwOp
//===----------------------------------------------------------------------===//

def TT_AtomicRmwOp : TT_Op<"atomic_rmw", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>,
    TT_SameEncoding,
    AllTypesMatch<["val", "result"]>,
    TT_MaskTypeOf<"ptr", "mask">
  ]> {
  let summary = "Atomic read-modify-write";
  let description = [{
    Returns the old value.

    ```mlir
    tt.func @f(%p: !tt.ptr<f32>, %x: f32) {
      %old = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x
      : (!tt.ptr<f32>, f32) -> f32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_RMWOp:$atomic_rmw_op,
    TT_PtrLike:$ptr,
    TT_ScalarOrTensor:$val,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemantic:$sem,
    TT_MemSyncScope:$scope
  );
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)?
    attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// AtomicCasOp
//===----------------------------------------------------------------------===//

def TT_AtomicCasOp : TT_Op<"atomic_cas", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>,
    SameOperandsAndResultShape,
    TT_SameEncoding,
    AllTypesMatch<["cmp", "val", "result"]>
  ]> {
  let summary = "Atomic compare-and-swap";
  let description = [{
    Returns the old value.

    ```mlir
    tt.func @f(%p: !tt.ptr<i32>, %x: i32) {
      %old = tt.atomic_cas acq_rel, gpu, %p, %x, %x
      : (!tt.ptr<i32>, i32, i32) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrLike:$ptr,
    TT_ScalarOrTensor:$cmp,
    TT_ScalarOrTensor:$val,
    TT_MemSemantic:$sem,
    TT_MemSyncScope:$scope
  );
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// AtomicLoadOp
//===----------------------------------------------------------------------===//

def TT_AtomicLoadOp : TT_Op<"atomic_load", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>,
    TT_SameEncoding,
    TT_MaskTypeOf<"ptr", "mask">
  ]> {
  let summary = "Atomic load";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f(%p: !tt.ptr<i32>) {
      %x = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrLike:$ptr,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemantic:$sem,
    TT_MemSyncScope:$scope
  );
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// AtomicStoreOp
//===----------------------------------------------------------------------===//

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>,
    TT_SameEncoding,
    TT_PointeeTypeIs<"ptr", "value">,
    TT_MaskTypeOf<"ptr", "mask">
  ]> {
  let summary = "Atomic store";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f(%p: !tt.ptr<i32>, %x: i32) {
      tt.atomic_store release, gpu, %p, %x : !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrLike:$ptr,
    TT_ScalarOrTensor:$value,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemantic:$sem,
    TT_MemSyncScope:$scope
  );
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)
  }];
}

//===----------------------------------------------------------------------===//
// AtomicPollOp
//===----------------------------------------------------------------------===//

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>,
    TT_SameEncoding
  ]> {
  let summary = "Wait until memory holds a value";
  let description = [{
    Gives false if `timeout` nanoseconds pass first. Triton 3.9 and newer.

    ```mlir
    tt.func @f(%p: !tt.ptr<i32>, %x: i32) {
      %done = tt.atomic_poll acquire, gpu, %p, %x : !tt.ptr<i32>, i32 -> i1
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrLike:$ptr,
    TT_IntLike:$expected,
    Optional<I64>:$timeout,
    TT_MemSemantic:$sem,
    TT_MemSyncScope:$scope
  );
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:`
    type($ptr) `,` type($expected) `->` type($result)
  }];
}

#endif // TRITON_INTEROP_TT_TTMEMORYOPS_TD
