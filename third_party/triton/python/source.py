# SPDX-License-Identifier: MIT
"""The kind of source that Triton's compiler gets for a kernel that uses TLX."""

from __future__ import annotations

import hashlib
from typing import Any

from tlx.backend import allocation, isolation, names
from tlx.backend.cuda import LANGUAGE, MARK
from tlx.backend.digest import package_digest
from tlx.backend.failures import as_config_failure
from tlx.errors import TargetError, TLXError


class _Language(str):
    """Our language, and whether its source is compiled in a process of its own.

    Triton may compile in another thread, which does not know what was wanted in the one
    that launched; the language of a source is what its stages get to see.
    """

    is_isolated = False


class TLXSource(names.ASTSource):
    """A `@triton.jit` kernel whose IR is made by our front end."""

    def __init__(
        self, fn: Any, signature: Any, constexprs: Any = None, attrs: Any = None
    ) -> None:
        super().__init__(fn, signature, constexprs, attrs)
        # Not sooner: who never uses TLX shall find Triton as it is.
        allocation.install()
        language = _Language(LANGUAGE)
        language.is_isolated = isolation.is_on()
        self.language: Any = language
        self.ext = "tlxir"

    def hash(self) -> str:
        """Returns the part of the cache key that stands for the kernel and us."""
        key = f"{super().hash()}-{LANGUAGE}-{package_digest()}"
        return hashlib.sha256(key.encode()).hexdigest()

    def parse_options(self) -> dict[str, Any]:
        """Returns options beyond those of the launch: whose source this is."""
        return {**super().parse_options(), MARK: True}

    def make_ir(
        self,
        target: names.GPUTarget,
        options: Any,
        codegen_fns: dict[str, Any],
        module_map: dict[str, Any],
        context: Any,
    ) -> Any:
        """Runs our front end.

        Returns:
            A module of our extension that holds TLX IR.

        Raises:
            TLXError: The kernel is not valid.
        """
        try:
            if target.backend != "cuda":
                raise TargetError(
                    f"expects the target to be a CUDA GPU, but got {target.backend!r}"
                )
            from tlx.compiler import make_tlxir

            return make_tlxir(self, target, options, codegen_fns, module_map, context)
        except TLXError as error:
            raise as_config_failure(error) from error.__cause__
