# SPDX-License-Identifier: MIT
"""Triton's CUDA backend, extended by the stages of our own sources."""

from __future__ import annotations

from typing import Any, cast

from triton.backends.nvidia.compiler import CUDABackend

# `language` of our sources. Triton's own are members of an enumeration.
LANGUAGE = "tlx"


class TLXCUDABackend(CUDABackend):
    """Compiles our sources through our stages, all others as its base does."""

    def add_stages(self, stages: dict[str, Any], options: Any, language: Any) -> None:
        """Fills the table of stages for one kernel.

        Args:
            stages: Table to fill: name of the stage to a function of the result
                so far and the metadata.
            options: Compile options.
            language: Where the kernel comes from; `LANGUAGE` for our sources.
        """
        if language != LANGUAGE:
            super().add_stages(stages, options, language)
            return
        from tlx.backend.stages import add_front_stages, guard_back_stages

        add_front_stages(stages, options)
        # For a language that it does not know, the base adds the stages behind TTGIR.
        super().add_stages(stages, options, cast(Any, language))
        guard_back_stages(stages)
