//===- Limits.h - What the hardware has -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Each limit of the hardware stands here once, with its source. Python reads
// them through the extension.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_TARGET_LIMITS_H
#define TLX_TARGET_LIMITS_H

#include <cstdint>

namespace mlir::tlx {
inline constexpr int kThreadsPerWarp = 32;

/// Registers move between whole groups of four warps. PTX ISA, `setmaxnreg`.
inline constexpr int kWarpsPerGroup = 4;
inline constexpr int kMinRegisters = 24;
inline constexpr int kMaxRegisters = 256;

// CUDA C++ Programming Guide, technical specifications per compute capability.

/// Warps of a thread block.
inline constexpr int kMaxWarps = 32;
/// 32-bit registers of a multiprocessor.
inline constexpr int kRegisterFile = 65536;

/// Bytes of shared memory that a thread block may have.
constexpr int64_t getSharedMemoryLimit(int capability) {
  switch (capability) {
  case 90:
  case 100:
  case 103:
    return 227 * 1024;
  case 80:
    return 163 * 1024;
  default:
    return 99 * 1024;
  }
}

/// Bytes that the address of a tile of a tensor copy is a multiple of. PTX ISA,
/// `cp.async.bulk.tensor`.
inline constexpr int64_t kTensorCopyAlignment = 128;
/// Bytes of a tensor descriptor, and of its alignment. PTX ISA, tensormap.
inline constexpr int64_t kDescriptorBytes = 128;
/// Bytes that addresses and sizes of bulk copies are multiples of. PTX ISA,
/// `cp.async.bulk`.
inline constexpr int64_t kBulkCopyAlignment = 16;
/// Bytes of the smallest asynchronous copy of a thread. PTX ISA, `cp.async`.
inline constexpr int64_t kMinAsyncCopyBytes = 4;
} // namespace mlir::tlx

#endif // TLX_TARGET_LIMITS_H
