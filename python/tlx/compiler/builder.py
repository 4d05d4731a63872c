# SPDX-License-Identifier: MIT
"""The builder that Triton's front end drives when TLX compiles a kernel.

It has the methods of `libtriton.ir.builder` that the front end calls, made from
the tables in `tlx.compiler.rows`, and works on IR of our own context.
"""

from __future__ import annotations

import functools
from typing import Any

from tlx import _ext
from tlx.compiler.rows import table
from tlx.compiler.rows.row import Row
from tlx.errors import UnsupportedError


class TLXBuilder(_ext.Builder):
    """Creates TLX IR at an insertion point.

    Args:
        context: owns the IR.
    """

    #: Tells functions of `tlx` that they run in a kernel that TLX compiles.
    is_tlx_builder = True
    triton_version: tuple[int, int]

    def __init__(self, context: _ext.Context) -> None:
        super().__init__(context)
        self.options: Any = None
        self.codegen_fns: dict[str, Any] = {}
        self.module_map: dict[str, Any] = {}
        self._types: dict[str, _ext.Type] = {}
        self._attributes: dict[str, _ext.Attribute] = {}

    def parse_type(self, text: str) -> _ext.Type:
        """Parse a type; each text once.

        Raises:
            ValueError: if the text is no type.
        """
        found = self._types.get(text)
        if found is None:
            found = self._types[text] = self.context.parse_type(text)
        return found

    def parse_attr(self, text: str) -> _ext.Attribute:
        """Parse an attribute; each text once.

        Raises:
            ValueError: if the text is no attribute.
        """
        found = self._attributes.get(text)
        if found is None:
            found = self._attributes[text] = self.context.parse_attr(text)
        return found

    def __getattr__(self, name: str) -> Any:
        # Only for names that are neither in the table nor on the C++ class.
        if name.startswith(("create_", "get_")):
            version = ".".join(map(str, self.triton_version))
            raise UnsupportedError(
                f"the builder method '{name}' of Triton {version} is not supported"
            )
        raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'")


@functools.cache
def builder_class(version: tuple[int, int]) -> type[TLXBuilder]:
    """Return the builder with the methods of one version of Triton."""
    members: dict[str, Any] = {"triton_version": version}
    for name, row in table(version).items():
        if isinstance(row, Row):
            members[name] = row.method(name, _ext.Value)
        else:
            members[name] = row
    return type(f"TLXBuilder{version[0]}{version[1]}", (TLXBuilder,), members)
