# SPDX-License-Identifier: MIT
"""A fault is told in the same words at all levels."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx
from tlx.simulator import tensor
from tlx.simulator.findings.barriers import BarrierOverrun, NamedBarrierMismatch
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import MissingFence
from tlx.simulator.findings.phases import WrongPhase

sys.path.insert(0, str(Path(__file__).parent))

import faulty_kernels as faulty

LEVELS = ("tlxir", "ttgir", "stock_ttgir")
X = np.arange(256, dtype=np.float32)
BY_TMA = TensorDescriptor.from_tensor(tensor(X), [256])
HINT = (
    "nothing in the kernel arrives on 'full[0]'; its copies bring bytes, "
    "barrier_expect_bytes arrives"
)


def named(here, there, number):
    return {"here": here, "there": there, "number": number}


def expected(size):
    return {"EXPECTED": size, "ARRIVES": size > 0}


CASES = {
    "missing arrive": (
        faulty.missing_arrive,
        X,
        {"GIVES": False},
        Deadlock,
        ["nothing in the kernel arrives on 'full[0]'"],
    ),
    "arrival on another slot": (
        faulty.arrive_for_another_slot,
        X,
        {},
        Deadlock,
        ["missing: 1 of 2 arrivals", "task 1, which is over, arrives here"],
    ),
    "arrival in a helper": (
        faulty.arrive_in_a_helper,
        X,
        {},
        Deadlock,
        ["missing: 1 of 3 arrivals", "task 2, which is over, arrives here"],
    ),
    "TMA load without expect": (
        faulty.bytes_of_tma,
        BY_TMA,
        expected(0),
        Deadlock,
        [HINT, "task 1, which is over, sends bytes here"],
    ),
    "bulk load without expect": (
        faulty.bytes_of_bulk,
        X,
        expected(0),
        Deadlock,
        [HINT, "task 1, which is over, sends bytes here"],
    ),
    "missing bytes of TMA": (
        faulty.bytes_of_tma,
        BY_TMA,
        expected(2048),
        Deadlock,
        ["missing: 1024 bytes"],
    ),
    "missing bytes of a bulk load": (
        faulty.bytes_of_bulk,
        X,
        expected(2048),
        Deadlock,
        ["missing: 1024 bytes"],
    ),
    "too many bytes of TMA": (
        faulty.bytes_of_tma,
        BY_TMA,
        expected(512),
        Deadlock,
        ["512 bytes more came than were expected"],
    ),
    "too many bytes of a bulk load": (
        faulty.bytes_of_bulk,
        X,
        expected(512),
        Deadlock,
        ["512 bytes more came than were expected"],
    ),
    "wrong parity": (
        faulty.wrong_parity,
        X,
        {},
        Deadlock,
        ["no phase of 'full[0]' and 'empty[0]' is over"],
    ),
    "missing warps": (
        faulty.missing_warps,
        X,
        {},
        Deadlock,
        ["missing: 128 of 256 arrivals", "task 1 arrived 128 times in this phase"],
    ),
    "threads of a named barrier": (
        faulty.named_barrier,
        X,
        named(256, 384, 9),
        NamedBarrierMismatch,
        ["task 1 says that 384 threads take part, others say 256"],
    ),
    "missing threads of a named barrier": (
        faulty.named_barrier,
        X,
        named(384, 384, 9),
        Deadlock,
        ["missing: 128 of 384 threads"],
    ),
    "another named barrier": (
        faulty.named_barrier,
        X,
        named(256, 256, 10),
        Deadlock,
        ["missing: 128 of 256 threads", "task 1, which is over, comes to it here"],
    ),
    "missing wait": (
        faulty.missing_wait,
        X,
        {},
        (WrongPhase, BarrierOverrun),
        ["task 1", "'full[0]'"],
    ),
    "second arrival on a named barrier": (
        faulty.second_arrival,
        X,
        {},
        WrongPhase,
        ["named barrier 9: task 1 can arrive twice in one phase"],
    ),
    "missing fence": (
        faulty.missing_fence,
        X,
        {},
        MissingFence,
        ["missing proxy fence on 'buffer[0]'"],
    ),
}


def text(kernel, x, options, level, schedule):
    """Returns the kind of the finding, and its words.

    Lines and copies are in the labels of tasks only where the IR has them.
    """
    y = np.zeros(1024, np.float32)
    with (
        tlx.simulate(level=level, schedule=schedule),
        pytest.raises(SimulationError) as caught,
    ):
        kernel[(1,)](x, y, **options)
    words = re.sub(r"(task \d+)( copy \d+)? \(line \d+\)", r"\1", str(caught.value))
    return type(caught.value), re.sub(" +", " ", words)


@pytest.mark.parametrize("schedule", ["round_robin", "lazy_engines"])
@pytest.mark.parametrize("name", CASES)
def test_same_words(name, schedule):
    kernel, x, options, kind, words = CASES[name]
    texts = [text(kernel, x, options, level, schedule) for level in LEVELS]
    assert issubclass(texts[0][0], kind)
    for part in words:
        assert part in texts[0][1]
    assert texts[1] == texts[0]
    assert texts[2] == texts[0]


@pytest.mark.parametrize("level", LEVELS)
def test_the_kernels_without_their_fault(level):
    y = np.zeros(1024, np.float32)
    with tlx.simulate(level=level) as run:
        faulty.missing_arrive[(1,)](X, y, GIVES=True)
        faulty.bytes_of_tma[(1,)](BY_TMA, y, **expected(1024))
        faulty.bytes_of_bulk[(1,)](X, y, **expected(1024))
        faulty.named_barrier[(1,)](X, y, **named(256, 256, 9))
    assert run.findings == []
    np.testing.assert_array_equal(y[:256], X)
