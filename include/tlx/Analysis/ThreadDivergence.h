//===- ThreadDivergence.h - What differs between threads -------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Scalars of a kernel are the same in all threads of a task unless they follow
// from the number of the thread or from a clock. Branches on such scalars are
// taken by some threads only.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_ANALYSIS_THREADDIVERGENCE_H
#define TLX_ANALYSIS_THREADDIVERGENCE_H

#include "mlir/IR/BuiltinOps.h"
#include "tlx/Dialect/TLX/IR/TLX.h"

namespace mlir::tlx {

class ThreadDivergence {
public:
  explicit ThreadDivergence(ModuleOp module);

  /// Whether no value differs by thread.
  bool isUniform() const { return origins.empty(); }

  /// Whether the threads of a task may see different values.
  bool differs(Value value) const { return origins.contains(value); }

  /// The innermost branch, loop or terminator that decides whether `op` runs
  /// and does so by thread; null if there is none.
  Operation *getDivergentBranch(Operation *op) const;

  /// What the condition of a divergent branch follows from.
  Operation *getOrigin(Operation *branch) const;

private:
  bool visit(Operation *op);
  bool visitBranch(Operation *op, Operation *origin);
  bool mark(ValueRange values, Operation *origin);
  Operation *findOrigin(ValueRange values) const;

  /// Where the difference of a value starts.
  llvm::DenseMap<Value, Operation *> origins;
  /// Blocks that only some threads reach, and the terminator that decides.
  llvm::DenseMap<Block *, Operation *> partialBlocks;
};

} // namespace mlir::tlx

#endif // TLX_ANALYSIS_THREADDIVERGENCE_H
