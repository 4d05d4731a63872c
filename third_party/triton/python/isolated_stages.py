# SPDX-License-Identifier: MIT
"""Stages that hand their work to the wheel's compiler in another process."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from typing import Any

from tlx.backend import isolation, names, transport, wheel
from tlx.backend.cuda import LANGUAGE
from tlx.backend.failures import keeps_tlx_errors
from tlx.backend.reproducer import Reproducer
from tlx.errors import InternalError

Stage = Callable[[Any, dict[str, Any]], Any]

# Stages that run elsewhere, and endings of files with what each of them takes.
_INPUTS = {
    "ttir": ".ttir",
    "ttgir": ".ttir",
    "llir": ".ttgir",
    "ptx": ".llir",
    "cubin": ".ptx",
}


def _is_possible(options: Any) -> bool:
    """Tells whether another process would compile the kernel as this one does."""
    # What extensions of Triton put into its pipeline, such as the profiler, is code.
    has_hooks = names.knobs.runtime.add_stages_inspection_hook is not None
    is_profiled = ":" in str(options.instrumentation_mode or "")
    takes_places = names.knobs.compilation.use_ir_loc is not None
    if has_hooks or is_profiled or takes_places or not sys.executable:
        return False
    try:
        json.dumps(transport.options_to_json(options))
    except (TypeError, ValueError):
        return False
    return True


class _Kernel:
    """A kernel on its way through the stages."""

    def __init__(self, language: Any, options: Any, target: names.GPUTarget) -> None:
        self._request = {
            "language": LANGUAGE if language == LANGUAGE else language.name,
            "target": [target.backend, target.arch, target.warp_size],
            "options": transport.options_to_json(options),
        }
        self._name = ""

    def stage(self, name: str, original: Stage) -> Stage:
        """Returns a stage that runs in another process.

        Args:
            name: Its name, such as "llir".
            original: The stage in this process.
        """

        @keeps_tlx_errors
        def run(source: Any, metadata: dict[str, Any]) -> Any:
            if source is None:
                return original(source, metadata)
            return self._run(name, str(source), metadata)

        return run

    def _run(self, stage: str, text: str, metadata: dict[str, Any]) -> str | bytes:
        from tlx.backend import child

        self._name = self._name or wheel.kernel_name(text)
        is_ours = self._request["language"] == LANGUAGE
        suffix = ".ttgir" if is_ours and stage == "ttgir" else _INPUTS[stage]
        with Reproducer(text, self._name, suffix) as reproducer:
            request = {
                **self._request,
                "stage": stage,
                "name": self._name,
                "input": str(reproducer.path),
                "logs_ptxas": names.knobs.nvidia.dump_ptxas_log,
            }
            try:
                with child.borrowed() as process:
                    answer = process.ask(request)
            except child.Crash as crash:
                raise InternalError(
                    f"kernel '{self._name}': Triton's compiler failed in stage "
                    f"'{stage}': {crash}",
                    reproducer=str(reproducer.path),
                ) from None
            sys.stdout.write(answer["printed"])
            if "error" in answer:
                error = transport.error_from_json(answer["error"])
                if getattr(error, "reproducer", None) is None:
                    reproducer.discard()
                raise error
        metadata.update(answer["metadata"])
        if "bytes" in answer:
            return base64.b64decode(answer["bytes"])
        return answer["text"]


def isolate_if_wanted(
    stages: dict[str, Any], language: Any, options: Any, target: names.GPUTarget
) -> None:
    """Makes the stages of the wheel run in another process, if that is wanted.

    Args:
        stages: Triton's table of stages.
        language: Of the source.
        options: Compile options.
        target: GPU that is compiled for.
    """
    is_wanted = getattr(language, "is_isolated", False) or isolation.is_on()
    if not is_wanted or not _is_possible(options):
        return
    kernel = _Kernel(language, options, target)
    for name in _INPUTS:
        if name in stages:
            stages[name] = kernel.stage(name, stages[name])
