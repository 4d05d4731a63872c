# SPDX-License-Identifier: MIT
r"""Compare kernels in one run: interleaved, checked, with medians.

    python3 benchmarks/run.py --suite quick --out results \\
        --path tlx=/where/stock/triton/and/tlx/are --path meta=/where/fbtriton/is

Each side (see cases.py) runs in a process of its own, with the given folders first on
PYTHONPATH; a side without --path uses what is installed, except `meta`, which is left
out. For each case all competitors are prepared and compared with an fp32 reference; a
competitor whose error is more than 1.5 times the library's is not timed. Then they are
timed in turns, A B C, B C A, and the median and the 20 % and 80 % quantiles are
reported, with the median over the rounds of the ratio to the library in that round.
A competitor that fails or hangs is reported and does not stop the others.

Writes results.json and results.md into the folder given with --out.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import threading
import time

from cases import COMPETITORS, SUITES, Case

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = {"gemm": "cublas", "attention": "cudnn"}


class Failure(Exception):
    """A competitor failed; the message says how."""


class Worker:
    """A process that times one side's competitors."""

    def __init__(self, side: str, paths: list[str]):
        self.side = side
        environment = dict(os.environ)
        path = [*paths, environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        # One kernel cache a side: the sides have different compilers.
        cache = environment.get("TRITON_CACHE_DIR", "/tmp/tlx-benchmark-cache")
        environment["TRITON_CACHE_DIR"] = f"{cache}-{side}"
        self.environment = environment
        self.process = None

    def start(self):
        """Start the process and a thread that collects its answers."""
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=open(f"/tmp/tlx-benchmark-{self.side}.log", "a"),
            env=self.environment,
            text=True,
        )
        self.answers = queue.Queue()
        stream, answers = self.process.stdout, self.answers

        def pump():
            for line in stream:
                answers.put(line)
            answers.put(None)

        threading.Thread(target=pump, daemon=True).start()

    def ask(self, timeout: float, **request) -> dict:
        """Send a request; raise Failure if it fails or takes too long."""
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.answers.get(timeout=timeout)
        except queue.Empty:
            self.stop()
            raise Failure(f"no answer in {timeout:.0f} s") from None
        except OSError:
            line = None
        if line is None:
            self.stop()
            raise Failure(f"process died, see /tmp/tlx-benchmark-{self.side}.log")
        reply = json.loads(line)
        if "failed" in reply:
            raise Failure(reply["failed"])
        return reply

    def stop(self):
        """End the process, if any; the next request starts a new one."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def prepare(case: Case, names: list[str], workers: dict[str, Worker], timeout: float):
    """Prepare and check the competitors; return those to time and the rows."""
    rows = {name: {"competitor": name, "case": case.name} for name in names}
    prepared_in: dict[str, object] = {}
    # A process that one competitor takes down takes those prepared before with it:
    # a second pass prepares them again.
    for _ in range(2):
        for key, name in enumerate(names):
            worker = workers[COMPETITORS[name].side]
            if "failed" in rows[name] or (
                name in prepared_in and prepared_in[name] is worker.process
            ):
                continue
            try:
                reply = worker.ask(
                    timeout,
                    op="prepare",
                    key=key,
                    competitor=name,
                    case=dataclasses.asdict(case),
                )
            except Failure as failure:
                rows[name]["failed"] = str(failure)
                continue
            rows[name].update(reply)
            prepared_in[name] = worker.process
    ready = [name for name in names if "failed" not in rows[name]]
    library = rows.get(LIBRARY[case.kind], {}).get("error", 1e-3)
    for name in list(ready):
        error = rows[name]["error"]
        if not error <= 1.5 * library + 1e-5:
            rows[name]["failed"] = f"wrong: error {error:.2e}, library {library:.2e}"
            ready.remove(name)
    return ready, rows


def run_case(case: Case, names: list[str], workers: dict[str, Worker], args):
    """Time one case; return its rows."""
    ready, rows = prepare(case, names, workers, args.timeout)
    samples = {name: [] for name in ready}
    end = time.monotonic() + args.seconds
    rounds = 0
    while rounds < 5 or (rounds < args.rounds and time.monotonic() < end):
        # Another one starts each round, so that nobody always follows the same
        # neighbour: the chip's clock depends on what ran just before.
        order = list(samples)
        start = rounds % max(1, len(order))
        rounds += 1
        for name in order[start:] + order[:start]:
            worker = workers[COMPETITORS[name].side]
            time.sleep(args.gap)
            try:
                reply = worker.ask(args.timeout, op="time", key=names.index(name))
                samples[name].append(reply["ms"])
            except Failure as failure:
                rows[name]["failed"] = str(failure)
                del samples[name]
    for name, times in samples.items():
        low, *_, high = statistics.quantiles(times, n=5)
        median = statistics.median(times)
        rows[name].update(
            ms=median,
            ms_20=low,
            ms_80=high,
            samples=len(times),
            tflops=case.flops / median / 1e9,
            wall_ms=float("nan"),
        )
    for key, name in enumerate(names):
        worker = workers[COMPETITORS[name].side]
        try:
            if name in samples:
                reply = worker.ask(args.timeout, op="wall", key=key)
                rows[name]["wall_ms"] = reply["ms"]
            worker.ask(args.timeout, op="drop", key=key)
        except Failure as failure:
            rows[name].setdefault("failed", str(failure))
    library = samples.get(LIBRARY[case.kind])
    for name, times in samples.items():
        if library:
            ratios = [a / b for a, b in zip(library, times, strict=True)]
            rows[name]["speed_to_library"] = statistics.median(ratios)
    return list(rows.values())


def table(rows: list[dict]) -> str:
    """Markdown table of the rows."""
    lines = [
        "| case | competitor | TFLOP/s | ms (20 %, 80 %) | of library | wall ms "
        "| error |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        head = f"| {row['case']} | {row['competitor']} "
        if "failed" in row:
            lines.append(f"{head}| {row['failed']} | | | | |")
            continue
        ratio = row.get("speed_to_library")
        lines.append(
            f"{head}| {row['tflops']:.0f} "
            f"| {row['ms']:.4f} ({row['ms_20']:.4f}, {row['ms_80']:.4f}) "
            f"| {'' if ratio is None else f'{ratio:.3f}'} "
            f"| {row['wall_ms']:.4f} | {row['error']:.1e} |"
        )
    return "\n".join(lines)


def write_report(folder: pathlib.Path, machine: dict, rows: list[dict]) -> str:
    """Write results.json and results.md; return the text of the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    date = datetime.date.today().isoformat()
    report = {"date": date, "machine": machine, "rows": rows}
    (folder / "results.json").write_text(json.dumps(report, indent=1) + "\n")
    lines = [
        f"- {side}: {', '.join(map(str, facts.values()))}"
        for side, facts in machine.items()
    ]
    text = f"{date}\n\n" + "\n".join(lines) + f"\n\n{table(rows)}\n"
    (folder / "results.md").write_text(text)
    return text


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", choices=SUITES, default="quick")
    parser.add_argument("--kind", choices=LIBRARY, help="only cases of this kind")
    parser.add_argument("--only", help="comma-separated competitors")
    parser.add_argument("--path", action="append", default=[], metavar="SIDE=FOLDER")
    parser.add_argument("--seconds", type=float, default=20, help="for each case")
    parser.add_argument("--gap", type=float, default=0.02, help="idle before a sample")
    parser.add_argument("--rounds", type=int, default=40, help="at most, each case")
    parser.add_argument("--timeout", type=float, default=90, help="for one answer")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds in all")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results"))
    return parser.parse_args()


