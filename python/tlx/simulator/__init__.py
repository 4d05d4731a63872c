# SPDX-License-Identifier: MIT
"""A simulator of Hopper for kernels in TLX: numbers, deadlocks, races, on the CPU."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tlx.simulator.launch.simulate import simulate
    from tlx.simulator.launch.simulation import SimulatedKernel, Simulation
    from tlx.simulator.launch.tensor import SimulatedTensor, tensor
    from tlx.simulator.options import Options

__all__ = [
    "Options",
    "SimulatedKernel",
    "SimulatedTensor",
    "Simulation",
    "simulate",
    "tensor",
]

# Loaded with first use: most of the simulator needs all of Triton, and parts of it are
# of use without.
_HOMES = {
    "Options": "tlx.simulator.options",
    "SimulatedKernel": "tlx.simulator.launch.simulation",
    "SimulatedTensor": "tlx.simulator.launch.tensor",
    "Simulation": "tlx.simulator.launch.simulation",
    "simulate": "tlx.simulator.launch.simulate",
    "tensor": "tlx.simulator.launch.tensor",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tlx.simulator' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
