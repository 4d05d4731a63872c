//===- tlx-opt.cpp - TLX optimizer driver ---------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/InitAllDialects.h"
#include "tlx/InitAllPasses.h"
#include "triton_interop/Export/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::tlx::registerAllPasses();
  mlir::tt::registerTritonExportPasses();
  mlir::DialectRegistry registry;
  mlir::tlx::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TLX optimizer driver\n", registry));
}
