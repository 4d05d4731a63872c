# SPDX-License-Identifier: MIT
"""`python -m tlx compile`: a kernel in a file becomes the files of its stages."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tlx.errors import ArgumentError, did_you_mean
from tlx.tools import signatures

STAGES = ("tlxir", "tlx_ttgir", "ttgir", "llir", "ptx", "cubin")


def add_parser(commands: Any) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser(
        "compile",
        help="compile a kernel without a GPU and write each stage to a file",
        description="Compile a kernel without a GPU and write each stage to a file.",
    )
    add = parser.add_argument
    add("kernel", metavar="FILE[:KERNEL]", help="Python file, and kernel in it")
    add(
        "--signature",
        action="append",
        default=[],
        metavar="NAME=TYPE,...",
        help="types of the parameters, like 'a=*fp16:16, n=i32'; the file may "
        f"declare them in {signatures.DECLARATION}",
    )
    add(
        "--constexpr",
        action="append",
        default=[],
        metavar="NAME=VALUE,...",
        help="values of the tl.constexpr parameters",
    )
    add("--target", default="sm_90a", help="architecture (default: %(default)s)")
    add(
        "--emit",
        default="",
        metavar="STAGE,...",
        help=f"stages to write, of {', '.join(STAGES)} (default: all)",
    )
    add("-o", "--output", type=Path, default=Path("."), metavar="DIR")
    add("--num-warps", type=int, metavar="N", help="warps of the kernel itself")
    add("--num-ctas", type=int, metavar="N")
    add("--num-stages", type=int, metavar="N")
    add("--maxnreg", type=int, metavar="N", help="cap on registers per thread")
    add(
        "--force",
        action="store_true",
        help="use TLX's compiler even if the kernel uses no name of TLX",
    )
    parser.set_defaults(run=run)


def load_file(path: Path) -> ModuleType:
    """Runs a Python file and returns it as a module.

    Raises:
        ArgumentError: There is no such file.
    """
    if not path.is_file():
        raise ArgumentError(f"expects a Python file, but got '{path}'")
    name = path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ArgumentError(f"expects a Python file, but got '{path}'")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # As for a script: the file finds what lies beside it.
    sys.path.insert(0, str(path.parent.resolve()))
    spec.loader.exec_module(module)
    return module


def find_kernel(module: ModuleType, name: str) -> Any:
    """Returns the kernel called `name`, or the only one if `name` is empty.

    Raises:
        ArgumentError: There is none, or more than one.
    """
    from tlx.backend import names

    kernels = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, names.JITFunction) and value.__module__ == module.__name__
    }
    if not name:
        wanted = list(getattr(module, signatures.DECLARATION, kernels))
        if len(wanted) != 1:
            raise ArgumentError(
                f"expects FILE:KERNEL with one of {', '.join(wanted)}, but got "
                f"'{module.__file__}'"
                if wanted
                else f"'{module.__file__}' has no @triton.jit function"
            )
        name = wanted[0]
    value = getattr(module, name, None)
    # Autotuners and heuristics hold the kernel.
    while value is not None and not isinstance(value, names.JITFunction):
        value = getattr(value, "fn", None)
    if value is None:
        raise ArgumentError(
            f"'{module.__file__}' has no kernel '{name}'{did_you_mean(name, kernels)}"
        )
    return value


def _wanted_stages(text: str) -> list[str]:
    wanted = [stage.strip() for stage in text.split(",") if stage.strip()]
    for stage in wanted:
        if stage not in (*STAGES, "ttir"):
            raise ArgumentError(
                f"expects '--emit' to name stages of {', '.join(STAGES)}, but got "
                f"'{stage}'{did_you_mean(stage, STAGES)}"
            )
    return wanted


def _specialization(
    options: argparse.Namespace, module: ModuleType, kernel: Any, name: str
) -> signatures.Specialization:
    result = signatures.declared(module, name)
    for text in options.signature:
        for parameter, kind in signatures.split(text):
            result.constexprs.pop(parameter, None)
            result.add_type(parameter, kind)
    for parameter, value in signatures.parse_values(options.constexpr).items():
        result.signature.pop(parameter, None)
        result.constexprs[parameter] = value
    result.check(kernel)
    for option in ("num_warps", "num_ctas", "num_stages", "maxnreg"):
        if getattr(options, option) is not None:
            result.options[option] = getattr(options, option)
    return result


def run(options: argparse.Namespace) -> int:
    """Compiles as the command line says, and lists the files that were written.

    Raises:
        TLXError: The command line or the kernel is at fault.
    """
    from tlx.backend import aot

    wanted = _wanted_stages(options.emit)
    target = aot.parse_target(options.target)
    file, _, name = options.kernel.partition(":")
    module = load_file(Path(file))
    kernel = find_kernel(module, name)
    special = _specialization(options, module, kernel, name or kernel.__name__)
    source = aot.make_source(
        kernel,
        special.signature,
        special.constexprs,
        special.attrs(kernel),
        forced=options.force,
    )
    options.output.mkdir(parents=True, exist_ok=True)
    metadata: dict[str, Any] = {}
    done: list[str] = []
    for stage, content in aot.run_stages(source, target, special.options, metadata):
        done.append(stage)
        if not wanted or stage in wanted:
            path = options.output / f"{kernel.__name__}.{stage}"
            data = content if isinstance(content, bytes) else content.encode()
            path.write_bytes(data)
            print(f"{stage:10} {path} ({len(data)} bytes)")
        if wanted and set(wanted) <= set(done):
            break
    missing = [stage for stage in wanted if stage not in done]
    if missing:
        raise ArgumentError(
            f"kernel '{kernel.__name__}' uses no name of TLX, so Triton compiles it: "
            f"there is no stage '{missing[0]}', only {', '.join(done)} (see --force)"
        )
    return 0
