// RUN: tlx-opt %s --split-input-file --triton-legalize-version="version=3.8" \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: tlx-opt %s --split-input-file --triton-legalize-version="version=3.9" \
// RUN:   | FileCheck %s --check-prefix=NEW

// Caching is two attributes in 3.8 and one in 3.9, whatever the input has.

// OLD-LABEL: @one_policy(
// OLD:       tt.load %{{.*}} cacheModifier = cg evictionPolicy = evict_last :
// OLD:       tt.store %{{[^=]*}} evictionPolicy = evict_first :
// NEW-LABEL: @one_policy(
// NEW:       tt.load %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} :
// NEW:       tt.store %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} :
tt.func @one_policy(%p: !tt.ptr<f32>) {
  %x = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} : !tt.ptr<f32>
  tt.store %p, %x {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : !tt.ptr<f32>
  tt.return
}

// -----

// OLD-LABEL: @two_attributes(
// OLD:       tt.descriptor_load %{{.*}} cacheModifier = cg :
// NEW-LABEL: @two_attributes(
// NEW:       tt.descriptor_load %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>} :
tt.func @two_attributes(%d: !tt.tensordesc<64x64xf16>, %i: i32) {
  %x = tt.descriptor_load %d[%i, %i] cacheModifier = cg : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
  tt.return
}

// -----

// OLD-LABEL: @no_policy(
// OLD:       tt.load %{{[^ ]*}} :
// NEW-LABEL: @no_policy(
// NEW:       tt.load %{{[^ ]*}} :
// NEW:       tt.load %{{[^ ]*}} :
tt.func @no_policy(%p: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.load %p cacheModifier = none evictionPolicy = evict_normal : !tt.ptr<f32>
  tt.return
}

// -----

// The spelling of an address space changes wherever the type occurs.

// OLD-LABEL: @named_space(
// OLD-SAME:    !tt.ptr<f32, 4>
// OLD:       tt.splat %{{.*}} : !tt.ptr<f32, 4> -> tensor<8x!tt.ptr<f32, 4>>
// NEW-LABEL: @named_space(
// NEW-SAME:    !tt.ptr<f32, "constant">
// NEW:       tt.splat %{{.*}} : !tt.ptr<f32, "constant"> -> tensor<8x!tt.ptr<f32, "constant">>
tt.func @named_space(%p: !tt.ptr<f32, "constant">) {
  %x = tt.splat %p : !tt.ptr<f32, "constant"> -> tensor<8x!tt.ptr<f32, "constant">>
  tt.return
}

// -----

// OLD-LABEL: @numbered_space(!tt.ptr<f32, 4>)
// NEW-LABEL: @numbered_space(!tt.ptr<f32, "constant">)
tt.func private @numbered_space(!tt.ptr<f32, 4>)

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>

// OLD-LABEL: @subslice(
// OLD:       ttng.tmem_subslice %{{.*}} {N = 32 : i32}
// OLD:       ttng.tmem_subslice %{{.*}} {N = 0 : i32}
// NEW-LABEL: @subslice(
// NEW:       ttng.tmem_subslice %{{.*}} {offset = 32 : i32}
// NEW:       ttng.tmem_subslice %{{.*}} {offset = 0 : i32}
tt.func @subslice(%t: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
  %0 = ttng.tmem_subslice %t {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
  %1 = ttng.tmem_subslice %t {N = 0 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
  tt.return
}

// -----

// Attributes of our own do not leave.

// OLD-LABEL: @own_attributes()
// OLD-NOT:   tlx.
// NEW-LABEL: @own_attributes() attributes {noinline = false}
// NEW-NOT:   tlx.
tt.func @own_attributes() attributes {noinline = false, tlx.note = 1 : i32} {
  tt.return {tlx.note}
}
