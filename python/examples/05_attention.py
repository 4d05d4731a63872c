# SPDX-License-Identifier: MIT
"""Attention forward: two tasks whose softmax overlaps with products.

O = softmax(scale * Q @ K^T) @ V for each head, and the log of the softmax's
denominators (LSE), which a backward pass needs. Q, K, V and O are (batch, heads,
sequence, HEAD_DIM), head dimension 64 or 128, fp16 or bf16; masks: none or causal.

A program takes tiles of `2 * ROWS` rows of Q, ROWS for each of two consumer tasks, and
walks over tiles of KEYS keys. With S = Q @ K^T, the rows' running maximum m and sum l,
and P = exp2(S * scale - m), one step is

    S = Q @ K[j]^T;  m' = max(m, rowmax(S));  P = exp2(S - m');  a = exp2(m - m')
    l = a * l + rowsum(P);  O = a * O + P @ V[j]

Tensor cores do the two products, everything else is ordinary arithmetic on registers,
and the exponentials alone take half as long as the products. Two kinds of overlap hide
it:

* **Within a task.** Product S of tile j + 1 does not need the softmax of tile j. Each
  step starts S = Q @ K[j + 1]^T, then O += P @ V[j], waits for the first of the two
  only, and computes the softmax of S while the second still runs.
* **Between tasks.** While one consumer computes its softmax the other should have the
  tensor cores. `named_barrier_wait(MY_TURN)` before the two products are started and
  `named_barrier_arrive(OTHER'S TURN)` after makes the consumers alternate. A named
  barrier completes when its number of threads have come: 128 that wait and 128 that
  just arrive.

P stays in registers: the accumulator of one product becomes the left operand of the
next one without passing through shared memory.

The tiles are walked from the last key to the first. Only the last one can stick out
over the end of the sequence or over the diagonal, so masks are applied once, before the
loop.

Descriptors have three dimensions (head, row, column), so that TMA fills rows past the
end of a head's sequence with zeros, instead of reading the next head, and clips stores.
Exponentials are in base 2, with log2(e) multiplied into the scale.
"""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx

__all__ = ["CONFIGS", "TLX_SIGNATURES", "attention", "attention_fwd", "reference"]

LN2 = tl.constexpr(0.6931471805599453)
# Named barriers 0 and 1 belong to the compiler, and one more to each task.
TURN = tl.constexpr(8)


