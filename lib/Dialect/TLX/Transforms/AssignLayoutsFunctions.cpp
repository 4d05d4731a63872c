//===- AssignLayoutsFunctions.cpp - Functions of several sizes ------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tlx;

namespace {
/// Copies functions for callers with another warp count than the module's.
class FunctionSpecializer {
public:
  explicit FunctionSpecializer(ModuleOp module)
      : module(module), symbols(module) {}

  LogicalResult run();

private:
  tt::FuncOp getCopy(tt::FuncOp callee, int numWarps);

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<std::pair<Operation *, int>, tt::FuncOp> copies;
  SmallVector<tt::FuncOp> worklist;
};
} // namespace

tt::FuncOp FunctionSpecializer::getCopy(tt::FuncOp callee, int numWarps) {
  tt::FuncOp &copy = copies[{callee, numWarps}];
  if (copy)
    return copy;
  copy = callee.clone();
  copy.setSymName((callee.getSymName() + "__w" + Twine(numWarps)).str());
  copy->setAttr(kNumWarpsAttrName,
                Builder(module.getContext()).getI32IntegerAttr(numWarps));
  symbols.insert(copy, std::next(callee->getIterator()));
  worklist.push_back(copy);
  return copy;
}

LogicalResult FunctionSpecializer::run() {
  std::optional<int> moduleWarps = maybeLookupNumWarps(module);
  if (!moduleWarps)
    return module.emitError("expects the attribute '")
           << kNumWarpsAttrName << "', the warps of the kernel";
  llvm::append_range(worklist, module.getOps<tt::FuncOp>());
  while (!worklist.empty())
    worklist.pop_back_val().walk([&](tt::CallOp call) {
      auto callee = symbols.lookup<tt::FuncOp>(call.getCallee());
      int numWarps = lookupNumWarps(call);
      if (!callee || callee.isExternal() ||
          numWarps == lookupNumWarps(callee.getOperation()))
        return;
      call.setCallee(getCopy(callee, numWarps).getSymName());
    });
  return success();
}

LogicalResult layouts::specializeFunctions(ModuleOp module) {
  return FunctionSpecializer(module).run();
}
