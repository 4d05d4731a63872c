# SPDX-License-Identifier: MIT
"""Fill the IR into architecture.md by compiling the README's kernel.

Usage: make_architecture.py [--check]

A fenced block of architecture.md that follows a line such as

    <!-- made: ptx from "mbarrier.try_wait" to "wait_end" -->

is replaced by what the named stage says, from the first line that contains the first
text up to the next one that contains the second (the same line if the texts are the
same); without texts, by all of it. With
`--check` nothing is written, and a block that would change is an error.

Run it from an environment that `make dev` made.
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_PAGE = _ROOT / "docs/architecture.md"
_README = _ROOT / "README.md"
_TLX_OPT = _ROOT / "build/bin/tlx-opt"

_BLOCK = re.compile(
    r'(?P<head><!-- made: (?P<stage>[\w-]+)(?: from "(?P<first>[^"]+)")?'
    r'(?: to "(?P<last>[^"]+)")? -->\n\n```\w+\n)(?P<body>.*?)(?P<tail>```\n)',
    re.DOTALL,
)
# The pipeline, cut where it is worth a look.
_CLEAN_UP = "inline,symbol-dce,canonicalize,cse,loop-invariant-code-motion"
_STEPS = {
    "cleaned-up": _CLEAN_UP,
    "layouts": f"{_CLEAN_UP},tlx-assign-layouts",
    "tasks": f"{_CLEAN_UP},tlx-assign-layouts,tlx-lower-tasks",
}


def code_block(language: str) -> str:
    """Return the README's only block of `language`."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", _README.read_text(), re.DOTALL)
    return found


def optimize(text: str, pipeline: str = "") -> str:
    """Run `pipeline` on the module in `text`; print it without locations."""
    passes = f"builtin.module({pipeline})"
    return subprocess.run(
        [_TLX_OPT, f"--pass-pipeline={passes}", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def compile_stages(folder: Path) -> dict[str, str]:
    """Compile the README's kernel with the README's command; return its stages."""
    (folder / "double.py").write_text(code_block("python"))
    command = re.sub("^python", sys.executable, code_block("sh"))
    environment = {"PYTHONPATH": str(_ROOT / "python")}
    subprocess.run(
        ["bash", "-ec", command],
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    paths = (folder / "stages").iterdir()
    return {
        path.suffix[1:]: path.read_text() for path in paths if path.suffix != ".cubin"
    }


def without_locations(text: str) -> str:
    """Drop MLIR's debug information, as Triton has no option to do so."""
    text = re.sub(r"^#loc\d* = .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r" loc\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\)", "", text)


def make_stages() -> dict[str, str]:
    """Return every text that the page may quote."""
    with tempfile.TemporaryDirectory() as folder:
        stages = compile_stages(Path(folder))
    source = stages["tlxir"]
    for name, pipeline in _STEPS.items():
        stages[name] = optimize(source, pipeline)
    stages["tlxir"] = optimize(source)
    stages["tlx_ttgir-pretty"] = optimize(stages["tlx_ttgir"])
    for name in ("tlx_ttgir", "ttgir"):
        stages[name] = without_locations(stages[name])
    return stages


def excerpt(text: str, first: str | None, last: str | None) -> str:
    """Cut the lines from `first` to `last` out of `text`, moved to the left."""
    lines = text.rstrip().splitlines()
    if first:
        start = next(i for i, line in enumerate(lines) if first in line)
        lines = lines[start:]
    if last:
        later = 0 if last == first else 1
        end = next(i for i, line in enumerate(lines) if i >= later and last in line)
        lines = lines[: end + 1]
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "".join(line[indent:].rstrip() + "\n" for line in lines)


def main(*arguments: str) -> int:
    """Rewrite the page, or with `--check` compare it."""
    stages = make_stages()
    old = _PAGE.read_text()

    def fill(match: re.Match[str]) -> str:
        body = excerpt(stages[match["stage"]], match["first"], match["last"])
        return match["head"] + body + match["tail"]

    new = _BLOCK.sub(fill, old)
    if arguments != ("--check",):
        _PAGE.write_text(new)
        return 0
    change = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    print("\n".join(change))
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
