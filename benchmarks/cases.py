# SPDX-License-Identifier: MIT
"""The work that is timed, and how each competitor does it.

A *case* is data: kind, shape, dtype. A *competitor* is a function that takes the case's
inputs and returns its result. Each belongs to a *side*, the set of packages it needs:
`tlx` (stock Triton and this project), `stock` (stock Triton alone), `meta` (fbtriton
with the tutorial kernels inside its wheel) and `torch`. Sides never share a process.
"""

import dataclasses
import functools
import importlib.util
import pathlib
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["COMPETITORS", "SUITES", "Case", "Competitor", "make_inputs", "reference"]

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python" / "examples"))


@dataclasses.dataclass(frozen=True)
class Case:
    """A shape to time: (M, N, K) of a GEMM or (B, H, S, D) of attention."""

    kind: str
    shape: tuple[int, ...]
    dtype: str = "float16"
    causal: bool = False

    @property
    def flops(self) -> int:
        """Floating point operations; half of the square under a causal mask."""
        if self.kind == "gemm":
            m, n, k = self.shape
            return 2 * m * n * k
        batch, heads, s, head_dim = self.shape
        return 4 * batch * heads * s * s * head_dim // (2 if self.causal else 1)

    @property
    def name(self) -> str:
        """Text for tables and for the command line."""
        mask = " causal" if self.causal else ""
        return f"{self.kind} {'x'.join(map(str, self.shape))} {self.dtype}{mask}"


@dataclasses.dataclass(frozen=True)
class Competitor:
    """A way to do one kind of work."""

    side: str
    kind: str
    prepare: Callable[[Case], Callable[..., Any]]
    causal: bool = True
    smallest: int = 0


def make_inputs(case: Case, seed: int) -> tuple:
    """Random normal inputs on the GPU."""
    import torch

    generator = torch.Generator(device="cuda").manual_seed(seed)
    dtype = getattr(torch, case.dtype)

    def normal(*shape):
        return torch.randn(shape, device="cuda", generator=generator).to(dtype)

    if case.kind == "gemm":
        m, n, k = case.shape
        return normal(m, k), normal(k, n)
    return tuple(normal(*case.shape) for _ in range(3))


