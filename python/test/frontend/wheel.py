# SPDX-License-Identifier: MIT
"""The two ways to Triton's own IR: its front end, and ours through text."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from typing import Any

from case import Case

from tlx import _ext
from tlx.backend import names
from tlx.backend.cuda import LANGUAGE, TLXCUDABackend
from tlx.compiler.frontend import make_tlxir


class Compilation:
    """The objects that Triton's compiler would make for a case.

    Args:
        case: the kernel.
    """

    def __init__(self, case: Case) -> None:
        self.target = names.GPUTarget("cuda", case.capability, 32)
        self.backend = names.CUDABackend(self.target)
        options = {"enable_fp_fusion": True, **case.options}
        self.options = self.backend.parse_options(options)
        arguments = case.kernel.arg_names
        signature = {name: case.types.get(name, "constexpr") for name in arguments}
        attributes = {
            (arguments.index(name),): [["tt.divisibility", 16]] for name in case.aligned
        }
        self.source = names.ASTSource(
            case.kernel, signature, dict(case.constants), attributes
        )
        self.context = names.ir.context()
        names.ir.load_dialects(self.context)
        self.backend.load_dialects(self.context)

    def _codegen(self) -> tuple[Any, Any]:
        return (
            self.backend.get_codegen_implementation(self.options),
            self.backend.get_module_map(),
        )

    def stock(self) -> Any:
        """Build the module with Triton's front end."""
        return self.source.make_ir(
            self.target, self.options, *self._codegen(), self.context
        )

    def ours(self) -> _ext.Module:
        """Build TLX IR, without the attributes that a TTIR module has not."""
        module = make_tlxir(self.source, self.target, self.options, *self._codegen())
        for name in list(module.operation.attributes):
            module.operation.remove_attr(name)
        return module

    def parse(self, text: str) -> Any:
        """Parse text into a module of the wheel."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "module.ttir")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
            module = names.ir.parse_mlir_module(path, self.context)
        module.context = self.context
        return module

    def ptx(self, module: Any) -> str:
        """Run the stock stages from TTIR to PTX."""
        stages: dict[str, Any] = {}
        self.backend.add_stages(stages, self.options, names.Language.TRITON)
        metadata: dict[str, Any] = {}
        for name in ("ttir", "ttgir", "llir", "ptx"):
            module = stages[name](module, metadata)
        return module

    def forced_ptx(self) -> str:
        """Run our front end, our lowering and our list of stages up to PTX."""
        stages: dict[str, Any] = {}
        backend = TLXCUDABackend(self.target)
        backend.add_stages(stages, self.options, LANGUAGE)
        result: Any = make_tlxir(
            self.source, self.target, self.options, *self._codegen()
        )
        metadata: dict[str, Any] = {}
        for name in ("tlxir", "tlx_ttgir", "ttgir", "llir", "ptx"):
            result = stages[name](result, metadata)
        return result


def mnemonics(ptx: str) -> Counter[str]:
    """Count the instructions of PTX text by name, without operands."""
    found: Counter[str] = Counter()
    for line in ptx.splitlines():
        match = re.match(r"\s+(?:@!?%p\d+\s+)?([a-z][\w.:]*)[\s;]", line)
        if match:
            found[match[1]] += 1
    return found
