// RUN: tlx-opt %s --split-input-file | FileCheck %s

// blocked
// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK: tt.func private @t0(tensor<64x64xf16, #blocked>)
tt.func private @t0(tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>>)

// -----

// blocked+CGALayout(2cta)
// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
// CHECK: tt.func private @t1(tensor<64x64xf16, #blocked>)
tt.func private @t1(tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = [[1, 0]]}>>)

// -----

// slice
// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK: tt.func private @t2(tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked}>>)
tt.func private @t2(tensor<64xf16, #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>}>>)

// -----

// nvidia_mma v3
// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK: tt.func private @t3(tensor<64x64xf16, #mma>)
tt.func private @t3(tensor<64x64xf16, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>>)

// -----

// nvidia_mma v2
// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK: tt.func private @t4(tensor<64x64xf16, #mma>)
tt.func private @t4(tensor<64x64xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>>)

// -----

// dot_op
// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK: tt.func private @t5(tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>)
tt.func private @t5(tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>>)

// -----

// dot_op blocked parent
// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK: tt.func private @t6(tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>)
tt.func private @t6(tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>}>>)

// -----

// linear
// CHECK: #linear = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [32, 0], [16, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = {{\[\[}}8, 0], [0, 32]], block = []}>
// CHECK: tt.func private @t7(tensor<64x64xf16, #linear>)
tt.func private @t7(tensor<64x64xf16, #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [16, 0]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = [[8, 0], [0, 32]], block = []}>>)

// -----

// generic_linear
// CHECK: #generic_linear = #ttg.generic_linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [32, 0], [16, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = {{\[\[}}8, 0], [0, 32]], block = []}>
// CHECK: tt.func private @t8(tensor<64x64xf16, #generic_linear>)
tt.func private @t8(tensor<64x64xf16, #ttg.generic_linear<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [16, 0]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = [[8, 0], [0, 32]], block = []}>>)

// -----

// swizzled_shared
// CHECK: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK: tt.func private @t9(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t9(!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>)

// -----

// nvmma_shared
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: tt.func private @t10(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t10(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>)

// -----

// nvmma_shared transposed
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
// CHECK: tt.func private @t11(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t11(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>, #ttg.shared_memory, mutable>)

// -----

// nvmma_shared fp4Padded
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>
// CHECK: tt.func private @t12(!ttg.memdesc<64x64xi8, #shared, #smem, mutable>)
tt.func private @t12(!ttg.memdesc<64x64xi8, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>, #ttg.shared_memory, mutable>)

// -----

// nvmma_shared rank1
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 1}>
// CHECK: tt.func private @t13(!ttg.memdesc<64xf16, #shared, #smem, mutable>)
tt.func private @t13(!ttg.memdesc<64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 1}>, #ttg.shared_memory, mutable>)

// -----

// nvmma_shared rank3
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
// CHECK: tt.func private @t14(!ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>)
tt.func private @t14(!ttg.memdesc<2x64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>, #ttg.shared_memory, mutable>)

// -----

// nvmma_shared CGALayout
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}1, 0]]}>
// CHECK: tt.func private @t15(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t15(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #ttg.shared_memory, mutable>)

// -----

// shared_linear
// CHECK: #shared = #ttg.shared_linear<{offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}, alignment = 16>
// CHECK: tt.func private @t16(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t16(!ttg.memdesc<64x64xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}, alignment = 16>, #ttg.shared_memory, mutable>)

// -----

// padded_shared order/shape
// CHECK: #shared = #ttg.padded_shared<[32:+4] {offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>
// CHECK: tt.func private @t17(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t17(!ttg.memdesc<64x64xf16, #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>, #ttg.shared_memory, mutable>)

// -----

