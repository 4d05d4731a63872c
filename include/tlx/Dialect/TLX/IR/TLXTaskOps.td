//===- TLXTaskOps.td - Tasks on disjoint warps -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXTASKOPS_TD
#define TLX_DIALECT_TLX_IR_TLXTASKOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tlx/Dialect/TLX/IR/TLXTypes.td"

def TLX_AsyncTasksOp : TLX_Op<"async_tasks", [NoTerminator, SingleBlock]> {
  let summary = "Run sibling tasks concurrently on disjoint sets of warps";
  let description = [{
    Holds one `tlx.async_task` for each role (producer, consumer, epilogue...).
    The warps that execute the code around the op run the *default* task, the
    others start together with it; control leaves the op when all are done. The
    bodies see outer values; nothing is returned. With `exclusive` the user
    promises that this is the only such op of the kernel, which
    `tlx-check-resources` checks.

    The op has no memory effect interface: the tasks talk to each other, so it
    may not be moved or dropped.

    Constraints:

    - (C1) The body holds only `tlx.async_task` ops.
    - (C2) Exactly one of them is `default`.
    - (C3) The op is not inside another `tlx.async_tasks`.
    - (C4) Either all tasks but the default have `first_warp`, or none.
    - (C5) The warps of two tasks do not overlap, nor those of a task the
      default warps [0, `ttg.num-warps`).
    - (C6) Either all tasks but the default have `num_regs`, or none.

    Lowers to `ttg.warp_specialize`, or to nothing if only the default is there.

    Example:

    ```mlir
    tlx.async_tasks {
      tlx.async_task default num_regs = 240 {
        "test.mma"() : () -> ()
      }
      tlx.async_task num_warps = 1 num_regs = 24 first_warp = 4 {
        "test.copy"() : () -> ()
      }
    }
    ```
  }];

  let arguments = (ins UnitAttr:$exclusive);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`exclusive` $exclusive^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The task that the surrounding warps run.
    AsyncTaskOp getDefaultTask();
    /// The other tasks in source order.
    SmallVector<AsyncTaskOp> getWorkerTasks();
  }];
}

def TLX_AsyncTaskOp : TLX_Op<"async_task", [
    HasParent<"::mlir::tlx::AsyncTasksOp">, NoTerminator, SingleBlock]> {
  let summary = "Run a region on its own warps";
  let description = [{
    Runs `body` once on `num_warps` warps that do nothing else until the
    enclosing `tlx.async_tasks` ends. The default task runs on the warps of the
    kernel.

    | Attribute    | Unit               | Meaning                              |
    |--------------|--------------------|--------------------------------------|
    | `num_warps`  | warps (32 threads) | Size of the task.                    |
    | `num_regs`   | 32-bit registers   | Registers of a thread in the task.   |
    | `replica`    | index              | Which copy of a replicated task.     |
    | `first_warp` | warp index in CTA  | Where the user wants the task.       |

    Constraints:

    - (C1) `num_warps` is 1, 2, 4, 8 or 16; the default task has none.
    - (C2) `num_regs` is a multiple of 8 in [24, 256].
    - (C3) `replica` is not negative.
    - (C4) `first_warp` is not negative; the default task has none.
    - (C5) The body does not return from the function.

    Lowers to a region of `ttg.warp_specialize`.

    Source of (C2): PTX ISA, `setmaxnreg`.

    Example:

    ```mlir
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 4 num_regs = 152 replica = 1 {
        "test.softmax"() : () -> ()
      }
    }
    ```
  }];

  let arguments = (ins
    UnitAttr:$is_default,
    OptionalAttr<I32Attr>:$num_warps, // async_task_c1
    OptionalAttr<I32Attr>:$num_regs,  // async_task_c2
    // async_task_c3
    DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative]>, "0">:$replica,
    OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$first_warp // c4
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`default` $is_default^)? (`num_warps` `=` $num_warps^)?
    (`num_regs` `=` $num_regs^)? (`replica` `=` $replica^)?
    (`first_warp` `=` $first_warp^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

#endif // TLX_DIALECT_TLX_IR_TLXTASKOPS_TD
