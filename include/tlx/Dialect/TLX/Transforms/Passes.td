//===- Passes.td - TLX pass definitions --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD
#define TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TLXCheckResources : Pass<"tlx-check-resources", "::mlir::ModuleOp"> {
  let summary = "Check that the kernel fits on the target";
  let description = [{
    Fails if a kernel needs more than the target of the module
    (`ttg.target = "cuda:90"`) has, and lists who uses what:

    - shared memory: the sum of all buffers and barriers, as none of them shares
      its bytes with another one;
    - threads: the warps of the kernel and of all tasks, of which each thread
      block has at most 32, counted in groups of four if there are tasks;
    - registers: 65536 for each thread block, see `tlx-lower-tasks`;
    - features: tasks, mbarriers and TMA from sm_90 on, `tlx.async_dot` on
      sm_90, tensor memory on sm_100 and sm_103;
    - promises: an `exclusive` task region is the only one of the kernel.

    Checks only.

    Source: CUDA C++ Programming Guide, technical specifications per compute
    capability.

    Example:

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
      func.func @fits() {
        %b = tlx.local_alloc : !tlx.buffer<[3] 128x128xf16, smem>
        return
      }
    }
    ```
  }];
}

def TLXCheckNamedBarriers : Pass<"tlx-check-named-barriers"> {
  let summary = "Check the uses of the hardware barriers";
  let description = [{
    Looks at the named barriers whose id and number of threads are constants.
    Fails if

    - Triton itself uses the id: 0 for the default warps and, in a kernel with
      tasks, 1 to hand out work and `2 + i` for the partition `i` of more than
      one warp;
    - two uses of an id name different numbers of threads;
    - a use names more threads than all tasks that use the id have, so that the
      barrier would never complete.

    Checks only. Run it after constants are folded and functions inlined.

    Example:

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      func.func @hand_over() {
        %id = arith.constant 9 : i32
        %n = arith.constant 256 : i32
        tlx.async_tasks {
          tlx.async_task default {
            tlx.named_barrier_arrive %id, %n : i32, i32
          }
          tlx.async_task num_warps = 4 {
            tlx.named_barrier_wait %id, %n : i32, i32
          }
        }
        return
      }
    }
    ```
  }];
}

def TLXCheckDivergence : Pass<"tlx-check-divergence", "::mlir::ModuleOp"> {
  let summary = "Check that tasks do together what they must do together";
  let description = [{
    Scalars are the same in all threads of a task, unless they follow from
    `tlx.thread_id`, `tlx.clock64`, `tlx.vote_ballot_sync` or assembly that reads
    such registers. Fails if a condition or a loop that differs by thread holds
    an op that the whole task has to do:

    - allocations, arrivals, waits, copies, products, and barriers of the task;
    - loads, stores, reductions and changes of shape of tensors, as the layout
      decides which thread has which element;
    - atomics of scalars whose result is used, as the first thread hands it to
      the others;
    - calls of functions that do any of these.

    Loads, stores and atomics of scalars, arithmetic, votes, named barriers and
    arrivals on barriers that count threads may differ by thread.

    Checks only. Run it after functions are inlined.

    Example:

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      func.func @uniform(%n: i32) {
        %c0 = arith.constant 0 : i32
        %first = arith.cmpi eq, %n, %c0 : i32
        scf.if %first {
          %b = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem>
        }
        return
      }
    }
    ```
  }];
}

def TLXCheckAlignment : Pass<"tlx-check-alignment", "::mlir::ModuleOp"> {
  let summary = "Check the addresses of the tiles of TMA copies";
  let description = [{
    Looks at the buffers that TMA reads or writes. Fails if one may start at an
    address that the hardware does not take: it has to be a multiple of 128
    bytes, or of the 8 rows of a pattern if the tile is swizzled. Allocations
    start at such addresses; slots of a ring, entries and slices need not.

    Checks only. Run it when buffers have layouts.

    Source: PTX ISA, `cp.async.bulk.tensor`.

    Example:

    ```mlir
    #plain = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false,
        elementBitWidth = 16, rank = 1}>
    %desc, %full, %i = "test.values"() : ()
        -> (!tt.tensordesc<tensor<64xf16, #plain>>, !tlx.barrier<count = 1>,
        i32)
    %ring = tlx.local_alloc : !tlx.buffer<[3] 64xf16, smem, #plain>
    %slot = tlx.local_view %ring[%i] : !tlx.buffer<[3] 64xf16, smem, #plain>
        -> !tlx.buffer<64xf16, smem, #plain>
    tlx.async_descriptor_load %desc[%i], %slot, %full
        : !tt.tensordesc<tensor<64xf16, #plain>>,
        !tlx.buffer<64xf16, smem, #plain>, !tlx.barrier<count = 1>
    ```
  }];
}

def TLXSpreadDescriptors : Pass<"tlx-spread-descriptors", "::mlir::ModuleOp"> {
  let summary = "Give each tensor descriptor in flight a place of its own";
  let description = [{
    A descriptor that is made in a loop is written again in the next iteration,
    while copies through the one before may be in flight. If it is read by
    asynchronous copies, this pass gives it as many places in global memory as
    there are slots in the buffers of these copies, and one more, and takes them
    in turn: a slot has one copy in flight at a time. A count of the uses is
    carried through the loops and conditionals around the op.

    Descriptors in storage of the user's, outside of loops, or read by
    synchronous loads and stores only stay as they are.

    Before:

    ```mlir
    %n, %base, %s, %one, %bar = "test.values"()
        : () -> (i32, !tt.ptr<f16>, i64, i64, !tlx.barrier<count = 1>)
    %c0, %c1 = "test.integers"() : () -> (i32, i32)
    %ring = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
    %v = tlx.local_view %ring[%c0] : !tlx.buffer<[1] 64x64xf16, smem>
        -> !tlx.buffer<64x64xf16, smem>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %p = tt.addptr %base, %i : !tt.ptr<f16>, i32
      %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one]
          : <f16>, <64x64xf16>
      tlx.async_descriptor_load %d[%i, %c0], %v, %bar
          : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>,
          !tlx.barrier<count = 1>
    }
    ```

    After:

    ```mlir
    %n, %base, %s, %one, %bar = "test.values"()
        : () -> (i32, !tt.ptr<f16>, i64, i64, !tlx.barrier<count = 1>)
    %c0, %c1, %c2, %c128 = "test.integers"() : () -> (i32, i32, i32, i32)
    %ring = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
    %v = tlx.local_view %ring[%c0] : !tlx.buffer<[1] 64x64xf16, smem>
        -> !tlx.buffer<64x64xf16, smem>
    %places = ttg.global_scratch_alloc
        {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    %uses = scf.for %i = %c0 to %n step %c1 iter_args(%use = %c0) -> i32 : i32 {
      %p = tt.addptr %base, %i : !tt.ptr<f16>, i32
      %offset = arith.muli %use, %c128 : i32
      %place = tt.addptr %places, %offset : !tt.ptr<i8>, i32
      %d = tlx.make_tensor_descriptor %place, %p, [%n, %n], [%s]
          : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<64x64xf16>
      %more = arith.addi %use, %c1 : i32
      %next = arith.remui %more, %c2 : i32
      tlx.async_descriptor_load %d[%i, %c0], %v, %bar
          : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>,
          !tlx.barrier<count = 1>
      scf.yield %next : i32
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::ttg::TTGDialect"
  ];
}

