# SPDX-License-Identifier: MIT
"""What ptxas says about a kernel: registers, spills, and what it could not do.

Triton chooses the ptxas that reads the PTX it makes and runs it with `-v`; its log is
taken from there, so that no second program has to agree on a version of the PTX ISA.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from tlx.backend import names

_KNOB = "dump_ptxas_log"
_REGISTERS = re.compile(r"Used (\d+) registers")
_PROPERTIES = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
)
# Remarks that cost speed are "info" with a number, such as (C7510).
_MESSAGE = re.compile(
    r"^ptxas[\w-]*(?: [^,]*, line \d+;)?\s*"
    r"(?:warning\s*:\s*(?P<warning>.*)|info\s*:\s*(?P<remark>\(C\d+\).*))$"
)
_FATAL = re.compile(
    r"^ptxas[\w-]*(?: [^,]*, line \d+;)?\s*(?:error|fatal)\s*:\s*(?P<text>.*)$"
)


@dataclass(frozen=True)
class Usage:
    """What a kernel takes of a multiprocessor.

    Attributes:
        registers: Registers of each thread when the kernel starts.
        stack: Bytes of local memory for the stack of each thread.
        spill_stores: Bytes of registers that each thread moves to local memory.
        spill_loads: Bytes that it takes back.
        messages: Warnings of ptxas.
    """

    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    messages: tuple[str, ...]


def parse(log: str) -> Usage:
    """Reads what `ptxas -v` has said about a kernel and the functions it calls."""
    registers = [int(match[1]) for match in _REGISTERS.finditer(log)]
    properties = [
        tuple(map(int, match.groups())) for match in _PROPERTIES.finditer(log)
    ]
    stack, stores, loads = (
        map(sum, zip(*properties, strict=True)) if properties else (0, 0, 0)
    )
    matches = filter(None, map(_MESSAGE.match, log.splitlines()))
    messages = dict.fromkeys((m["warning"] or m["remark"]).strip() for m in matches)
    return Usage(max(registers, default=0), stack, stores, loads, tuple(messages))


def first_error(log: str) -> str:
    """Returns the first line of a log that says what is wrong."""
    matches = filter(None, map(_FATAL.match, log.splitlines()))
    texts = [match["text"].strip() for match in matches]
    if texts:
        return texts[0][:300]
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return (lines or ["no message"])[-1][:300]


class Log:
    """Text that ptxas has written."""

    text: str = ""


@contextlib.contextmanager
def logged(log: Log) -> Iterator[None]:
    """Collects in `log` what ptxas says while the context is entered.

    It is printed too if the user has asked Triton for that.
    """
    is_wanted = names.knobs.nvidia.dump_ptxas_log
    output = io.StringIO()
    # Not through the knob itself: that would change the environment, too, which other
    # processes get.
    values = vars(names.knobs.nvidia)
    saved = values.get(_KNOB)
    values[_KNOB] = True
    try:
        with contextlib.redirect_stdout(output):
            yield
    finally:
        values.pop(_KNOB)
        if saved is not None:
            values[_KNOB] = saved
        log.text += output.getvalue()
        if is_wanted:
            sys.stdout.write(output.getvalue())
