# SPDX-License-Identifier: MIT
"""Triton's CUDA backend, extended by the stages of our own sources."""

from __future__ import annotations

from typing import Any, cast

from triton.backends.nvidia.compiler import CUDABackend

from tlx.backend import clusters

# `language` of our sources. Triton's own are members of an enumeration.
LANGUAGE = "tlx"
# What our sources put among the options, so that these are known to be theirs.
MARK = "is_tlx_source"


class TLXCUDABackend(CUDABackend):
    """Compiles our sources through our stages, all others as its base does."""

    def parse_options(self, opts: dict[str, Any]) -> Any:
        """Returns the options of a launch, with the shape of the cluster if given.

        Args:
            opts: Keyword arguments of the launch. `MARK` is among them if they are
                those of a source of ours.

        Raises:
            TLXError: The cluster is not one that we support, or an option of a source
                of ours is wrong.
        """
        if opts.get(MARK):
            from tlx.backend import options as launch_options

            launch_options.check(opts)
        options = super().parse_options(opts)
        if clusters.OPTION in opts:
            shape = clusters.check(opts[clusters.OPTION])
            # Options that a launch cannot find here are unknown to it.
            object.__setattr__(options, clusters.OPTION, shape)
        return options

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
        from tlx.backend.isolated_stages import isolate_if_wanted
        from tlx.backend.stages import add_front_stages, guard_back_stages

        add_front_stages(stages, options)
        # For a language that it does not know, the base adds the stages behind TTGIR.
        super().add_stages(stages, options, cast(Any, language))
        guard_back_stages(stages, options)
        isolate_if_wanted(stages, language, options, self.target)