def TLXRematerializeCaptures : Pass<"tlx-rematerialize-captures"> {
  let summary = "Recompute the tensors that a task takes from outside";
  let description = [{
    A tensor is spread over the registers of the warps that computed it, so
    another task cannot read it. This pass copies cheap pure computations
    (ranges, splats, elementwise arithmetic) of outer tensors into each task
    that uses them; the default task, which runs on the same warps, keeps using
    them. It fails for tensors that cannot be recomputed, such as results of
    loads.

    Runs before layouts are assigned, as the copies get the layouts of their
    task. Afterwards no task but the default uses an outer tensor.

    Before:

    ```mlir
    %t = arith.constant dense<1.0> : tensor<64xf32>
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 1 {
        "test.use"(%t) : (tensor<64xf32>) -> ()
      }
    }
    ```

    After:

    ```mlir
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 1 {
        %t = arith.constant dense<1.0> : tensor<64xf32>
        "test.use"(%t) : (tensor<64xf32>) -> ()
      }
    }
    ```
  }];
}

def TLXLowerTasks : Pass<"tlx-lower-tasks"> {
  let summary = "Turn tasks into `ttg.warp_specialize`";
  let description = [{
    The default task becomes the default region; each other task becomes a
    partition, in the order of their warps. If there is only the default task,
    its body replaces the op.

    Partitions see outer values only as explicit captures. Scalars that follow
    from constants and special registers by a few ops are computed in the
    partition instead.

    Warps: the user's `first_warp`, with idle partitions in the gaps, or from
    the largest task to the smallest after the default warps.

    Registers: `requestedRegisters` holds the requests of the partitions. Triton
    gives the default warps all that is left of the registers at launch (65536,
    or `ttg.maxnreg` for each thread). If only the default task asks for a
    number, the partitions share the rest.

    Fails if the tasks need more than 32 warps, counted in groups of four, or
    more registers than there are; if user-given warps do not go from the
    largest task to the smallest, as Triton places partitions in that order; or
    if a partition uses an outer tensor (see `tlx-rematerialize-captures`).

    Before:

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      func.func @tasks(%n: i32) {
        tlx.async_tasks {
          tlx.async_task default num_regs = 240 {
            "test.mma"(%n) : (i32) -> ()
          }
          tlx.async_task num_warps = 1 num_regs = 24 {
            "test.copy"(%n) : (i32) -> ()
          }
        }
        return
      }
    }
    ```

    After:

    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      func.func @tasks(%n: i32) {
        ttg.warp_specialize(%n) attributes
            {requestedRegisters = array<i32: 24>,
            warpGroupStartIds = array<i32: 4>}
        default {
          "test.mma"(%n) : (i32) -> ()
          ttg.warp_yield
        }
        partition0(%arg0: i32) num_warps(1) {
          "test.copy"(%arg0) : (i32) -> ()
          ttg.warp_return
        } : (i32) -> ()
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::ttg::TTGDialect"];
}

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

    - Input: TLX IR after `tlx-rematerialize-captures`. Layouts already present
      are kept, so running the pass twice changes nothing.
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
    %v = tlx.local_view %b[%c0] : !tlx.buffer<[1] 64x64xf16, smem>
        -> !tlx.buffer<64x64xf16, smem>
    %d = tlx.async_dot %v, %v, %acc
        : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem>
        -> tensor<64x64xf32>
    ```

    After:

    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0,
        warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    #shared =
        #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
        elementBitWidth = 16}>
    %c0 = arith.constant 0 : i32
    %acc = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %b = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #shared>
    %v = tlx.local_view %b[%c0] : !tlx.buffer<[1] 64x64xf16, smem, #shared>
        -> !tlx.buffer<64x64xf16, smem, #shared>
    %d = tlx.async_dot %v, %v, %acc
        : !tlx.buffer<64x64xf16, smem, #shared>,
        !tlx.buffer<64x64xf16, smem, #shared> -> tensor<64x64xf32, #mma>
    ```
  }];
  let dependentDialects = ["::mlir::ttg::TTGDialect"];
}

#endif // TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD
