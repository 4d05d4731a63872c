# SPDX-License-Identifier: MIT
"""Plain tl kernels give the same numbers through our path as through stock Triton's."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


def floats(*shape, dtype="float32"):
    """Inputs of normal random numbers."""
    return lambda torch: torch.randn(shape, device="cuda").to(getattr(torch, dtype))


def integers(low, high, *shape):
    """Inputs of random integers."""
    return lambda torch: torch.randint(
        low, high, shape, device="cuda", dtype=torch.int32
    )


def dot(dtype, precision=None, n=64, block_k=64):
    """The entry of a product in a loop over K."""
    return (
        "looped_dot",
        [floats(128, 256, dtype=dtype), floats(256, n, dtype=dtype)],
        ((128, n), "float32"),
        1,
        (256, 128, n, block_k, precision),
    )


# Kernel, inputs, shape and dtype of the output, grid, what follows the output.
CASES = {
    "elementwise": (
        "elementwise",
        [floats(1000), floats(1000)],
        ((1000,), "float32"),
        8,
        (1000, 128),
    ),
    "softmax": (
        "row_softmax",
        [floats(64, 1000)],
        ((64, 1000), "float32"),
        64,
        (1000, 1024),
    ),
    "reduce": (
        "reduce_with_index",
        [integers(0, 50, 64, 128)],
        ((64,), "int32"),
        1,
        (64, 128),
    ),
    "scan": (
        "scan_recurrence",
        [floats(32, 64), floats(32, 64)],
        ((32, 64), "float32"),
        1,
        (32, 64),
    ),
    "sort": ("sorted_rows", [floats(32, 128)], ((32, 128), "float32"), 1, (32, 128)),
    "dot_fp16": dot("float16"),
    "dot_bf16": dot("bfloat16"),
    "dot_fp8": dot("float8_e4m3fn"),
    "dot_tf32": dot("float32", "tf32", block_k=32),
    "dot_ieee": dot("float32", "ieee", block_k=32),
    "histogram": (
        "histogram_of",
        [integers(0, 64, 1024)],
        ((64,), "int32"),
        1,
        (1024, 64),
    ),
    "while": ("collatz_steps", [integers(1, 1000, 64)], ((64,), "int32"), 64, ()),
    "noinline": ("call_outlined", [floats(256)], ((256,), "float32"), 256, ()),
    "shapes": ("shuffle_shapes", [floats(64, 64)], ((64, 64), "float32"), 1, (64,)),
    "inline_asm": (
        "inline_assembly",
        [integers(0, 1 << 30, 256), integers(0, 1 << 30, 256)],
        ((256,), "int32"),
        1,
        (256,),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_same_numbers_as_stock(torch, name):
    import plain_kernels

    from tlx.backend import force

    kernel_name, makers, (shape, dtype), grid, rest = CASES[name]
    kernel = getattr(plain_kernels, kernel_name)
    inputs = [make(torch) for make in makers]
    results = []
    for variant in (kernel, force(kernel)):
        out = torch.zeros(shape, device="cuda", dtype=getattr(torch, dtype))
        compiled = variant[(grid,)](*inputs, out, *rest)
        assert ("tlxir" in compiled.asm) == (variant is not kernel)
        results.append(out)
    assert results[0].count_nonzero() > 0
    torch.testing.assert_close(results[1], results[0], rtol=0, atol=0)
