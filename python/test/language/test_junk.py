# SPDX-License-Identifier: MIT
"""Whatever a user passes, the outcome is IR or a `TLXError`, nothing else."""

import inspect

import pytest

import tlx
from tlx.errors import TLXError

SETUP = (
    "buf = tlx.local_alloc((64, 64), tl.float16, 1)[0]",
    "ring = tlx.local_alloc((64, 64), tl.float16, 2)",
    "row = tlx.local_alloc((64,), tl.float16, 1)[0]",
    "bars = tlx.alloc_barriers(2)",
    "bar = bars[0]",
    "tile = tl.zeros((64, 64), tl.float16)",
    "offs = tl.arange(0, 64)",
    "n = tl.load(x).to(tl.int32)",
    "places = (tile > 0).to(tl.int32)",
    "ptrs = tlx.allocate_tensor_descriptor(2)",
)
LAYOUT = "tlx.layout(shape=((32, 4), (32,)), stride=((1, 32), (128,)))"
# A legal call of each function.
CALLS = {
    "local_alloc": "(64, 64), tl.float16, 2",
    "local_view": "ring, 1",
    "local_load": "buf",
    "local_store": "buf, tile",
    "local_gather": "buf, places, 0, None",
    "local_scatter": "buf, tile, places, 0, None",
    "local_trans": "buf, (1, 0)",
    "local_slice": "buf, [0, 0], [32, 64]",
    "local_reshape": "buf, (4096,)",
    "local_reinterpret": "buf, tl.int16, (64, 64)",
    "subslice": "buf, 0, 16",
    "zeros": "(64, 64), tl.float16",
    "release_layout": "tile",
    "require_layout": "tile, LAYOUT",
    "alloc_barriers": "2, 1",
    "alloc_warp_barrier": "2, 4, 1",
    "barrier_expect_bytes": "bar, 64, True",
    "barrier_wait": "bar, 0, True",
    "barrier_arrive": "bar, 1, None, True",
    "named_barrier_wait": "9, 128",
    "named_barrier_arrive": "9, 128",
    "fence": "'gpu'",
    "async_load": "x + offs, row, offs < 3, 0.0, '', '', False",
    "async_load_commit_group": "[]",
    "async_load_wait_group": "0, []",
    "async_store": "x, row, 64",
    "async_descriptor_load": "d, buf, [0, 0], bar, True, '', ''",
    "async_descriptor_store": "d, buf, [0, 0], '', ''",
    "async_descriptor_store_wait": "0",
    "async_descriptor_prefetch_tensor": "d, [0, 0], True, ''",
    "make_tensor_descriptor": "None, x, [n, n], [n, 1], [64, 64], 'zero'",
    "allocate_tensor_descriptor": "2",
    "reinterpret_tensor_descriptor": "ptrs, [64, 64], tl.float16",
    "prefetch": "x + offs, 'L2', offs < 3, False",
    "vote_ballot_sync": "1, offs < 3",
    "async_dot": "buf, buf, tl.zeros((64, 64), tl.float32), True",
    "async_dot_wait": "0, tl.zeros((64, 64), tl.float32)",
    "thread_id": "0",
    "dtype_of": "x",
    "size_of": "tl.float16",
    "get_fp8_format_name": "tl.float8e5",
    "cuda_parse_arch": "'sm_90a'",
}
JUNK = [
    "None",
    "-1",
    "1 << 40",
    "1.5",
    "'junk'",
    "(1, 'a')",
    "n",
    "tile",
    "ring",
    "d",
]
SIGNATURE = {"x": "*fp16", "d": "tensordesc<fp16[64, 64]>"}


def split(arguments):
    """Split the arguments of a call at the commas outside of brackets."""
    parts, depth = [""], 0
    for char in arguments:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def test_every_function_is_here():
    others = {"async_task", "async_tasks", "async_task_replica_id"}
    missing = [
        name
        for name in tlx.language.__all__
        if getattr(getattr(tlx, name), "__tlx_builtin__", False)
        and name not in tlx.language._unsupported
        and name not in CALLS
        and name not in others
        and inspect.signature(getattr(tlx, name)).parameters
    ]
    assert [name for name in missing if not takes_nothing(name)] == []


def takes_nothing(name):
    names = set(getattr(tlx, name).signature.parameters) - {"_semantic"}
    return not names or name == "is_amd_tdm_target"


def attempts(name):
    """Yield calls with one argument replaced, also those that are left out."""
    legal = split(CALLS[name].replace("LAYOUT", LAYOUT))
    names = [
        parameter
        for parameter in getattr(tlx, name).signature.parameters
        if parameter != "_semantic"
    ]
    for position, parameter in enumerate(names):
        for junk in JUNK:
            given = [*legal[:position], junk, *legal[position + 1 :]]
            if position >= len(legal):
                given = [*legal, f"{parameter}={junk}"]
            yield f"tlx.{name}({', '.join(given)})"


@pytest.mark.parametrize("name", CALLS)
def test_junk(name, one_line, tlxir):
    for line in attempts(name):
        kernel = one_line(*SETUP, line, arguments="x, d")
        error = outcome(kernel, tlxir)
        if error is not None:
            assert isinstance(error, TLXError), f"{line}: {error}"
            assert error.location is not None, line
            assert "\n" not in error.headline, line


def outcome(kernel, tlxir):
    try:
        tlxir(kernel, SIGNATURE)
    except Exception as error:
        return error
    return None
