# SPDX-License-Identifier: MIT
"""Find and load the numbered examples, whose names are no Python identifiers."""

import importlib.util
import pathlib
import sys
from types import ModuleType

__all__ = ["EXAMPLES", "load_example"]

_DIRECTORY = pathlib.Path(__file__).resolve().parent
EXAMPLES = sorted(path.stem for path in _DIRECTORY.glob("[0-9][0-9]_*.py"))


def load_example(name: str) -> ModuleType:
    """The module of example `name` (such as "03_gemm_ws"); loaded once."""
    module_name = f"tlx_example_{name}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(
        module_name, _DIRECTORY / f"{name}.py"
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no example {name!r} in {_DIRECTORY}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module
