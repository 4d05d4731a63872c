# SPDX-License-Identifier: MIT
"""Runs mutants and good kernels under the default schedules.

As a script it runs everything and writes a report:

    python python/test/simulator/mutation/suite.py --seeds 200 --page FILE
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tlx.errors import TLXError
from tlx.simulator.code.registry import EFFECTS, INVISIBLE, THREADS, Threads
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Program

sys.path.insert(0, str(Path(__file__).parent))

from cases import Case, cases
from equivalent import split
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
THREADS["test.nothing"] = Threads.EACH


@dataclasses.dataclass(frozen=True)
class Result:
    """What came out for one kernel.

    Attributes:
        verdicts: One for each mutant.
        equivalent: Mutants that are no faults, and why.
        missed: Faults that nothing has shown.
        seeds: Random schedules that the good kernel ran under.
        alarms: What was found then.
        seconds: Time it took.
    """

    kernel: str
    verdicts: list[Verdict]
    equivalent: dict[str, str]
    missed: list[str]
    seeds: int
    alarms: list[str]
    seconds: float

    @property
    def found(self) -> int:
        """Mutants that were found."""
        return sum(1 for v in self.verdicts if v.finding)


def examine(case: Case, every: int = 1, seeds: int = 0) -> Result:
    """Judges the mutants of a kernel and looks for false alarms."""
    started = time.perf_counter()
    verdicts = list(judge_all(case, every))
    unseen = [v.mutant for v in verdicts if not v.finding]
    good, missed = split(case.name, unseen)
    alarms = false_alarms(case, seeds)
    seconds = time.perf_counter() - started
    return Result(case.name, verdicts, good, missed, seeds, alarms, seconds)


def report(results: list[Result]) -> str:
    """Returns a page with what came out."""
    lines = [
        "# Mutants",
        "",
        "Written by `make mutants`. Faults are made from good kernels mechanically,",
        "one at a time: an arrive, wait, expect, fence or commit is left",
        "out or doubled, barriers are swapped, counts, bytes, parities and slots",
        "changed, waits moved behind the use, rings shortened, last iterations",
        "skipped, atomics made relaxed or of the scope of a CTA. A mutant is found if",
        f"one of {len(SCHEDULES)} schedules ends in a finding or a wrong result.",
        "",
        "| kernel | mutants | found | no fault | missed | false alarms |",
        "|---|---|---|---|---|---|",
    ]
    for r in results:
        alarms = f"{len(r.alarms)} in {r.seeds} seeds"
        row = (r.kernel, len(r.verdicts), r.found, len(r.equivalent), len(r.missed))
        lines.append("| " + " | ".join(map(str, (*row, alarms))) + " |")
    kinds = collections.Counter(
        v.finding for r in results for v in r.verdicts if v.finding
    )
    lines += ["", "| finding | mutants |", "|---|---|"]
    lines += [f"| {kind} | {count} |" for kind, count in kinds.most_common()]
    first = sum(
        1 for r in results for v in r.verdicts if v.schedule.startswith(FIRST_LABEL)
    )
    total = sum(r.found for r in results)
    lines += [
        "",
        f"{first} of {total} were found in the first run (`{FIRST_LABEL}`).",
        "",
        "Not found, and no faults:",
        "",
    ]
    for r in results:
        for mutant, why in r.equivalent.items():
            lines.append(f"* `{r.kernel}`, {mutant}: {why}.")
    missed = [f"* `{r.kernel}`, {m}" for r in results for m in r.missed]
    if missed:
        lines += ["", "Missed:", "", *missed]
    return "\n".join(lines) + "\n"


FIRST_LABEL = f"{SCHEDULES[0][0]} {SCHEDULES[0][1]}, inputs 0"


def main() -> int:
    """Runs the suite, prints what came out, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this one")
    parser.add_argument("--seeds", type=int, default=0, help="for false alarms")
    parser.add_argument("--every", type=int, default=1, help="take each n-th mutant")
    parser.add_argument("--page", type=Path, help="where to write the page")
    options = parser.parse_args()
    results = []
    for name, case in cases().items():
        if options.kernel and name not in options.kernel:
            continue
        result = examine(case, options.every, options.seeds)
        results.append(result)
        print(
            f"{name}: {result.found} of {len(result.verdicts)} found, "
            f"{len(result.equivalent)} no faults, {len(result.missed)} missed, "
            f"{len(result.alarms)} false alarms, {result.seconds:.0f} s"
        )
        for line in (*result.missed, *result.alarms):
            print(f"  {line}")
        sys.stdout.flush()
    if options.page:
        options.page.write_text(report(results))
    return 1 if any(r.missed or r.alarms for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
