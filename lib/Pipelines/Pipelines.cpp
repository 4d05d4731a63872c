//===- Pipelines.cpp - Pass pipelines of TLX ------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Pipelines.h"

#include "tlx/Conversion/Passes.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tlx;

void tlx::buildTLXToTTGIRPipeline(OpPassManager &pm) {
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());

  pm.addPass(createTLXCheckResources());
  pm.addPass(createTLXCheckNamedBarriers());
  pm.addPass(createTLXCheckDivergence());
  pm.addPass(createTLXSpreadDescriptors());
  // CSE may have merged a computation in a task with one outside.
  pm.addPass(createTLXRematerializeCaptures());
  pm.addPass(createTLXAssignLayouts());
  pm.addPass(createTLXCheckAlignment());
  pm.addPass(createTLXLowerTasks());
  pm.addPass(createConvertTLXToTritonGPU());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void tlx::registerTLXPipelines() {
  PassPipelineRegistration<>("tlx-to-ttgir", "From TLX IR to TTGIR",
                             buildTLXToTTGIRPipeline);
}
