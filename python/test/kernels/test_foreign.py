# SPDX-License-Identifier: MIT
"""TLX kernels that others wrote run unmodified: they compile, and give right numbers.

Set TLX_FOREIGN_KERNELS to the folder that has fbtriton's package `triton`, such as the
`site-packages` of an environment in which it is installed. torch is needed too.
"""

import dataclasses
import os
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from triton.runtime.autotuner import Autotuner

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from foreign import TUTORIALS, compiled_launches, load, pretend_gpu

import tlx
from tlx.simulator.findings.memory import OutOfRange, RaceError
from tlx.testing import check_kernel

VARIABLE = "TLX_FOREIGN_KERNELS"
FOLDER = os.environ.get(VARIABLE, "")

pytestmark = [
    pytest.mark.skipif(not FOLDER, reason=f"{VARIABLE} is not set"),
    # The tuner leaves out what it cannot run.
    pytest.mark.filterwarnings("ignore::tlx.errors.TLXWarning"),
]


@dataclasses.dataclass(frozen=True)
class Case:
    """A kernel with the host code that it came with.

    Attributes:
        file: Where it is.
        shape: Sizes of the problem.
        keywords: Passed to the host function.
        function: The host function.
    """

    file: str
    shape: tuple[int, ...]
    keywords: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    function: str = ""

    def launch(self, module, *inputs):
        """Runs the host function."""
        return getattr(module, self.function)(*inputs, **self.keywords)


@dataclasses.dataclass(frozen=True)
class Gemm(Case):
    """C = A @ B in fp16; shape is M, N and K.

    Attributes:
        columns: Operands that are column-major.
    """

    function: str = "matmul"
    columns: str = ""

    def inputs(self, torch):
        """Returns the tensors that the host function takes."""
        m, n, k = self.shape
        a = torch.randn((m, k), dtype=torch.float16)
        b = torch.randn((k, n), dtype=torch.float16)
        return [
            x.T.contiguous().T if name in self.columns else x
            for name, x in (("a", a), ("b", b))
        ]

    def reference(self, a, b):
        """Returns the expected results."""
        return a.numpy().astype(np.float32) @ b.numpy().astype(np.float32)


