//===- AssignLayoutsDescriptors.cpp - Layouts of tensor descriptors -------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tlx/Analysis/SharedLayouts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;
using namespace mlir::tlx::layouts;

namespace {
/// What is known of the descriptors that control flow may exchange.
struct DescriptorLayout {
  SmallVector<Value> values;
  Attribute layout;
  /// What `layout` comes from.
  Operation *origin = nullptr;
};
} // namespace

static bool isDescriptor(Value value) {
  return isa<tt::TensorDescType>(value.getType());
}

/// The layout of the buffer that `op` copies through a descriptor.
static Attribute getBufferLayout(Operation *op) {
  return llvm::TypeSwitch<Operation *, Attribute>(op)
      .Case([](AsyncDescriptorLoadOp load) {
        return cast<BufferType>(load.getResult().getType()).getLayout();
      })
      .Case([](AsyncDescriptorStoreOp store) {
        return cast<BufferType>(store.getSource().getType()).getLayout();
      })
      .Default(Attribute());
}

static LogicalResult addUses(DescriptorLayout &descriptor, Value value) {
  descriptor.values.push_back(value);
  if (Attribute given =
          cast<tt::TensorDescType>(value.getType()).getSharedLayout())
    descriptor.layout = given;
  for (Operation *user : value.getUsers()) {
    Attribute layout = getBufferLayout(user);
    if (!layout)
      continue;
    if (descriptor.layout && descriptor.layout != layout) {
      InFlightDiagnostic error =
          user->emitError("needs a descriptor for the layout ")
          << layout << " of its buffer, but the descriptor has the layout "
          << descriptor.layout << "; use a descriptor for each of the buffers";
      if (descriptor.origin)
        error.attachNote(descriptor.origin->getLoc())
            << "the other layout comes from this copy";
      return error;
    }
    descriptor.layout = layout;
    descriptor.origin = user;
  }
  return success();
}

static LogicalResult assign(const DescriptorLayout &descriptor) {
  for (Value value : descriptor.values) {
    RankedTensorType block =
        cast<tt::TensorDescType>(value.getType()).getBlockType();
    Attribute layout = descriptor.layout;
    if (!layout) {
      if (!hasNVMMALayout(block.getElementType()))
        return emitError(value.getLoc())
               << "expects elements of 8, 16 or 32 bits in a tensor "
                  "descriptor, but got "
               << block.getElementType();
      layout = getNVMMAShared(value.getContext(), block.getShape(),
                              block.getElementType());
    }
    value.setType(tt::TensorDescType::get(block.cloneWithEncoding(layout)));
  }
  return success();
}

LogicalResult layouts::assignDescriptorLayouts(ModuleOp module) {
  llvm::EquivalenceClasses<void *> classes;
  SmallVector<Value> values;
  auto add = [&](ValueRange range) {
    for (Value value : range)
      if (isDescriptor(value)) {
        values.push_back(value);
        classes.insert(value.getAsOpaquePointer());
      }
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  forEachFlowEdge(module, [&](OpOperand &source, Value target) {
    if (isDescriptor(target))
      classes.unionSets(source.get().getAsOpaquePointer(),
                        target.getAsOpaquePointer());
  });

  llvm::MapVector<void *, DescriptorLayout> descriptors;
  for (Value value : values)
    if (failed(addUses(
            descriptors[classes.getLeaderValue(value.getAsOpaquePointer())],
            value)))
      return failure();
  for (auto &[leader, descriptor] : descriptors)
    if (failed(assign(descriptor)))
      return failure();
  return success();
}
