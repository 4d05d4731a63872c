# SPDX-License-Identifier: MIT
"""Stock passes keep what our example kernels say, on each architecture."""

import re
from pathlib import Path

import pytest

from tlx.backend import aot, wheel
from tlx.backend.inventory import Inventory
from tlx.backend.reproducer import Reproducer
from tlx.tools import files, signatures

EXAMPLES = Path(__file__).parents[2] / "examples"
# Kernels without products run on Blackwell too; the others use those of Hopper.
ANYWHERE = ("ring_copy", "ring_copy_cp_async")

TASK = re.compile(r"tlx\.async_task (?!default)[^{]*?num_warps = (\d+)([^{]*)")


def kernels():
    """Yields each kernel that an example declares, with its architectures."""
    for path in sorted(EXAMPLES.glob("0*.py")):
        for name in getattr(files.load_file(path), signatures.DECLARATION):
            for target in ("sm_90a", "sm_100a"):
                if target == "sm_90a" or name in ANYWHERE:
                    yield pytest.param(path, name, target, id=f"{name}-{target}")


def compile_to_ttgir(path, name, target):
    module = files.load_file(path)
    kernel = files.find_kernel(module, name)
    special = signatures.declared(module, name)
    special.check(kernel)
    source = aot.make_source(
        kernel, special.signature, special.constexprs, special.attrs(kernel)
    )
    stages = aot.run_stages(source, aot.parse_target(target), special.options, {})
    return dict(next(stages) for _ in range(3))


def source_warps(tlxir):
    """Returns the warps that the tasks of TLX IR ask for, without the default's."""
    return sorted(int(task[1]) for task in TASK.finditer(tlxir))


@pytest.mark.parametrize(("path", "name", "target"), kernels())
def test_tasks_barriers_and_products_survive(path, name, target):
    texts = compile_to_ttgir(path, name, target)
    with Reproducer(texts["tlx_ttgir"], name, ".ttgir") as file:
        before = Inventory.of(str(wheel.parse(file, wheel.new_context())))
    after = Inventory.of(texts["ttgir"])
    assert before.differences(after) == []
    assert sorted(after.task_warps) == source_warps(texts["tlxir"])
    assert before.is_explicit
