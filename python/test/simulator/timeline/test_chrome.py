# SPDX-License-Identifier: MIT
"""The trace for Perfetto and Chrome's viewer."""

import collections
import json

import pytest

from tlx.simulator.timeline import write_trace


@pytest.fixture(scope="module")
def trace(gemm, tmp_path_factory):
    path = write_trace(gemm.timeline, tmp_path_factory.mktemp("t") / "new" / "a.json")
    return json.loads(path.read_text())


def test_slices(trace, gemm):
    slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert len(slices) == len(list(gemm.timeline.spans()))
    for event in slices:
        assert event["ts"] >= 0
        assert event["dur"] == event["args"]["cycles"] / 1000
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        assert event["name"]
    lines = [e["args"]["line"] for e in slices]
    assert all("03_gemm_ws.py:" in line for line in lines)


def test_process_per_cta_and_thread_per_lane(trace, gemm):
    names = {
        (e["pid"], e["tid"]): e["args"]["name"]
        for e in trace["traceEvents"]
        if e["ph"] == "M" and e["name"] == "thread_name"
    }
    assert len(names) == len(gemm.timeline.lanes)
    assert {"the default task", "engine tma", "engine wgmma"} <= set(names.values())
    used = {(e["pid"], e["tid"]) for e in trace["traceEvents"] if e["ph"] == "X"}
    assert used == set(names)


def test_flows_come_in_pairs_that_start_and_end_in_slices(trace, gemm):
    flows = collections.defaultdict(dict)
    slices = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] in "sf":
            assert event["ph"] not in flows[event["id"]]
            flows[event["id"]][event["ph"]] = event
        elif event["ph"] == "X":
            end = event["ts"] + event["dur"]
            slices[event["pid"], event["tid"]].append((event["ts"], end))
    assert len(flows) == len(gemm.timeline.edges) > 0
    for pair in flows.values():
        assert set(pair) == {"s", "f"}
        assert pair["s"]["ts"] <= pair["f"]["ts"]
        assert pair["f"]["bp"] == "e"
        for event in pair.values():
            around = slices[event["pid"], event["tid"]]
            assert any(a <= event["ts"] <= b for a, b in around), event


def test_other_data_names_the_run(trace, gemm):
    other = trace["otherData"]
    assert other["kernel"] == "gemm_ws"
    assert other["cycles"] == gemm.cycles
    assert trace["displayTimeUnit"] == "ns"


def test_file_is_replaced_as_a_whole(gemm, tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text("before")

    def fail(*args):
        raise OSError("no room")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="no room"):
        write_trace(gemm.timeline, path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert path.read_text() == "before"