class BareGemm(Gemm):
    """A kernel whose host code is for another GPU; `keywords` are the kernel's."""

    def launch(self, module, a, b):
        """Runs the host function."""
        kernel = getattr(module, self.function)
        if isinstance(kernel, Autotuner):
            # Its configurations are for the other GPU.
            kernel = kernel.fn
        (m, k), n = a.shape, b.shape[1]
        c = a.new_empty((m, n))
        rows, columns, *_ = self.keywords.values()
        strides = [size for x in (a, b, c) for size in x.stride()]
        grid = (-(-m // rows) * -(-n // columns),)
        kernel[grid](a, b, c, m, n, k, *strides, **self.keywords)
        return c


@dataclasses.dataclass(frozen=True)
class Attention(Case):
    """Forward attention in fp16; shape is batch, heads, length and head dimension."""

    function: str = "attention"

    def inputs(self, torch):
        """Returns the tensors that the host function takes."""
        return [torch.randn(self.shape, dtype=torch.float16) * 0.5 for _ in range(3)]

    def launch(self, module, q, k, v):
        """Runs the host function."""
        return super().launch(module, q, k, v, 0.5)

    def reference(self, q, k, v):
        """Returns the expected results."""
        q, k, v = (x.numpy().astype(np.float32) for x in (q, k, v))
        weights = np.exp(0.5 * (q @ k.swapaxes(-1, -2)))
        if self.keywords.get("causal"):
            weights = np.tril(weights)
        return weights @ v / weights.sum(-1, keepdims=True)


@dataclasses.dataclass(frozen=True)
class Add(Case):
    """Two sums of vectors."""

    file: str = "vector-add2"
    shape: tuple[int, ...] = (3000,)

    def inputs(self, torch):
        """Returns the tensors that the host function takes."""
        return [torch.randn(self.shape) for _ in range(4)]

    def reference(self, x, y, a, b):
        """Returns the expected results."""
        return (x + y).numpy(), (a + b).numpy()


@dataclasses.dataclass(frozen=True)
class Compression(Case):
    """W @ E for each candidate, and a result for its user added."""

    function: str = "ikbo_lce"

    def inputs(self, torch):
        """Returns the tensors that the host function takes."""
        m, n, k = self.shape
        sizes = [(m, k), (m, 40), (6, k, n), (3, 40, n)]
        users = torch.arange(6, dtype=torch.int32) // 2
        return [*(torch.randn(s, dtype=torch.float16) for s in sizes), users]

    def reference(self, *inputs):
        """Returns the expected results."""
        w, v, e, f = (x.numpy().astype(np.float32) for x in inputs[:4])
        return w @ e + (v @ f)[inputs[4].numpy()]


PIPELINED = {
    "BLOCK_SIZE_M": 128,
    "BLOCK_SIZE_N": 256,
    "BLOCK_SIZE_K": 64,
    "GROUP_SIZE_M": 8,
    "NUM_STAGES": 3,
}
WS = {
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
TWO_GROUPS = {"BLOCK_M": 128, "BLOCK_N": 128, "NUM_MMA_WARPS": 8, "NUM_MMA_GROUPS": 2}
ATTENTION = {**TWO_GROUPS, "NUM_BUFFERS": 2}
ONE_GROUP = {**ATTENTION, "NUM_MMA_WARPS": 4, "NUM_MMA_GROUPS": 1}
PERSISTENT = {**TWO_GROUPS, "NUM_BUFFERS_Q": 1, "NUM_BUFFERS_KV": 2}
SMALL = {"BLOCK_M": 64, "BLOCK_N": 64, "num_warps": 4}
SMALL_GEMM = {"BLOCK_SIZE_M": 32, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64}
TILES = (256, 512, 192)
RAGGED = (200, 272, 80)
HEADS = (1, 2, 256, 128)


def gemm_ws(shape=TILES, columns="", **changes):
    config = {"config": {**WS, **changes}}
    return Gemm("hopper_gemm_ws", shape, config, columns=columns)


def pingpong(config, shape, file="hopper_fa_ws_pipelined_pingpong"):
    return Attention(file, shape, {"config": config})


CASES = {
    "add": Add(function="add2"),
    "add-tasks": Add(function="add2_warp_specialized"),
    "gemm-pipelined": Gemm("hopper_gemm_pipelined", TILES, {"config": PIPELINED}),
    "gemm-pipelined-ragged": Gemm(
        "hopper_gemm_pipelined", RAGGED, {"config": PIPELINED}
    ),
    "gemm-pipelined-tuned": Gemm("hopper_gemm_pipelined", TILES),
    "gemm-ws": gemm_ws(),
    "gemm-ws-ragged": gemm_ws(RAGGED),
    "gemm-ws-subtiles": gemm_ws(EPILOGUE_SUBTILE=True),
    "gemm-ws-warp-barrier": gemm_ws(USE_WARP_BARRIER=True),
    "gemm-ws-columns-a": gemm_ws(columns="a"),
    "gemm-ws-columns-b": gemm_ws(columns="b"),
    "gemm-ws-columns-ab": gemm_ws(columns="ab"),
    "gemm-ws-persistent": gemm_ws((640, 512, 64)),
    "gemm-ws-tuned": Gemm("hopper_gemm_ws", (512, 512, 128)),
    "gemm-skinny": Gemm("hopper_gemm_ws", (64, 64, 8256)),
    "gemm-skinny-tma": Gemm("hopper_gemm_ws", (128, 128, 256)),
    "gemm-cooperative": Gemm(
        "hopper-persistent-gemm-ws-cooperative",
        (384, 512, 192),
        function="matmul_tlx_ws_persistent",
    ),
    "gemm-pingpong": Gemm(
        "hopper-persistent-gemm-ws-pingpong",
        (640, 256, 192),
        function="matmul_tlx_ws_persistent",
    ),
    "gemm-amd": BareGemm(
        "amd_gemm_pipelined",
        (100, 80, 192),
        {**SMALL_GEMM, "GROUP_SIZE_M": 2, "NUM_STAGES": 2},
        "matmul_kernel_pipelined_mi300",
    ),
    "gemm-plain": BareGemm(
        "gfx9_gemm/a16w16/v0_naive/matmul_kernel",
        (128, 128, 192),
        {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
        "v0_naive",
    ),
    "compression-plain": Compression("ikbo/ikbo_lce_triton", (100, 72, 48)),
    "attention-ws": Attention("hopper_fa_ws", HEADS, {"config": ATTENTION}),
    "attention-ws-one-group": Attention("hopper_fa_ws", HEADS, {"config": ONE_GROUP}),
    "attention-ws-tuned": Attention("hopper_fa_ws", HEADS),
    "attention-pipelined": Attention(
        "hopper_fa_ws_pipelined", HEADS, {"config": ATTENTION}
    ),
    "attention-pipelined-one-group": Attention(
        "hopper_fa_ws_pipelined", HEADS, {"config": ONE_GROUP}
    ),
    "attention-pingpong": pingpong(ATTENTION, HEADS),
    "attention-pingpong-d64": pingpong({**ATTENTION, "BLOCK_N": 64}, (1, 1, 384, 64)),
    "attention-persistent": pingpong(
        PERSISTENT, (1, 2, 384, 128), "hopper_fa_ws_pipelined_pingpong_persistent"
    ),
    "attention-persistent-two-q": pingpong(
        {**PERSISTENT, "NUM_BUFFERS_Q": 2},
        (1, 3, 256, 64),
        "hopper_fa_ws_pipelined_pingpong_persistent",
    ),
    "attention-amd": Attention(
        "amd_fa_pipelined", (1, 2, 256, 64), {"causal": False, "config": SMALL}
    ),
    "attention-amd-causal": Attention(
        "amd_fa_pipelined",
        (1, 2, 256, 64),
        {"causal": True, "config": {**SMALL, "PREFETCH": True}},
    ),
    "attention-amd-persistent": Attention(
        "amd_fa_persistent",
        (1, 2, 256, 64),
        {"causal": True, "NUM_XCDS": 1, **SMALL},
        "flash_attn_persistent",
    ),
}
# They are wrong on NVIDIA's GPUs.
FAULTS = {
    # The last round prefetches a tile of zeros, and the next tile does not wait for it.
    "attention-amd-persistent": (
        Attention(
            "amd_fa_persistent",
            (1, 2, 256, 64),
            {"causal": False, "NUM_XCDS": 1, **SMALL},
            "flash_attn_persistent",
        ),
        RaceError,
        "race on 'k_buf.0.'",
    ),
    # No mask keeps the last tile within the columns of B.
    "gemm-plain": (
        dataclasses.replace(CASES["gemm-plain"], shape=(64, 96, 64)),
        OutOfRange,
        "points to byte 12288 of 'b_ptr', which has 12288",
    ),
}


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    return torch


def launcher(case):
    """Returns a function that launches the kernel."""
    path = pathlib.Path(FOLDER)
    assert (path / TUTORIALS).is_dir(), f"{path / TUTORIALS} is no folder"
    module = load(path, case.file)

    def launch(*arguments):
        with pretend_gpu():
            return case.launch(module, *arguments)

    return launch


@pytest.mark.parametrize("name", CASES)
def test_compiles(name, torch):
    case = CASES[name]
    launch = launcher(case)
    with compiled_launches("sm_90a") as kernels:
        launch(*case.inputs(torch))
    assert len(kernels) == 1
    assert kernels[0].asm["cubin"][:4] == b"\x7fELF"


@pytest.mark.parametrize("level", ["tlxir", "ttgir", "stock_ttgir"])
@pytest.mark.parametrize("name", CASES)
def test_gives_right_numbers(name, level, torch):
    case = CASES[name]
    launch = launcher(case)
    inputs = case.inputs(torch)
    for seeds, schedules in (
        ([0], ["round_robin", "lazy_engines"]),
        (range(10), ["random"]),
    ):
        check_kernel(
            launch,
            case.reference,
            inputs,
            seeds=seeds,
            schedules=schedules,
            levels=[level],
        )


@pytest.mark.parametrize("level", ["tlxir", "ttgir"])
@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found(name, level, torch):
    case, kind, message = FAULTS[name]
    launch = launcher(case)
    inputs = case.inputs(torch)
    with tlx.simulate(level=level), pytest.raises(kind, match=message):
        launch(*inputs)
