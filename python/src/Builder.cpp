//===- Builder.cpp - Creating operations by name --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Handles.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace py = pybind11;
using namespace mlir;
using namespace tlx_python;

namespace {
/// Where the next op goes and which location it gets.
///
/// The insertion point is kept as (block, op that follows), which stays right
/// when that op moves to another block.
class BuilderHandle {
public:
  explicit BuilderHandle(ContextRef context)
      : context(std::move(context)),
        location(UnknownLoc::get(&this->context->context)) {}

  py::object create(const std::string &name, py::sequence operands,
                    const std::optional<std::vector<TypeHandle>> &resultTypes,
                    const py::dict &attributes, unsigned numRegions,
                    const std::vector<BlockHandle> &successors);

  BlockHandle createBlock(const RegionHandle &region,
                          const std::vector<TypeHandle> &argTypes);
  BlockHandle createBlockHere();
  BlockHandle newBlock();

  void setToStart(const BlockHandle &block) {
    Block *target = block.get();
    Operation *first = target->empty() ? nullptr : &target->front();
    set(block.owner, target, first);
    takeLocation(first, target);
  }
  void setToEnd(const BlockHandle &block) {
    Block *target = block.get();
    set(block.owner, target, nullptr);
    takeLocation(target->empty() ? nullptr : &target->back(), target);
  }
  void setAfter(const OperationHandle &handle) {
    Operation *op = handle.get();
    set(handle.owner, op->getBlock(), op->getNextNode());
    location = op->getLoc();
  }
  void setBefore(const OperationHandle &handle) {
    Operation *op = handle.get();
    set(handle.owner, op->getBlock(), op);
    location = op->getLoc();
  }
  void restore(const std::optional<InsertPointHandle> &point);
  std::optional<InsertPointHandle> save() const;
  std::optional<BlockHandle> getBlock() const;

  ContextRef context;
  Location location;

private:
  void set(const OwnerRef &newOwner, Block *newBlock, Operation *newBefore) {
    owner = newOwner;
    generation = newOwner->generation;
    block = newBlock;
    before = newBefore;
  }
  /// Takes the location of `op`, or of the op around `parent` if it is null, as
  /// Triton's builder does whenever its insertion point moves.
  void takeLocation(Operation *op, Block *parent) {
    if (!op)
      op = parent->getParentOp();
    location = op ? op->getLoc() : Location(UnknownLoc::get(&context->context));
  }
  Block *currentBlock() const;

  /// Null until the insertion point is set.
  OwnerRef owner;
  uint64_t generation = 0;
  Block *block = nullptr;
  Operation *before = nullptr;
};
} // namespace

Block *BuilderHandle::currentBlock() const {
  if (!owner)
    throw std::runtime_error("expects an insertion point to be set");
  if (generation != owner->generation)
    throw std::runtime_error("the insertion point is stale: passes have run on "
                             "its module since it was set");
  return before ? before->getBlock() : block;
}

std::optional<InsertPointHandle> BuilderHandle::save() const {
  if (!owner)
    return std::nullopt;
  return InsertPointHandle(owner, currentBlock(), before);
}

std::optional<BlockHandle> BuilderHandle::getBlock() const {
  if (!owner)
    return std::nullopt;
  return BlockHandle(owner, currentBlock());
}

void BuilderHandle::restore(const std::optional<InsertPointHandle> &point) {
  if (!point) {
    owner.reset();
    return;
  }
  point->check();
  set(point->owner, point->block, point->before);
  takeLocation(before, block);
}

BlockHandle
BuilderHandle::createBlock(const RegionHandle &region,
                           const std::vector<TypeHandle> &argTypes) {
  auto *created = new Block;
  region.get()->push_back(created);
  for (const TypeHandle &type : argTypes)
    created->addArgument(type.type, UnknownLoc::get(&context->context));
  set(region.owner, created, nullptr);
  return {region.owner, created};
}

BlockHandle BuilderHandle::createBlockHere() {
  return createBlock(RegionHandle(owner, currentBlock()->getParent()), {});
}

BlockHandle BuilderHandle::newBlock() {
  currentBlock();
  auto *created = new Block;
  owner->detached.push_back(created);
  return {owner, created};
}

/// Appends a value or a list of values; returns how many.
static int32_t appendOperands(py::handle item, const OwnerRef &owner,
                              SmallVectorImpl<Value> &values) {
  if (item.is_none())
    return 0;
  if (py::isinstance<ValueHandle>(item)) {
    const auto &handle = item.cast<const ValueHandle &>();
    if (handle.owner != owner)
      throw std::runtime_error(
          "expects an operand of the module that is built");
    values.push_back(handle.get());
    return 1;
  }
  if (!py::isinstance<py::list>(item) && !py::isinstance<py::tuple>(item))
    throw py::type_error(
        "expects a value, None or a list of values as operand, "
        "but got " +
        py::repr(item).cast<std::string>());
  int32_t count = 0;
  for (py::handle inner : py::reinterpret_borrow<py::sequence>(item))
    count += appendOperands(inner, owner, values);
  return count;
}

