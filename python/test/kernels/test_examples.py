# SPDX-License-Identifier: MIT
"""Every example compiles for sm_90a to what it was written for."""

import ast
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from ir_text import loops, main_loops, max_registers, task_warps

HOPPER_SHARED_MEMORY = 227 * 1024

D64 = (
    ("HEAD_DIM", 64),
    ("q_desc", "tensordesc<fp16[1, 64, 64]>"),
    ("k_desc", "tensordesc<fp16[1, 128, 64]>"),
    ("v_desc", "tensordesc<fp16[1, 128, 64]>"),
    ("o_desc", "tensordesc<fp16[1, 64, 64]>"),
)
BF16_WS = (
    ("a_desc", "tensordesc<bf16[64, 64]>"),
    ("b_desc", "tensordesc<bf16[64, 256]>"),
    ("c_desc", "tensordesc<bf16[64, 256]>"),
)


def three_consumers():
    """The changes of 03_gemm_ws for three consumers of 64 x 128."""
    return (
        ("BLOCK_M", 192),
        ("BLOCK_N", 128),
        ("CONSUMERS", 3),
        ("CONSUMER_REGS", 160),
        ("b_desc", "tensordesc<fp16[64, 128]>"),
        ("c_desc", "tensordesc<fp16[64, 128]>"),
    )


def one_consumer():
    """The changes of 03_gemm_ws for one consumer of 64 x 128."""
    return (
        ("BLOCK_M", 64),
        ("BLOCK_N", 128),
        ("CONSUMERS", 1),
        ("b_desc", "tensordesc<fp16[64, 128]>"),
        ("c_desc", "tensordesc<fp16[64, 128]>"),
    )


KERNELS = [
    ("01_ring_copy", "ring_copy", ()),
    ("01_ring_copy", "ring_copy_cp_async", ()),
    ("02_gemm_cp_async", "gemm_cp_async", ()),
    ("03_gemm_ws", "gemm_ws", ()),
    ("03_gemm_ws", "gemm_ws", one_consumer()),
    ("03_gemm_ws", "gemm_ws", three_consumers()),
    ("03_gemm_ws", "gemm_ws", BF16_WS),
    ("03_gemm_ws", "gemm_ws_persistent", ()),
    ("04_gemm_pingpong", "gemm_pingpong", ()),
    ("05_attention", "attention_fwd", ()),
    ("05_attention", "attention_fwd", (("CAUSAL", True),)),
    ("05_attention", "attention_fwd", D64),
    ("05_attention", "attention_fwd", (*D64, ("CAUSAL", True))),
]
IDS = [f"{kernel}-{i}" for i, (_, kernel, _) in enumerate(KERNELS)]
GEMMS = [entry for entry in KERNELS if entry[1].startswith("gemm")]
GEMM_IDS = [IDS[KERNELS.index(entry)] for entry in GEMMS]

# Counts in PTX. A consumer's code has its product twice: before and in the loop.
COUNTS = {
    "ring_copy": {"cp.async.bulk.tensor.2d.shared": 1, "wgmma.mma_async": 0},
    "ring_copy_cp_async": {"cp.async.bulk": 0, "cp.async.commit_group": 1},
    "gemm_cp_async": {"wgmma.mma_async": 4, "cp.async.commit_group": 3},
    "gemm_ws": {
        "wgmma.mma_async": 2 * 2 * 4,
        "cp.async.bulk.tensor.2d.shared": 3,
        "cp.async.bulk.tensor.2d.global": 2,
        "mbarrier.arrive.expect_tx": 1,
    },
    "gemm_ws_persistent": {
        "wgmma.mma_async": 2 * 2 * 4,
        "cp.async.bulk.tensor.2d.shared": 3,
        "cp.async.bulk.tensor.2d.global": 4,
        "mbarrier.arrive.expect_tx": 1,
    },
    "gemm_pingpong": {
        "wgmma.mma_async": 2 * 2 * 4 * 2,
        "cp.async.bulk.tensor.2d.shared": 2,
        "cp.async.bulk.tensor.2d.global": 2,
        "mbarrier.arrive.expect_tx": 1,
    },
    # Both products of a step have 8 instructions: HEAD_DIM / 16 and KEYS / 16.
    "attention_fwd": {
        "wgmma.mma_async": 2 * 2 * (8 + 8),
        "cp.async.bulk.tensor.3d.shared": 4,
        "cp.async.bulk.tensor.3d.global": 2,
        "mbarrier.arrive.expect_tx": 4,
    },
}


@pytest.mark.parametrize(("example", "kernel", "changes"), KERNELS, ids=IDS)
def test_reaches_cubin(compiled, example, kernel, changes):
    asm = compiled(example, kernel, changes).asm
    assert asm["cubin"][:4] == b"\x7fELF"
    assert "tlx." in asm["tlxir"]
    assert "tlx." not in asm["tlx_ttgir"]


@pytest.mark.parametrize(("example", "kernel", "changes"), KERNELS, ids=IDS)
def test_fits_into_shared_memory(compiled, example, kernel, changes):
    assert compiled(example, kernel, changes).metadata.shared <= HOPPER_SHARED_MEMORY


