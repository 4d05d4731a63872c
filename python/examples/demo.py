# SPDX-License-Identifier: MIT
"""Take the warp-specialised GEMM through every stage, and run it.

Usage: demo.py [OUT]

Writes the stages for sm_90a into the folder OUT (build/demo unless given). Then the
kernel runs on the GPU; where there is none, in the simulator. The output says which.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import tlx

_ROOT = Path(__file__).resolve().parents[2]
_EXAMPLE = Path(__file__).with_name("03_gemm_ws.py")
_STAGES = {
    "tlxir": "TLX IR: tl and tlx operations, no layouts",
    "tlx_ttgir": "TTGIR as TLX emits it, with layouts and warp ids",
    "ttgir": "TTGIR after stock Triton's passes",
    "llir": "LLVM IR",
    "ptx": "PTX",
    "cubin": "machine code",
}


def compile_stages(out: Path) -> None:
    """Compile the example into `out` and list what each stage wrote."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "tlx", "compile", f"{_EXAMPLE}:gemm_ws"]
    command += ["--target", "sm_90a", "--emit", ",".join(_STAGES), "-o", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    print(f"Compiled {_EXAMPLE.name}:gemm_ws for sm_90a in {seconds:.1f} s:")
    for stage, meaning in _STAGES.items():
        path = out / f"gemm_ws.{stage}"
        size = path.stat().st_size
        shown = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path
        print(f"  {shown!s:32} {size:9,} bytes  {meaning}")


def load_example() -> ModuleType:
    """Import the example, whose file name is no module name."""
    spec = importlib.util.spec_from_file_location("gemm_ws_example", _EXAMPLE)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load '{_EXAMPLE}'")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def missing_for_gpu() -> str | None:
    """Say what keeps the kernel off a GPU here, or None if nothing does."""
    try:
        import torch
    except ImportError:
        return "PyTorch is not installed here"
    if not torch.cuda.is_available():
        return "there is no CUDA GPU here"
    major, minor = torch.cuda.get_device_capability()
    if major != 9:
        return f"the GPU here is sm_{major}{minor}"
    return None


def make_inputs(size: int) -> tuple[Any, Any]:
    """Two matrices of random fp16 numbers, the same each time."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, size)).astype(np.float16) for _ in "ab")
    return a, b


def report(where: str, result: Any, expected: Any) -> bool:
    """Compare a product with NumPy's and say how it went."""
    size = len(expected)
    error = float(np.abs(result.astype(np.float32) - expected).max())
    # fp16 keeps 11 bits of results that reach about 5 standard deviations.
    limit = float(np.abs(expected).max()) * 2.0**-10
    print(f"Ran {size}x{size}x{size} fp16 {where}: largest difference from")
    print(f"NumPy is {error:.4f}, allowed is {limit:.4f}.")
    return error <= limit


def run_on_gpu(size: int = 1024) -> bool:
    """Multiply two matrices on the GPU and compare with NumPy."""
    import torch

    example = load_example()
    a, b = make_inputs(size)
    on_gpu = example.matmul(torch.from_numpy(a).cuda(), torch.from_numpy(b).cuda())
    where = f"on {torch.cuda.get_device_name()}"
    return report(where, on_gpu.cpu().numpy(), example.reference(a, b))


def run_in_simulator(size: int = 512) -> bool:
    """Multiply two matrices in the simulator, on this CPU, and compare with NumPy."""
    example = load_example()
    a, b = make_inputs(size)
    start = time.perf_counter()
    with tlx.simulate() as run:
        c = example.matmul(tlx.simulator.tensor(a), tlx.simulator.tensor(b))
    seconds = time.perf_counter() - start
    (launch,) = run.reports
    print(
        f"Simulated {run.ctas} CTAs in {seconds:.1f} s, {launch.steps:,} steps: "
        "no deadlock, no race."
    )
    return report("in the simulator", c, example.reference(a, b))


def main(out: str = str(_ROOT / "build/demo")) -> int:
    """Compile, then run on the GPU if there is one, else in the simulator."""
    compile_stages(Path(out).resolve())
    reason = missing_for_gpu()
    if reason:
        print(f"Not run on a GPU: {reason}, and the kernel needs sm_90.")
        print("The simulator runs it on this CPU instead.")
    is_right = run_in_simulator() if reason else run_on_gpu()
    print("The result is right." if is_right else "The result is wrong.")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
