# SPDX-License-Identifier: MIT
"""Parse IR with the installed Triton and print it as Triton does.

Usage: parse_in_wheel.py FILE. The tests run it as a process of its own, because
bad IR can end the process.
"""

from __future__ import annotations

import sys

from triton._C.libtriton import ir, nvidia


def main(path: str) -> None:
    """Print the module of `path`, without locations."""
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    module = ir.parse_mlir_module(path, context)
    print(module.str_nodebug())


if __name__ == "__main__":
    main(sys.argv[1])
