# SPDX-License-Identifier: MIT
"""Times one side's competitors on request; started and driven by run.py.

Reads one JSON request a line from standard input and answers each with one line:

    {"op": "prepare", "key": 3, "competitor": "tlx_ws", "case": {...}}
        -> {"error": relative error, "sets": input sets, "first_call_s": seconds}
    {"op": "time", "key": 3}  -> {"ms": kernel time of one call}
    {"op": "wall", "key": 3}  -> {"ms": wall time of one call with launch}
    {"op": "drop", "key": 3}  -> {}

Kernel time comes from a CUDA graph that holds calls on several input sets, larger
together than the L2 cache.
"""

import json
import os
import sys
import time
import traceback

from cases import COMPETITORS, Case, make_inputs, reference

ROTATE_BYTES = 160e6
GRAPH_SECONDS = 0.02
HEAT_SECONDS = 0.08
REPLAYS = 2


class Prepared:
    """A competitor on one case: checked, warm and captured in a graph."""

    def __init__(self, competitor: str, case: Case):
        import torch

        self.torch = torch
        size = torch.finfo(getattr(torch, case.dtype)).bits // 8
        first = make_inputs(case, seed=0)
        volume = sum(x.numel() for x in first) * size
        sets = max(2, min(8, int(ROTATE_BYTES / volume) + 1))
        self.inputs = [first, *(make_inputs(case, seed=i) for i in range(1, sets))]
        self.run = COMPETITORS[competitor].prepare(case)
        begin = time.perf_counter()
        result = self.run(*first)
        torch.cuda.synchronize()
        self.first_call = time.perf_counter() - begin
        if isinstance(result, tuple):
            result = result[0]
        if case.kind == "attention":
            result = result[:1, :2]
        want = reference(case, first)
        self.error = ((result.float() - want).norm() / want.norm()).item()
        del want, result
        self.capture()

    def capture(self):
        """Record as many calls as fill GRAPH_SECONDS."""
        torch = self.torch
        for inputs in self.inputs:
            self.run(*inputs)
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for inputs in self.inputs:
            self.run(*inputs)
        torch.cuda.synchronize()
        once = (time.perf_counter() - begin) / len(self.inputs)
        rounds = max(1, int(GRAPH_SECONDS / once / len(self.inputs)))
        self.calls = rounds * len(self.inputs)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(rounds):
                for inputs in self.inputs:
                    self.run(*inputs)
        self.time()

    def time(self) -> float:
        """Milliseconds of one call inside the graph.

        The graph runs for HEAT_SECONDS before, so that the clock has settled to what
        this kernel's power allows and not to what ran before.
        """
        begin = time.perf_counter()
        while True:
            self.graph.replay()
            self.torch.cuda.synchronize()
            if time.perf_counter() - begin > HEAT_SECONDS:
                break
        events = [self.torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        for _ in range(REPLAYS):
            self.graph.replay()
        events[1].record()
        self.torch.cuda.synchronize()
        return events[0].elapsed_time(events[1]) / self.calls / REPLAYS

    def wall(self, calls: int = 50) -> float:
        """Milliseconds of one call made from Python, launch included."""
        self.torch.cuda.synchronize()
        begin = time.perf_counter()
        for i in range(calls):
            self.run(*self.inputs[i % len(self.inputs)])
        self.torch.cuda.synchronize()
        return (time.perf_counter() - begin) / calls * 1e3


def versions() -> dict[str, str]:
    """Machine and packages of this process."""
    import torch
    import triton

    return {
        "gpu": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "triton": triton.__version__,
    }


def answer(request: dict, prepared: dict[int, Prepared]) -> dict:
    """Carry out one request."""
    operation = request["op"]
    if operation == "versions":
        return versions()
    key = request["key"]
    if operation == "prepare":
        data = request["case"]
        case = Case(**{**data, "shape": tuple(data["shape"])})
        entry = prepared[key] = Prepared(request["competitor"], case)
        return {
            "error": entry.error,
            "sets": len(entry.inputs),
            "first_call_s": entry.first_call,
        }
    if operation == "drop":
        prepared.pop(key, None)
        import torch

        torch.cuda.empty_cache()
        return {}
    return {"ms": getattr(prepared[key], operation)()}


def main():
    """Answer requests until standard input ends."""
    # Kernels and libraries may print: keep the answers' channel to ourselves.
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    prepared: dict[int, Prepared] = {}
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), prepared)
        except Exception as error:
            traceback.print_exc()
            reply = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
        print(json.dumps(reply), file=channel)


if __name__ == "__main__":
    main()
