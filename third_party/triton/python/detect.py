# SPDX-License-Identifier: MIT
"""Tells whether a kernel uses TLX, without running or compiling it.

Looks at the names that the kernel's code refers to, and what they stand for in
its globals and closure: a module of ours, something defined in one, or another
`@triton.jit` function for which the same holds. Imports nothing of Triton, so
that it costs plain Triton users next to nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

# Set to True on a kernel that shall go our way whatever it uses.
FORCE_ATTRIBUTE = "__tlx_force__"

_OUR_MODULES = ("tlx", "triton.language.extra.tlx")
# Modules that hold no kernel of a user; not worth a look inside.
_FOREIGN_MODULES = ("triton", "torch", "numpy", "math", "builtins")

# Results for functions whose code and references were looked at. A kernel that is
# defined again is another function object.
_known: weakref.WeakKeyDictionary[FunctionType, bool] = weakref.WeakKeyDictionary()


def _is_inside(name: object, packages: Iterable[str]) -> bool:
    if not isinstance(name, str):
        return False
    return any(name == p or name.startswith(f"{p}.") for p in packages)


def _code_names(code: CodeType) -> Iterator[str]:
    """Yields the global and attribute names of code and of code inside it."""
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_names(constant)


def _python_function(value: object) -> FunctionType | None:
    """Returns the function behind a jit function, heuristics or autotuner."""
    for _ in range(16):
        if isinstance(value, FunctionType):
            return value
        inner = getattr(value, "fn", None)
        if inner is None:
            return None
        value = inner
    return None


class _Search:
    """One walk over a kernel and what it calls."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def value(self, value: object, names: Iterable[str] = ()) -> bool:
        """Tells whether a value is ours or leads to something of ours.

        Args:
            value: What a name stands for.
            names: Names that may be looked up on the value, if it is a module.
        """
        if isinstance(value, ModuleType):
            return self.module(value, names)
        home = getattr(value, "__module__", None)
        if _is_inside(home, _OUR_MODULES):
            return True
        if type(value).__name__ == "constexpr":
            return self.value(getattr(value, "value", None))
        if _is_inside(home, _FOREIGN_MODULES):
            return False
        if isinstance(value, (tuple, list)):
            return any(self.value(item) for item in value)
        if getattr(value, "__triton_aggregate__", False):
            return any(self.value(member) for member in vars(value).values())
        if isinstance(value, FunctionType):
            # Plain functions do not run inside kernels.
            return False
        function = _python_function(value)
        return function is not None and self.function(function)

    def module(self, module: ModuleType, names: Iterable[str]) -> bool:
        """Tells whether a module is ours, or holds something of ours in `names`."""
        if _is_inside(module.__name__, _OUR_MODULES):
            return True
        if _is_inside(module.__name__, _FOREIGN_MODULES) or id(module) in self.seen:
            return False
        self.seen.add(id(module))
        names = list(names)
        content = vars(module)
        return any(self.value(content[n], names) for n in names if n in content)

    def function(self, function: FunctionType) -> bool:
        """Tells whether a kernel's or helper's function uses TLX."""
        known = _known.get(function)
        if known is not None or id(function) in self.seen:
            return bool(known)
        self.seen.add(id(function))
        names = list(_code_names(function.__code__))
        closure = dict(
            zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        )
        for name in names:
            if name in closure:
                try:
                    value: Any = closure[name].cell_contents
                except ValueError:  # A name that is bound later.
                    continue
            elif name in function.__globals__:
                value = function.__globals__[name]
            else:
                continue
            if self.value(value, names):
                _known[function] = True
                return True
        defaults = (function.__defaults__ or (), function.__kwdefaults__ or {})
        return any(self.value(d) for d in (*defaults[0], *defaults[1].values()))


def uses_tlx(kernel: object, arguments: Iterable[object] = ()) -> bool:
    """Tells whether a kernel has to be compiled by us.

    Args:
        kernel: A `@triton.jit` function.
        arguments: Values of its `tl.constexpr` parameters; a helper handed over
            this way counts like one that the kernel names.

    Returns:
        True if the kernel, a jit function it calls, or one of `arguments` uses a
        name of TLX, or if the kernel was forced (see `tlx.backend.force`).
    """
    if getattr(kernel, FORCE_ATTRIBUTE, False):
        return True
    search = _Search()
    function = _python_function(kernel)
    if function is not None and search.function(function):
        return True
    return any(search.value(argument) for argument in arguments)
