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

// -----

func.func @vote_ballot_sync_c1_element(%mask: i32, %t: tensor<64xi8>) {
  // expected-error @below {{expects 'pred' to hold i1, but got 'tensor<64xi8>'}}
  %b = tlx.vote_ballot_sync %mask, %t : tensor<64xi8> -> tensor<64xi32>
  return
}

// -----

func.func @vote_ballot_sync_c2_shape(%mask: i32, %t: tensor<64xi1>) {
  // expected-error @below {{expects the result to be 'tensor<64xi32>', but got 'i32'}}
  %b = tlx.vote_ballot_sync %mask, %t : tensor<64xi1> -> i32
  return
}
