# SPDX-License-Identifier: MIT
"""Triton's CUDA backend, extended by the stages of our own sources."""

from __future__ import annotations

from typing import Any

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
        if language == LANGUAGE:
            from tlx.backend.stages import add_front_stages

            add_front_stages(self, stages, options)
            # For a language it does not know, the base adds the stages behind
            # TTGIR. A name that is in the table already keeps its place.
        super().add_stages(stages, options, language)
        if language == LANGUAGE:
            from tlx.backend.stages import guard_back_stages

            guard_back_stages(stages)
