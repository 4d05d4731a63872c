# SPDX-License-Identifier: MIT
"""Runs mutants and good kernels under the default schedules.

As a script it runs everything and writes a report:

    python python/test/simulator/mutation/suite.py [--kernel NAME] [--seeds 200]
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import itertools
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tlx.errors import TLXError
from tlx.simulator.code.registry import EFFECTS, INVISIBLE
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Program

sys.path.insert(0, str(Path(__file__).parent))

from cases import Case, cases
from mutants import apply, mutants

SCHEDULES: tuple[tuple[str, int], ...] = (
    ("round_robin", 0),
    ("lazy_engines", 0),
    ("eager_engines", 0),
    ("reverse", 0),
    ("delay_task", 0),
    ("delay_task", 1),
    ("delay_task", 2),
    ("delay_task", 3),
    ("random", 0),
    ("random", 1),
    ("random", 2),
)
"""What a mutant is run under, until one finds it."""

MAX_STEPS = 20_000


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What became of a mutant.

    Attributes:
        finding: Kind of the finding, `wrong result`, or empty if there was none.
        schedule: The schedule that showed it.
        message: The finding's message.
    """

    kernel: str
    mutant: str
    finding: str
    schedule: str
    message: str


def judge(case: Case, program: Program, name: str) -> Verdict:
    """Runs a program until a schedule shows that it is faulty."""
    for (schedule, seed), variant in itertools.product(
        SCHEDULES, range(len(case.launches))
    ):
        label = f"{schedule} {seed}, inputs {variant}"
        try:
            _, error = case.run(
                program, variant, schedule=schedule, seed=seed, max_steps=MAX_STEPS
            )
        except SimulationError as finding:
            kind = type(finding).__name__
            return Verdict(case.name, name, kind, label, finding.message)
        if error > 1:
            message = f"error {error:.3g} times the tolerance"
            return Verdict(case.name, name, "wrong result", label, message)
    return Verdict(case.name, name, "", "", "")


def judge_all(case: Case, every: int = 1) -> Iterator[Verdict]:
    """Judges the mutants of a case, or one of each `every`."""
    for mutant in mutants(case.program())[::every]:
        program = case.program()
        apply(program, mutant)
        yield judge(case, program, mutant[0])


def false_alarms(case: Case, seeds: int) -> list[str]:
    """Runs the good kernel under random schedules; returns what was found."""
    alarms = []
    program = case.program()
    for seed in range(seeds):
        try:
            variant = seed % len(case.launches)
            _, error = case.run(program, variant, schedule="random", seed=seed)
        except TLXError as finding:
            alarms.append(f"seed {seed}: {finding.message}")
        else:
            if error > 1:
                alarms.append(f"seed {seed}: error {error:.3g} times the tolerance")
    return alarms


def _nothing(op: object) -> object:
    return lambda agent, *operands: None


EFFECTS["test.nothing"] = _nothing  # type: ignore[assignment]
INVISIBLE.add("test.nothing")


def main() -> int:
    """Runs the suite and prints a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    records = []
    for name, case in cases().items():
        if options.kernel and name not in options.kernel:
            continue
        started = time.perf_counter()
        verdicts = list(judge_all(case, options.every))
        alarms = false_alarms(case, options.seeds)
        kinds = collections.Counter(v.finding or "not found" for v in verdicts)
        seconds = time.perf_counter() - started
        found = sum(1 for v in verdicts if v.finding)
        print(f"{name}: {found} of {len(verdicts)} found, {len(alarms)} false alarms")
        print(f"  {dict(kinds)}, {seconds:.0f} s")
        for verdict in verdicts:
            if not verdict.finding:
                print(f"  not found: {verdict.mutant}")
        for alarm in alarms:
            print(f"  false alarm: {alarm}")
        sys.stdout.flush()
        records += [dataclasses.asdict(v) for v in verdicts]
    if options.json:
        options.json.write_text(json.dumps(records, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
