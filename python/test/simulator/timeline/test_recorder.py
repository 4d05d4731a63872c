# SPDX-License-Identifier: MIT
"""What is recorded of a run."""

import numpy as np
import pytest

import tlx
from tlx.simulator import execute
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.timeline import recorder


def lane(timeline, name, cta=0):
    found = [x for x in timeline.lanes if x.cta == cta and x.name.startswith(name)]
    assert len(found) == 1, [x.name for x in timeline.lanes]
    return found[0]


def trace(kernel, *args, grid=(1,), **options):
    options = {"schedule": "earliest", "trace": True} | options
    with tlx.simulate(**options) as run:
        kernel[grid](*args)
    return run.reports[0]


def run_hand_over(kernels, grid=(1,), **options):
    x, y = np.linspace(0, 1, 1024, dtype=np.float32), np.zeros(1024, np.float32)

    class Bound:
        def __getitem__(self, grid):
            return lambda: kernels.hand_over[grid](x, y, BLOCK=1024)

    report = trace(Bound(), grid=grid, **options)
    np.testing.assert_allclose(y, np.exp(x), rtol=1e-6)
    return report


@pytest.mark.parametrize("level", ["tlxir", "ttgir"])
def test_stall_is_where_a_wait_waits(kernels, level):
    timeline = run_hand_over(kernels, level=level).timeline
    waiter, worker = lane(timeline, "the default task"), lane(timeline, "task 1")
    stall = next(span for span in waiter.spans if span.subject == "full")
    names = ("barrier_arrive", "arrive_barrier")
    arrival = next(span for span in worker.spans if span.name in names)
    assert stall.kind == "wait"
    assert "barrier_wait(full[0], 0)" in stall.loc.text
    assert "completed by an arrival of task 1" in stall.note
    assert (stall.end, stall.cycles > 400) == (arrival.start, True)


def test_edge_leads_from_the_arrival_to_the_wait(kernels):
    timeline = run_hand_over(kernels).timeline
    waiter, worker = lane(timeline, "the default task"), lane(timeline, "task 1")
    (edge,) = [e for e in timeline.edges if e.label == "full[0]"]
    arrival = next(span for span in worker.spans if span.name == "barrier_arrive")
    assert (edge.source, edge.target) == (worker.number, waiter.number)
    assert edge.source_start == edge.time == arrival.start
    assert edge.stall == next(s.cycles for s in waiter.spans if s.subject == "full")


def test_arithmetic_on_tiles_has_spans(kernels):
    timeline = run_hand_over(kernels).timeline
    worker = lane(timeline, "task 1")
    (span,) = [s for s in worker.spans if s.kind == "compute" and s.name == "exp"]
    # 1024 results of which 16 come per cycle.
    assert span.cycles == 64
    assert "tl.exp" in span.loc.text


def test_named_barrier(kernels):
    timeline = trace_meet(kernels)
    waiter = lane(timeline, "the default task")
    stall = next(span for span in waiter.spans if span.subject == "named barrier 9")
    (edge,) = [e for e in timeline.edges if e.target == waiter.number and e.stall][:1]
    assert edge.source == lane(timeline, "task 1").number
    assert stall.end == edge.time


def trace_meet(kernels):
    y = np.ones(4096, np.float32)
    with tlx.simulate(schedule="earliest", trace=True) as run:
        kernels.meet[(1,)](y)
    assert not y.any()
    return run.reports[0].timeline


def test_spans_of_a_lane_do_not_overlap(gemm):
    for x in gemm.timeline.lanes:
        for before, after in zip(x.spans, x.spans[1:], strict=False):
            assert before.start <= before.end <= after.start, (x.name, before, after)
        assert x.start <= x.spans[0].start
        assert x.end >= x.spans[-1].end or not x.is_engine


