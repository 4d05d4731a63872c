# SPDX-License-Identifier: MIT
"""What the tests of timelines share."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tlx
from tlx.simulator import tensor
from tlx.simulator.timeline import Edge, Lane, Span, Timeline

_EXAMPLES = Path(__file__).parents[3] / "examples"
EVIL = """</script><script>document.title="broken"</script><b a='"'>&amp;"""


def load(path: Path) -> Any:
    """Loads a file as a module; test files are no package."""
    spec = importlib.util.spec_from_file_location(f"timeline_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def random(*shape: int) -> Any:
    rng = np.random.default_rng(0)
    return tensor(rng.standard_normal(shape).astype(np.float16))


@pytest.fixture(scope="session")
def kernels() -> Any:
    return load(Path(__file__).with_name("kernels.py"))


@pytest.fixture(scope="session")
def gemm() -> Any:
    """Report of the warp-specialised matrix product."""
    example = load(_EXAMPLES / "03_gemm_ws.py")
    with tlx.simulate(schedule="earliest", trace=True) as run:
        example.matmul(random(256, 512), random(512, 512))
    return run.reports[0]


@pytest.fixture
def evil() -> Timeline:
    """A timeline whose names try to become markup."""
    loc = tlx.errors.SourceLocation(EVIL, 1, 0, EVIL)
    spans = [
        Span(0, 10, "compute", EVIL, loc, EVIL),
        Span(10, 50, "wait", EVIL, loc, EVIL, EVIL),
    ]
    lanes = [
        Lane(0, 0, EVIL, False, 0, 50, spans),
        Lane(1, 0, EVIL, True, 0, 40, [Span(0, 40, "copy", EVIL, None, EVIL)]),
    ]
    edges = [Edge(1, 0, 40, 0, 50, EVIL, 40)]
    return Timeline(
        EVIL, (1, 1, 1), EVIL, EVIL, 0, 50, {0: EVIL}, lanes, edges, 0, EVIL
    )


@pytest.fixture(scope="session")
def large() -> Timeline:
    """A timeline with 100,000 spans."""
    lanes = []
    for number in range(10):
        spans = [
            Span(100 * i, 100 * i + 60 + 40 * (i % 2), "wait", "barrier_wait", None)
            if i % 2
            else Span(100 * i, 100 * i + 60, "compute", "addf", None)
            for i in range(10_000)
        ]
        lanes.append(Lane(number, 0, f"task {number}", False, 0, 10**6, spans))
    edges = [
        Edge(i % 10, 100 * i, 100 * i + 60, (i + 1) % 10, 100 * i + 200, "full[0]", 60)
        for i in range(9_000)
    ]
    return Timeline(
        "large", (1, 1, 1), "tlxir", "earliest", 0, 10**6, {0: "CTA"}, lanes, edges
    )
