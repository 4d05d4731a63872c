# SPDX-License-Identifier: MIT
"""`tt.elementwise_inline_asm`: PTX instructions that only compute.

The instructions run one after the other on elements of 32 or 64 bits. Each has one
destination; registers are the operands of the assembly, `$0` and so on, and on scalars
special ones. Declarations, memory, branches and predicates are not supported, nor
elements that Triton would pack into a register.
"""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, Threads, effect, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Scalar
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.per_thread import from_parts, groups
from tlx.simulator.semantics import prefetches, votes
from tlx.simulator.semantics.floats import maximum, maxnum, minimum, minnum
from tlx.simulator.semantics.math import fma, in_f64, rsqrt
from tlx.simulator.semantics.threads import lane_ids, thread_ids
from tlx.simulator.semantics.values import (
    Array,
    element,
    on_arrays,
    to_array,
    to_scalar,
)

Function = Callable[..., Any]

_APPROXIMATE: dict[str, Function] = {
    "cos": np.cos,
    "div": operator.truediv,
    "ex2": np.exp2,
    "lg2": np.log2,
    "rcp": lambda x: 1.0 / x,
    "rsqrt": rsqrt,
    "sin": np.sin,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
}
_FLOAT: dict[str, Function] = {
    "abs": np.abs,
    "add": operator.add,
    "fma": fma,
    "max": maxnum,
    "min": minnum,
    "mul": operator.mul,
    "neg": operator.neg,
    "sub": operator.sub,
}
_INTEGER: dict[str, Function] = {
    "abs": np.abs,
    "add": operator.add,
    "max": np.maximum,
    "min": np.minimum,
    "neg": operator.neg,
    "sub": operator.sub,
}
_BITS: dict[str, Function] = {
    "and": operator.and_,
    "mov": lambda x: x,
    "not": np.invert,
    "or": operator.or_,
    "xor": operator.xor,
}
_SHIFTS: dict[str, Function] = {"shl": np.left_shift, "shr": np.right_shift}
_KINDS = {"f": "f", "s": "i", "u": "u", "b": "u"}
_DTYPES = {
    f"{kind}{bits}": f"{numpy}{bits // 8}"
    for kind, numpy in _KINDS.items()
    for bits in (32, 64)
}
_STATEMENT = re.compile(r"([a-z]\w*)((?:\.\w+)*)\s+(.+)", re.DOTALL)
_OPERAND = re.compile(r"\$(\d+)|(-?\d+|0x[0-9a-fA-F]+)|0[fF]([0-9a-fA-F]{8})")

Registers = list[Array]
Step = Callable[[Registers], None]


def _shift(f: Function, dtype: np.dtype[Any]) -> Function:
    """The amount is limited to the width."""
    most = dtype.itemsize * 8 - 1

    def shift(x: Array, amount: Array) -> Array:
        amount = amount.astype(np.uint64)
        near = np.minimum(amount, np.uint64(most)).astype(dtype)
        return f(f(x, near), (amount > most).astype(dtype))

    return shift


def _to_tf32(x: Array) -> Array:
    """Rounds to 10 bits after the point, halves away from zero."""
    bits = x.view(np.uint32)
    rounded = (bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(x), rounded, bits).view(np.float32)


def _function(name: str, modifiers: set[str], dtype: np.dtype[Any]) -> Function | None:
    """Finds what an instruction computes from numbers of its type."""
    if name in _BITS:
        return _BITS[name]
    if name in _SHIFTS:
        return _shift(_SHIFTS[name], dtype)
    if name == "mul" and "lo" in modifiers:
        return operator.mul
    if name == "mad" and "lo" in modifiers:
        return lambda a, b, c: a * b + c
    if dtype.kind != "f":
        return _INTEGER.get(name)
    if name == "cvt":
        known = modifiers == {"rna", "tf32"} and dtype == np.float32
        return _to_tf32 if known else None
    if modifiers & {"rz", "rm", "rp", "sat"}:
        return None
    if "NaN" in modifiers and name in ("min", "max"):
        return minimum if name == "min" else maximum
    if name in _APPROXIMATE:
        return in_f64(_APPROXIMATE[name], dtype)
    return _FLOAT.get(name)


def _reader(text: str, dtype: np.dtype[Any]) -> Callable[[Registers], Array] | None:
    """Returns the function that reads an operand as numbers of a type."""
    match = _OPERAND.fullmatch(text)
    if match is None:
        return None
    register, integer, bits = match.groups()
    if register is not None:
        place = int(register)
        return lambda registers: _view(registers[place], dtype)
    if integer is not None:
        value = np.array(int(integer, 0) % 2 ** (8 * dtype.itemsize), np.uint64)
        constant = value.astype(f"u{dtype.itemsize}").view(dtype)
    else:
        constant = np.array(int(bits, 16), np.uint32).view(np.float32).astype(dtype)
    return lambda registers: constant


def _view(bits: Array, dtype: np.dtype[Any]) -> Array:
    if bits.dtype.itemsize != dtype.itemsize:
        bits = bits.astype(f"u{dtype.itemsize}")
    return bits.view(dtype)


