# SPDX-License-Identifier: MIT
"""A persistent matrix product in plain tl, the peer that needs no TLX.

TMA descriptors, one program per multiprocessor, a flattened tile loop which Triton's
own software pipeliner handles.
"""

import triton
import triton.language as tl

__all__ = ["matmul"]


@triton.jit
def gemm(
    a_desc,
    b_desc,
    c_desc,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    for tile in tl.range(
        tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True
    ):
        group = tile // (GROUP_M * tiles_n)
        local = tile % (GROUP_M * tiles_n)
        rows_in_group = min(tiles_m - group * GROUP_M, GROUP_M)
        off_m = (group * GROUP_M + local % rows_in_group) * BLOCK_M
        off_n = (local // rows_in_group) * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(tl.cdiv(K, BLOCK_K)):
            a = a_desc.load([off_m, k * BLOCK_K])
            b = b_desc.load([k * BLOCK_K, off_n])
            acc = tl.dot(a, b, acc)
        c_desc.store([off_m, off_n], acc.to(c_desc.dtype))


def matmul(a, b):
    """A @ b for row-major fp16 or bf16 CUDA tensors."""
    import torch
    from triton.tools.tensor_descriptor import TensorDescriptor

    (m, k), (_, n) = a.shape, b.shape
    block_m, block_n, block_k = 128, 256, 64
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    programs = torch.cuda.get_device_properties(a.device).multi_processor_count
    grid = (min(programs, triton.cdiv(m, block_m) * triton.cdiv(n, block_n)),)
    gemm[grid](
        TensorDescriptor.from_tensor(a, [block_m, block_k]),
        TensorDescriptor.from_tensor(b, [block_k, block_n]),
        TensorDescriptor.from_tensor(c, [block_m, block_n]),
        m,
        n,
        k,
        block_m,
        block_n,
        block_k,
        8,
        num_warps=8,
        num_stages=3,
    )
    return c
