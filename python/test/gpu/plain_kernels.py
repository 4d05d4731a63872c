# SPDX-License-Identifier: MIT
"""Kernels in plain tl, for a comparison of our path with stock Triton's.

Each takes its inputs, then one output, then constexprs.
"""

import triton
import triton.language as tl


@triton.jit
def elementwise(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = tl.load(y_ptr + offsets, mask=mask, other=1.0)
    z = tl.exp2(-tl.abs(x)) * tl.sqrt(tl.abs(y)) + tl.where(x > y, x, tl.sin(y))
    tl.store(out_ptr + offsets, z, mask=mask)


@triton.jit
def row_softmax(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + offsets, offsets < cols, -float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * cols + offsets, e / tl.sum(e, 0), offsets < cols)


@triton.jit
def keep_larger(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)


@triton.jit
def reduce_with_index(x_ptr, out_ptr, ROWS: tl.constexpr, COLS: tl.constexpr):
    rows = tl.arange(0, ROWS)[:, None]
    cols = tl.arange(0, COLS)[None, :]
    x = tl.load(x_ptr + rows * COLS + cols)
    _, index = tl.reduce((x, cols + tl.zeros_like(rows)), 1, keep_larger)
    index += tl.argmin(x, 1)
    tl.store(out_ptr + tl.arange(0, ROWS), index)


@triton.jit
def decay(a, x, b, y):
    return a * b, x * b + y


@triton.jit
def scan_recurrence(a_ptr, x_ptr, out_ptr, ROWS: tl.constexpr, COLS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLS + tl.arange(0, COLS)[None, :]
    a, x = tl.load(a_ptr + offsets), tl.load(x_ptr + offsets)
    _, y = tl.associative_scan((a, x), 1, decay)
    tl.store(out_ptr + offsets, y + tl.cumsum(x, 0))


@triton.jit
def sorted_rows(x_ptr, out_ptr, ROWS: tl.constexpr, COLS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLS + tl.arange(0, COLS)[None, :]
    tl.store(out_ptr + offsets, tl.sort(tl.load(x_ptr + offsets), 1))


@triton.jit
def looped_dot(
    a_ptr,
    b_ptr,
    out_ptr,
    K,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    PRECISION: tl.constexpr,
):
    rows, cols = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    ks = tl.arange(0, BLOCK_K)
    acc = tl.zeros((M, N), tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows * K + (k + ks)[None, :])
        b = tl.load(b_ptr + (k + ks)[:, None] * N + cols)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
    tl.store(out_ptr + rows * N + cols, acc)


@triton.jit
def histogram_of(x_ptr, out_ptr, N: tl.constexpr, BINS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.atomic_add(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS))


@triton.jit
def collatz_steps(x_ptr, out_ptr):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid)
    steps = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(out_ptr + pid, steps)


@triton.jit(noinline=True)
def square_plus(x, y):
    return x * x + y


@triton.jit
def call_outlined(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.program_id(0))
    tl.store(out_ptr + tl.program_id(0), square_plus(square_plus(x, 1.0), x))


@triton.jit
def shuffle_shapes(x_ptr, out_ptr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :])
    even, odd = tl.split(tl.reshape(tl.trans(x), (N, N // 2, 2)))
    y = tl.reshape(tl.join(odd, even), (N, N))
    y = tl.gather(y, tl.broadcast_to(N - 1 - tl.arange(0, N)[:, None], (N, N)), 0)
    tl.store(out_ptr + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], y)


@triton.jit
def inline_assembly(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x, y = tl.load(x_ptr + offsets), tl.load(y_ptr + offsets)
    z = tl.inline_asm_elementwise(
        "lop3.b32 $0, $1, $2, 0, 0x3c;", "=r,r,r", [x, y], tl.int32, True, 1
    )
    tl.store(out_ptr + offsets, z)