def main():
    """Run a suite and write the report."""
    args = parse_arguments()
    begin = time.monotonic()
    paths: dict[str, list[str]] = {}
    for item in args.path:
        side, _, folder = item.partition("=")
        paths.setdefault(side, []).append(folder)
    sides = ["torch", "stock", "tlx", *(["meta"] if "meta" in paths else [])]
    workers = {side: Worker(side, paths.get(side, [])) for side in sides}
    only = args.only.split(",") if args.only else None
    machine, rows = {}, []
    for worker in workers.values():
        worker.start()
    for side, worker in workers.items():
        try:
            machine[side] = worker.ask(args.timeout, op="versions")
        except Failure as failure:
            machine[side] = {"failed": str(failure)}
    for case in SUITES[args.suite]:
        if args.kind not in (None, case.kind):
            continue
        if time.monotonic() - begin > args.budget:
            print(f"out of time before {case.name}", file=sys.stderr)
            continue
        names = [
            name
            for name, competitor in COMPETITORS.items()
            if competitor.kind == case.kind
            and competitor.side in workers
            and (competitor.causal or not case.causal)
            and (only is None or name in only)
        ]
        new = run_case(case, names, workers, args)
        rows += new
        print(table(new), file=sys.stderr, flush=True)
        write_report(args.out, machine, rows)
    for worker in workers.values():
        worker.stop()
    print(write_report(args.out, machine, rows))


if __name__ == "__main__":
    main()
