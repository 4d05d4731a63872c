//===- VersionTable.h - What Triton releases differ in -------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_EXPORT_VERSIONTABLE_H
#define TRITON_INTEROP_EXPORT_VERSIONTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>

namespace mlir::tt {

/// Major and minor number of a release.
using Version = std::pair<unsigned, unsigned>;

inline std::string toText(Version version) {
  return std::to_string(version.first) + "." + std::to_string(version.second);
}

/// The forms that one release uses, where releases differ.
struct Release {
  Version version;
  /// Caching is one attribute `cachePolicy`, not `cache` and `evict`.
  bool hasCachePolicy;
  /// Address spaces of pointers are strings, not numbers.
  bool hasNamedAddressSpaces;
  /// `ttng.tmem_subslice` takes `offset` and `dim`, not `N`.
  bool hasSubsliceOffset;
};

inline constexpr Release kReleases[] = {
    {{3, 8}, false, false, false},
    {{3, 9}, true, true, true},
};

/// An operation, or an attribute of it, that not all releases have.
struct Since {
  llvm::StringLiteral op;
  /// Empty for the operation itself.
  llvm::StringLiteral attribute;
  Version version;
};

/// What later releases than the first have added.
inline constexpr Since kSince[] = {
    {"tt.approx_divf", "", {3, 9}},
    {"tt.atomic_load", "", {3, 9}},
    {"tt.atomic_poll", "", {3, 9}},
    {"tt.atomic_store", "", {3, 9}},
    {"tt.grid_dependency_launch_dependents", "", {3, 9}},
    {"tt.grid_dependency_wait", "", {3, 9}},
    {"ttg.convert_layout", "force_warp_shuffle", {3, 9}},
    {"ttg.inline_asm", "", {3, 9}},
    {"ttng.arrive_barrier", "fromCTA", {3, 9}},
    {"ttng.arrive_barrier", "multicastCTA", {3, 9}},
    {"ttng.async_tma_copy_local_to_global", "cachePolicy", {3, 9}},
    {"ttng.async_tma_gather", "cachePolicy", {3, 9}},
    {"ttng.async_tma_scatter", "cachePolicy", {3, 9}},
    {"ttng.barrier_expect", "fromCTA", {3, 9}},
    {"ttng.clc_try_cancel_sync", "", {3, 9}},
    {"ttng.tmem_wait", "", {3, 9}},
    {"ttng.warp_group_dot_wait", "warpGroupLocal", {3, 9}},
};

/// Both spellings of an address space other than global memory.
struct AddressSpace {
  int number;
  llvm::StringLiteral name;
};

inline constexpr AddressSpace kAddressSpaces[] = {{4, "constant"}};

} // namespace mlir::tt

#endif // TRITON_INTEROP_EXPORT_VERSIONTABLE_H
