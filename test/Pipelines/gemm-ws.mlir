// RUN: tlx-opt %s --tlx-to-ttgir | FileCheck %s
// RUN: tlx-opt %s --tlx-to-ttgir | FileCheck %s --check-prefix=LEFT
// RUN: tlx-opt %s --pass-pipeline='builtin.module(tlx-to-ttgir,triton-legalize-version{version=3.8})' | FileCheck %s

// A product with a TMA producer of one warp and the consumer in the default
// task, which gets all registers that the producer leaves.

// Nothing of TLX is left.
// LEFT-NOT: tlx.

// CHECK-DAG: #[[$MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
// CHECK-DAG: #[[$TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @gemm
  // CHECK-SAME: !tt.tensordesc<64x64xf16, #[[$TILE]]>
  tt.func public @gemm(%a: !tt.tensordesc<64x64xf16>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                       %b: !tt.tensordesc<64x128xf16>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                       %c: !tt.tensordesc<64x128xf16>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                       %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %bk = arith.constant 64 : i32
    %row = tt.get_program_id x : i32
    // CHECK: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #[[$TILE]]
    %as = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem>
    // CHECK: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x128xf16, #[[$TILE]]
    %bs = tlx.local_alloc : !tlx.buffer<[2] 64x128xf16, smem>
    // CHECK: %[[C:.*]] = ttg.local_alloc
    %cs = tlx.local_alloc : !tlx.buffer<[1] 64x128xf16, smem>
    // CHECK-COUNT-4: ttng.init_barrier
    %full = tlx.alloc_barriers : !tlx.barrier<[2], count = 1>
    %empty = tlx.alloc_barriers : !tlx.barrier<[2], count = 1>
    // CHECK: ttg.warp_specialize({{.*}}) attributes {requestedRegisters = array<i32: 24>, warpGroupStartIds = array<i32: 4>}
    tlx.async_tasks {
      tlx.async_task default num_regs = 232 {
        // CHECK: default
        %init = arith.constant dense<0.0> : tensor<64x128xf32>
        // The accumulator stays where the tensor core wants it.
        // CHECK: scf.for {{.*}} -> (tensor<64x128xf32, #[[$MMA]]>)
        // CHECK-NOT: ttg.convert_layout
        %acc = scf.for %k = %zero to %n step %one iter_args(%old = %init) -> (tensor<64x128xf32>) : i32 {
          %slot = arith.remsi %k, %two : i32
          %round = arith.divsi %k, %two : i32
          %phase = arith.andi %round, %one : i32
          %ready = tlx.barrier_view %full[%slot] : !tlx.barrier<[2], count = 1> -> !tlx.barrier<count = 1>
          // CHECK: ttng.wait_barrier
          tlx.barrier_wait %ready, %phase : !tlx.barrier<count = 1>
          %x = tlx.local_view %as[%slot] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
          %y = tlx.local_view %bs[%slot] : !tlx.buffer<[2] 64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
          // CHECK: %[[D:.*]] = ttng.warp_group_dot
          %d = tlx.async_dot %x, %y, %old : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem> -> tensor<64x128xf32>
          // CHECK: ttng.warp_group_dot_wait %[[D]]
          %w = tlx.async_dot_wait 0, %d : tensor<64x128xf32>
          %free = tlx.barrier_view %empty[%slot] : !tlx.barrier<[2], count = 1> -> !tlx.barrier<count = 1>
          // CHECK: ttng.arrive_barrier
          tlx.barrier_arrive %free, 1 : !tlx.barrier<count = 1>
          // CHECK: scf.yield
          scf.yield %w : tensor<64x128xf32>
        }
        %half = arith.truncf %acc : tensor<64x128xf32> to tensor<64x128xf16>
        %out = tlx.local_view %cs[%zero] : !tlx.buffer<[1] 64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
        // CHECK: ttg.local_store
        tlx.local_store %half, %out : tensor<64x128xf16> -> !tlx.buffer<64x128xf16, smem>
        // CHECK: ttng.fence_async_shared
        tlx.fence async_shared
        // CHECK: ttng.async_tma_copy_local_to_global
        tlx.async_descriptor_store %c[%row, %zero], %out : !tt.tensordesc<64x128xf16>, !tlx.buffer<64x128xf16, smem>
        // CHECK: ttng.async_tma_store_wait
        tlx.async_descriptor_store_wait 0
        // CHECK: ttg.warp_yield
      }
      // CHECK: partition0({{.*}}) num_warps(1)
      tlx.async_task num_warps = 1 num_regs = 24 {
        // CHECK: scf.for
        scf.for %k = %zero to %n step %one : i32 {
          %slot = arith.remsi %k, %two : i32
          %round = arith.divsi %k, %two : i32
          %parity = arith.andi %round, %one : i32
          %phase = arith.xori %parity, %one : i32
          %free = tlx.barrier_view %empty[%slot] : !tlx.barrier<[2], count = 1> -> !tlx.barrier<count = 1>
          // CHECK: ttng.wait_barrier
          tlx.barrier_wait %free, %phase : !tlx.barrier<count = 1>
          %ready = tlx.barrier_view %full[%slot] : !tlx.barrier<[2], count = 1> -> !tlx.barrier<count = 1>
          // CHECK: ttng.barrier_expect %{{.*}}, 24576
          tlx.barrier_expect_bytes %ready, 24576 : !tlx.barrier<count = 1>
          %offset = arith.muli %k, %bk : i32
          %x = tlx.local_view %as[%slot] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
          %y = tlx.local_view %bs[%slot] : !tlx.buffer<[2] 64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
          // CHECK-COUNT-2: ttng.async_tma_copy_global_to_local
          tlx.async_descriptor_load %a[%row, %offset], %x, %ready : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
          tlx.async_descriptor_load %b[%offset, %zero], %y, %ready : !tt.tensordesc<64x128xf16>, !tlx.buffer<64x128xf16, smem>, !tlx.barrier<count = 1>
        }
        // CHECK: ttg.warp_return
      }
    }
    // CHECK-COUNT-5: ttg.local_dealloc
    // CHECK: tt.return
    tt.return
  }
}