def _step(statement: str) -> Step | None:
    """Returns the function that runs one instruction, or None if there is none."""
    match = _STATEMENT.fullmatch(statement)
    if match is None:
        return None
    name, suffix, rest = match.groups()
    modifiers = suffix.split(".")[1:]
    target, *sources = (text.strip() for text in rest.split(","))
    place = _OPERAND.fullmatch(target)
    if not modifiers or modifiers[-1] not in _DTYPES or not (place and place[1]):
        return None
    dtype = np.dtype(_DTYPES[modifiers[-1]])
    f = _function(name, set(modifiers[:-1]), dtype)
    readers = [_reader(text, dtype) for text in sources]
    known = [read for read in readers if read is not None]
    if f is None or len(known) < len(readers):
        return None
    number = int(place[1])

    def run(registers: Registers) -> None:
        made = np.asarray(f(*[read(registers) for read in known]), dtype=dtype)
        registers[number] = made.view(f"u{dtype.itemsize}")

    return run


def _steps(op: Op) -> list[Step]:
    text = re.sub(r"//[^\n]*", "", op.attrs["asm_string"])
    statements = [s.strip() for s in text.strip(" \t\n{}").split(";")]
    steps = [_step(s) for s in statements if s]
    tied = re.search(r"(?:^|,)\d", op.attrs["constraints"])
    types = [*op.operand_types, *op.result_types]
    known = [step for step in steps if step is not None]
    narrow = any(element(type).dtype.itemsize < 4 for type in types)
    if tied or narrow or len(known) < len(steps):
        lines = [line.strip() for line in op.attrs["asm_string"].splitlines()]
        first = next((line for line in lines if line), "")
        raise UnsupportedError(
            f"the simulator cannot run the assembly '{first}'", location=op.loc
        )
    return known


@pure("tt.elementwise_inline_asm")
def _elementwise_inline_asm(op: Op) -> Meaning:
    """Runs once for all elements. Results come first among the registers."""
    if prefetches.is_prefetch(op.attrs["asm_string"]):
        return prefetches.of_pointers(op)
    steps, pack = _steps(op), op.attrs["packed_element"]
    sources, targets = op.operand_types, op.result_types
    arrays = on_arrays(op)

    def run(*args: Any) -> Any:
        values = [to_array(x, type) for x, type in zip(args, sources, strict=True)]
        shape = values[0].shape if values else getattr(targets[0], "shape", ())
        lanes = pack if arrays else 1
        registers: Registers = [np.zeros((), np.uint32)] * (len(targets) * lanes)
        for value in values:
            bits = np.ascontiguousarray(value).view(f"u{value.dtype.itemsize}")
            columns = bits.reshape(-1, lanes)
            registers += [columns[:, i] for i in range(lanes)]
        for step in steps:
            step(registers)
        results = []
        for i, type in enumerate(targets):
            dtype = element(type).dtype
            made = registers[i * lanes : (i + 1) * lanes]
            count = int(np.prod(shape)) // lanes
            full = [np.broadcast_to(_view(x, dtype), (count,)) for x in made]
            value = np.stack(full, axis=-1).reshape(shape)
            results.append(value if arrays else to_scalar(value[()], type))
        return results[0] if len(results) == 1 else tuple(results)

    return run


SPECIAL: dict[str, tuple[Scalar, Callable[[Agent], Any]]] = {
    "%laneid": (Scalar("i32"), lane_ids),
    "%tid.x": (Scalar("i32"), thread_ids),
    "%tid.y": (Scalar("i32"), lambda agent: 0),
    "%tid.z": (Scalar("i32"), lambda agent: 0),
    "%clock64": (Scalar("i64"), lambda agent: agent.now),
}
"""Special registers: type and value."""

_SPECIAL = re.compile("|".join(rf"{re.escape(name)}\b" for name in SPECIAL))


def _is_vote(op: Op) -> bool:
    return votes.MARK in op.attrs["asm_string"]


def _reads_special(op: Op) -> bool:
    found = _SPECIAL.search(op.attrs["asm_string"])
    return found is not None and not on_arrays(op)


@effect(
    "tt.elementwise_inline_asm",
    visible=False,
    threads=lambda op, is_used: Threads.TASK if _is_vote(op) else Threads.EACH,
    when=lambda op: _is_vote(op) or _reads_special(op),
)
def _assembly_of_threads(op: Op) -> Meaning:
    """Special registers become further operands."""
    if _is_vote(op):
        return votes.of_words(op)
    text = op.attrs["asm_string"]
    names = list(dict.fromkeys(_SPECIAL.findall(text)))
    first = len(op.results) + len(op.operands)
    text = _SPECIAL.sub(lambda found: f"${first + names.index(found[0])}", text)
    types = tuple(SPECIAL[name][0] for name in names)
    compute = _elementwise_inline_asm(
        dataclasses.replace(
            op,
            operand_types=(*op.operand_types, *types),
            attrs={**op.attrs, "asm_string": text},
        )
    )

    def run(agent: Agent, *args: Any) -> Any:
        special = [SPECIAL[name][1](agent) for name in names]
        everybody = np.ones(agent.threads, np.bool_)
        parts = [
            (flags, compute(*args, *mine)) for flags, mine in groups(special, everybody)
        ]
        if len(op.results) == 1:
            return from_parts(parts, agent.threads)
        columns = zip(*[made for _, made in parts], strict=True)
        flags = [threads for threads, _ in parts]
        return tuple(
            from_parts(list(zip(flags, column, strict=True)), agent.threads)
            for column in columns
        )

    return run
