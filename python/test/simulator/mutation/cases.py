# SPDX-License-Identifier: MIT
"""Good kernels with small inputs, ready to run at both levels."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tlx import _ext
from tlx.backend import aot
from tlx.backend.lowering import to_ttgir
from tlx.simulator.execute import Report, execute
from tlx.simulator.ir.load import load
from tlx.simulator.ir.program import Program
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.options import Options
from tlx.tools.files import load_file
from tlx.tools.signatures import declared

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples"
SIMPLIFY = "builtin.module(inline,symbol-dce,canonicalize,cse)"

Array = np.ndarray[Any, Any]


@dataclasses.dataclass
class Launch:
    """Inputs of one run.

    Attributes:
        memory: Global memory that holds them.
        params: Values of the kernel's parameters.
        outputs: What it writes, and what should be there, by name.
        tolerance: Largest difference that rounding explains.
    """

    memory: GlobalMemory
    params: list[Any]
    outputs: dict[str, tuple[Array, Array]]
    tolerance: float


@dataclasses.dataclass
class Case:
    """A kernel and its inputs.

    Attributes:
        file: Python file that has it.
        kernel: Its name.
        signature: Types of run-time parameters, where they differ from those that the
            file declares.
        constexprs: Values of the others, likewise.
        grid: CTAs.
        launches: Make inputs from a generator of random numbers. A fault may need
            other trip counts than those of the first ones to show.
    """

    name: str
    file: Path
    kernel: str
    signature: Mapping[str, str]
    constexprs: Mapping[str, Any]
    grid: tuple[int, int, int]
    launches: tuple[Callable[[np.random.Generator], Launch], ...]

    @functools.cached_property
    def texts(self) -> dict[str, str]:
        """The IR of the kernel at both levels."""
        module = load_file(self.file)
        kernel = getattr(module, self.kernel)
        spec = declared(module, self.kernel)
        for name, kind in self.signature.items():
            spec.add_type(name, kind)
        spec.constexprs.update(self.constexprs)
        spec.check(kernel)
        source = aot.make_source(
            kernel, spec.signature, spec.constexprs, spec.attrs(kernel)
        )
        target = aot.parse_target("sm_90a")
        ir, _ = aot.make_module(source, target, {"num_warps": 4}, {})
        text = ir.str(debug=True)
        return {"tlxir": text, "ttgir": to_ttgir(ir, self.kernel)}

    def program(self, level: str = "tlxir") -> Program:
        """Returns a fresh program, which the caller may change."""
        module = _ext.parse(self.texts[level], _ext.Context(), self.name)
        if level == "tlxir":
            _ext.run_pipeline(module, SIMPLIFY)
        return load(module)

    def run(
        self, program: Program, variant: int = 0, **options: Any
    ) -> tuple[Report, float]:
        """Runs a program; returns the report and the largest error.

        Args:
            program: The case's, or a mutant of it.
            variant: Which of the inputs.
            options: As for `Options`.

        Raises:
            SimulationError: The simulator finds a fault.
        """
        launch = self.launches[variant](np.random.default_rng(7))
        report = execute(
            program, self.grid, launch.params, launch.memory, Options(**options)
        )
        return report, self.error(launch)

    def error(self, launch: Launch) -> float:
        """Returns the largest error over the tolerance."""
        worst = 0.0
        for got, wanted in launch.outputs.values():
            difference = np.abs(got.astype(np.float64) - wanted)
            largest = float(np.nan_to_num(difference, nan=np.inf).max())
            worst = max(worst, largest / launch.tolerance)
        return worst


def descriptor(memory: GlobalMemory, name: str, array: Array, block: Any) -> list[Any]:
    """Returns the parameters that a host descriptor becomes."""
    strides = [s // array.itemsize for s in array.strides]
    desc = TensorDescriptor(
        memory.map(name, array),
        array.shape,
        tuple(strides),
        tuple(block),
        array.dtype,
    )
    return [desc, *array.shape, *strides]


def _copy_inputs(rows: int, columns: int, tile: Any) -> Callable[[Any], Launch]:
    def launch(rng: np.random.Generator) -> Launch:
        memory = GlobalMemory()
        src = rng.standard_normal((rows, columns)).astype(np.float16)
        dst = np.zeros_like(src)
        params = [
            *descriptor(memory, "src", src, tile),
            memory.map("dst", dst),
            rows,
            columns,
        ]
        return Launch(memory, params, {"dst": (dst, src.astype(np.float64))}, 1e-9)

    return launch


def _gemm_inputs(
    m: int, n: int, k: int, blocks: Any = None, *, pointers: bool = False
) -> Callable[[Any], Launch]:
    def launch(rng: np.random.Generator) -> Launch:
        memory = GlobalMemory()
        a = rng.standard_normal((m, k)).astype(np.float16)
        b = rng.standard_normal((k, n)).astype(np.float16)
        c = np.zeros((m, n), np.float16)
        arrays = {"a": a, "b": b, "c": c}
        if pointers:
            params = [memory.map(name, array) for name, array in arrays.items()]
            params += [m, n, k, k, n, n]
        else:
            params = [
                value
                for (name, array), block in zip(arrays.items(), blocks, strict=True)
                for value in descriptor(memory, name, array, block)
            ]
            params += [m, n, k]
        wanted = a.astype(np.float64) @ b.astype(np.float64)
        return Launch(memory, params, {"c": (c, wanted)}, 0.07)

    return launch


def _attention_inputs(heads: int, s: int, d: int, keys: int, causal: bool) -> Any:
    def launch(rng: np.random.Generator) -> Launch:
        memory = GlobalMemory()
        q, k, v = (
            rng.standard_normal((heads, s, d)).astype(np.float16) for _ in range(3)
        )
        o = np.zeros_like(q)
        lse = np.zeros((heads, s), np.float32)
        params: list[Any] = []
        blocks = {"q": (q, 64), "k": (k, keys), "v": (v, keys), "o": (o, 64)}
        for name, (array, rows) in blocks.items():
            params += descriptor(memory, name, array, (1, rows, d))
        scale = d**-0.5
        params += [memory.map("lse", lse), np.float32(scale * 1.4426950408889634)]
        params += [heads, s]
        scores = scale * (q.astype(np.float64) @ np.swapaxes(k, 1, 2).astype(float))
        if causal:
            scores = np.where(np.tril(np.ones((s, s), bool)), scores, -np.inf)
        top = scores.max(-1, keepdims=True)
        p = np.exp(scores - top)
        total = p.sum(-1, keepdims=True)
        outputs = {
            "o": (o, (p / total) @ v.astype(np.float64)),
            "lse": (lse, (top + np.log(total))[..., 0]),
        }
        return Launch(memory, params, outputs, 0.01)

    return launch


def _handover_inputs(rng: np.random.Generator) -> Launch:
    memory = GlobalMemory()
    src = rng.standard_normal((5 * 64,)).astype(np.float32)
    dst = np.zeros_like(src)
    params = [memory.map("src", src), memory.map("dst", dst), 5]
    return Launch(memory, params, {"dst": (dst, 2.0 * src.astype(np.float64))}, 1e-6)


def _relay_inputs(rng: np.random.Generator) -> Launch:
    memory = GlobalMemory()
    src = rng.integers(-8, 9, (4, 32)).astype(np.float32)
    dst, sums = np.zeros_like(src), np.zeros(5, np.float32)
    flags = np.array([1, 0, 0, 0, 0], np.int32)
    arrays = {"src": src, "dst": dst, "sums": sums, "flags": flags}
    params = [memory.map(name, array) for name, array in arrays.items()]
    before = np.concatenate([[0.0], src.sum(1, np.float64).cumsum()])
    wanted = {"dst": (dst, src + before[:-1, None]), "sums": (sums, before)}
    return Launch(memory, params, wanted, 1e-6)


def _gemm_signature(a: Any, b: Any, c: Any) -> dict[str, str]:
    blocks = {"a_desc": a, "b_desc": b, "c_desc": c}
    types = {n: f"tensordesc<fp16[{x[0]}, {x[1]}]>" for n, x in blocks.items()}
    return {**types, "M": "i32", "N": "i32", "K": "i32"}


def cases() -> dict[str, Case]:
    """Returns the kernels of the suite by name."""
    made = [
        Case(
            "ring_copy",
            EXAMPLES / "01_ring_copy.py",
            "ring_copy",
            {
                "src_desc": "tensordesc<fp16[16, 64]>",
                "dst_ptr": "*fp16:16",
                "M": "i32",
                "N": "i32:16",
            },
            {"TILE_M": 16, "TILE_N": 64, "SLOTS": 3},
            (2, 1, 1),
            (_copy_inputs(72, 192, (16, 64)), _copy_inputs(48, 64, (16, 64))),
        ),
        Case(
            "gemm_cp_async",
            EXAMPLES / "02_gemm_cp_async.py",
            "gemm_cp_async",
            {},
            {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_K": 32, "GROUP_M": 2, "STAGES": 3},
            (2, 1, 1),
            tuple(_gemm_inputs(80, 32, k, pointers=True) for k in (208, 96)),
        ),
        Case(
            "gemm_ws",
            EXAMPLES / "03_gemm_ws.py",
            "gemm_ws",
            _gemm_signature((64, 64), (64, 64), (64, 64)),
            {
                "BLOCK_M": 128,
                "BLOCK_N": 64,
                "BLOCK_K": 64,
                "GROUP_M": 2,
                "STAGES": 3,
                "CONSUMERS": 2,
                "CONSUMER_REGS": 240,
            },
            (2, 1, 1),
            tuple(
                _gemm_inputs(200, 64, k, ((64, 64), (64, 64), (64, 64)))
                for k in (424, 256, 512)
            ),
        ),
        Case(
            "gemm_ws_persistent",
            EXAMPLES / "03_gemm_ws.py",
            "gemm_ws_persistent",
            _gemm_signature((64, 32), (32, 64), (64, 32)),
            {
                "BLOCK_M": 128,
                "BLOCK_N": 64,
                "BLOCK_K": 32,
                "GROUP_M": 2,
                "STAGES": 3,
                "CONSUMERS": 2,
                "CONSUMER_REGS": 240,
            },
            (1, 1, 1),
            tuple(
                _gemm_inputs(m, 128, k, ((64, 32), (32, 64), (64, 32)))
                for m, k in ((200, 112), (100, 80), (300, 160))
            ),
        ),
        Case(
            "gemm_pingpong",
            EXAMPLES / "04_gemm_pingpong.py",
            "gemm_pingpong",
            _gemm_signature((64, 32), (32, 64), (64, 64)),
            {
                "BLOCK_M": 64,
                "BLOCK_N": 64,
                "BLOCK_K": 32,
                "GROUP_M": 2,
                "STAGES": 3,
                "CONSUMER_REGS": 240,
            },
            (1, 1, 1),
            tuple(
                _gemm_inputs(m, 64, k, ((64, 32), (32, 64), (64, 64)))
                for m, k in ((264, 112), (128, 80), (200, 160))
            ),
        ),
        *(
            Case(
                f"attention{'_causal' if causal else ''}",
                EXAMPLES / "05_attention.py",
                "attention_fwd",
                {
                    "q_desc": "tensordesc<fp16[1, 64, 64]>",
                    "k_desc": f"tensordesc<fp16[1, {keys}, 64]>",
                    "v_desc": f"tensordesc<fp16[1, {keys}, 64]>",
                    "o_desc": "tensordesc<fp16[1, 64, 64]>",
                    "lse_ptr": "*fp32:16",
                    "scale_log2": "fp32",
                    "heads": "i32",
                    "S": "i32:16",
                },
                {
                    "ROWS": 64,
                    "KEYS": keys,
                    "STAGES": 2,
                    "CONSUMER_REGS": 240,
                    "HEAD_DIM": 64,
                    "CAUSAL": causal,
                },
                (1, 1, 1),
                tuple(_attention_inputs(1, n, 64, keys, causal) for n in sizes),
            )
            for causal, keys, sizes in (
                (False, 64, (272, 208)),
                (True, 128, (272, 400)),
            )
        ),
        Case(
            "handover",
            HERE / "handover.py",
            "handover",
            {"src": "*fp32:16", "dst": "*fp32:16", "tiles": "i32"},
            {"TILE": 64},
            (1, 1, 1),
            (_handover_inputs,),
        ),
        Case(
            "relay",
            HERE / "relay.py",
            "relay",
            {
                "src": "*fp32:16",
                "dst": "*fp32:16",
                "sums": "*fp32:16",
                "flags": "*i32:16",
            },
            {"TILE": 32},
            (4, 1, 1),
            (_relay_inputs,),
        ),
    ]
    return {case.name: case for case in made}
