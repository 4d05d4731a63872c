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

#include "Handles.h"

#include "tlx/InitAllPasses.h"
#include "triton_interop/Export/Passes.h"

namespace py = pybind11;
using namespace tlx_python;

PYBIND11_MODULE(_ext, m) {
  m.doc() = "Compiler core of TLX";
  mlir::tlx::registerAllPasses();
  mlir::tt::registerTritonExportPasses();

  bindCrashNote(m);
  bindDiagnostics(m);
  bindContext(m);
  bindTypes(m);
  bindAttributes(m);
  bindLocations(m);
  bindValues(m);
  bindBlocks(m);
  bindOperations(m);
  bindModules(m);
  bindBuilder(m);
  bindPasses(m);
  bindExport(m);
  bindTarget(m);
}
