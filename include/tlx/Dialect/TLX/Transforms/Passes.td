//===- Passes.td - TLX pass definitions --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD
#define TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TLXAssignLayouts : Pass<"tlx-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Give every tensor, buffer and descriptor its layout";
  let description = [{
    Decides which thread holds which element of each tensor, and where in shared
    memory each element of each buffer is.

    - **Buffers.** All views of an allocation share one layout, up to the order
      of dimensions. It has to suit all uses: TMA fixes the contiguous dimension
      and the swizzle, `wgmma` takes any swizzled tile, but reads 8-bit and
      32-bit operands along K only; bulk copies and reshapes need consecutive
      elements. Where two uses cannot agree, the error names both.
    - **Descriptors.** A tensor descriptor has the layout of the buffers that it
      copies to or from.
    - **Tensors.** Matrix products, memory accesses and `tlx.require_layout` fix
      layouts for the warps of their task. These flow on to what is computed
      from them, through loops and conditionals; where two meet, the product's
      stays. Index arithmetic, constants and reads of buffers take the layout
      that their users want and are repeated if users want several. What
      remains becomes `ttg.convert_layout`, outside of loops where possible.
      Nothing is put between a `tlx.async_dot` and its wait.

    - Input: TLX IR after `tlx-rematerialize-captures`. Layouts already present are kept, so running the pass
      twice changes nothing.
    - Output: every tensor type has an encoding, every buffer a layout, every
      descriptor a block layout; `tlx.require_layout` and `tlx.release_layout`
      are gone. A function called by tasks of several sizes has one copy for
      each.
    - Fails if no layout suits.

    Before:

    ```mlir
    %c0 = arith.constant 0 : i32
    %acc = arith.constant dense<0.0> : tensor<64x64xf32>
    %b = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
    %v = tlx.local_view %b[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
    %d = tlx.async_dot %v, %v, %acc : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
    ```

    After:

    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    %c0 = arith.constant 0 : i32
    %acc = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %b = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #shared>
    %v = tlx.local_view %b[%c0] : !tlx.buffer<[1] 64x64xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #shared>
    %d = tlx.async_dot %v, %v, %acc : !tlx.buffer<64x64xf16, smem, #shared>, !tlx.buffer<64x64xf16, smem, #shared> -> tensor<64x64xf32, #mma>
    ```
  }];
  let dependentDialects = ["::mlir::ttg::TTGDialect"];
}

#endif // TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD
