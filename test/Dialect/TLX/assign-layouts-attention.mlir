// RUN: tlx-opt %s --tlx-assign-layouts | FileCheck %s

// The inner loop of attention: P goes from one product to the other in
// registers, the running maximum and sum are slices of the product's layout, and
// the causal mask is computed in it.

// CHECK-DAG: #[[$QK:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
// CHECK-DAG: #[[$PV:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func public @head_dim_64
tt.func public @head_dim_64(%out: !tt.ptr<f16>, %n: i32, %qk_scale: f32, %start_m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cn = arith.constant 128 : i32
  %true = arith.constant true
  %false = arith.constant false
  %zero_qk = arith.constant dense<0.0> : tensor<64x128xf32>
  %ninf = arith.constant dense<0xFF800000> : tensor<64x128xf32>
  %zero_o = arith.constant dense<0.0> : tensor<64x64xf32>
  %m0 = arith.constant dense<0xFF800000> : tensor<64xf32>
  %l0 = arith.constant dense<1.0> : tensor<64xf32>
  %qb = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %kb = tlx.local_alloc : !tlx.buffer<[2] 128x64xf16, smem>
  %vb = tlx.local_alloc : !tlx.buffer<[2] 128x64xf16, smem>
  %q = tlx.local_view %qb[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %rm = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %sm = tt.splat %start_m : i32 -> tensor<64xi32>
  %offs_m = arith.addi %rm, %sm : tensor<64xi32>
  %offs_n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %k0 = tlx.local_view %kb[%c0] : !tlx.buffer<[2] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  %k0t = tlx.local_trans %k0 {order = array<i32: 1, 0>} : !tlx.buffer<128x64xf16, smem> -> !tlx.buffer<64x128xf16, smem>
  %qk0 = tlx.async_dot %q, %k0t, %zero_qk use_acc %false : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem> -> tensor<64x128xf32>
  // CHECK: scf.for {{.*}} -> (tensor<64x128xf32, #[[$QK]]>, tensor<64x64xf32, #[[$PV]]>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[$QK]]}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[$QK]]}>>)
  // The product of the next tile is in flight while this one is worked on.
  // CHECK: tlx.async_dot {{.*}} -> tensor<64x128xf32, #[[$QK]]>
  // CHECK-NEXT: tlx.async_dot_wait 1, %{{.*}} : tensor<64x128xf32, #[[$QK]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: %[[ALPHA:.*]] = math.exp2 {{.*}} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[$QK]]}>>
  // The row statistics move to the other product in the registers they are in.
  // CHECK: ttg.convert_layout %[[ALPHA]] : {{.*}} -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[$PV]]}>>
  // CHECK-NEXT: tt.expand_dims
  // CHECK-NOT: ttg.convert_layout
  // CHECK: %[[P:.*]] = arith.truncf {{.*}} to tensor<64x128xf16, #[[$QK]]>
  // CHECK: %[[A:.*]] = ttg.convert_layout %[[P]] : {{.*}} -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #[[$PV]], kWidth = 2}>>
  // CHECK-NEXT: tlx.async_dot %[[A]], {{.*}} -> tensor<64x64xf32, #[[$PV]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.yield
  %r:4 = scf.for %i = %c0 to %n step %cn iter_args(%qk_prev = %qk0, %acc = %zero_o, %m_i = %m0, %l_i = %l0) -> (tensor<64x128xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
    %kk = tlx.local_view %kb[%i] : !tlx.buffer<[2] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
    %kt = tlx.local_trans %kk {order = array<i32: 1, 0>} : !tlx.buffer<128x64xf16, smem> -> !tlx.buffer<64x128xf16, smem>
    %qk_next = tlx.async_dot %q, %kt, %zero_qk use_acc %false : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem> -> tensor<64x128xf32>
    %qk = tlx.async_dot_wait 1, %qk_prev : tensor<64x128xf32>
    %in = tt.splat %i : i32 -> tensor<128xi32>
    %on = arith.addi %offs_n, %in : tensor<128xi32>
    %em = tt.expand_dims %offs_m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %en = tt.expand_dims %on {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %bm = tt.broadcast %em : tensor<64x1xi32> -> tensor<64x128xi32>
    %bn = tt.broadcast %en : tensor<1x128xi32> -> tensor<64x128xi32>
    %mask = arith.cmpi sge, %bm, %bn : tensor<64x128xi32>
    %qkm = arith.select %mask, %qk, %ninf : tensor<64x128xi1>, tensor<64x128xf32>
    %mx = "tt.reduce"(%qkm) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    %scale = tt.splat %qk_scale : f32 -> tensor<64xf32>
    %mxs = arith.mulf %mx, %scale : tensor<64xf32>
    %m_ij = arith.maxnumf %m_i, %mxs : tensor<64xf32>
    %scale2 = tt.splat %qk_scale : f32 -> tensor<64x128xf32>
    %qks = arith.mulf %qkm, %scale2 : tensor<64x128xf32>
    %me = tt.expand_dims %m_ij {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %mb = tt.broadcast %me : tensor<64x1xf32> -> tensor<64x128xf32>
    %sub = arith.subf %qks, %mb : tensor<64x128xf32>
    %p = math.exp2 %sub : tensor<64x128xf32>
    %md = arith.subf %m_i, %m_ij : tensor<64xf32>
    %alpha = math.exp2 %md : tensor<64xf32>
    %l_ij = "tt.reduce"(%p) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    %ae = tt.expand_dims %alpha {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %ab = tt.broadcast %ae : tensor<64x1xf32> -> tensor<64x64xf32>
    %accs = arith.mulf %acc, %ab : tensor<64x64xf32>
    %la = arith.mulf %l_i, %alpha : tensor<64xf32>
    %l_n = arith.addf %la, %l_ij : tensor<64xf32>
    %p16 = arith.truncf %p : tensor<64x128xf32> to tensor<64x128xf16>
    %v = tlx.local_view %vb[%i] : !tlx.buffer<[2] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
    %o = tlx.async_dot %p16, %v, %accs : tensor<64x128xf16>, !tlx.buffer<128x64xf16, smem> -> tensor<64x64xf32>
    %ow = tlx.async_dot_wait 0, %o : tensor<64x64xf32>
    scf.yield %qk_next, %ow, %m_ij, %l_n : tensor<64x128xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  %le = tt.expand_dims %r#3 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %lb = tt.broadcast %le : tensor<64x1xf32> -> tensor<64x64xf32>
  %od = arith.divf %r#1, %lb : tensor<64x64xf32>
  %oh = arith.truncf %od : tensor<64x64xf32> to tensor<64x64xf16>
  %ptrs = tt.splat %out : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  tt.store %ptrs, %oh : tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// Both products have 128 columns and share one layout.

// CHECK-LABEL: tt.func public @head_dim_128
tt.func public @head_dim_128(%out: !tt.ptr<f16>, %n: i32, %qk_scale: f32, %start_m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cn = arith.constant 128 : i32
  %true = arith.constant true
  %false = arith.constant false
  %zero_qk = arith.constant dense<0.0> : tensor<64x128xf32>
  %ninf = arith.constant dense<0xFF800000> : tensor<64x128xf32>
  %zero_o = arith.constant dense<0.0> : tensor<64x128xf32>
  %m0 = arith.constant dense<0xFF800000> : tensor<64xf32>
  %l0 = arith.constant dense<1.0> : tensor<64xf32>
  %qb = tlx.local_alloc : !tlx.buffer<[1] 64x128xf16, smem>
  %kb = tlx.local_alloc : !tlx.buffer<[2] 128x128xf16, smem>
  %vb = tlx.local_alloc : !tlx.buffer<[2] 128x128xf16, smem>
  %q = tlx.local_view %qb[%c0] : !tlx.buffer<[1] 64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
  %rm = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %sm = tt.splat %start_m : i32 -> tensor<64xi32>
  %offs_m = arith.addi %rm, %sm : tensor<64xi32>
  %offs_n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %k0 = tlx.local_view %kb[%c0] : !tlx.buffer<[2] 128x128xf16, smem> -> !tlx.buffer<128x128xf16, smem>
  %k0t = tlx.local_trans %k0 {order = array<i32: 1, 0>} : !tlx.buffer<128x128xf16, smem> -> !tlx.buffer<128x128xf16, smem>
  %qk0 = tlx.async_dot %q, %k0t, %zero_qk use_acc %false : !tlx.buffer<64x128xf16, smem>, !tlx.buffer<128x128xf16, smem> -> tensor<64x128xf32>
  // CHECK: scf.for
  // CHECK-NOT: ttg.convert_layout
  // CHECK: %[[A:.*]] = ttg.convert_layout {{.*}} -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #[[$QK]], kWidth = 2}>>
  // CHECK-NEXT: tlx.async_dot %[[A]], {{.*}} -> tensor<64x128xf32, #[[$QK]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.yield
  %r:4 = scf.for %i = %c0 to %n step %cn iter_args(%qk_prev = %qk0, %acc = %zero_o, %m_i = %m0, %l_i = %l0) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
    %kk = tlx.local_view %kb[%i] : !tlx.buffer<[2] 128x128xf16, smem> -> !tlx.buffer<128x128xf16, smem>
    %kt = tlx.local_trans %kk {order = array<i32: 1, 0>} : !tlx.buffer<128x128xf16, smem> -> !tlx.buffer<128x128xf16, smem>
    %qk_next = tlx.async_dot %q, %kt, %zero_qk use_acc %false : !tlx.buffer<64x128xf16, smem>, !tlx.buffer<128x128xf16, smem> -> tensor<64x128xf32>
    %qk = tlx.async_dot_wait 1, %qk_prev : tensor<64x128xf32>
    %in = tt.splat %i : i32 -> tensor<128xi32>
    %on = arith.addi %offs_n, %in : tensor<128xi32>
    %em = tt.expand_dims %offs_m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %en = tt.expand_dims %on {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %bm = tt.broadcast %em : tensor<64x1xi32> -> tensor<64x128xi32>
    %bn = tt.broadcast %en : tensor<1x128xi32> -> tensor<64x128xi32>
    %mask = arith.cmpi sge, %bm, %bn : tensor<64x128xi32>
    %qkm = arith.select %mask, %qk, %ninf : tensor<64x128xi1>, tensor<64x128xf32>
    %mx = "tt.reduce"(%qkm) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    %scale = tt.splat %qk_scale : f32 -> tensor<64xf32>
    %mxs = arith.mulf %mx, %scale : tensor<64xf32>
    %m_ij = arith.maxnumf %m_i, %mxs : tensor<64xf32>
    %scale2 = tt.splat %qk_scale : f32 -> tensor<64x128xf32>
    %qks = arith.mulf %qkm, %scale2 : tensor<64x128xf32>
    %me = tt.expand_dims %m_ij {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %mb = tt.broadcast %me : tensor<64x1xf32> -> tensor<64x128xf32>
    %sub = arith.subf %qks, %mb : tensor<64x128xf32>
    %p = math.exp2 %sub : tensor<64x128xf32>
    %md = arith.subf %m_i, %m_ij : tensor<64xf32>
    %alpha = math.exp2 %md : tensor<64xf32>
    %l_ij = "tt.reduce"(%p) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    %ae = tt.expand_dims %alpha {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %ab = tt.broadcast %ae : tensor<64x1xf32> -> tensor<64x128xf32>
    %accs = arith.mulf %acc, %ab : tensor<64x128xf32>
    %la = arith.mulf %l_i, %alpha : tensor<64xf32>
    %l_n = arith.addf %la, %l_ij : tensor<64xf32>
    %p16 = arith.truncf %p : tensor<64x128xf32> to tensor<64x128xf16>
    %v = tlx.local_view %vb[%i] : !tlx.buffer<[2] 128x128xf16, smem> -> !tlx.buffer<128x128xf16, smem>
    %o = tlx.async_dot %p16, %v, %accs : tensor<64x128xf16>, !tlx.buffer<128x128xf16, smem> -> tensor<64x128xf32>
    %ow = tlx.async_dot_wait 0, %o : tensor<64x128xf32>
    scf.yield %qk_next, %ow, %m_ij, %l_n : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>
  }
  %le = tt.expand_dims %r#3 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %lb = tt.broadcast %le : tensor<64x1xf32> -> tensor<64x128xf32>
  %od = arith.divf %r#1, %lb : tensor<64x128xf32>
  %oh = arith.truncf %od : tensor<64x128xf32> to tensor<64x128xf16>
  %ptrs = tt.splat %out : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>>
  tt.store %ptrs, %oh : tensor<64x128x!tt.ptr<f16>>
  tt.return
}
}
