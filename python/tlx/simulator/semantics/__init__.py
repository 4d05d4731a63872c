# SPDX-License-Identifier: MIT
"""What each operation means; importing this registers all.

A meaning expects `numpy.errstate(all="ignore")` around the run: overflow, NaN and
division by zero are results, not events.
"""

from tlx.simulator.semantics import (
    assembly,
    casts,
    constants,
    dot,
    dotscaled,
    floatcasts,
    floats,
    integers,
    libdevice,
    llvm,
    math,
    pointers,
    program,
    reductions,
    shapes,
    tlx_barriers,
    tlx_copies,
    tlx_memory,
    tlx_products,
    tt_atomics,
    tt_descriptors,
    tt_memory,
    ttg_memory,
    ttng_barriers,
    ttng_copies,
    wide,
)

__all__ = [
    "assembly",
    "casts",
    "constants",
    "dot",
    "dotscaled",
    "floatcasts",
    "floats",
    "integers",
    "libdevice",
    "llvm",
    "math",
    "pointers",
    "program",
    "reductions",
    "shapes",
    "tlx_barriers",
    "tlx_copies",
    "tlx_memory",
    "tlx_products",
    "tt_atomics",
    "tt_descriptors",
    "tt_memory",
    "ttg_memory",
    "ttng_barriers",
    "ttng_copies",
    "wide",
]
