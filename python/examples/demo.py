# SPDX-License-Identifier: MIT
"""Take the warp-specialised GEMM through every stage, and run it on a GPU.

Usage: demo.py [OUT]

Writes the stages into the folder OUT (build/demo unless given). Without a GPU the
kernel is compiled only, for sm_90a, and the last line says so.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

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


def missing_for_run() -> str | None:
    """Say what keeps the kernel from running here, or None if nothing does."""
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


def run(size: int = 1024) -> bool:
    """Multiply two matrices on the GPU and compare with NumPy."""
    import numpy as np
    import torch

    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, size)).astype(np.float16) for _ in "ab")
    example = load_example()
    on_gpu = example.matmul(torch.from_numpy(a).cuda(), torch.from_numpy(b).cuda())
    expected = example.reference(a, b)
    error = np.abs(on_gpu.cpu().numpy().astype(np.float32) - expected).max()
    # fp16 keeps 11 bits of results that reach about 5 standard deviations.
    limit = float(np.abs(expected).max()) * 2.0**-10
    device = torch.cuda.get_device_name()
    print(f"Ran {size}x{size}x{size} fp16 on {device}: largest difference from")
    print(f"NumPy is {error:.4f}, allowed is {limit:.4f}.")
    return bool(error <= limit)


def main(out: str = str(_ROOT / "build/demo")) -> int:
    """Compile; run if the machine can."""
    compile_stages(Path(out).resolve())
    reason = missing_for_run()
    if reason:
        print(f"Compiled only: {reason}, so the kernel was not run (it needs sm_90).")
        return 0
    if run():
        print("The result is right.")
        return 0
    print("The result is wrong.")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
