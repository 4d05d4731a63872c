# SPDX-License-Identifier: MIT
"""What a kernel may call; see the module of each group for its functions."""

from __future__ import annotations

from . import warp_spec
from .barriers import (
    alloc_barriers,
    alloc_warp_barrier,
    barrier_arrive,
    barrier_expect_bytes,
    barrier_wait,
    named_barrier_arrive,
    named_barrier_wait,
)
from .copies import (
    async_load,
    async_load_commit_group,
    async_load_wait_group,
    async_store,
    prefetch,
)
from .descriptor_storage import (
    allocate_tensor_descriptor,
    reinterpret_tensor_descriptor,
    tensor_descriptor_ptr,
    tensor_descriptor_ptr_type,
)
from .descriptors import (
    async_descriptor_load,
    async_descriptor_prefetch_tensor,
    async_descriptor_store,
    async_descriptor_store_wait,
    make_tensor_descriptor,
)
from .fences import fence, fence_async_shared
from .layouts import (
    layout,
    layout_encoding,
    nv_mma_shared_layout_encoding,
    release_layout,
    require_layout,
    shared_layout_encoding,
    swizzled_layout,
    swizzled_shared_layout_encoding,
    zeros,
)
from .memory import (
    local_alloc,
    local_gather,
    local_load,
    local_scatter,
    local_store,
    local_view,
)
from .mma import async_dot, async_dot_wait
from .tasks import async_task, async_task_replica_id, async_tasks
from .types import (
    async_token,
    async_token_type,
    buffered_tensor,
    buffered_tensor_type,
    mbarrier,
    mbarrier_type,
    storage_kind,
)
from .unsupported import unsupported_names
from .utility import (
    clock64,
    cuda_parse_arch,
    dtype_of,
    get_fp8_format_name,
    is_amd_tdm_target,
    is_hip,
    size_of,
    thread_id,
    vote_ballot_sync,
)
from .views import (
    local_reinterpret,
    local_reshape,
    local_slice,
    local_trans,
    subslice,
)

_unsupported = unsupported_names()
globals().update(_unsupported)

__all__ = [
    "alloc_barriers",
    "alloc_warp_barrier",
    "allocate_tensor_descriptor",
    "async_descriptor_load",
    "async_descriptor_prefetch_tensor",
    "async_descriptor_store",
    "async_descriptor_store_wait",
    "async_dot",
    "async_dot_wait",
    "async_load",
    "async_load_commit_group",
    "async_load_wait_group",
    "async_store",
    "async_task",
    "async_task_replica_id",
    "async_tasks",
    "async_token",
    "async_token_type",
    "barrier_arrive",
    "barrier_expect_bytes",
    "barrier_wait",
    "buffered_tensor",
    "buffered_tensor_type",
    "clock64",
    "cuda_parse_arch",
    "dtype_of",
    "fence",
    "fence_async_shared",
    "get_fp8_format_name",
    "is_amd_tdm_target",
    "is_hip",
    "layout",
    "layout_encoding",
    "local_alloc",
    "local_gather",
    "local_load",
    "local_reinterpret",
    "local_reshape",
    "local_scatter",
    "local_slice",
    "local_store",
    "local_trans",
    "local_view",
    "make_tensor_descriptor",
    "mbarrier",
    "mbarrier_type",
    "named_barrier_arrive",
    "named_barrier_wait",
    "nv_mma_shared_layout_encoding",
    "prefetch",
    "reinterpret_tensor_descriptor",
    "release_layout",
    "require_layout",
    "shared_layout_encoding",
    "size_of",
    "storage_kind",
    "subslice",
    "swizzled_layout",
    "swizzled_shared_layout_encoding",
    "tensor_descriptor_ptr",
    "tensor_descriptor_ptr_type",
    "thread_id",
    "vote_ballot_sync",
    "warp_spec",
    "zeros",
]
__all__ += _unsupported  # pyright: ignore[reportUnsupportedDunderAll]
