# SPDX-License-Identifier: MIT
"""`python -m tlx compile`: a kernel in a file becomes the files of its stages."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tlx.errors import ArgumentError, ResourceError, UnsupportedError, did_you_mean
from tlx.tools import files, signatures

# CUDA programming guide, technical specifications: registers of a thread block.
_REGISTERS = 65536

STAGES = ("tlxir", "tlx_ttgir", "ttgir", "llir", "ptx", "cubin")
STOCK_STAGES = ("ttir", "ttgir", "llir", "ptx", "cubin")


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
    add(
        "--launch",
        nargs=argparse.REMAINDER,
        metavar="ARGS",
        help="run FILE as a script with ARGS, and compile KERNEL (default: the first "
        "kernel) as its first launch would; the last option",
    )
    add("--num-warps", type=int, metavar="N", help="warps of the kernel itself")
    add("--num-ctas", type=int, metavar="N")
    add("--num-stages", type=int, metavar="N")
    add("--maxnreg", type=int, metavar="N", help="cap on registers per thread")
    add(
        "--force",
        action="store_true",
        help="use TLX's compiler even if the kernel uses no name of TLX",
    )
    parser.set_defaults(prepare=prepare, run=run)


def _wanted_stages(text: str) -> list[str]:
    wanted = [stage.strip() for stage in text.split(",") if stage.strip()]
    for stage in wanted:
        if stage not in (*STAGES, "ttir"):
            raise ArgumentError(
                f"expects '--emit' to name stages of {', '.join(STAGES)}, but got "
                f"'{stage}'{did_you_mean(stage, STAGES)}"
            )
    return wanted


def _check_stages(wanted: list[str], kernel: str, is_ours: bool) -> None:
    """Makes sure that the way a kernel is compiled has the stages that are wanted."""
    stages = STAGES if is_ours else STOCK_STAGES
    reason = "uses TLX" if is_ours else "uses no name of TLX, so Triton compiles it"
    hint = "" if is_ours else " (see --force)"
    for stage in wanted:
        if stage not in stages:
            raise ArgumentError(
                f"kernel '{kernel}' {reason}: there is no stage '{stage}', only "
                f"{', '.join(stages)}{hint}"
            )


def _kernel(options: argparse.Namespace) -> tuple[Any, signatures.Specialization]:
    """Returns the kernel, and how its file or a launch says it is compiled."""
    file, _, name = options.kernel.partition(":")
    if options.launch is not None:
        from tlx.tools.launched import first_launch

        seen = first_launch(Path(file), options.launch, name, options.target)
        return seen.kernel, seen.special
    module = files.load_file(Path(file))
    kernel = files.find_kernel(module, name)
    return kernel, signatures.declared(module, name or kernel.__name__)


def _adapt(
    special: signatures.Specialization, options: argparse.Namespace, kernel: Any
) -> None:
    """Changes a specialization as the command line says."""
    for text in options.signature:
        for parameter, kind in signatures.split(text):
            special.add_type(parameter, kind)
    for parameter, value in signatures.parse_values(options.constexpr).items():
        special.add_value(parameter, value)
    special.check(kernel)
    for option in ("num_warps", "num_ctas", "num_stages", "maxnreg"):
        if getattr(options, option) is not None:
            special.options[option] = getattr(options, option)


@dataclass(frozen=True)
class Plan:
    """What is to be compiled.

    Attributes:
        name: Name of the kernel, and of its files.
        source: What Triton's compiler takes.
        target: GPU that is compiled for.
        options: Options of the launch.
        wanted: Stages that are written; all if there is none.
        output: Folder of the files.
        launch: What the launch of a script has said, if there was one.
    """

    name: str
    source: Any
    target: Any
    options: dict[str, Any]
    wanted: list[str]
    output: Path
    launch: str | None


def prepare(options: argparse.Namespace) -> Plan:
    """Finds out what is to be compiled.

    Raises:
        CompileError: The file with the kernel cannot be run.
        TLXError: The command line, or what the file declares, is at fault.
    """
    from tlx.backend import aot, isolation

    wanted = _wanted_stages(options.emit)
    target = aot.parse_target(options.target)
    kernel, special = _kernel(options)
    if kernel.is_gluon():
        raise UnsupportedError(
            f"expects '{kernel.__name__}' to be a kernel of Triton, but it is of Gluon"
        )
    _adapt(special, options, kernel)
    source = aot.make_source(
        kernel,
        special.signature,
        special.constants(kernel),
        special.attrs(kernel),
        forced=options.force,
    )
    _check_stages(wanted, kernel.__name__, aot.is_ours(source))
    aot.parse_options(source, target, special.options)
    isolation.is_on()
    isolation.time_limit()
    files.make_folder(options.output, "--output")
    launch = None if options.launch is None else special.summary(kernel)
    return Plan(
        kernel.__name__, source, target, special.options, wanted, options.output, launch
    )


def _show_usage(metadata: dict[str, Any]) -> None:
    """Prints what the machine code takes of a multiprocessor, and ptxas' warnings.

    Raises:
        ResourceError: It takes more than there is.
    """
    usage = metadata["usage"]
    spills = usage.spill_stores + usage.spill_loads
    print(f"{'registers':10} {usage.registers} per thread")
    print(
        f"{'spills':10} {spills} bytes per thread ({usage.spill_stores} stored, "
        f"{usage.spill_loads} loaded)"
    )
    print(f"{'shared':10} {metadata['shared']} bytes per CTA")
    for message in usage.messages:
        print(f"warning: ptxas: {message}", file=sys.stderr)
    threads = metadata["num_warps"] * 32
    if usage.registers * threads > _REGISTERS:
        raise ResourceError(
            f"expects the registers of a CTA to be at most {_REGISTERS}, but got "
            f"{usage.registers} for each of {threads} threads: it cannot be launched"
        )


def _write_stages(plan: Plan, metadata: dict[str, Any]) -> None:
    """Compiles and writes the stages."""
    from tlx.backend import aot

    done: list[str] = []
    stages = aot.run_stages(plan.source, plan.target, plan.options, metadata)
    for stage, content in stages:
        done.append(stage)
        if not plan.wanted or stage in plan.wanted:
            path = plan.output / f"{plan.name}.{stage}"
            data = content if isinstance(content, bytes) else content.encode()
            files.write(path, data)
            print(f"{stage:10} {path} ({len(data)} bytes)")
        if plan.wanted and set(plan.wanted) <= set(done):
            break


def run(plan: Plan) -> int:
    """Compiles, writes the stages and lists their files.

    Raises:
        TLXError: The kernel is at fault, or a file cannot be written.
    """
    from tlx.backend import isolation

    if plan.launch is not None:
        print(f"{'launch':10} {plan.launch}")
    metadata: dict[str, Any] = {}
    with isolation.wanted():
        _write_stages(plan, metadata)
    if "usage" in metadata:
        _show_usage(metadata)
    return 0
