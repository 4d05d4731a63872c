//===- Bases.h - Basis vectors of a linear layout ------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_BASES_H
#define TRITON_INTEROP_TTG_BASES_H

#include "mlir/Support/StorageUniquer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"

#include <vector>

namespace mlir::ttg {

/// A list of basis vectors of equal rank, as linear layouts and `CGALayout`
/// write them: `[[0, 1], [0, 2]]`. Refers to memory that it does not own; the
/// bases of an attribute live as long as the context.
class Bases {
public:
  Bases() = default;
  Bases(llvm::ArrayRef<int32_t> flat, unsigned rank) : flat(flat), rank(rank) {}

  bool empty() const { return flat.empty(); }
  size_t size() const { return rank ? flat.size() / rank : 0; }
  /// Length of each vector; 0 in an empty list.
  unsigned getRank() const { return rank; }
  llvm::ArrayRef<int32_t> operator[](size_t i) const {
    return flat.slice(i * rank, rank);
  }
  llvm::ArrayRef<int32_t> getFlat() const { return flat; }
  std::vector<std::vector<int32_t>> toVector() const;

  bool operator==(const Bases &other) const {
    return rank == other.rank && flat == other.flat;
  }
  Bases copyInto(StorageUniquer::StorageAllocator &allocator) const {
    return Bases(allocator.copyInto(flat), rank);
  }

private:
  llvm::ArrayRef<int32_t> flat;
  unsigned rank = 0;
};

inline llvm::hash_code hash_value(const Bases &bases) {
  return llvm::hash_combine(bases.getFlat(), bases.getRank());
}

/// Owns the vectors that a `Bases` refers to. All must have the same length.
class BasesStorage {
public:
  BasesStorage() = default;
  explicit BasesStorage(llvm::ArrayRef<std::vector<int32_t>> vectors);
  Bases get() const { return Bases(flat, rank); }

private:
  std::vector<int32_t> flat;
  unsigned rank = 0;
};

} // namespace mlir::ttg

#endif // TRITON_INTEROP_TTG_BASES_H
