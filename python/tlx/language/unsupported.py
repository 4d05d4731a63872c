# SPDX-License-Identifier: MIT
"""Names of the TLX language that this version does not implement.

They exist, so that a kernel that uses one fails at its own line with the reason.
"""

from __future__ import annotations

from typing import Any

from ..errors import TargetError, UnsupportedError
from ._core import capability

# Reason -> names. The reason continues "'tlx.x' needs ...".
_LATER = {
    "thread block clusters": (
        "async_remote_shmem_copy",
        "async_remote_shmem_store",
        "cluster_barrier",
        "cluster_cta_rank",
        "cluster_size_1d",
        "fence_mbarrier_init_cluster",
        "remote_shmem_store",
        "remote_view",
    ),
    "storage aliases": (
        "reuse_group",
        "reuse_group_ir_type",
        "reuse_group_type",
        "storage_alias_spec",
        "storage_alias_spec_type",
        "storage_alias_spec_type_class",
    ),
    "layout reports": ("assert_same_layout", "dump_layout"),
    "more layout classes": (
        "DummyRegisterLayoutEncoding",
        "padded_shared_layout_encoding",
        "shared_linear_layout_encoding",
    ),
}
_BLACKWELL = {
    "tensor memory": (
        "DummyTMEMLayoutEncoding",
        "TMemCTAMode",
        "tensor_memory_layout_encoding",
        "tensor_memory_scales_layout_encoding",
        "tmem_copy",
    ),
    "tcgen05 matrix products": ("async_dot_scaled", "tcgen05_commit"),
    "cluster launch control": (
        "CLCPipelineContext",
        "_alloc_clc_responses",
        "_clc_issue",
        "_clc_query",
        "clc_consumer",
        "clc_create_context",
        "clc_producer",
        "clc_response",
        "clc_response_type",
    ),
    "warp reductions and conversions of sm_100": (
        "_to_mxfp8_block",
        "stoch_round",
        "warp_redux",
    ),
}
_AMD_TARGET = "an AMD target"
_AMD = (
    "amd_mfma_layout",
    "amd_sched_barrier",
    "amd_scheduled_mfma",
    "assume_uniform",
    "async_amd_descriptor_load",
    "async_amd_descriptor_store",
    "async_amd_descriptor_wait",
    "buffer_atomic_add",
    "buffer_load",
    "buffer_load_to_local",
    "buffer_store",
    "dot_operand_layout",
    "dot_scaled",
    "extract_slice",
    "rematerialized_range",
    "require_amd_wmma_layout",
    "warp_pipeline_stage",
)


class MissingName:
    """Stands for a function or class that is not there; raises when called.

    Attributes of it, such as the members of an enum, are missing names too.
    """

    __triton_builtin__ = True
    __tlx_builtin__ = True

    def __init__(self, name: str, reason: str, needs_sm: int | None) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"Raise: {name} is not in this version."
        self._reason = reason
        self._needs_sm = needs_sm

    def __call__(self, *args: Any, _semantic: Any = None, **kwargs: Any) -> Any:
        """Raise the error that tells what is needed."""
        del args, kwargs
        subject = f"tlx.{self.__name__}"
        if self._reason == _AMD_TARGET:
            raise TargetError(f"needs {_AMD_TARGET}", subject=subject)
        target = None if _semantic is None else capability(_semantic)
        needs = self._needs_sm
        if needs is not None and target is not None and target < needs:
            raise TargetError(
                f"needs sm_{needs} ({self._reason}), but the target is sm_{target}",
                subject=subject,
                expected=f"sm_{needs}",
                found=f"sm_{target}",
            )
        raise UnsupportedError(
            f"needs {self._reason}, which this version of TLX does not have yet",
            subject=subject,
        )

    def __getattr__(self, name: str) -> MissingName:
        if name.startswith("_") or name == "signature":
            raise AttributeError(name)
        return MissingName(f"{self.__name__}.{name}", self._reason, self._needs_sm)

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __repr__(self) -> str:
        return f"tlx.{self.__name__}"


def unsupported_names() -> dict[str, MissingName]:
    """Return an object for every name that is not implemented."""
    names = {name: MissingName(name, _AMD_TARGET, None) for name in _AMD}
    for group, needs_sm in ((_LATER, None), (_BLACKWELL, 100)):
        for reason, members in group.items():
            for name in members:
                names[name] = MissingName(name, reason, needs_sm)
    return names
