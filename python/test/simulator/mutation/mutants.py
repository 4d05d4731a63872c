# SPDX-License-Identifier: MIT
"""Faults that are made mechanically, one at a time, from a good kernel.

Each operator finds the places of a program where it applies. A mutant is a place and
an operator; it changes a fresh copy of the program.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from tlx.simulator.ir.program import Block, Function, Op, Program
from tlx.simulator.ir.types import Barrier, Buffer, Scalar

I32 = Scalar("i32")
Change = Callable[[], None]
"""Changes the program that it was made for."""


@dataclasses.dataclass(frozen=True)
class Site:
    """An operation and where it is."""

    function: Function
    block: Block
    place: int

    @property
    def op(self) -> Op:
        return self.block.ops[self.place]


def sites(program: Program) -> Iterator[Site]:
    """Yields all operations of a program in order."""

    def walk(function: Function, block: Block) -> Iterator[Site]:
        for place, op in enumerate(block.ops):
            yield Site(function, block, place)
            for region in op.regions:
                for inner in region.blocks:
                    yield from walk(function, inner)

    for function in program.functions.values():
        for block in function.body.blocks:
            yield from walk(function, block)


def _new_value(function: Function) -> int:
    function.num_values += 1
    return function.num_values - 1


def _constant(site: Site, value: int) -> tuple[Op, int]:
    number = _new_value(site.function)
    loc = site.op.loc
    op = Op("arith.constant", (), (number,), (), (I32,), {"value": value}, (), (), loc)
    return op, number


def _binary(site: Site, name: str, a: int, b: int) -> tuple[Op, int]:
    number = _new_value(site.function)
    types = (I32, I32)
    return Op(name, (a, b), (number,), types, (I32,), {}, (), (), site.op.loc), number


def _replace_operand(site: Site, position: int, value: int) -> None:
    operands = list(site.op.operands)
    operands[position] = value
    site.op.operands = tuple(operands)


DROPPED = (
    "tlx.barrier_arrive",
    "tlx.barrier_wait",
    "tlx.barrier_expect_bytes",
    "tlx.named_barrier_arrive",
    "tlx.named_barrier_wait",
    "tlx.fence",
    "tlx.async_load_commit_group",
    "tlx.async_load_wait_group",
    "tlx.async_descriptor_store_wait",
    "tlx.async_dot_wait",
)


def drop(site: Site) -> Iterator[tuple[str, Change]]:
    """Leaves out an arrive, a wait, an expect, a fence or a commit."""
    if site.op.name not in DROPPED:
        return

    def change() -> None:
        op = site.op
        if op.name == "tlx.async_dot_wait":
            # The value goes on without the wait.
            op.attrs = {**op.attrs, "pendings": 1 << 20}
        else:
            op.name, op.attrs = "test.nothing", {}

    yield "drop", change


def duplicate(site: Site) -> Iterator[tuple[str, Change]]:
    """Does an arrive, an expect or a commit twice."""
    names = DROPPED[:1] + DROPPED[2:4] + DROPPED[6:7]
    if site.op.name not in names:
        return

    def change() -> None:
        results = tuple(_new_value(site.function) for _ in site.op.results)
        twin = dataclasses.replace(site.op, results=results)
        site.block.ops.insert(site.place, twin)

    yield "duplicate", change


def swap_barriers(site: Site) -> Iterator[tuple[str, Change]]:
    """Takes another array of barriers of the same length: full for empty."""
    if site.op.name != "tlx.barrier_view":
        return
    own = site.op.operand_types[0]
    others = [
        op.results[0]
        for block in site.function.body.blocks
        for op in block.ops
        if op.name == "tlx.alloc_barriers"
        and isinstance(own, Barrier)
        and getattr(op.result_types[0], "num", -1) == own.num
        and op.results[0] != site.op.operands[0]
    ]
    for number, other in enumerate(others):
        yield f"swap{number}", lambda other=other: _replace_operand(site, 0, other)


def change_count(site: Site) -> Iterator[tuple[str, Change]]:
    """Changes the arrivals that a barrier waits for, or that an arrive makes."""
    if site.op.name == "tlx.alloc_barriers":
        (type,) = site.op.result_types
        assert isinstance(type, Barrier)
        for by in (1, -1):
            if type.count + by > 0:

                def change(by: int = by) -> None:
                    new = dataclasses.replace(type, count=type.count + by)
                    site.op.result_types = (new,)

                yield f"count{by:+}", change
    elif site.op.name == "tlx.barrier_arrive":

        def more() -> None:
            count = site.op.attrs.get("count", 1)
            site.op.attrs = {**site.op.attrs, "count": count + 1}

        yield "arrive+1", more


def change_bytes(site: Site) -> Iterator[tuple[str, Change]]:
    """Expects twice the bytes, half of them, or none."""
    if site.op.name != "tlx.barrier_expect_bytes":
        return
    size = site.op.attrs["size"]
    for name, value in (("x2", 2 * size), ("/2", size // 2), ("=0", 0)):

        def change(value: int = value) -> None:
            site.op.attrs = {**site.op.attrs, "size": value}

        yield f"bytes{name}", change


def change_parity(site: Site) -> Iterator[tuple[str, Change]]:
    """Waits for the other parity, or always for the same one."""
    if site.op.name != "tlx.barrier_wait":
        return

    def flip() -> None:
        one, number = _constant(site, 1)
        other, result = _binary(site, "arith.xori", site.op.operands[1], number)
        _replace_operand(site, 1, result)
        site.block.ops[site.place : site.place] = [one, other]

    yield "parity^1", flip
    for value in (0, 1):

        def fix(value: int = value) -> None:
            constant, number = _constant(site, value)
            _replace_operand(site, 1, number)
            site.block.ops.insert(site.place, constant)

        yield f"parity={value}", fix


def change_slot(site: Site) -> Iterator[tuple[str, Change]]:
    """Takes the next slot, with and without going round."""
    if site.op.name not in ("tlx.local_view", "tlx.barrier_view"):
        return
    num = site.op.operand_types[0].num  # type: ignore[union-attr]
    for name, modulo in (("slot+1", num), ("slot+1 beyond", 0)):
        if modulo == 1:
            continue

        def change(modulo: int = modulo) -> None:
            one, number = _constant(site, 1)
            add, result = _binary(site, "arith.addi", site.op.operands[1], number)
            extra = [one, add]
            if modulo:
                length, number = _constant(site, modulo)
                rest, result = _binary(site, "arith.remsi", result, number)
                extra += [length, rest]
            _replace_operand(site, 1, result)
            site.block.ops[site.place : site.place] = extra

        yield name, change


WAITS = ("tlx.barrier_wait", "tlx.named_barrier_wait", "tlx.async_load_wait_group")
USES = (
    "tlx.local_load",
    "tlx.local_store",
    "tlx.async_dot",
    "tlx.async_descriptor_load",
    "tlx.async_descriptor_store",
    "tlx.async_load",
)


def delay_wait(site: Site) -> Iterator[tuple[str, Change]]:
    """Moves a wait behind the next use of a buffer in its block."""
    if site.op.name not in (*WAITS, "tlx.async_descriptor_store_wait"):
        return
    for place in range(site.place + 1, len(site.block.ops)):
        if site.block.ops[place].name in USES:

            def change(place: int = place) -> None:
                wait = site.block.ops.pop(site.place)
                site.block.ops.insert(place, wait)

            yield "wait late", change
            return


def wait_less(site: Site) -> Iterator[tuple[str, Change]]:
    """Lets one more group be outstanding."""
    if site.op.name not in (
        "tlx.async_load_wait_group",
        "tlx.async_dot_wait",
        "tlx.async_descriptor_store_wait",
    ):
        return

    def change() -> None:
        pendings = site.op.attrs["pendings"] + 1
        site.op.attrs = {**site.op.attrs, "pendings": pendings}

    yield "pendings+1", change


def shrink_ring(site: Site) -> Iterator[tuple[str, Change]]:
    """Allocates one buffer less."""
    if site.op.name != "tlx.local_alloc":
        return
    (type,) = site.op.result_types
    assert isinstance(type, Buffer)
    if type.num > 1:

        def change() -> None:
            site.op.result_types = (dataclasses.replace(type, num=type.num - 1),)

        yield "ring-1", change


def skip_last(site: Site) -> Iterator[tuple[str, Change]]:
    """Leaves out the last iteration of a loop that synchronises."""
    op = site.op
    if op.name != "scf.for" or str(op.operand_types[0]) != "i32":
        return
    if not any(inner.name in (*DROPPED, *USES) for inner in op.walk()):
        return

    def change() -> None:
        upper, step = op.operands[1], op.operands[2]
        less, result = _binary(site, "arith.subi", upper, step)
        _replace_operand(site, 1, result)
        site.block.ops.insert(site.place, less)

    yield "skip last", change


ATOMICS = ("tt.atomic_rmw", "tt.atomic_cas")


def weaken(site: Site) -> Iterator[tuple[str, Change]]:
    """Lets an atomic tell other CTAs nothing, or nobody."""
    if site.op.name not in ATOMICS:
        return
    for name, attr, value in (("scope=cta", "scope", 2), ("relaxed", "sem", 1)):

        def change(attr: str = attr, value: int = value) -> None:
            site.op.attrs = {**site.op.attrs, attr: value}

        yield name, change


OPERATORS = (
    weaken,
    drop,
    duplicate,
    swap_barriers,
    change_count,
    change_bytes,
    change_parity,
    change_slot,
    delay_wait,
    wait_less,
    shrink_ring,
    skip_last,
)


def mutants(program: Program) -> list[tuple[str, int, int, int]]:
    """Returns the mutants of a program: name, site, operator, variant."""
    found = []
    for number, site in enumerate(sites(program)):
        for operator, entry in enumerate(OPERATORS):
            for variant, (name, _) in enumerate(entry(site)):
                line = site.op.loc.line if site.op.loc else 0
                kind = site.op.name.removeprefix("tlx.")
                label = f"{name} {kind} line {line} op {number}"
                found.append((label, number, operator, variant))
    return found


def apply(program: Program, mutant: tuple[str, int, int, int]) -> None:
    """Changes a program to a mutant of it."""
    _, number, operator, variant = mutant
    site = next(s for i, s in enumerate(sites(program)) if i == number)
    changes = [change for _, change in OPERATORS[operator](site)]
    changes[variant]()


__all__ = ["OPERATORS", "apply", "mutants", "sites"]
