# SPDX-License-Identifier: MIT
"""Kernels of plain `tl` as people write them; in most, CTAs work together."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def layer_norm_forward(x, y, w, b, mean, rstd, N, eps, BLOCK: tl.constexpr):
    """Normalises a row; a row may take several blocks."""
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * N + i, i < N, 0.0).to(tl.float32)
        total += value
        squares += value * value
    mu = tl.sum(total) / N
    scale = tl.rsqrt(tl.sum(squares) / N - mu * mu + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, scale)
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * N + i, i < N).to(tl.float32)
        value = (value - mu) * scale * tl.load(w + i, i < N) + tl.load(b + i, i < N)
        tl.store(y + row * N + i, value.to(y.dtype.element_ty), i < N)


@triton.jit
def layer_norm_backward(
    x,
    w,
    dy,
    dx,
    dw,
    db,
    mean,
    rstd,
    locks,
    used,
    N,
    GROUPS: tl.constexpr,
    BLOCK: tl.constexpr,
    UNLOCK_EARLY: tl.constexpr,
):
    """Adds to one of GROUPS partial sums of dw and db, under a lock."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < N
    mu, scale = tl.load(mean + row), tl.load(rstd + row)
    centred = tl.load(x + row * N + i, inside, 0.0).to(tl.float32) - mu
    normal = tl.where(inside, centred * scale, 0.0)
    grad = tl.load(dy + row * N + i, inside, 0.0).to(tl.float32)
    scaled = grad * tl.load(w + i, inside, 0.0)
    along, level = tl.sum(normal * scaled) / N, tl.sum(scaled) / N
    tl.store(dx + row * N + i, (scaled - normal * along - level) * scale, inside)

    group = row % GROUPS
    while tl.atomic_cas(locks + group, 0, 1) == 1:
        pass
    if UNLOCK_EARLY:
        tl.atomic_xchg(locks + group, 0)
    count = tl.load(used + group)
    part_w, part_b = grad * normal, grad
    if count == 0:
        tl.store(used + group, 1)
    else:
        part_w += tl.load(dw + group * N + i, inside, 0.0)
        part_b += tl.load(db + group * N + i, inside, 0.0)
    tl.store(dw + group * N + i, part_w, inside)
    tl.store(db + group * N + i, part_b, inside)
    tl.debug_barrier()
    if not UNLOCK_EARLY:
        tl.atomic_xchg(locks + group, 0)


@triton.jit
def split_k(
    a,
    b,
    c,
    turns,
    M,
    N,
    K,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    SPLIT: tl.constexpr,
    IN_TURN: tl.constexpr,
):
    """Each of SPLIT CTAs adds its part of a tile when it is its turn."""
    tile, part = tl.program_id(0), tl.program_id(1)
    across = tl.cdiv(N, BN)
    m = tile // across * BM + tl.arange(0, BM)
    n = tile % across * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(part * BK, K, SPLIT * BK):
        k = start + tl.arange(0, BK)
        left = tl.load(a + m[:, None] * K + k, (m[:, None] < M) & (k < K), 0.0)
        right = tl.load(b + k[:, None] * N + n, (k[:, None] < K) & (n < N), 0.0)
        acc = tl.dot(left, right, acc)
    places = c + m[:, None] * N + n
    inside = (m[:, None] < M) & (n < N)
    if IN_TURN:
        while tl.atomic_add(turns + tile, 0) != part:
            pass
    if part != 0:
        acc += tl.load(places, inside, 0.0)
    tl.store(places, acc, inside)
    tl.debug_barrier()
    if IN_TURN:
        tl.atomic_xchg(turns + tile, part + 1)


@triton.jit
def grouped_matmul(
    data,
    offsets,
    sizes,
    counter,
    groups,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Takes tiles of several products from one queue until there are no more."""
    tile = tl.atomic_add(counter, 1)
    first = 0
    for group in range(groups):
        m_size = tl.load(sizes + group * 3)
        n_size = tl.load(sizes + group * 3 + 1)
        k_size = tl.load(sizes + group * 3 + 2)
        across = tl.cdiv(n_size, BN)
        tiles = tl.cdiv(m_size, BM) * across
        a = data + tl.load(offsets + group * 3)
        b = data + tl.load(offsets + group * 3 + 1)
        c = data + tl.load(offsets + group * 3 + 2)
        while (tile >= first) & (tile < first + tiles):
            m = (tile - first) // across * BM + tl.arange(0, BM)
            n = (tile - first) % across * BN + tl.arange(0, BN)
            acc = tl.zeros((BM, BN), tl.float32)
            for start in range(0, k_size, BK):
                k = start + tl.arange(0, BK)
                rows = (m[:, None] < m_size) & (k < k_size)
                columns = (k[:, None] < k_size) & (n < n_size)
                left = tl.load(a + m[:, None] * k_size + k, rows, 0.0)
                right = tl.load(b + k[:, None] * n_size + n, columns, 0.0)
                acc = tl.dot(left, right, acc)
            inside = (m[:, None] < m_size) & (n < n_size)
            tl.store(c + m[:, None] * n_size + n, acc.to(tl.float16), inside)
            tile = tl.atomic_add(counter, 1)
        first += tiles


@triton.jit
def attention(
    q,
    k,
    v,
    out,
    scale,
    LENGTH,
    BM: tl.constexpr,
    BN: tl.constexpr,
    DIM: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """Attention forward for one block of queries, with a running softmax."""
    start = tl.program_id(0) * BM
    head = tl.program_id(1) * LENGTH * DIM
    m, d = start + tl.arange(0, BM), tl.arange(0, DIM)
    queries = tl.load(q + head + m[:, None] * DIM + d, m[:, None] < LENGTH, 0.0)
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, DIM), tl.float32)
    end = tl.minimum(start + BM, LENGTH) if CAUSAL else LENGTH
    for first in range(0, end, BN):
        n = first + tl.arange(0, BN)
        keys = tl.load(k + head + n[None, :] * DIM + d[:, None], n < LENGTH, 0.0)
        scores = tl.dot(queries, keys) * (scale * 1.44269504)
        seen = n < LENGTH
        if CAUSAL:
            seen = seen & (m[:, None] >= n)
        scores = tl.where(seen, scores, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 1))
        shrink = tl.exp2(top - new_top)
        weights = tl.exp2(scores - new_top[:, None])
        values = tl.load(v + head + n[:, None] * DIM + d, n[:, None] < LENGTH, 0.0)
        acc = tl.dot(weights.to(tl.float16), values, acc * shrink[:, None])
        total = total * shrink + tl.sum(weights, 1)
        top = new_top
    places = out + head + m[:, None] * DIM + d
    tl.store(places, (acc / total[:, None]).to(tl.float16), m[:, None] < LENGTH)