def reference(case: Case, inputs: tuple):
    """The result in fp32 (of the first two heads for attention)."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    if case.kind == "gemm":
        a, b = inputs
        return a.float() @ b.float()
    q, k, v = (x[:1, :2].float() for x in inputs)
    scores = q @ k.transpose(-1, -2) * case.shape[-1] ** -0.5
    if case.causal:
        s = case.shape[2]
        seen = torch.ones(s, s, device="cuda", dtype=torch.bool).tril()
        scores = scores.masked_fill(~seen, float("-inf"))
    return scores.softmax(-1) @ v


def _example(name: str, function: str, case: Case, **options):
    from examples import load_example

    run = functools.partial(getattr(load_example(name), function), **options)
    if case.kind == "gemm":
        return run
    return lambda q, k, v: run(q, k, v, causal=case.causal)[0]


def _gemm_config(example: str, kernel: str, **changes):
    def prepare(case: Case):
        from examples import load_example

        module = load_example(example)
        config = {**module.CONFIGS[kernel], **changes}
        options = {"persistent": True} if kernel.endswith("persistent") else {}
        return functools.partial(module.matmul, config=config, **options)

    return prepare


def _torch_matmul(case: Case):
    import torch

    return torch.matmul


def _cudnn(case: Case):
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def run(q, k, v):
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(
                q, k, v, is_causal=case.causal
            )

    return run


def _stock_gemm(case: Case):
    import stock_gemm

    return stock_gemm.matmul


def _meta(file_name: str, function: str, config: dict[str, Any]):
    """A host function of the tutorials inside the fbtriton wheel."""

    def prepare(case: Case):
        import triton

        path = pathlib.Path(triton.__file__).parent
        path = path / "language/extra/tlx/tutorials" / f"{file_name}.py"
        spec = importlib.util.spec_from_file_location(file_name.replace("-", "_"), path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        run = getattr(module, function)
        if case.kind == "gemm":
            return lambda a, b: run(a, b, config=config)
        return lambda q, k, v: run(q, k, v, case.shape[-1] ** -0.5, config=config)

    return prepare


_META_FA = {
    "BLOCK_M": 128,
    "BLOCK_N": 128,
    "NUM_BUFFERS": 2,
    "NUM_MMA_WARPS": 8,
    "NUM_MMA_GROUPS": 2,
}
_META_FA_PERSISTENT = {
    "BLOCK_M": 128,
    "BLOCK_N": 128,
    "NUM_BUFFERS_Q": 1,
    "NUM_BUFFERS_KV": 2,
    "NUM_MMA_WARPS": 8,
    "NUM_MMA_GROUPS": 2,
}
_META_GEMM_WS = {
    "BM": 128,
    "BN": 256,
    "BK": 64,
    "GROUP_SIZE_M": 8,
    "NUM_STAGES": 3,
    "NUM_MMA_WARPS": 8,
    "NUM_MMA_GROUPS": 2,
    "EPILOGUE_SUBTILE": False,
    "NUM_CTAS": 1,
}
_META_GEMM_PIPELINED = {
    "BLOCK_SIZE_M": 128,
    "BLOCK_SIZE_N": 256,
    "BLOCK_SIZE_K": 64,
    "GROUP_SIZE_M": 8,
    "NUM_STAGES": 3,
    "num_warps": 8,
}

COMPETITORS: dict[str, Competitor] = {
    "cublas": Competitor("torch", "gemm", _torch_matmul),
    "cudnn": Competitor("torch", "attention", _cudnn),
    "stock_tl": Competitor("stock", "gemm", _stock_gemm),
    "tlx_cp_async": Competitor(
        "tlx", "gemm", functools.partial(_example, "02_gemm_cp_async", "matmul")
    ),
    "tlx_ws": Competitor("tlx", "gemm", _gemm_config("03_gemm_ws", "gemm_ws")),
    "tlx_ws_persistent": Competitor(
        "tlx", "gemm", _gemm_config("03_gemm_ws", "gemm_ws_persistent")
    ),
    "tlx_pingpong": Competitor(
        "tlx", "gemm", _gemm_config("04_gemm_pingpong", "gemm_pingpong")
    ),
    "tlx_attention": Competitor(
        "tlx",
        "attention",
        functools.partial(_example, "05_attention", "attention"),
    ),
    "meta_gemm_ws": Competitor(
        "meta", "gemm", _meta("hopper_gemm_ws", "matmul", _META_GEMM_WS)
    ),
    "meta_gemm_pipelined": Competitor(
        "meta", "gemm", _meta("hopper_gemm_pipelined", "matmul", _META_GEMM_PIPELINED)
    ),
    "meta_fa_ws_pipelined": Competitor(
        "meta",
        "attention",
        _meta("hopper_fa_ws_pipelined", "attention", _META_FA),
        causal=False,
    ),
    "meta_fa_pingpong": Competitor(
        "meta",
        "attention",
        _meta("hopper_fa_ws_pipelined_pingpong", "attention", _META_FA),
        causal=False,
    ),
    "meta_fa_pingpong_persistent": Competitor(
        "meta",
        "attention",
        _meta(
            "hopper_fa_ws_pipelined_pingpong_persistent",
            "attention",
            _META_FA_PERSISTENT,
        ),
        causal=False,
    ),
}

_QUICK = [
    Case("gemm", (4096, 4096, 4096)),
    Case("gemm", (8192, 8192, 8192)),
    Case("attention", (4, 32, 4096, 128)),
]
SUITES: dict[str, list[Case]] = {
    "quick": _QUICK,
    "full": [
        *_QUICK,
        Case("attention", (4, 32, 4096, 128), causal=True),
        Case("gemm", (4096, 4096, 4096), "bfloat16"),
        Case("gemm", (8192, 8192, 8192), "bfloat16"),
        Case("gemm", (2048, 2048, 2048)),
        Case("gemm", (65536, 1024, 1024)),
        Case("attention", (4, 32, 8192, 128)),
        Case("attention", (4, 32, 2048, 128)),
        Case("attention", (4, 32, 4096, 64)),
        Case("attention", (4, 32, 4096, 64), causal=True),
    ],
}
