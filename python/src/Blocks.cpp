//===- Blocks.cpp - Blocks and regions ------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Region.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

py::object tlx_python::wrap(const OwnerRef &owner, Block *block) {
  if (!block)
    return py::none();
  return py::cast(BlockHandle(owner, block));
}

/// Whether an op outside of `block` uses a value defined inside.
static bool isUsedOutside(Block *block) {
  auto usedOutside = [block](Value value) {
    return llvm::any_of(value.getUsers(), [block](Operation *user) {
      return !block->findAncestorOpInBlock(*user);
    });
  };
  if (llvm::any_of(block->getArguments(), usedOutside))
    return true;
  return llvm::any_of(*block, [&](Operation &op) {
    return llvm::any_of(op.getResults(), usedOutside);
  });
}

static void eraseBlock(const BlockHandle &self) {
  Block *block = self.get();
  if (isUsedOutside(block))
    throw std::runtime_error(
        "expects a block whose values have no uses outside, to erase it");
  block->dropAllReferences();
  if (block->getParent())
    block->getParent()->getBlocks().remove(block);
  self.owner->detached.push_back(block);
}

/// Moves the ops of `self` in front of those of `target`.
static void mergeBlockBefore(const BlockHandle &self,
                             const BlockHandle &target) {
  Block *from = self.get(), *to = target.get();
  if (from->getNumArguments() != 0)
    throw std::runtime_error(
        "expects a block without arguments to merge, but got "
        "one with " +
        std::to_string(from->getNumArguments()));
  to->getOperations().splice(to->begin(), from->getOperations());
  eraseBlock(self);
}

static ValueHandle getArgument(const BlockHandle &self, unsigned index) {
  Block *block = self.get();
  if (index >= block->getNumArguments())
    throw py::index_error("expects an argument index below " +
                          std::to_string(block->getNumArguments()) +
                          ", but got " + std::to_string(index));
  return {self.owner, block->getArgument(index)};
}

static void bindBlock(py::module_ &m) {
  py::class_<BlockHandle>(m, "Block", "A list of operations with arguments.")
      .def("__eq__",
           [](const BlockHandle &self, py::object other) {
             return py::isinstance<BlockHandle>(other) &&
                    self.block == other.cast<const BlockHandle &>().block;
           })
      .def("__hash__",
           [](const BlockHandle &self) {
             return std::hash<Block *>()(self.block);
           })
      .def_property_readonly("arguments",
                             [](const BlockHandle &self) {
                               std::vector<ValueHandle> arguments;
                               for (Value value : self.get()->getArguments())
                                 arguments.emplace_back(self.owner, value);
                               return arguments;
                             })
      .def_property_readonly("operations",
                             [](const BlockHandle &self) {
                               py::list ops;
                               for (Operation &op : *self.get())
                                 ops.append(wrap(self.owner, &op));
                               return ops;
                             })
      .def("arg", &getArgument, py::arg("index"))
      .def(
          "get_num_arguments",
          [](const BlockHandle &self) { return self.get()->getNumArguments(); })
      .def(
          "add_argument",
          [](const BlockHandle &self, const TypeHandle &type) {
            Location loc = UnknownLoc::get(type.type.getContext());
            return ValueHandle(self.owner,
                               self.get()->addArgument(type.type, loc));
          },
          py::arg("type"))
      .def(
          "add_argument_at",
          [](const BlockHandle &self, const TypeHandle &type,
             const LocationHandle &loc) {
            return ValueHandle(
                self.owner, self.get()->addArgument(type.type, loc.location));
          },
          py::arg("type"), py::arg("location"))
      .def("has_terminator",
           [](const BlockHandle &self) {
             Block *block = self.get();
             return !block->empty() &&
                    block->back().mightHaveTrait<OpTrait::IsTerminator>() &&
                    block->back().isRegistered();
           })
      .def("get_parent",
           [](const BlockHandle &self) -> std::optional<RegionHandle> {
             Region *region = self.get()->getParent();
             if (!region || region == &self.owner->detached)
               return std::nullopt;
             return RegionHandle(self.owner, region);
           })
      .def_property_readonly("parent_op",
                             [](const BlockHandle &self) {
                               return wrap(self.owner,
                                           self.get()->getParentOp());
                             })
      .def("merge_block_before", &mergeBlockBefore, py::arg("target"),
           "Move the operations in front of those of `target` and erase this "
           "block.")
      .def("erase", &eraseBlock,
           "Take the block out of the module. Its values must not be used "
           "outside.");
}

static void bindRegion(py::module_ &m) {
  py::class_<RegionHandle>(m, "Region", "A list of blocks.")
      .def("__eq__",
           [](const RegionHandle &self, py::object other) {
             return py::isinstance<RegionHandle>(other) &&
                    self.region == other.cast<const RegionHandle &>().region;
           })
      .def("__hash__",
           [](const RegionHandle &self) {
             return std::hash<Region *>()(self.region);
           })
      .def_property_readonly("blocks",
                             [](const RegionHandle &self) {
                               std::vector<BlockHandle> blocks;
                               for (Block &block : *self.get())
                                 blocks.emplace_back(self.owner, &block);
                               return blocks;
                             })
      .def("size",
           [](const RegionHandle &self) {
             return self.get()->getBlocks().size();
           })
      .def("empty",
           [](const RegionHandle &self) { return self.get()->empty(); })
      .def_property_readonly("parent_op",
                             [](const RegionHandle &self) {
                               return wrap(self.owner,
                                           self.get()->getParentOp());
                             })
      .def("get_parent_region",
           [](const RegionHandle &self) -> std::optional<RegionHandle> {
             Region *region = self.get()->getParentRegion();
             if (!region)
               return std::nullopt;
             return RegionHandle(self.owner, region);
           })
      .def(
          "push_back",
          [](const RegionHandle &self, const BlockHandle &block) {
            Block *moved = block.get();
            if (moved->getParent())
              moved->getParent()->getBlocks().remove(moved);
            self.get()->push_back(moved);
          },
          py::arg("block"), "Move `block` to the end of this region.");
}

void tlx_python::bindBlocks(py::module_ &m) {
  bindBlock(m);
  bindRegion(m);
}
