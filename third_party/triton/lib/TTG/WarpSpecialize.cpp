//===- WarpSpecialize.cpp - The warp_specialize op ------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/TTG.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ttg;

//===----------------------------------------------------------------------===//
// WarpSpecializeOp
//===----------------------------------------------------------------------===//

WarpSpecializePartitionsOp WarpSpecializeOp::getPartitionOp() {
  return cast<WarpSpecializePartitionsOp>(
      getPartitionOpHolder().front().front());
}

MutableArrayRef<Region> WarpSpecializeOp::getPartitionRegions() {
  return getPartitionOp().getPartitionRegions();
}

OperandRange WarpSpecializeOp::getExplicitCaptures() {
  return getPartitionOp().getExplicitCaptures();
}

LogicalResult WarpSpecializeOp::verify() {
  Block &holder = getPartitionOpHolder().front();
  if (!llvm::hasSingleElement(holder) ||
      !isa<WarpSpecializePartitionsOp>(holder.front()))
    return emitOpError("expects the second region to hold only "
                       "'ttg.warp_specialize.partitions'");
  ArrayRef<int32_t> numWarps = getPartitionNumWarps();
  size_t numPartitions = getPartitionRegions().size();
  if (numWarps.size() != numPartitions)
    return emitOpError("expects 'partitionNumWarps' to have an entry for each "
                       "of ")
           << numPartitions << " partitions, but got " << numWarps.size();
  for (int32_t warps : numWarps)
    if (warps <= 0 || !llvm::isPowerOf2_32(warps))
      return emitOpError("expects 'partitionNumWarps' to hold powers of two, "
                         "but got ")
             << warps;
  struct Array {
    StringRef name;
    std::optional<ArrayRef<int32_t>> values;
    size_t size;
  };
  for (const Array &array :
       {Array{"warpGroupStartIds", getWarpGroupStartIds(), numPartitions},
        Array{"requestedRegisters", getRequestedRegisters(), numPartitions},
        // The default region has registers as well.
        Array{"actualRegisters", getActualRegisters(), numPartitions + 1}})
    if (array.values && array.values->size() != array.size)
      return emitOpError("expects '")
             << array.name << "' to have " << array.size << " entries, but got "
             << array.values->size();
  return success();
}

/// Parses the partitions that follow the default region into `partitions`.
static ParseResult
parsePartitions(OpAsmParser &parser, SmallVectorImpl<int32_t> &numWarps,
                SmallVectorImpl<std::unique_ptr<Region>> &partitions) {
  while (succeeded(parser.parseOptionalKeyword(
      "partition" + std::to_string(partitions.size())))) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                 /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() ||
        parser.parseInteger(numWarps.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*partitions.emplace_back(std::make_unique<Region>()),
                           arguments))
      return failure();
  }
  return success();
}

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  SMLoc capturesLoc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> captures;
  if (parser.parseOperandList(captures, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("default") || parser.parseRegion(*result.addRegion()))
    return failure();

  SmallVector<int32_t> numWarps;
  SmallVector<std::unique_ptr<Region>> partitions;
  if (parsePartitions(parser, numWarps, partitions))
    return failure();
  result.addAttribute(getPartitionNumWarpsAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(numWarps));

  FunctionType type;
  OperationState holderOp(result.location,
                          WarpSpecializePartitionsOp::getOperationName());
  if (parser.parseColonType(type) ||
      parser.resolveOperands(captures, type.getInputs(), capturesLoc,
                             holderOp.operands))
    return failure();
  for (std::unique_ptr<Region> &partition : partitions)
    holderOp.addRegion(std::move(partition));
  result.addRegion()->emplaceBlock().push_back(Operation::create(holderOp));
  result.addTypes(type.getResults());
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  printer << '(';
  printer.printOperands(getExplicitCaptures());
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), /*printEntryBlockArgs=*/false);
  for (auto [index, region, numWarps] :
       llvm::enumerate(getPartitionRegions(), getPartitionNumWarps())) {
    printer.printNewline();
    printer << "partition" << index << '(';
    llvm::interleaveComma(
        region.getArguments(), printer,
        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << numWarps << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(getExplicitCaptures().getTypes(),
                              getResultTypes());
}

//===----------------------------------------------------------------------===//
// WarpSpecializePartitionsOp
//===----------------------------------------------------------------------===//

LogicalResult WarpSpecializePartitionsOp::verify() {
  for (auto [index, region] : llvm::enumerate(getPartitionRegions()))
    if (region.getArgumentTypes() != getExplicitCaptures().getTypes())
      return emitOpError("expects arguments of partition #")
             << index << " to have the types of the captures ("
             << getExplicitCaptures().getTypes() << "), but got ("
             << region.getArgumentTypes() << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// WarpYieldOp
//===----------------------------------------------------------------------===//

LogicalResult WarpYieldOp::verify() {
  TypeRange results = (*this)->getParentOp()->getResultTypes();
  if (getValues().getTypes() != results)
    return emitOpError("expects values of types (")
           << results << "), but got (" << getValues().getTypes() << ")";
  return success();
}
