// RUN: tlx-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects 'warpsPerCTA' to hold powers of two, but got 3}}
tt.func private @f(tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [3], order = [0]}>>)

// -----

// expected-error @+1 {{expects 'order' to be a permutation of 0 to 0, but got [1]}}
tt.func private @f(tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [1]}>>)

// -----

// expected-error @+1 {{expects key 'warpsPerCTA'}}
tt.func private @f(tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], order = [0]}>>)

// -----

// expected-error @+1 {{expects layout of a rank 2 tensor to have the same rank, but got rank 1}}
tt.func private @f(tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @+1 {{expects 'dim' to be less than the parent's rank 2, but got 2}}
tt.func private @f(tensor<64xf16, #ttg.slice<{dim = 2, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>}>>)

// -----

// expected-error @+1 {{expects each basis vector to have at most one bit, but got 2 bits}}
tt.func private @f(tensor<4xf16, #ttg.linear<{register = [[3]], lane = [], warp = [], block = []}>>)

// -----

// expected-error @+1 {{expects 'instrShape' to have 3 entries, but got 2}}
tt.func private @f(tensor<64x64xf16, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64]}>>)

// -----

// expected-error @+1 {{expects 'swizzlingByteWidth' to be 0, 32, 64 or 128, but got 48}}
tt.func private @f(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory>)

// -----

// expected-error @+1 {{expects rank to be that of the layout, 2, or one more, but got 4}}
tt.func private @f(!ttg.memdesc<2x2x64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory>)

// -----

// expected-error @+1 {{expects memory space of a shared layout to be #ttg.shared_memory, but got #ttng.tensor_memory}}
tt.func private @f(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttng.tensor_memory>)

// -----

// expected-error @+1 {{expects extents to fit into the allocation [32, 64], but got [64, 64]}}
tt.func private @f(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable, 32x64>)

// -----

// expected-error @+1 {{expects 'blockM' to be 64 or 128, but got 32}}
tt.func private @f(!ttg.memdesc<64x64xf32, #ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>, #ttng.tensor_memory>)

// -----

// expected-error @+1 {{expects pointee to be a scalar, but got 'tensor<4xf32>'}}
tt.func private @f(!tt.ptr<tensor<4xf32>>)

// -----

// expected-error @+1 {{expects either a shape or a tensor type}}
tt.func private @f(!tt.tensordesc<4xtensor<4xf32>>)