def test_lane_per_task_and_engine(gemm):
    timeline = gemm.timeline
    assert sorted(timeline.ctas) == [0, 1]
    for cta in (0, 1):
        lanes = [x for x in timeline.lanes if x.cta == cta]
        names = [x.name.partition(" copy")[0] for x in lanes]
        assert names == ["the default task", "task 1", "task 2", "tma", "wgmma"]
        assert [x.is_engine for x in lanes] == [False] * 3 + [True] * 2


def test_producer_and_consumers_overlap(gemm):
    timeline = gemm.timeline
    products, copies = lane(timeline, "wgmma"), lane(timeline, "tma")
    both = sum(
        max(0, min(p.end, c.end) - max(p.start, c.start))
        for p in products.spans
        for c in copies.spans
    )
    first, last = products.spans[0].start, products.spans[-1].end
    # 128 x 256 x 512 at 4096 operations per cycle; the engine hardly ever pauses.
    assert products.cycles_of("product") == 2 * 128 * 256 * 512 // 4096
    assert products.cycles_of("product") > 0.95 * (last - first)
    assert both > 0.4 * copies.cycles_of("copy")


def test_bytes_lead_from_the_engine_to_the_consumers(gemm):
    timeline = gemm.timeline
    tma = lane(timeline, "tma").number
    full = [e for e in timeline.edges if e.label.startswith("full") and e.source == tma]
    # Eight tiles along K, each waited for by two consumers.
    assert len(full) == 16
    assert all(e.source_start < e.source_end < e.time for e in full if e.stall)


def test_stall_totals_are_the_stalls(gemm):
    timeline = gemm.timeline
    totals = timeline.stall_totals()
    waits = [span for _, span in timeline.spans() if span.kind == "wait"]
    assert sum(t.cycles for t in totals) == sum(s.cycles for s in waits)
    assert sum(t.stalls for t in totals) == len(waits)
    assert [t.cycles for t in totals] == sorted(t.cycles for t in totals)[::-1]


def test_deadlock_shows_who_never_goes_on(kernels):
    y = np.zeros(128, np.int32)
    with (
        tlx.simulate(schedule="earliest", trace=True),
        pytest.raises(SimulationError) as caught,
    ):
        kernels.wait_forever[(1,)](y)
    timeline = caught.value.timeline
    assert "deadlock" in timeline.outcome
    last = lane(timeline, "the default task").spans[-1]
    assert (last.kind, last.subject) == ("wait", "never")
    assert "missing: 1 of 1 arrival" in last.note
    assert last.end == max(x.end for x in timeline.lanes)


def test_collected_findings_leave_a_timeline(kernels):
    y = np.zeros(128, np.int32)
    with tlx.simulate(trace=True, on_finding="collect") as run:
        kernels.wait_forever[(1,)](y)
    assert "deadlock" in run.reports[0].timeline.outcome


def test_off_by_default_and_then_not_touched(kernels, monkeypatch):
    def fail(*args):
        raise AssertionError("a timeline is recorded")

    monkeypatch.setattr(execute, "Recorder", fail)
    assert run_hand_over(kernels, trace=False).timeline is None


def test_recording_does_not_change_the_run(kernels):
    plain, traced = (run_hand_over(kernels, trace=t) for t in (False, True))
    assert (plain.cycles, plain.steps) == (traced.cycles, traced.steps)


def test_cycles_do_not_depend_on_how_many_ctas_run_at_once(kernels):
    runs = [run_hand_over(kernels, (5,), resident=n, races=False) for n in (1, 2, 5)]
    assert len({report.cycles for report in runs}) == 1
    shown = [[(s.start, s.end) for _, s in r.timeline.spans()] for r in runs]
    assert shown[0] == shown[1] == shown[2]


def test_few_ctas_are_recorded(kernels):
    timeline = run_hand_over(kernels, (5,), races=False).timeline
    assert (sorted(timeline.ctas), timeline.num_ctas) == ([0, 1], 5)


def test_spans_are_bounded(kernels, monkeypatch):
    monkeypatch.setattr(recorder, "MAX_SPANS", 4)
    timeline = run_hand_over(kernels).timeline
    assert len(list(timeline.spans())) <= 5
    assert timeline.dropped > 0
