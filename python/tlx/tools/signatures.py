# SPDX-License-Identifier: MIT
"""Types and constants of a kernel's parameters, from text or from its file.

A file that wants to be compiled without being launched declares, at module level:

```python
TLX_SIGNATURES = {
    "gemm_ws": {
        "signature": {"a_desc": "tensordesc<fp16[128, 64]>", "M": "i32:16"},
        "constexprs": {"BLOCK_M": 128},
        "options": {"num_warps": 4},
    },
}
```

Types are spelled as Triton does; `:16` after one says that the value is a
multiple of 16. `signature` and `constexprs` may also be what `--signature` and
`--constexpr` take: `"a_desc=tensordesc<fp16[128, 64]>, M=i32:16"`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tlx.errors import ArgumentError, describe, did_you_mean
from tlx.tools import types

DECLARATION = "TLX_SIGNATURES"
_KEYS = ("signature", "constexprs", "options")
_HINT = re.compile(r"(?P<type>.+?)(?::(?P<hint>\w+))?")


@dataclass
class Specialization:
    """How a kernel is to be compiled.

    Attributes:
        signature: Type of each run-time parameter.
        constexprs: Value of each constexpr parameter.
        divisible: Run-time parameters that are multiples of 16.
        options: Options of the launch, such as `num_warps`.
        nested: Constants inside of tuples, by place of the parameter and in the tuple.
        known: Triton's attributes of parameters, by such places.
    """

    signature: dict[str, Any] = field(default_factory=dict)
    constexprs: dict[str, Any] = field(default_factory=dict)
    divisible: set[str] = field(default_factory=set)
    options: dict[str, Any] = field(default_factory=dict)
    nested: dict[tuple[int, ...], Any] = field(default_factory=dict)
    known: dict[tuple[int, ...], Any] = field(default_factory=dict)
    _chosen: set[str] = field(default_factory=set)

    def add_type(self, name: str, text: Any) -> None:
        """Sets the type of a parameter.

        Args:
            name: The parameter.
            text: Its type, such as `*fp16:16`.

        Raises:
            ArgumentError: It is no type, or the hint behind it is not 16.
        """
        match = _HINT.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            raise ArgumentError(
                f"expects the type of '{name}' to be a text, but got {describe(text)}"
            )
        self._choose(name)
        if match["hint"] not in (None, "16"):
            raise ArgumentError(
                f"expects the hint behind the type of '{name}' to be 16, "
                f"but got {match['hint']}"
            )
        if match["hint"]:
            self.divisible.add(name)
        kind = match["type"].strip()
        types.check(name, kind)
        self.signature[name] = kind

    def add_value(self, name: str, value: Any) -> None:
        """Makes a parameter a constant."""
        self._choose(name)
        self.constexprs[name] = value

    def _choose(self, name: str) -> None:
        """Forgets what was said about a parameter."""
        self._chosen.add(name)
        self.divisible.discard(name)
        self.signature.pop(name, None)
        self.constexprs.pop(name, None)

    def check(self, kernel: Any) -> None:
        """Fills in default values and makes sure that no parameter is left.

        Args:
            kernel: A `@triton.jit` function.

        Raises:
            ArgumentError: A parameter is unknown, or has no type and no value; all
                such parameters are told.
        """
        kernel_name = f"kernel '{kernel.__name__}'"
        params = {param.name: param for param in kernel.params}
        given = (*self.signature, *self.constexprs)
        unknown = [
            f"'{name}'{did_you_mean(name, params)}"
            for name in given
            if name not in params
        ]
        if unknown:
            raise ArgumentError(
                f"{kernel_name} has no parameter {' and no '.join(unknown)}"
            )
        for name in self.signature:
            if params[name].is_constexpr:
                raise ArgumentError(
                    f"{kernel_name} needs '{name}' in --constexpr: it is a constant"
                )
        missing: dict[str, list[str]] = {}
        for name, param in params.items():
            if name in given:
                continue
            if param.is_constexpr and param.has_default:
                self.constexprs[name] = param.default
            else:
                option = "--constexpr" if param.is_constexpr else "--signature"
                missing.setdefault(option, []).append(f"'{name}'")
        if missing:
            needs = (f"{', '.join(names)} in {opt}" for opt, names in missing.items())
            raise ArgumentError(
                f"kernel '{kernel.__name__}' needs {' and '.join(needs)}"
            )

    def attrs(self, kernel: Any) -> dict[tuple[int, ...], Any]:
        """Returns Triton's attributes of the parameters, by position."""
        names = kernel.arg_names
        known = {p: a for p, a in self.known.items() if names[p[0]] not in self._chosen}
        divisible = [["tt.divisibility", 16]]
        return {**known, **{(names.index(n),): divisible for n in self.divisible}}

    def constants(self, kernel: Any) -> dict[str | tuple[int, ...], Any]:
        """Returns the constants by name, those inside of tuples by place."""
        names = kernel.arg_names
        nested = {
            p: v for p, v in self.nested.items() if names[p[0]] not in self._chosen
        }
        return {**self.constexprs, **nested}

    def summary(self, kernel: Any) -> str:
        """Returns all of it on one line."""
        divisible = [["tt.divisibility", 16]]
        attrs = self.attrs(kernel)
        hints = {p[0] for p, a in attrs.items() if a == divisible and len(p) == 1}
        items = []
        for place, name in enumerate(kernel.arg_names):
            if name in self.constexprs:
                items.append(f"{name}={describe(self.constexprs[name])}")
            else:
                hint = ":16" if place in hints else ""
                items.append(f"{name}={_spelled(self.signature[name])}{hint}")
        items += [f"{name}={describe(value)}" for name, value in self.options.items()]
        return ", ".join(items)


