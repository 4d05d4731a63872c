# SPDX-License-Identifier: MIT
"""Each operation with effects has a meaning, or stands here with the reason."""

import re
from pathlib import Path

from tlx.simulator import semantics  # noqa: F401
from tlx.simulator.code.linear import _Linearizer
from tlx.simulator.code.registry import EFFECTS, PURE

_ROOT = Path(__file__).parents[4]
_FOLDERS = ("include/tlx/Dialect/TLX/IR", "third_party/triton/include/triton_interop")

INSIDE_OTHERS = {
    "tlx.async_task",
    "tt.func",
}
"""Parts of an operation that is run as a whole."""

BLACKWELL = {
    "ttng.tc_gen5_commit",
    "ttng.tc_gen5_mma",
    "ttng.tc_gen5_mma_scaled",
    "ttng.tmem_alloc",
    "ttng.tmem_copy",
    "ttng.tmem_load",
    "ttng.tmem_store",
    "ttng.tmem_wait",
}
CLUSTERS = {
    "ttng.async_shared_store",
    "ttng.clc_load_result",
    "ttng.clc_try_cancel",
    "ttng.clc_try_cancel_sync",
    "ttng.cluster_barrier",
    "ttng.fence_mbarrier_init_release_cluster",
}
"""Specified in docs/simulator.md, built when the language has them."""

BETWEEN_PASSES = {"ttg.mask"}
"""Stock Triton's pipeliner makes and removes them."""

OPAQUE = {"ttg.inline_asm"}
"""PTX of the user's over whole values (Triton 3.9)."""

NOT_SIMULATED = OPAQUE | BLACKWELL | CLUSTERS | BETWEEN_PASSES


def definitions():
    """Yields the name and the definition up to its summary of all operations."""
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*.td")):
            text = path.read_text()
            starts = re.finditer(
                r'^def (TT|TTG|TTNG|TLX)_\w+\s*:\s*\w*Op<\s*"([\w.]+)"', text, re.M
            )
            for start in starts:
                dialect = start[1].lower()
                traits = text[start.start() : text.index("{", start.end())]
                yield f"{dialect}.{start[2]}", traits


def operations_with_effects():
    pure = ("Pure", "TLX_ViewOp", "NoMemoryEffect", "RecursiveMemoryEffects")
    return {
        name
        for name, traits in definitions()
        if not any(re.search(rf"\b{word}\b", traits) for word in pure)
    }


def is_structured(name):
    """Tells whether control flow is made of it."""
    return hasattr(_Linearizer, "_" + name.replace(".", "_"))


def test_the_scan_finds_operations():
    found = operations_with_effects()
    assert len(found) > 70
    assert {"tlx.async_load", "tt.load", "ttg.local_load", "ttng.wait_barrier"} <= found
    assert not {"tlx.local_view", "tt.splat", "ttg.memdesc_index"} & found


def test_each_operation_with_effects_has_a_meaning():
    known = EFFECTS.keys() | PURE.keys() | INSIDE_OTHERS | NOT_SIMULATED
    missing = {n for n in operations_with_effects() - known if not is_structured(n)}
    assert not missing


def test_exceptions_are_needed():
    assert operations_with_effects() >= INSIDE_OTHERS | NOT_SIMULATED
    assert not (INSIDE_OTHERS | NOT_SIMULATED) & (EFFECTS.keys() | PURE.keys())


def test_meanings_belong_to_operations():
    ours = {name for name, _ in definitions()}
    registered = {
        name
        for name in EFFECTS.keys() | PURE.keys()
        if name.split(".")[0] in ("tlx", "tt", "ttg", "ttng")
    }
    assert registered <= ours
