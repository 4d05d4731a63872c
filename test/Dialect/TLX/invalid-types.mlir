// RUN: tlx-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expects the number of slots to be at least 1, but got 0}}
func.func private @buffer_c1_no_slot(!tlx.buffer<[0] 64xf16, smem>)

// -----

// expected-error @below {{expects each dimension of a buffer to be a power of two, but got 96}}
func.func private @buffer_c2_not_a_power_of_two(!tlx.buffer<96x64xf16, smem>)

// -----

// expected-error @below {{expects a buffer to have at least one dimension}}
func.func private @buffer_c2_no_dimension(!tlx.buffer<f16, smem>)

// -----

// expected-error @below {{expects the element type of a buffer to be an integer or float of 1 to 64 bits, but got 'i128'}}
func.func private @buffer_c3_too_wide(!tlx.buffer<64xi128, smem>)

// -----

// expected-error @below {{expects the storage to be smem, tmem or smemCluster, but got gmem}}
func.func private @buffer_unknown_storage(!tlx.buffer<64xf16, gmem>)

// -----

// expected-error @below {{expects the number of slots to be at least 1, but got -1}}
func.func private @barrier_c1_negative(!tlx.barrier<[-1], count = 1>)

// -----

// expected-error @below {{expects the arrival count of a barrier to be in [1, 1048575], but got 0}}
func.func private @barrier_c2_zero(!tlx.barrier<count = 0>)

// -----

// expected-error @below {{but got 1048576}}
func.func private @barrier_c2_too_large(!tlx.barrier<count = 1048576>)
