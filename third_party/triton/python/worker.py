# SPDX-License-Identifier: MIT
"""A process that runs stages of the wheel's compiler for another one.

Each line of the input asks for one stage and is answered by one line; both are JSON
(see `child.Child.ask`). What the compiler prints goes to the error output, so that it
cannot be taken for an answer.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from tlx.backend import names, transport, wheel
from tlx.backend.cuda import LANGUAGE
from tlx.backend.reproducer import Reproducer, kept_by_another
from tlx.backend.stages import guard_stock_stages
from tlx.errors import InternalError, TLXError

# Stages whose input is text; what the others take is parsed.
_TEXTUAL = ("ptx", "cubin")


class Worker:
    """Runs stages one after another."""

    def __init__(self) -> None:
        # The last module and its text: the next stage need not parse it.
        self._module: Any = None
        self._text = ""

    def _input(self, stage: str, is_ours: bool, path: Path) -> Any:
        text = path.read_text(encoding="utf-8")
        if stage in _TEXTUAL or (is_ours and stage == "ttgir"):
            return text
        if text == self._text:
            return self._module
        return wheel.parse(
            Reproducer(text, path.stem, path.suffix), wheel.new_context()
        )

    def _run(self, request: dict[str, Any]) -> dict[str, Any]:
        stage, path = request["stage"], Path(request["input"])
        is_ours = request["language"] == LANGUAGE
        language: Any = LANGUAGE if is_ours else names.Language[request["language"]]
        backend = names.make_backend(names.GPUTarget(*request["target"]))
        stages: dict[str, Any] = {}
        options = transport.options_from_json(request["options"])
        backend.add_stages(stages, options, language)
        if not is_ours:
            guard_stock_stages(stages, options)
        metadata: dict[str, Any] = {"name": request["name"]}
        names.knobs.nvidia.dump_ptxas_log = request["logs_ptxas"]
        with kept_by_another(path):
            result = stages[stage](self._input(stage, is_ours, path), metadata)
        answer: dict[str, Any] = {"metadata": metadata}
        if isinstance(result, bytes):
            answer["bytes"] = base64.b64encode(result).decode()
        else:
            self._module, self._text = result, str(result)
            answer["text"] = self._text
        return answer

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Runs a stage; returns its result, or the error."""
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                answer = self._run(request)
        except TLXError as error:
            answer = {"error": transport.error_to_json(error)}
        except Exception as error:
            reason = str(error).strip().split("\n")[0] or type(error).__name__
            failure = InternalError(
                f"Triton's stage '{request['stage']}' failed: {reason}",
                reproducer=request["input"],
            )
            answer = {"error": transport.error_to_json(failure)}
        return {**answer, "printed": output.getvalue()}


def main() -> None:
    """Answers until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker()
    for line in sys.stdin:
        answers.write(json.dumps(worker.answer(json.loads(line)), default=vars) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
