//===- Target.cpp - Limits and layouts of the hardware --------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "tlx/Analysis/SharedLayouts.h"
#include "tlx/Target/Limits.h"

namespace py = pybind11;
using namespace mlir;

void tlx_python::bindTarget(py::module_ &m) {
  m.attr("MAX_WARPS") = tlx::kMaxWarps;
  m.attr("THREADS_PER_WARP") = tlx::kThreadsPerWarp;
  m.attr("REGISTER_FILE") = tlx::kRegisterFile;
  m.attr("TENSOR_COPY_ALIGNMENT") = tlx::kTensorCopyAlignment;
  m.attr("BULK_COPY_ALIGNMENT") = tlx::kBulkCopyAlignment;
  m.def("shared_memory_limit", &tlx::getSharedMemoryLimit,
        py::arg("capability"),
        "Bytes of shared memory that a thread block may have.");
  m.def(
      "widest_swizzle",
      [](const std::vector<int64_t> &shape, unsigned elementBits,
         bool transposed) {
        return tlx::getWidestSwizzle(shape, elementBits, transposed);
      },
      py::arg("shape"), py::arg("element_bits"), py::arg("transposed") = false,
      "Bytes of the widest swizzle (128, 64, 32 or 0) of a tile.");
}
