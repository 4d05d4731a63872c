//===- Passes.td - TLX conversion passes -------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_CONVERSION_PASSES_TD
#define TLX_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTLXToTritonGPU
    : Pass<"convert-tlx-to-triton-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn TLX ops and types into those of Triton's GPU dialects";
  let description = [{
    Input: every buffer has a layout and tasks are lowered (see
    `tlx-assign-layouts` and `tlx-lower-tasks`). Output: no op or type of the
    TLX dialect is left.

    | TLX                    | becomes                                        |
    |------------------------|------------------------------------------------|
    | buffers, views         | `ttg.memdesc` values                           |
    | mbarriers              | `ttg.memdesc` of i64 words, `ttng` barrier ops |
    | named barriers, votes  | convergent LLVM intrinsics                     |
    | TMA, cp.async, wgmma   | `ttng` and `ttg` ops                           |
    | bulk copies, prefetch  | inline PTX                                     |
    | arrival of each thread | inline PTX                                     |
    | fences of a scope      | inline PTX                                     |

    Named barriers are intrinsics, as Triton renumbers the barriers of `nvvm`
    ops next to `ttg.warp_specialize`.

    All buffers and barriers are freed at the end of the region that allocates
    them, so that Triton's allocator gives no two of them the same bytes: it
    does not see when an asynchronous copy or another task is done with them.

    Fails if a buffer has no layout or lies in tensor memory.

    Before:

    ```mlir
    func.func @arrive(%m: !tlx.barrier<count = 1>) {
      tlx.barrier_arrive %m, 1 : !tlx.barrier<count = 1>
      return
    }
    ```

    After:

    ```mlir
    #shared =
        #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    func.func @arrive(
        %m: !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>) {
      ttng.arrive_barrier %m, 1
          : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::tt::TTDialect",
    "::mlir::ttg::TTGDialect", "::mlir::ttng::TTNGDialect"
  ];
}

#endif // TLX_CONVERSION_PASSES_TD