@pytest.mark.parametrize(("example", "kernel", "changes"), KERNELS, ids=IDS)
def test_no_spills(compiled, ptxas_report, example, kernel, changes):
    report = ptxas_report(compiled(example, kernel, changes).asm["ptx"])
    assert re.findall(r"(\d+) bytes spill stores", report) == ["0"]
    assert "serialized" not in report


@pytest.mark.parametrize(
    ("example", "kernel"), dict.fromkeys((e, k) for e, k, _ in KERNELS)
)
def test_instruction_counts(compiled, example, kernel):
    ptx = compiled(example, kernel, ()).asm["ptx"]
    assert {text: ptx.count(text) for text in COUNTS[kernel]} == COUNTS[kernel]


@pytest.mark.parametrize(("example", "kernel", "changes"), GEMMS, ids=GEMM_IDS)
def test_gemm_loops_have_no_conversion(compiled, example, kernel, changes):
    inner = main_loops(compiled(example, kernel, changes).asm["ttgir"])
    consumers = dict(changes).get("CONSUMERS", 2)
    assert len(inner) == (1 if kernel == "gemm_cp_async" else consumers)
    for text in inner:
        assert "ttg.convert_layout" not in text
        assert "pendings = 0" not in text


def test_attention_loop_converts_in_registers_only(compiled):
    """P becomes an operand, m and l go with two accumulators: never through memory."""
    inner = main_loops(compiled("05_attention", "attention_fwd", ()).asm["ttgir"])
    assert len(inner) == 2
    for text in inner:
        assert text.count("ttng.warp_group_dot ") == 2
        assert "ttg.local_alloc" not in text
        assert "ttg.local_load" not in text
        assert "ttg.local_store" not in text
    # Without conversions through memory there is no scratch: buffers and barriers only.
    buffers = 2 * 2 * 64 * 128 * 2 + 2 * 2 * 128 * 128 * 2
    assert (
        compiled("05_attention", "attention_fwd", ()).metadata.shared < buffers + 1024
    )


@pytest.mark.parametrize(("example", "kernel", "changes"), KERNELS, ids=IDS)
def test_tasks_keep_their_warps(compiled, example, kernel, changes):
    """Warps in the final TTGIR are those of the source; idle padding comes last."""
    ttgir = compiled(example, kernel, changes).asm["ttgir"]
    replicas = dict(changes).get("CONSUMERS", 2)
    expected = {
        "ring_copy": [1],
        "ring_copy_cp_async": [4],
        "gemm_cp_async": [],
    }.get(kernel, [4] * replicas)
    found = task_warps(ttgir)
    assert found[: len(expected)] == expected
    assert sum(found[len(expected) :]) < 4
    assert re.search(r'"ttg.num-warps" = (\d+)', ttgir).group(1) == (
        "8" if kernel == "gemm_cp_async" else "4"
    )


@pytest.mark.parametrize(
    ("example", "kernel", "changes", "registers", "threads"),
    [
        ("03_gemm_ws", "gemm_ws", (), 240, 384),
        ("03_gemm_ws", "gemm_ws", three_consumers(), 160, 512),
        ("04_gemm_pingpong", "gemm_pingpong", (), 240, 384),
        ("05_attention", "attention_fwd", (), 240, 384),
    ],
)
def test_register_requests(compiled, example, kernel, changes, registers, threads):
    """Consumers get what they ask for, the producer what is left."""
    ptx = compiled(example, kernel, changes).asm["ptx"]
    assert registers in max_registers(ptx)
    assert re.search(r"\.reqntid (\d+)", ptx).group(1) == str(threads)
    consumers = (threads - 128) // 128
    left = (65536 - consumers * 128 * registers) // 128
    assert min(max_registers(ptx)) <= left


def test_named_barriers_alternate_the_consumers(compiled):
    """Each consumer waits for its turn and gives the other one its turn."""
    ptx = compiled("05_attention", "attention_fwd", ()).asm["ptx"]
    for barrier in (8, 9):
        assert re.search(rf"(bar|barrier)\.sync(\.aligned)?\s+{barrier}, 256", ptx)
        assert re.search(rf"(bar|barrier)\.arrive(\.aligned)?\s+{barrier}, 256", ptx)


def test_producers_hold_no_products(compiled):
    """The loop that issues TMA loads has nothing else to do."""
    ttgir = compiled("03_gemm_ws", "gemm_ws", ()).asm["ttgir"]
    text = next(t for t in loops(ttgir) if "async_tma_copy_global_to_local" in t)
    assert "warp_group_dot" not in text
    assert text.count("ttng.async_tma_copy_global_to_local") == 3


def test_examples_do_not_import_torch():
    """Whoever compiles an example needs no torch; only its host function does."""
    from examples import EXAMPLES, load_example

    for name in EXAMPLES:
        tree = ast.parse(pathlib.Path(load_example(name).__file__).read_text())
        for node in tree.body:
            assert not (
                isinstance(node, ast.Import | ast.ImportFrom)
                and "torch" in ast.unparse(node)
            )
