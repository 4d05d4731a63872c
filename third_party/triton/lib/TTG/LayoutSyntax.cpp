//===- LayoutSyntax.cpp - Text of layout attributes -----------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/LayoutSyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::ttg;

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

std::vector<std::vector<int32_t>> Bases::toVector() const {
  std::vector<std::vector<int32_t>> vectors;
  for (size_t i = 0; i != size(); ++i)
    vectors.push_back((*this)[i].vec());
  return vectors;
}

BasesStorage::BasesStorage(ArrayRef<std::vector<int32_t>> vectors) {
  for (const std::vector<int32_t> &vector : vectors) {
    assert((flat.empty() || vector.size() == rank) && "bases differ in rank");
    rank = vector.size();
    llvm::append_range(flat, vector);
  }
}

//===----------------------------------------------------------------------===//
// LayoutFields
//===----------------------------------------------------------------------===//

ParseResult LayoutFields::add(StringRef key, Attribute value) {
  if (has(key))
    return emitError() << "repeats key '" << key << "'";
  fields.append(key, value);
  return success();
}

ParseResult LayoutFields::parseBraced() {
  DictionaryAttr dict;
  if (parser.parseAttribute(dict))
    return failure();
  for (NamedAttribute field : dict)
    fields.push_back(field);
  return success();
}

ParseResult LayoutFields::parseUntilGreater() {
  // An empty list cannot start with a key.
  StringRef key;
  if (failed(parser.parseOptionalKeyword(&key)))
    return success();
  while (true) {
    StringRef word;
    Attribute value;
    if (parser.parseEqual())
      return failure();
    if (succeeded(parser.parseOptionalKeyword(&word))) {
      Builder &builder = parser.getBuilder();
      value = word == "true" || word == "false"
                  ? Attribute(builder.getBoolAttr(word == "true"))
                  : Attribute(builder.getStringAttr(word));
    } else if (parser.parseAttribute(value)) {
      return failure();
    }
    if (add(key, value))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
    if (parser.parseKeyword(&key))
      return failure();
  }
}

FailureOr<Attribute> LayoutFields::takeAny(StringRef key) {
  if (Attribute value = fields.erase(key))
    return value;
  emitError() << "expects key '" << key << "'";
  return failure();
}

ParseResult LayoutFields::take(StringRef key, Attribute &value) {
  FailureOr<Attribute> any = takeAny(key);
  if (failed(any))
    return failure();
  value = *any;
  return success();
}

static std::optional<int64_t> getInteger(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || isa<BoolAttr>(attr) || !integer.getValue().isSignedIntN(32))
    return std::nullopt;
  return integer.getValue().getSExtValue();
}

ParseResult LayoutFields::take(StringRef key, unsigned &value) {
  FailureOr<Attribute> any = takeAny(key);
  if (failed(any))
    return failure();
  std::optional<int64_t> number = getInteger(*any);
  if (!number || *number < 0)
    return emitError() << "expects '" << key
                       << "' to be a non-negative integer, but got " << *any;
  value = *number;
  return success();
}

ParseResult LayoutFields::take(StringRef key, bool &value) {
  FailureOr<Attribute> any = takeAny(key);
  if (failed(any))
    return failure();
  auto flag = dyn_cast<BoolAttr>(*any);
  if (!flag)
    return emitError() << "expects '" << key
                       << "' to be true or false, but got " << *any;
  value = flag.getValue();
  return success();
}

ParseResult LayoutFields::take(StringRef key,
                               SmallVectorImpl<unsigned> &values) {
  FailureOr<Attribute> any = takeAny(key);
  if (failed(any))
    return failure();
  auto array = dyn_cast<ArrayAttr>(*any);
  if (!array)
    return emitError() << "expects '" << key
                       << "' to be a list of integers, but got " << *any;
  for (Attribute element : array) {
    std::optional<int64_t> number = getInteger(element);
    if (!number || *number < 0)
      return emitError() << "expects '" << key
                         << "' to hold non-negative integers, but got "
                         << element;
    values.push_back(*number);
  }
  return success();
}

ParseResult LayoutFields::take(StringRef key, BasesStorage &bases) {
  FailureOr<Attribute> any = takeAny(key);
  if (failed(any))
    return failure();
  auto array = dyn_cast<ArrayAttr>(*any);
  if (!array)
    return emitError() << "expects '" << key
                       << "' to be a list of basis vectors, but got " << *any;
  std::vector<std::vector<int32_t>> vectors;
  for (Attribute element : array) {
    auto vector = dyn_cast<ArrayAttr>(element);
    if (!vector || vector.empty() ||
        (!vectors.empty() && vector.size() != vectors.front().size()))
      return emitError() << "expects '" << key
                         << "' to hold vectors of one length, but got "
                         << element;
    std::vector<int32_t> &numbers = vectors.emplace_back();
    for (Attribute coordinate : vector) {
      std::optional<int64_t> number = getInteger(coordinate);
      if (!number)
        return emitError() << "expects '" << key
                           << "' to hold integers, but got " << coordinate;
      numbers.push_back(*number);
    }
  }
  bases = BasesStorage(vectors);
  return success();
}

ParseResult LayoutFields::finish() {
  if (fields.empty())
    return success();
  return emitError() << "unexpected key '" << fields.begin()->getName().strref()
                     << "'";
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void ttg::printArray(AsmPrinter &printer, ArrayRef<unsigned> values) {
  printer << "[";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

void ttg::printBases(AsmPrinter &printer, Bases bases) {
  printer << "[";
  for (size_t i = 0; i != bases.size(); ++i) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(bases[i], printer);
    printer << "]";
  }
  printer << "]";
}

void ttg::printCGALayout(AsmPrinter &printer, Bases bases) {
  if (bases.empty())
    return;
  printer << ", CGALayout = ";
  printBases(printer, bases);
}
