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
multiple of 16.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tlx.errors import ArgumentError, did_you_mean

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
    """

    signature: dict[str, str] = field(default_factory=dict)
    constexprs: dict[str, Any] = field(default_factory=dict)
    divisible: set[str] = field(default_factory=set)
    options: dict[str, Any] = field(default_factory=dict)

    def add_type(self, name: str, text: str) -> None:
        """Sets the type of a parameter.

        Args:
            name: The parameter.
            text: Its type, such as `*fp16:16`.

        Raises:
            ArgumentError: The hint behind the type is not 16.
        """
        match = _HINT.fullmatch(text.strip())
        if match is None:
            raise ArgumentError(f"expects a type for '{name}', but got {text!r}")
        self.divisible.discard(name)
        if match["hint"] not in (None, "16"):
            raise ArgumentError(
                f"expects the hint behind the type of '{name}' to be 16, "
                f"but got {match['hint']}"
            )
        if match["hint"]:
            self.divisible.add(name)
        self.signature[name] = match["type"].strip()

    def check(self, kernel: Any) -> None:
        """Fills in default values and makes sure that no parameter is left.

        Args:
            kernel: A `@triton.jit` function.

        Raises:
            ArgumentError: A parameter is unknown, or has no type and no value.
        """
        params = {param.name: param for param in kernel.params}
        for name in (*self.signature, *self.constexprs):
            if name not in params:
                raise ArgumentError(
                    f"kernel '{kernel.__name__}' has no parameter '{name}'"
                    f"{did_you_mean(name, params)}"
                )
        for name, param in params.items():
            if name in self.signature or name in self.constexprs:
                continue
            if not (param.is_constexpr and param.has_default):
                option = "--constexpr" if param.is_constexpr else "--signature"
                raise ArgumentError(
                    f"kernel '{kernel.__name__}' needs '{name}' in {option}"
                )
            self.constexprs[name] = param.default

    def attrs(self, kernel: Any) -> dict[tuple[int, ...], Any]:
        """Returns Triton's attributes of the parameters, by position."""
        return {
            (kernel.arg_names.index(name),): [["tt.divisibility", 16]]
            for name in self.divisible
        }


def declared(module: object, kernel_name: str) -> Specialization:
    """Returns what a file declares for a kernel; empty if it declares nothing.

    Raises:
        ArgumentError: The declaration has an unknown key.
    """
    entry: Mapping[str, Any] = getattr(module, DECLARATION, {}).get(kernel_name, {})
    for key in entry:
        if key not in _KEYS:
            raise ArgumentError(
                f"expects the keys of {DECLARATION}[{kernel_name!r}] to be "
                f"{', '.join(_KEYS)}, but got {key!r}{did_you_mean(key, _KEYS)}"
            )
    result = Specialization(
        constexprs=dict(entry.get("constexprs", {})),
        options=dict(entry.get("options", {})),
    )
    for name, text in entry.get("signature", {}).items():
        result.add_type(name, text)
    return result


def split(text: str) -> Iterator[tuple[str, str]]:
    """Splits `a=*fp16, b=tensordesc<fp16[64, 64]>` at its outer commas.

    Raises:
        ArgumentError: An item has no `=`.
    """
    items: list[str] = [""]
    depth = 0
    for char in text:
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
    except (SyntaxError, ValueError):
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
