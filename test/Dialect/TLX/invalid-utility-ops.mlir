// RUN: tlx-opt %s --split-input-file --verify-diagnostics

func.func @require_layout_c1_shape(%t: tensor<64xf16>) {
  // expected-error @below {{'tlx.require_layout' op expects the result to have the shape and element type of 'tensor<64xf16>', but got 'tensor<32xf16>'}}
  %x = tlx.require_layout %t {layout = "L"} : tensor<64xf16> -> tensor<32xf16>
  return
}

// -----

func.func @release_layout_c1_element(%t: tensor<64xf16>) {
  // expected-error @below {{'tlx.release_layout' op expects the result to have the shape and element type of 'tensor<64xf16>', but got 'tensor<64xf32>'}}
  %x = tlx.release_layout %t : tensor<64xf16> -> tensor<64xf32>
  return
}