def _spelled(kind: Any) -> str:
    """Returns a type, or a tuple of types, as it is written."""
    if isinstance(kind, tuple):
        return f"({', '.join(map(_spelled, kind))})"
    return str(kind)


def _table(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Returns what a declaration says under a key: names with values."""
    value = entry.get(key, {})
    if isinstance(value, str) and key != "options":
        return dict(split(value)) if key == "signature" else parse_values([value])
    if not isinstance(value, Mapping) or not all(isinstance(n, str) for n in value):
        forms = "names with values"
        if key != "options":
            forms += f", or a text as --{key.removesuffix('s')} takes it"
        raise ArgumentError.expects(key, forms, value)
    return dict(value)


def _place(module: object) -> str:
    return f"{getattr(module, '__file__', 'the file')}: {DECLARATION}"


def declarations(module: object) -> Mapping[str, Any]:
    """Returns what a file declares for its kernels, by name.

    Raises:
        ArgumentError: The declaration is no dictionary.
    """
    table: Any = getattr(module, DECLARATION, {})
    if not isinstance(table, Mapping):
        error = ArgumentError.expects("it", "a dictionary by kernel", table)
        raise ArgumentError(f"{_place(module)}: {error.message}")
    return table


def declared(module: object, kernel_name: str) -> Specialization:
    """Returns what a file declares for a kernel; empty if it declares nothing.

    Raises:
        ArgumentError: The declaration is malformed; the message names the file and
            the key.
    """
    entry: Any = declarations(module).get(kernel_name, {})
    try:
        if not isinstance(entry, Mapping):
            keys = f"a dictionary with {', '.join(_KEYS)}"
            raise ArgumentError.expects("it", keys, entry)
        for key in entry:
            if key not in _KEYS:
                raise ArgumentError(
                    f"expects the keys to be {', '.join(_KEYS)}, but got "
                    f"{key!r}{did_you_mean(str(key), _KEYS)}"
                )
        result = Specialization(
            constexprs=_table(entry, "constexprs"), options=_table(entry, "options")
        )
        for name, text in _table(entry, "signature").items():
            result.add_type(name, text)
    except ArgumentError as error:
        place = f"{_place(module)}[{kernel_name!r}]"
        raise ArgumentError(f"{place}: {error.message}") from None
    return result


def split(text: str) -> Iterator[tuple[str, str]]:
    """Splits `a=*fp16, b=tensordesc<fp16[64, 64]>` at its outer commas.

    Commas inside of brackets and quotes do not count.

    Raises:
        ArgumentError: An item has no `=`.
    """
    items: list[str] = [""]
    depth, quote = 0, ""
    for char in text:
        if quote:
            items[-1] += char
            quote = "" if char == quote else quote
            continue
        quote = char if char in "'\"" else ""
        depth += (char in "[<({") - (char in "]>)}")
        if char == "," and depth == 0:
            items.append("")
        else:
            items[-1] += char
    for item in filter(str.strip, items):
        name, equals, value = item.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ArgumentError(f"expects items like NAME=VALUE, but got {item!r}")
        yield name.strip(), value.strip()


def parse_value(text: str) -> Any:
    """Returns a constant: a Python literal, or a type of Triton like tl.float16.

    Raises:
        ArgumentError: The text is neither.
    """
    try:
        return ast.literal_eval(text)
    except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError):
        pass
    import triton.language as tl

    value = getattr(tl, text.removeprefix("tl."), None)
    if not isinstance(value, tl.dtype):
        raise ArgumentError(
            f"expects a Python literal or a type like tl.float16, but got {text!r}"
        )
    return value


def parse_values(texts: Iterable[str]) -> dict[str, Any]:
    """Returns the constants in texts such as `BLOCK_M=128,SLOTS=3`."""
    pairs = (pair for text in texts for pair in split(text))
    return {name: parse_value(value) for name, value in pairs}
