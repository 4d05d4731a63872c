# SPDX-License-Identifier: MIT
"""All kernels of the fidelity tests."""

import kernels_control
import kernels_dot
import kernels_elementwise
import kernels_escape
import kernels_functions
import kernels_memory
import kernels_reduce
import kernels_shape
from case import Case

from tlx.backend import names

_GROUPS = (
    kernels_control,
    kernels_dot,
    kernels_elementwise,
    kernels_escape,
    kernels_functions,
    kernels_memory,
    kernels_reduce,
    kernels_shape,
)

ALL: list[Case] = [case for group in _GROUPS for case in group.CASES]
#: Those that the installed version of Triton can compile.
CASES: list[Case] = [case for case in ALL if case.since <= names.TRITON_VERSION]