@triton.jit
def ring_position(step, STAGES: tl.constexpr):
    """Slot and phase of the step-th use of a ring of STAGES buffers."""
    return step % STAGES, (step // STAGES) & 1


@triton.jit
def tile_coordinates(tile, tiles_m, CAUSAL: tl.constexpr):
    """Head and row tile of work item `tile`.

    Tiles of one head follow each other, so that its K and V stay in L2. Under a causal
    mask later rows are more work; they go first, so that the last ones are short.
    """
    head = tile // tiles_m
    block = tile % tiles_m
    if CAUSAL:
        block = tiles_m - 1 - block
    return head, block


@triton.jit
def key_tiles(block, S, TILE_M: tl.constexpr, KEYS: tl.constexpr, CAUSAL: tl.constexpr):
    """Number of key tiles that row tile `block` looks at."""
    count = tl.cdiv(S, KEYS)
    if CAUSAL:
        count = min(count, tl.cdiv((block + 1) * TILE_M, KEYS))
    return count


@triton.jit
def attention_fwd(
    q_desc,
    k_desc,
    v_desc,
    o_desc,
    lse_ptr,
    scale_log2,
    heads,
    S,
    ROWS: tl.constexpr,
    KEYS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    STAGES: tl.constexpr,
    CAUSAL: tl.constexpr,
    CONSUMER_REGS: tl.constexpr,
):
    """O and LSE of all heads. `heads` is batch times heads.

    With a causal mask 2 * ROWS divides KEYS: each row sees the last tile's first key.
    """
    dtype: tl.constexpr = tlx.dtype_of(q_desc)
    tile_m: tl.constexpr = 2 * ROWS
    tl.static_assert(not CAUSAL or KEYS % tile_m == 0, "2 * ROWS divides KEYS")
    q_bytes: tl.constexpr = ROWS * HEAD_DIM * tlx.size_of(dtype)
    kv_bytes: tl.constexpr = KEYS * HEAD_DIM * tlx.size_of(dtype)
    q_bufs = tlx.local_alloc((1, ROWS, HEAD_DIM), dtype, 2)
    o_bufs = tlx.local_alloc((1, ROWS, HEAD_DIM), dtype, 2)
    k_ring = tlx.local_alloc((1, KEYS, HEAD_DIM), dtype, STAGES)
    v_ring = tlx.local_alloc((1, KEYS, HEAD_DIM), dtype, STAGES)
    q_full = tlx.alloc_barriers(2, arrive_count=1)
    q_empty = tlx.alloc_barriers(2, arrive_count=1)
    k_full = tlx.alloc_barriers(STAGES, arrive_count=1)
    k_empty = tlx.alloc_barriers(STAGES, arrive_count=2)
    v_full = tlx.alloc_barriers(STAGES, arrive_count=1)
    v_empty = tlx.alloc_barriers(STAGES, arrive_count=2)

    tiles_m = tl.cdiv(S, tile_m)
    tiles = tiles_m * heads
    first = tl.program_id(0)
    programs = tl.num_programs(0)

    with tlx.async_tasks():
        with tlx.async_task("default"):
            step = 0
            q_phase = 1
            for tile in range(first, tiles, programs):
                head, block = tile_coordinates(tile, tiles_m, CAUSAL)
                count = key_tiles(block, S, tile_m, KEYS, CAUSAL)
                for i in tl.static_range(2):
                    tlx.barrier_wait(q_empty[i], q_phase)
                    tlx.barrier_expect_bytes(q_full[i], q_bytes)
                    tlx.async_descriptor_load(
                        q_desc,
                        q_bufs[i],
                        [head, block * tile_m + i * ROWS, 0],
                        q_full[i],
                    )
                q_phase = q_phase ^ 1
                for j in range(count):
                    slot, phase = ring_position(step + j, STAGES)
                    row = (count - 1 - j) * KEYS
                    tlx.barrier_wait(k_empty[slot], phase ^ 1)
                    tlx.barrier_expect_bytes(k_full[slot], kv_bytes)
                    tlx.async_descriptor_load(
                        k_desc, k_ring[slot], [head, row, 0], k_full[slot]
                    )
                    tlx.barrier_wait(v_empty[slot], phase ^ 1)
                    tlx.barrier_expect_bytes(v_full[slot], kv_bytes)
                    tlx.async_descriptor_load(
                        v_desc, v_ring[slot], [head, row, 0], v_full[slot]
                    )
                step += count

        with tlx.async_task(num_warps=4, num_regs=CONSUMER_REGS, replicate=2):
            me: tl.constexpr = tlx.async_task_replica_id()
            other: tl.constexpr = 1 - me
            q = tlx.local_reshape(q_bufs[me], [ROWS, HEAD_DIM])
            o_buf = tlx.local_reshape(o_bufs[me], [ROWS, HEAD_DIM])
            step = 0
            q_phase = 0
            if me == 1:
                # Consumer 0 has the first turn.
                tlx.named_barrier_arrive(TURN + other, 256)
            for tile in range(first, tiles, programs):
                head, block = tile_coordinates(tile, tiles_m, CAUSAL)
                count = key_tiles(block, S, tile_m, KEYS, CAUSAL)
                rows = block * tile_m + me * ROWS + tl.arange(0, ROWS)

                # The last key tile: its product, the masks and its softmax.
                slot, phase = ring_position(step, STAGES)
                tlx.barrier_wait(q_full[me], q_phase)
                tlx.barrier_wait(k_full[slot], phase)
                k_last = tlx.local_reshape(k_ring[slot], [KEYS, HEAD_DIM])
                tlx.named_barrier_wait(TURN + me, 256)
                s = tlx.async_dot(q, tlx.local_trans(k_last))
                tlx.named_barrier_arrive(TURN + other, 256)
                s = tlx.async_dot_wait(0, s)
                tlx.barrier_arrive(k_empty[slot])
                cols = (count - 1) * KEYS + tl.arange(0, KEYS)
                seen = (cols < S)[None, :]
                if CAUSAL:
                    seen = seen & (cols[None, :] <= rows[:, None])
                s = tl.where(seen, s, float("-inf"))
                # Each row sees at least the first key of this tile: m is finite.
                m = tl.max(s, 1) * scale_log2
                p = tl.math.exp2(s * scale_log2 - m[:, None])
                total = tl.sum(p, 1)
                acc = tl.zeros((ROWS, HEAD_DIM), tl.float32)
                p_op = p.to(dtype)

                for j in range(1, count):
                    k_slot, k_phase = ring_position(step + j, STAGES)
                    v_slot, v_phase = ring_position(step + j - 1, STAGES)
                    tlx.barrier_wait(k_full[k_slot], k_phase)
                    k = tlx.local_reshape(k_ring[k_slot], [KEYS, HEAD_DIM])
                    v = tlx.local_reshape(v_ring[v_slot], [KEYS, HEAD_DIM])
                    tlx.named_barrier_wait(TURN + me, 256)
                    s = tlx.async_dot(q, tlx.local_trans(k))
                    tlx.barrier_wait(v_full[v_slot], v_phase)
                    acc = tlx.async_dot(p_op, v, acc)
                    tlx.named_barrier_arrive(TURN + other, 256)
                    # The product with K is over, the one with V still runs.
                    s = tlx.async_dot_wait(1, s)
                    tlx.barrier_arrive(k_empty[k_slot])
                    m_new = tl.maximum(m, tl.max(s, 1) * scale_log2)
                    p = tl.math.exp2(s * scale_log2 - m_new[:, None])
                    alpha = tl.math.exp2(m - m_new)
                    total = total * alpha + tl.sum(p, 1)
                    m = m_new
                    acc = tlx.async_dot_wait(0, acc)
                    tlx.barrier_arrive(v_empty[v_slot])
                    acc = acc * alpha[:, None]
                    p_op = p.to(dtype)

                v_slot, v_phase = ring_position(step + count - 1, STAGES)
                v_first = tlx.local_reshape(v_ring[v_slot], [KEYS, HEAD_DIM])
                # Every product with K has ended: Q's buffer may take the next tile.
                tlx.barrier_arrive(q_empty[me])
                tlx.barrier_wait(v_full[v_slot], v_phase)
                acc = tlx.async_dot(p_op, v_first, acc)
                acc = tlx.async_dot_wait(0, acc)
                tlx.barrier_arrive(v_empty[v_slot])

                tl.store(
                    lse_ptr + head.to(tl.int64) * S + rows,
                    (m + tl.math.log2(total)) * LN2,
                    mask=rows < S,
                )
                acc = acc * (1.0 / total)[:, None]
                tlx.async_descriptor_store_wait(0)
                tlx.local_store(o_buf, acc.to(dtype))
                tlx.fence("async_shared")
                tlx.async_descriptor_store(
                    o_desc, o_bufs[me], [head, block * tile_m + me * ROWS, 0]
                )
                step += count
                q_phase = q_phase ^ 1
            if me == 0:
                # Take the turn that consumer 1 gave last: no barrier is left half full.
                tlx.named_barrier_wait(TURN + me, 256)
            tlx.async_descriptor_store_wait(0)


CONFIGS = {
    64: {"ROWS": 64, "KEYS": 128, "STAGES": 2, "CONSUMER_REGS": 240},
    128: {"ROWS": 64, "KEYS": 128, "STAGES": 2, "CONSUMER_REGS": 240},
}

TLX_SIGNATURES = {
    "attention_fwd": {
        "signature": {
            "q_desc": "tensordesc<fp16[1, 64, 128]>",
            "k_desc": "tensordesc<fp16[1, 128, 128]>",
            "v_desc": "tensordesc<fp16[1, 128, 128]>",
            "o_desc": "tensordesc<fp16[1, 64, 128]>",
            "lse_ptr": "*fp32:16",
            "scale_log2": "fp32",
            "heads": "i32",
            "S": "i32:16",
        },
        "constexprs": {**CONFIGS[128], "HEAD_DIM": 128, "CAUSAL": False},
        "options": {"num_warps": 4},
    },
}


def multiprocessors(x):
    """How many multiprocessors the GPU of tensor x has; a few in the simulator."""
    if not getattr(x, "is_cuda", False):
        return 4
    import torch

    return torch.cuda.get_device_properties(x.device).multi_processor_count


def attention(q, k, v, scale=None, causal=False, config=None, programs=None):
    """Output and log-sum-exp of attention over (batch, heads, sequence, HEAD_DIM)."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    batch, heads, s, head_dim = q.shape
    config = config or CONFIGS[head_dim]
    scale = head_dim**-0.5 if scale is None else scale
    o = q.new_empty(q.shape)
    lse = q.new_empty((batch, heads, s)).float()
    rows, keys = config["ROWS"], config["KEYS"]

    def descriptor(x, block):
        flat = x.reshape(batch * heads, s, head_dim)
        return TensorDescriptor.from_tensor(flat, [1, block, head_dim])

    if programs is None:
        programs = multiprocessors(q)
    grid = (min(batch * heads * triton.cdiv(s, 2 * rows), programs),)
    attention_fwd[grid](
        descriptor(q, rows),
        descriptor(k, keys),
        descriptor(v, keys),
        descriptor(o, rows),
        lse,
        scale * 1.4426950408889634,
        batch * heads,
        s,
        **config,
        HEAD_DIM=head_dim,
        CAUSAL=causal,
        num_warps=4,
    )
    return o, lse


def reference(q, k, v, scale=None, causal=False):
    """What `attention` computes, in fp32, for NumPy arrays."""
    import numpy as np

    q, k, v = (np.asarray(x, dtype=np.float32) for x in (q, k, v))
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = scale * (q @ np.swapaxes(k, -1, -2))
    if causal:
        seen = np.tril(np.ones(scores.shape[-2:], dtype=bool))
        scores = np.where(seen, scores, -np.inf)
    m = scores.max(-1, keepdims=True)
    p = np.exp(scores - m)
    total = p.sum(-1, keepdims=True)
    return (p / total) @ v, (m + np.log(total))[..., 0]
