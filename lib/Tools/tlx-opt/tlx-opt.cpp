//===- tlx-opt.cpp - TLX optimizer driver ---------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/InitAllDialects.h"
#include "triton_interop/Export/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::registerTransformsPasses();
  mlir::tt::registerTritonExportPasses();
  mlir::DialectRegistry registry;
  mlir::tlx::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TLX optimizer driver\n", registry));
}
