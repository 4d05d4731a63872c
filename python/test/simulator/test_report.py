# SPDX-License-Identifier: MIT
"""Reports of simulations travel between processes."""

import concurrent.futures
import multiprocessing
import pickle

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.simulator.findings.base import SimulationError


@triton.jit
def fill(x):
    buffer = tlx.local_alloc((64,), tl.float32, 1)
    tlx.local_store(buffer[0], tl.full((64,), 3.0, tl.float32))
    tl.store(x + tl.arange(0, 64), tlx.local_load(buffer[0]))


@triton.jit
def read_too_early(x):
    buffer = tlx.local_alloc((64,), tl.float32, 1)
    tl.store(x + tl.arange(0, 64), tlx.local_load(buffer[0]))


def simulate(kernel, **options):
    with tlx.simulate(**options) as run:
        result = kernel[(1,)](np.zeros(64, np.float32))
    return run, result


def assert_same(copy, report):
    assert (copy.kernel, copy.grid) == (report.kernel, report.grid)
    assert (copy.steps, copy.cycles) == (report.steps, report.cycles)
    assert list(map(str, copy.findings)) == list(map(str, report.findings))
    assert list(map(type, copy.findings)) == list(map(type, report.findings))
    assert copy.memory is None


def test_good_report_with_everything():
    run, result = simulate(fill, trace=True, schedule="explore")
    (report,) = run.reports
    assert report.memory is not None
    copy = pickle.loads(pickle.dumps(report))
    assert_same(copy, report)
    assert copy.exploration == report.exploration
    assert copy.exploration.is_complete
    assert len(copy.timeline.lanes) == len(report.timeline.lanes) > 0
    again = pickle.loads(pickle.dumps(result))
    assert (again.name, again.asm) == (result.name, result.asm)
    assert_same(again.report, report)
    # The original keeps what the copy lacks.
    assert report.memory is not None


def test_report_with_findings():
    run, _ = simulate(read_too_early, on_finding="collect", trace=True)
    copies = pickle.loads(pickle.dumps(run.reports))
    assert len(copies[0].findings) > 0
    assert_same(copies[0], run.reports[0])


def test_report_of_a_run_that_was_ended():
    with pytest.raises(SimulationError) as caught:
        simulate(read_too_early)
    report = caught.value.report
    assert_same(pickle.loads(pickle.dumps(report)), report)


def sweep(seed):
    return simulate(fill, schedule="random", seed=seed)[0].reports


def test_reports_of_worker_processes():
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        (there,) = pool.submit(sweep, 3).result()
    (here,) = sweep(3)
    assert_same(there, here)
