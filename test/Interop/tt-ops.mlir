// The tt operations, as Triton 3.9 prints them.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -
// RUN: tlx-opt %s --mlir-print-op-generic | tlx-opt | sed '/^$/d' | diff %t -

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: tensor<128x!tt.ptr<f32>>, %arg1: tensor<128xi32>, %arg2: tensor<128xi1>, %arg3: tensor<128xf32>, %arg4: i32, %arg5: !tt.ptr<f32>, %arg6: f32, %arg7: i1, %arg8: i64, %arg9: tensor<16x32xf16>, %arg10: tensor<32x16xf16>, %arg11: tensor<16x16xf32>, %arg12: !tt.tensordesc<16x32xf16>, %arg13: tensor<32xi32>, %arg14: tensor<128xf16>) attributes {noinline = false} {
    %c0_i8 = arith.constant 0 : i8
    %0 = tt.splat %c0_i8 : i8 -> tensor<128x32xi8>
    %1 = tt.splat %arg6 : f32 -> tensor<1xf32>
    %2 = tt.addptr %arg0, %arg1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %3 = tt.load %arg0, %arg2, %arg3 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>, isVolatile = true} : tensor<128x!tt.ptr<f32>>
    tt.store %arg0, %arg3, %arg2 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} : tensor<128x!tt.ptr<f32>>
    tt.assert %arg2, "hi" : tensor<128xi1>
    %4 = tt.atomic_cas acquire, gpu, %arg0, %arg3, %arg3 : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %5 = tt.atomic_rmw fadd, acquire, gpu, %arg0, %arg3, %arg2 : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> tensor<128xf32>
    %6 = tt.atomic_rmw fadd, acquire, gpu, %arg5, %arg6 : (!tt.ptr<f32>, f32) -> f32
    %7 = tt.bitcast %arg5 : !tt.ptr<f32> -> !tt.ptr<i32>
    %8 = tt.expand_dims %arg3 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %9 = tt.broadcast %8 : tensor<128x1xf32> -> tensor<128x16xf32>
    %10 = tt.cat %arg3, %arg3 : tensor<128xf32> -> tensor<256xf32>
    %11 = tt.clampf %arg3, %arg3, %arg3, propagateNan = all : tensor<128xf32>
    %12 = tt.descriptor_load %arg12[%arg4, %arg4] {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    tt.descriptor_store %arg12[%arg4, %arg4], %12 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    tt.descriptor_reduce add, %arg12[%arg4, %arg4], %12 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    %13 = tt.make_tensor_descriptor %arg5, [%arg4, %arg4], [%arg8, %arg8] {padding = 2 : i32} : <f32>, <1x32xf32>
    %14 = tt.descriptor_gather %13[%arg13, %arg4] : (!tt.tensordesc<1x32xf32>, tensor<32xi32>, i32) -> tensor<32x32xf32>
    tt.descriptor_scatter %13[%arg13, %arg4], %14 : !tt.tensordesc<1x32xf32>, tensor<32xi32>, i32, tensor<32x32xf32>
    %15 = tt.dot %arg9, %arg10, %arg11, inputPrecision = tf32 {maxNumImpreciseAcc = 3 : i32} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
    %16:2 = tt.elementwise_inline_asm "add" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %arg3, %arg3 : tensor<128xf32>, tensor<128xf32> -> tensor<128xf32>, tensor<128xi32>
    %17 = tt.extern_elementwise %arg3, %arg3 {libname = "", libpath = "", pure = true, symbol = "x"} : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %18 = tt.fp_to_fp %arg3, rounding = rtz : tensor<128xf32> -> tensor<128xf16>
    %19 = tt.fp_to_fp %arg14 : tensor<128xf16> -> tensor<128xf32>
    %20 = tt.gather %arg3[%arg1] {axis = 0 : i32, efficient_layout} : (tensor<128xf32>, tensor<128xi32>) -> tensor<128xf32>
    %21 = tt.get_num_programs y : i32
    %22 = tt.get_program_id y : i32
    %23 = tt.histogram %arg1, %arg2 : tensor<128xi32> -> tensor<16xi32>
    %24 = tt.int_to_ptr %arg8 : i64 -> !tt.ptr<f32>
    %25 = tt.join %arg3, %arg3 : tensor<128xf32> -> tensor<128x2xf32>
    %outLHS, %outRHS = tt.split %25 : tensor<128x2xf32> -> tensor<128xf32>
    %26 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %27 = "tt.map_elementwise"(%arg3) <{pack = 1 : i32}> ({
    ^bb0(%arg15: f32):
      tt.map_elementwise.return %arg15 : f32
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %28 = tt.mulhiui %arg1, %arg1 : tensor<128xi32>
    %29 = tt.precise_divf %arg3, %arg3 : tensor<128xf32>
    %30 = tt.precise_sqrt %arg3 : tensor<128xf32>
    tt.print "p" {hex = false, isSigned = array<i32: 0, 1>} : %arg3, %arg4 : tensor<128xf32>, i32
    tt.print "p" {hex = false, isSigned = array<i32>}
    %31 = tt.ptr_to_int %arg5 : !tt.ptr<f32> -> i64
    %32 = "tt.reduce"(%arg3) <{axis = 0 : i32}> ({
    ^bb0(%arg15: f32, %arg16: f32):
      tt.reduce.return %arg15 : f32
    }) : (tensor<128xf32>) -> f32
    %33 = "tt.scan"(%arg3) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg15: f32, %arg16: f32):
      tt.scan.return %arg15 : f32
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %34 = tt.reshape %arg3 allow_reorder efficient_layout : tensor<128xf32> -> tensor<16x8xf32>
    %35 = tt.reshape %arg3 : tensor<128xf32> -> tensor<16x8xf32>
    %36 = tt.splat %arg6 : f32 -> tensor<128xf32>
    %37 = tt.trans %arg9 {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
    %38 = tt.reshape %1 : tensor<1xf32> -> tensor<1xf32>
    %39 = tt.unsplat %1 : tensor<1xf32>
    %40 = tt.load %arg0 : tensor<128x!tt.ptr<f32>>
    %41 = tt.bitcast %0 : tensor<128x32xi8> -> tensor<128x32xi8>
    %42 = tt.splat %c0_i8 : i8 -> tensor<32x128xi8>
    %43 = tt.splat %c0_i8 : i8 -> tensor<128x1xi8>
    %44 = tt.splat %arg6 : f32 -> tensor<128x128xf32>
    %45 = tt.dot_scaled %0 scale %43, %42 scale %43, %44 lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<128x32xi8>, tensor<128x1xi8> * tensor<32x128xi8>, tensor<128x1xi8> -> tensor<128x128xf32>
    %46 = tt.dot_scaled %0, %42, %44 lhs = e4m3 rhs = e5m2 {fastMath = false, lhs_k_pack = false} : tensor<128x32xi8> * tensor<32x128xi8> -> tensor<128x128xf32>
    %47 = tt.call @g(%arg4) : (i32) -> i32
    tt.return
  }
  tt.func private @g(%arg0: i32) -> i32 attributes {noinline = true} {
    tt.return %arg0 : i32
  }
}
