# SPDX-License-Identifier: MIT
"""Kernels that others wrote for TLX, loaded from an installed package at run time."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import pathlib
import sys
import types
from collections.abc import Iterator
from typing import Any
from unittest import mock

# Where the package keeps its kernels, below the folder that `import` looks into.
TUTORIALS = pathlib.PurePath("triton/language/extra/tlx/tutorials")


class _Target:
    """What host code asks of the target."""

    backend = "cuda"
    arch = 90
    warp_size = 32

    def is_cuda_backend(self) -> bool:
        return True


class _Driver:
    """What host code asks of the driver of a GPU."""

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_current_target(self) -> _Target:
        return _Target()


@contextlib.contextmanager
def pretend_gpu(processors: int = 2) -> Iterator[None]:
    """Answers what host code asks of a GPU; its tensors are made on the CPU.

    Args:
        processors: SMs that the GPU says it has. With few, persistent kernels have
            more than one tile to do.
    """
    import torch
    import triton

    properties = types.SimpleNamespace(multi_processor_count=processors)
    with (
        mock.patch.object(type(triton.runtime.driver), "active", _Driver()),
        mock.patch.object(torch.cuda, "get_device_properties", return_value=properties),
        mock.patch.object(torch.cuda, "get_device_capability", return_value=(9, 0)),
    ):
        yield


@functools.cache
def load(packages: pathlib.Path, name: str) -> types.ModuleType:
    """Imports a file of the package, with this project's TLX in the place of its own.

    Args:
        packages: The folder that has the foreign package.
        name: The file without its ending, below the folder of kernels.
    """
    path = packages / TUTORIALS / f"{name}.py"
    module_name = f"foreign_{path.stem.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    with pretend_gpu():
        spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def compiled_launches(target: str) -> Iterator[list[Any]]:
    """Compiles what is launched inside of the context, and runs nothing.

    Args:
        target: GPU that is compiled for.

    Yields:
        The compiled kernels.
    """
    import triton
    from triton.compiler import ASTSource

    from tlx.backend import interception
    from tlx.simulator.launch.simulation import Simulation
    from tlx.simulator.options import Options

    kernels: list[Any] = []

    class Compilation(Simulation):
        def _execute(self, bound: Any, *_: Any) -> Any:
            source = ASTSource(
                bound.kernel, bound.signature, bound.constexprs, bound.attrs
            )
            options = {
                name: value
                for name, value in vars(bound.options).items()
                if name in ("num_warps", "num_stages", "maxnreg", "enable_fp_fusion")
            }
            kernels.append(triton.compile(source, target=bound.target, options=options))

    with interception.launches_go_to(Compilation(Options(), target)):
        yield kernels
