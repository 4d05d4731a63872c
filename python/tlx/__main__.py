# SPDX-License-Identifier: MIT
"""The command line: `python -m tlx`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import triton
from triton.errors import TritonError

import tlx
from tlx.errors import CompileError, TLXError
from tlx.tools import compile as compile_tool
from tlx.tools import sim


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tlx",
        description="Explicit warp specialization for Triton kernels.",
    )
    parser.add_argument("--version", action="store_true", help="show versions, exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    compile_tool.add_parser(commands)
    sim.add_parser(commands)
    return parser


def _show_version() -> None:
    print(f"tlx {tlx.__version__} (triton {triton.__version__})")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        arguments: Command line without the program, by default of the process.

    Returns:
        0 on success, 1 if the kernel is at fault, 2 if the command line is.

    Raises:
        SystemExit: The command line cannot be parsed; the status is 2.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.version:
        _show_version()
        return 0
    if options.command is None:
        parser.error("expects a COMMAND, such as 'compile'")
    try:
        plan = options.prepare(options)
    except CompileError as error:
        print(error, file=sys.stderr)
        return 1
    except TLXError as error:
        print(f"{parser.prog} {options.command}: error: {error}", file=sys.stderr)
        return 2
    try:
        return options.run(plan)
    except (TLXError, TritonError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
