//===- TTNGTensorMemoryOps.td - Tensor memory (sm_100) --- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGTENSORMEMORYOPS_TD
#define TRITON_INTEROP_TTNG_TTNGTENSORMEMORYOPS_TD

include "triton_interop/TTNG/TTNGOpBase.td"

//===----------------------------------------------------------------------===//
// TMEMAllocOp
//===----------------------------------------------------------------------===//

def TTNG_TMEMAllocOp : TTNG_Op<"tmem_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Allocation in tensor memory";
  let description = [{
    Initialised with `src` if given.

    ```mlir
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.func @f() {
      %t = ttng.tmem_alloc : () -> !acc
      tt.return
    }
    ```
  }];
  let arguments = (ins Optional<TT_Tensor>:$src);
  let results = (outs
    TTG_MemDescType:$result,
    Optional<TTG_AsyncTokenType>:$token
  );
  let assemblyFormat = [{
    ($src^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TMEMLoadOp
//===----------------------------------------------------------------------===//

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load", [AttrSizedResultSegments]> {
  let summary = "Tensor memory to registers";
  let description = [{
    With `redOp`, also the minimum or maximum of each row, of absolute values if
    `abs`; `NaN` propagates NaN.

    ```mlir
    #rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1],
                          warpsPerCTA = [4, 1], order = [0, 1]}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.func @f(%t: !acc) {
      %x = ttng.tmem_load %t : !acc -> tensor<128x64xf32, #rows>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$src,
    Optional<TTG_AsyncTokenType>:$dep,
    OptionalAttr<TTNG_TMEMLoadReduceModifierAttr>:$redOp,
    OptionalAttr<BoolAttr>:$abs,
    OptionalAttr<BoolAttr>:$NaN
  );
  let results = (outs
    TT_Tensor:$result,
    Optional<TTG_AsyncTokenType>:$token,
    Optional<TT_Tensor>:$red
  );
  let assemblyFormat = [{
    $src `` custom<Token>($dep, type($token)) attr-dict `:`
    qualified(type($src)) `->` type($result) (`,` type($red)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TMEMStoreOp
//===----------------------------------------------------------------------===//

def TTNG_TMEMStoreOp : TTNG_Op<"tmem_store"> {
  let summary = "Registers to tensor memory";
  let description = [{
    ```mlir
    #rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1],
                          warpsPerCTA = [4, 1], order = [0, 1]}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.func @f(%x: tensor<128x64xf32, #rows>, %t: !acc, %p: i1) {
      ttng.tmem_store %x, %t, %p : tensor<128x64xf32, #rows> -> !acc
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$dst,
    Optional<TTG_AsyncTokenType>:$dep,
    TT_Tensor:$src,
    I1:$pred
  );
  let results = (outs Optional<TTG_AsyncTokenType>:$token);
  let assemblyFormat = [{
    $src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred attr-dict
    `:` type($src) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TMEMSubsliceOp
//===----------------------------------------------------------------------===//

def TTNG_TMEMSubsliceOp : TTNG_Op<"tmem_subslice", [Pure]> {
  let summary = "Columns of a tile";
  let description = [{
    `N` in Triton 3.8, `offset` and `dim` in 3.9.

    ```mlir
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.func @f(%t: !acc) {
      %u = ttng.tmem_subslice %t {offset = 32 : i32} : !acc
        -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TTG_MemDescType:$src,
    OptionalAttr<I32Attr>:$offset,
    OptionalAttr<I32Attr>:$dim,
    OptionalAttr<I32Attr>:$N
  );
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TMEMCopyOp
//===----------------------------------------------------------------------===//

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy"> {
  let summary = "Shared memory to tensor memory (`tcgen05.cp`)";
  let description = [{
    ```mlir
    #shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                    elementBitWidth = 32}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64,
        colStride = 1>
    #smem = #ttg.shared_memory
    !acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    !tile32 = !ttg.memdesc<128x64xf32, #shared32, #smem, mutable>
    tt.func @f(%s: !tile32, %t: !acc) {
      ttng.tmem_copy %s, %t : !tile32, !acc
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, TTG_MemDescType:$dst);
  let assemblyFormat = [{
    $src `,` $dst attr-dict `:` qualified(type($src)) `,` qualified(type($dst))
  }];
}

//===----------------------------------------------------------------------===//
// TMEMWaitOp
//===----------------------------------------------------------------------===//

def TTNG_TMEMWaitOp : TTNG_Op<"tmem_wait"> {
  let summary = "Wait for this thread's tensor memory accesses";
  let description = [{
    Triton 3.9 and newer.

    ```mlir
    tt.func @f() {
      ttng.tmem_wait store
      tt.return
    }
    ```
  }];
  let arguments = (ins TTNG_TMEMWaitKind:$kind);
  let assemblyFormat = "$kind attr-dict";
}

#endif // TRITON_INTEROP_TTNG_TTNGTENSORMEMORYOPS_TD
