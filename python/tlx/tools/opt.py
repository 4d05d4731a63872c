# SPDX-License-Identifier: MIT
"""The `tlx-opt` command of an installed wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Become the `tlx-opt` program that lies beside this package.

    Raises:
        SystemExit: If the package was built without the program.
    """
    program = Path(__file__).parents[1] / "bin" / "tlx-opt"
    if not program.exists():
        raise SystemExit(
            f"tlx-opt: expects the program at '{program}', but it is missing; "
            "in a source tree it is build/bin/tlx-opt"
        )
    os.execv(program, ["tlx-opt", *sys.argv[1:]])


if __name__ == "__main__":
    main()
