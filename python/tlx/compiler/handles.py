# SPDX-License-Identifier: MIT
"""What Triton's front end expects of IR handles and the extension does not have.

Triton makes a few attributes itself (`tl.multiple_of` and its kin): it asks a
value for its context and puts the attribute on the value. The attribute is one
of the wheel's, so the context must be, too; it crosses as text.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from tlx import _ext
from tlx.backend import names


@functools.cache
def _wheel_context() -> Any:
    """A context of the wheel that holds nothing but such attributes."""
    context = names.ir.context()
    names.ir.load_dialects(context)
    return context


@functools.cache
def _wheel_module() -> Any:
    return names.ir.builder(_wheel_context()).create_module()


def _text_of(attribute: Any) -> str:
    """Text of an attribute of the wheel, which cannot print one by itself."""
    module = _wheel_module()
    module.set_attr("value", attribute)
    match = re.search(r"value = (.*?)\}", str(module))
    if match is None:
        raise TypeError(f"expects an attribute of the wheel, but got {attribute!r}")
    return match[1]


def _get_context(self: _ext.Value) -> Any:
    return _wheel_context()


def _set_attr(self: _ext.Value, name: str, attribute: Any) -> None:
    """Put an attribute on what defines a value.

    For an argument of a block inside an operation, it goes to that operation
    under a name that ends with the argument's number, and for an argument of a
    function it is dropped, as in Triton.
    """
    if not isinstance(attribute, _ext.Attribute):
        attribute = self.context.parse_attr(_text_of(attribute))
    owner = self.owner
    if isinstance(owner, _ext.Operation):
        owner.set_attr(name, attribute)
        return
    region, parent = owner.get_parent(), owner.parent_op
    is_entry = region is not None and region.blocks[0] == owner
    if is_entry and parent is not None and not isinstance(parent, _ext.Function):
        parent.set_attr(f"{name}_arg{self.index}", attribute)


def install() -> None:
    """Give `Value` the two methods. Safe to call more than once."""
    _ext.Value.get_context = _get_context
    _ext.Value.set_attr = _set_attr
