# SPDX-License-Identifier: MIT
"""Measures how long kernels take in the simulator, on one core, and how much memory.

    python benchmarks/simulator.py [--level ttgir] [--out results.md]

Prints a table: kernel, shape, seconds of the processor (median of three launches after
one that compiles), steps of the machine, microseconds per step, and the largest memory
held during a launch over the size of the tensors. Three series follow, in which one
extent doubles: cost per step must stay level, steps must grow with the work.

The memory is that of the tensors, of who touched each element (twice four bytes), and
of the four CTAs that run at a time, each with its shared memory, the same about that,
and the values of its tasks.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

# Before NumPy is loaded: its products would use all cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import tlx
from tlx.simulator import tensor

EXAMPLES = Path(__file__).parents[1] / "python/examples"
REPEATS = 3
HEAD = (
    "| kernel | shape | seconds | steps | us/step | MiB of tensors | peak / tensors |",
    "|---|---|---|---|---|---|---|",
)


@dataclasses.dataclass
class Case:
    """A launch.

    Attributes:
        kernel: What the table calls the kernel.
        shape: What it calls the shape.
        launch: Launches it.
        nbytes: Bytes of all tensors.
    """

    kernel: str
    shape: str
    launch: Callable[[], Any]
    nbytes: int


def example(name: str) -> Any:
    """Imports an example kernel's file."""
    if name not in sys.modules:
        sys.path.insert(0, str(EXAMPLES))
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def halves(*shape: int) -> Any:
    """Returns random fp16 numbers."""
    random = np.random.default_rng(0)
    return tensor(random.standard_normal(shape).astype(np.float16))


def gemm(m: int, n: int, k: int, file: str = "03_gemm_ws", **options: Any) -> Case:
    """Returns a product by one of the examples."""
    a, b = halves(m, k), halves(k, n)
    module = example(file)
    name = file[3:] + "".join(
        f" {option}" for option in options if option != "programs"
    )
    return Case(
        name,
        f"{m}x{n}x{k}",
        lambda: module.matmul(a, b, **options),
        a.nbytes + b.nbytes + 2 * m * n,
    )


def attention(batch: int, heads: int, rows: int, dim: int, causal: bool) -> Case:
    """Returns attention forward."""
    qkv = [halves(batch, heads, rows, dim) for _ in range(3)]
    module = example("05_attention")
    return Case(
        "attention causal" if causal else "attention",
        f"({batch}, {heads}, {rows}, {dim})",
        lambda: module.attention(*qkv, causal=causal),
        4 * qkv[0].nbytes,
    )


def copy(rows: int, columns: int) -> Case:
    """Returns a copy through a ring of buffers."""
    x = halves(rows, columns)
    module = example("01_ring_copy")
    return Case(
        "ring_copy",
        f"{rows}x{columns}",
        lambda: module.copy(x, use_tma=True, programs=4),
        2 * x.nbytes,
    )


def measure(case: Case, level: str) -> str:
    """Returns a row of the table."""

    def run() -> Any:
        with tlx.simulate(level=level) as simulation:
            case.launch()
        return simulation.reports[0]

    run()
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        report = run()
        seconds.append(time.process_time() - start)
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    median = statistics.median(seconds)
    return (
        f"| {case.kernel} | {case.shape} | {median:.2f} | {report.steps} "
        f"| {median / report.steps * 1e6:.0f} | {case.nbytes / 2**20:.2f} "
        f"| {peak / case.nbytes:.1f} |"
    )


def tables() -> Iterable[tuple[str, list[Callable[[], Case]]]]:
    """Yields titles and the cases below them."""
    yield (
        "Kernels",
        [
            lambda: copy(1024, 1024),
            lambda: gemm(512, 512, 512, "02_gemm_cp_async"),
            lambda: gemm(512, 512, 512),
            lambda: gemm(512, 512, 512, persistent=True, programs=4),
            lambda: gemm(512, 512, 512, "04_gemm_pingpong", programs=4),
            lambda: attention(1, 2, 512, 64, causal=False),
            lambda: attention(1, 2, 512, 64, causal=True),
        ],
    )
    yield (
        "K doubles, one CTA",
        [lambda k=k: gemm(128, 256, k) for k in (1024, 2048, 4096, 8192)],
    )
    yield (
        "The grid doubles",
        [lambda m=m: gemm(m, 512, 256) for m in (256, 512, 1024, 2048)],
    )
    yield (
        "Rows double, work grows fourfold",
        [
            lambda rows=rows: attention(1, 2, rows, 64, causal=False)
            for rows in (256, 512, 1024)
        ],
    )


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--level", default="tlxir", help="IR that is run")
    parser.add_argument("--out", type=Path, help="file for the tables")
    options = parser.parse_args()
    lines: list[str] = []
    for title, cases in tables():
        rows = [f"{title}:", "", *HEAD]
        print(*rows, sep="\n", flush=True)
        for make in cases:
            rows.append(measure(make(), options.level))
            print(rows[-1], flush=True)
        print()
        lines += [*rows, ""]
    if options.out is not None:
        options.out.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