// padded_shared offset
// CHECK: #shared = #ttg.padded_shared<[32:+4] {offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>
// CHECK: tt.func private @t18(!ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
tt.func private @t18(!ttg.memdesc<64x64xf16, #ttg.padded_shared<[32:+4] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>, #ttg.shared_memory, mutable>)

// -----

// memdesc immutable
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: tt.func private @t19(!ttg.memdesc<64x64xf16, #shared, #smem>)
tt.func private @t19(!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory>)

// -----

// memdesc subslice allocshape
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: tt.func private @t20(!ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>)
tt.func private @t20(!ttg.memdesc<32x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable, 64x64>)

// -----

// tmem basic
// CHECK: #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK: tt.func private @t21(!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>)
tt.func private @t21(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, #ttng.tensor_memory, mutable>)

// -----

// tmem f16 colStride2
// CHECK: #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
// CHECK: tt.func private @t22(!ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory, mutable>)
tt.func private @t22(!ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>, #ttng.tensor_memory, mutable>)

// -----

// tmem twoCTAs+CGALayout
// CHECK: #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = {{\[\[}}1, 0]], twoCTAs = true>
// CHECK: tt.func private @t23(!ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>)
tt.func private @t23(!ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>, #ttng.tensor_memory, mutable>)

// -----

// tmem scales
// CHECK: #tmem_scales = #ttng.tensor_memory_scales_encoding<>
// CHECK: tt.func private @t24(!ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>)
tt.func private @t24(!ttg.memdesc<128x4xi8, #ttng.tensor_memory_scales_encoding<>, #ttng.tensor_memory, mutable>)

// -----

// tensordesc new
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: tt.func private @t25(!tt.tensordesc<64x64xf16, #shared>)
tt.func private @t25(!tt.tensordesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>)

// -----

// tensordesc old
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: tt.func private @t26(!tt.tensordesc<64x64xf16, #shared>)
tt.func private @t26(!tt.tensordesc<tensor<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>>)

// -----

// tensordesc new nolayout
// CHECK: tt.func private @t27(!tt.tensordesc<64x64xf16>)
tt.func private @t27(!tt.tensordesc<64x64xf16>)

// -----

// tensordesc old nolayout
// CHECK: tt.func private @t28(!tt.tensordesc<64x64xf16>)
tt.func private @t28(!tt.tensordesc<tensor<64x64xf16>>)

// -----

// tensordesc signed int
// CHECK: tt.func private @t29(!tt.tensordesc<64x64xsi8>)
tt.func private @t29(!tt.tensordesc<64x64xsi8>)

// -----

// tensordesc old signed int
// CHECK: tt.func private @t30(!tt.tensordesc<64x64xsi8>)
tt.func private @t30(!tt.tensordesc<tensor<64x64xsi8>>)

// -----

// im2col desc
// CHECK: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: tt.func private @t31(!ttng.tensordesc_im2col<64x64xf16, #shared>)
tt.func private @t31(!ttng.tensordesc_im2col<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>)

// -----

// ptr
// CHECK: tt.func private @t32(!tt.ptr<f16>)
tt.func private @t32(!tt.ptr<f16>)

// -----

// ptr addrspace num
// CHECK: tt.func private @t33(!tt.ptr<f16, 3>)
tt.func private @t33(!tt.ptr<f16, 3>)

// -----

// ptr addrspace 1
// CHECK: tt.func private @t34(!tt.ptr<f16>)
tt.func private @t34(!tt.ptr<f16, 1>)

// -----

// token
// CHECK: tt.func private @t35(!ttg.async.token)
tt.func private @t35(!ttg.async.token)

// -----

// f8E5M2
// CHECK: tt.func private @t36(!tt.ptr<f8E5M2>)
tt.func private @t36(!tt.ptr<f8E5M2>)

// -----

// f8E4M3FN
// CHECK: tt.func private @t37(!tt.ptr<f8E4M3FN>)
tt.func private @t37(!tt.ptr<f8E4M3FN>)

// -----

// i8
// CHECK: tt.func private @t38(!tt.ptr<i8>)
tt.func private @t38(!tt.ptr<i8>)

// -----

// bf16
// CHECK: tt.func private @t39(!tt.ptr<bf16>)
tt.func private @t39(!tt.ptr<bf16>)

// -----

// ptr constant
// CHECK: tt.func private @t40(!tt.ptr<f16, "constant">)
tt.func private @t40(!tt.ptr<f16, "constant">)

// -----

// ptr global
// CHECK: tt.func private @t41(!tt.ptr<f16>)
tt.func private @t41(!tt.ptr<f16, "global">)

// -----

// tmem_scales order
// CHECK: #tmem_scales = #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
// CHECK: tt.func private @t42(!ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>)
tt.func private @t42(!ttg.memdesc<128x4xi8, #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>, #ttng.tensor_memory, mutable>)