/// Infers the result types of `state` from its operands and attributes.
static LogicalResult inferTypes(OperationState &state) {
  auto info = state.name.getRegisteredInfo();
  auto *inference = info ? info->getInterface<InferTypeOpInterface>() : nullptr;
  if (!inference)
    return emitError(state.location, "'")
           << state.name << "' needs explicit result types";

  MLIRContext *context = state.getContext();
  DictionaryAttr attributes = state.attributes.getDictionary(context);
  // Inference reads properties, which exist only in memory of the op's layout.
  SmallVector<char> storage(info->getOpPropertyByteSize() + 16);
  auto *aligned = reinterpret_cast<char *>(
      llvm::alignAddr(storage.data(), llvm::Align(16)));
  OpaqueProperties properties(info->getOpPropertyByteSize() ? aligned
                                                            : nullptr);
  if (properties) {
    info->initOpProperties(properties, OpaqueProperties(nullptr));
    if (failed(info->setOpPropertiesFromAttribute(
            state.name, properties, attributes,
            [&] { return emitError(state.location); }))) {
      info->destroyOpProperties(properties);
      return failure();
    }
  }
  LogicalResult result = inference->inferReturnTypes(
      context, state.location, state.operands, attributes, properties,
      state.regions, state.types);
  if (properties)
    info->destroyOpProperties(properties);
  if (failed(result))
    return emitError(state.location, "cannot infer the result types of '")
           << state.name << "'";
  return success();
}

py::object
BuilderHandle::create(const std::string &name, py::sequence operands,
                      const std::optional<std::vector<TypeHandle>> &resultTypes,
                      const py::dict &attributes, unsigned numRegions,
                      const std::vector<BlockHandle> &successors) {
  Block *target = currentBlock();
  DiagnosticCollector collector(context->context);
  OperationState state(location, name);
  if (!state.name.isRegistered() &&
      !context->context.allowsUnregisteredDialects())
    throw py::value_error("expects the name of an operation, but got '" + name +
                          "'");

  SmallVector<Value> values;
  SmallVector<int32_t> segments;
  for (py::handle item : operands)
    segments.push_back(appendOperands(item, owner, values));
  state.addOperands(values);
  for (auto [key, value] : attributes)
    if (!value.is_none())
      state.addAttribute(key.cast<std::string>(), toAttribute(*context, value));
  if (state.name.hasTrait<OpTrait::AttrSizedOperandSegments>() &&
      !state.attributes.get("operandSegmentSizes"))
    state.addAttribute("operandSegmentSizes",
                       DenseI32ArrayAttr::get(&context->context, segments));
  for (const BlockHandle &successor : successors)
    state.addSuccessors(successor.get());
  for (unsigned i = 0; i < numRegions; ++i)
    state.addRegion();
  if (resultTypes) {
    for (const TypeHandle &type : *resultTypes)
      state.types.push_back(type.type);
  } else if (failed(inferTypes(state))) {
    collector.fail("cannot infer the result types of '" + name + "'");
  }

  // Inherent attributes must suit the op, or creating it would be undefined.
  if (auto info = state.name.getRegisteredInfo())
    if (failed(info->verifyInherentAttrs(
            state.attributes, [&] { return emitError(state.location); })))
      collector.fail("wrong attributes for '" + name + "'");
  Operation *op = Operation::create(state);
  if (before)
    target->getOperations().insert(before->getIterator(), op);
  else
    target->push_back(op);
  return wrap(owner, op);
}

void tlx_python::bindBuilder(py::module_ &m) {
  py::class_<InsertPointHandle>(m, "InsertPoint", "A place in a block.");

  py::class_<BuilderHandle>(m, "Builder", py::dynamic_attr(),
                            "Creates operations at an insertion point.")
      .def(py::init<ContextRef>(), py::arg("context"))
      .def_readonly("context", &BuilderHandle::context)
      .def("create", &BuilderHandle::create, py::arg("name"),
           py::arg("operands") = py::tuple(),
           py::arg("result_types") = py::none(),
           py::arg("attributes") = py::dict(), py::arg("num_regions") = 0,
           py::arg("successors") = std::vector<BlockHandle>(),
           "Create the operation `name`.\n\nAn operand is a Value, None if it "
           "is "
           "absent, or a list of them if it is variadic; operandSegmentSizes "
           "follows from that. Attributes go through Context.attr, and None "
           "leaves one out. Result types are inferred if None.")
      .def("get_loc",
           [](const BuilderHandle &self) {
             return LocationHandle{self.context, self.location};
           })
      .def(
          "set_loc",
          [](BuilderHandle &self, const LocationHandle &location) {
            self.location = location.location;
          },
          py::arg("location"))
      .def(
          "set_loc",
          [](BuilderHandle &self, const std::string &file, unsigned line,
             unsigned column) {
            self.location =
                FileLineColLoc::get(&self.context->context, file, line, column);
          },
          py::arg("file"), py::arg("line"), py::arg("column"))
      .def(
          "create_block", &BuilderHandle::createBlockHere,
          "Append a block to the region of the insertion point and move there.")
      .def("create_block_with_parent", &BuilderHandle::createBlock,
           py::arg("region"), py::arg("arg_types"),
           "Append a block to `region` and move there.")
      .def("new_block", &BuilderHandle::newBlock,
           "A block outside of any region.")
      .def("set_insertion_point_to_start", &BuilderHandle::setToStart,
           py::arg("block"))
      .def("set_insertion_point_to_end", &BuilderHandle::setToEnd,
           py::arg("block"))
      .def("set_insertion_point_after", &BuilderHandle::setAfter,
           py::arg("operation"))
      .def("set_insertion_point_before", &BuilderHandle::setBefore,
           py::arg("operation"))
      .def("get_insertion_block", &BuilderHandle::getBlock)
      .def("get_insertion_point", &BuilderHandle::save)
      .def("restore_insertion_point", &BuilderHandle::restore,
           py::arg("point"));
}
