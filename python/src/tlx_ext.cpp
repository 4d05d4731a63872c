//===- tlx_ext.cpp - Python bindings of the TLX compiler ------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// The MLIR in this module and the MLIR inside Triton are different builds, so
// no C++ object may cross between them: text does.
//
//===----------------------------------------------------------------------===//

#include "tlx/InitAllDialects.h"

#include <pybind11/pybind11.h>

namespace py = pybind11;

PYBIND11_MODULE(_ext, m) {
  m.doc() = "Compiler core of TLX";
  m.def("dialects", [] {
    mlir::DialectRegistry registry;
    mlir::tlx::registerAllDialects(registry);
    py::list names;
    for (llvm::StringRef name : registry.getDialectNames())
      names.append(py::str(name.data(), name.size()));
    return names;
  });
}
