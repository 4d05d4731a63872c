# SPDX-License-Identifier: MIT
"""Run a module with one more folder to import from, behind all others.

Usage: run_with.py FOLDER -m MODULE [ARGUMENT ...]

In front of the others, as PYTHONPATH puts it, the folder would hide what the
environment has itself, such as its version of Triton.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Run the module that the arguments name."""
    if len(arguments) < 3 or arguments[1] != "-m":
        print("run_with: expects FOLDER -m MODULE [ARGUMENT ...]")
        return 2
    folder, _, module, *rest = arguments
    sys.path[0] = ""
    sys.path.append(str(Path(folder).resolve()))
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
