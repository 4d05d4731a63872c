//===- Handles.h - What Python holds of the IR ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Python may keep a handle for longer than the IR it names, so no handle is a
// bare pointer:
//
// - Every handle keeps its context, and through `IROwner` its module, alive.
// - IR that is erased through a handle is detached and kept in the owner, so
//   that handles into it stay readable.
// - What passes erase is gone. They advance `IROwner::generation`, and a handle
//   of an older generation raises when it is used.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_PYTHON_HANDLES_H
#define TLX_PYTHON_HANDLES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>

namespace tlx_python {

/// An MLIR context with every dialect of ours loaded.
struct ContextHandle {
  explicit ContextHandle(bool allowUnregistered);

  /// Throws while another thread runs passes: a context is not thread safe.
  void check() const;

  mlir::MLIRContext context;
  bool runsPasses = false;
};
using ContextRef = std::shared_ptr<ContextHandle>;

/// A module and all the IR that was ever part of it or is yet to be.
struct IROwner {
  IROwner(ContextRef context, mlir::OwningOpRef<mlir::ModuleOp> module);
  ~IROwner();

  /// Block for erased ops, which need one to stay owned.
  mlir::Block *getErasedOps();

  ContextRef context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Blocks outside the module: new ones without a parent, and erased ones.
  mlir::Region detached;
  uint64_t generation = 0;

private:
  mlir::Block *erasedOps = nullptr;
};
using OwnerRef = std::shared_ptr<IROwner>;

struct TypeHandle {
  ContextRef context;
  mlir::Type type;
};

struct AttributeHandle {
  ContextRef context;
  mlir::Attribute attribute;
};

struct LocationHandle {
  ContextRef context;
  mlir::Location location;
};

/// Base of the handles that name a piece of a module.
struct IRHandle {
  explicit IRHandle(OwnerRef owner)
      : owner(std::move(owner)), generation(this->owner->generation) {}

  /// Throws if passes ran since the handle was made.
  void check() const;

  OwnerRef owner;
  uint64_t generation;
};

struct ValueHandle : IRHandle {
  ValueHandle(OwnerRef owner, mlir::Value value)
      : IRHandle(std::move(owner)), value(value) {}
  mlir::Value get() const {
    check();
    return value;
  }
  mlir::Value value;
};

struct BlockHandle : IRHandle {
  BlockHandle(OwnerRef owner, mlir::Block *block)
      : IRHandle(std::move(owner)), block(block) {}
  mlir::Block *get() const {
    check();
    return block;
  }
  mlir::Block *block;
};

struct RegionHandle : IRHandle {
  RegionHandle(OwnerRef owner, mlir::Region *region)
      : IRHandle(std::move(owner)), region(region) {}
  mlir::Region *get() const {
    check();
    return region;
  }
  mlir::Region *region;
};

struct OperationHandle : IRHandle {
  OperationHandle(OwnerRef owner, mlir::Operation *op)
      : IRHandle(std::move(owner)), op(op) {}
  mlir::Operation *get() const {
    check();
    return op;
  }
  mlir::Operation *op;
};

/// An operation that is a function, e.g. `tt.func` or `func.func`.
struct FunctionHandle : OperationHandle {
  using OperationHandle::OperationHandle;
};

struct ModuleHandle {
  OwnerRef owner;
  mlir::ModuleOp get() const {
    owner->context->check();
    return *owner->module;
  }
};

/// A place between two ops: before `before`, or at the end of `block`.
struct InsertPointHandle : IRHandle {
  InsertPointHandle(OwnerRef owner, mlir::Block *block, mlir::Operation *before)
      : IRHandle(std::move(owner)), block(block), before(before) {}
  mlir::Block *block;
  mlir::Operation *before;
};

/// Wraps `value`, as None if it is null.
pybind11::object wrap(const OwnerRef &owner, mlir::Value value);
/// Wraps `block`, as None if it is null.
pybind11::object wrap(const OwnerRef &owner, mlir::Block *block);
/// Wraps `op` as a function if it is one, and as None if it is null.
pybind11::object wrap(const OwnerRef &owner, mlir::Operation *op);

/// Converts Python to an attribute: attributes and types as they are, bool to
/// i1, int to i32, float to f64, str to a string, a list of int to array<i32>,
/// a list of anything else to an array, dict to a dictionary.
mlir::Attribute toAttribute(ContextHandle &context, pybind11::handle object);

/// Text of anything that prints to a raw_ostream.
template <typename T>
std::string toString(T printable) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << printable;
  return text;
}

inline pybind11::str toPython(llvm::StringRef text) {
  return pybind11::str(text.data(), text.size());
}

void bindCrashNote(pybind11::module_ &m);
void bindDiagnostics(pybind11::module_ &m);
void bindContext(pybind11::module_ &m);
void bindTypes(pybind11::module_ &m);
void bindAttributes(pybind11::module_ &m);
void bindExport(pybind11::module_ &m);
void bindTarget(pybind11::module_ &m);
void bindLocations(pybind11::module_ &m);
void bindValues(pybind11::module_ &m);
void bindBlocks(pybind11::module_ &m);
void bindOperations(pybind11::module_ &m);
void bindModules(pybind11::module_ &m);
void bindBuilder(pybind11::module_ &m);
void bindPasses(pybind11::module_ &m);

} // namespace tlx_python

#endif // TLX_PYTHON_HANDLES_H
