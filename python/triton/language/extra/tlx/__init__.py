# SPDX-License-Identifier: MIT
"""Another name for `tlx`, the one that kernels written for Meta's TLX import.

Triton imports every package in this folder while it is itself only half
imported. So this module makes Triton hand TLX kernels to us, which is cheap, and
leaves everything else to the first use of a name.
"""

import contextlib
import importlib
from typing import Any

# A broken or unsuitable installation of ours must not keep Triton from being
# imported. The same error comes again with the first use of a name.
with contextlib.suppress(ImportError):
    import tlx  # noqa: F401


def __getattr__(name: str) -> Any:
    return getattr(importlib.import_module("tlx"), name)


def __dir__() -> list[str]:
    return dir(importlib.import_module("tlx"))
