# SPDX-License-Identifier: MIT
"""Rejects values of TLX where Triton wants a tensor or a number.

Triton's own messages for them speak of attributes that an object lacks.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import Any

from triton.language import core as tl

from tlx.errors import ArgumentError, Phrase, TLXError, UnsupportedError, describe
from tlx.language._core import check_call as check_arguments
from tlx.language._core import is_block, unwrap
from tlx.language.descriptor_storage import tensor_descriptor_ptr
from tlx.language.types import async_token, buffered_tensor, counted, mbarrier

_LOAD = "; tlx.local_load reads a buffer"
_STORE = "; tlx.local_store(buffer, value) writes a buffer"
_REINTERPRET = "; tlx.reinterpret_tensor_descriptor makes a descriptor of it"
# Functions of Python that work on any value.
_GENERAL = (isinstance, getattr, hasattr)
_LENGTHS = (len, list, range)


def phrase(value: Any) -> Phrase | None:
    """Returns what a value is, None if it is not of TLX."""
    if isinstance(value, buffered_tensor):
        ring = f"a ring of {counted(value.num, 'buffer')}"
        return Phrase(ring if value.num else "a buffer")
    if isinstance(value, mbarrier):
        array = f"an array of {counted(value.num, 'barrier')}"
        return Phrase(array if value.num else "a barrier")
    if isinstance(value, tensor_descriptor_ptr):
        return Phrase(value.type.words)
    return Phrase("a token") if isinstance(value, async_token) else None


def _phrase_or_descriptor(value: Any) -> Phrase | None:
    if isinstance(value, tl.tensor_descriptor_base):
        return Phrase("a tensor descriptor")
    return phrase(value)


def _hint(value: Any) -> str:
    if isinstance(value, buffered_tensor):
        return _LOAD
    return _REINTERPRET if isinstance(value, tensor_descriptor_ptr) else ""


def _leaves(values: Iterable[Any]) -> Iterator[Any]:
    """Yields values, also those inside of tuples and slices."""
    for value in values:
        if isinstance(value, (list, tuple, tl.tuple)):
            yield from _leaves(value)
        elif isinstance(value, tl.slice):
            yield from _leaves((value.start, value.stop, value.step))
        else:
            yield value


def _reject(subject: ast.AST, values: Iterable[Any], are_operands: bool) -> None:
    known = _phrase_or_descriptor if are_operands else phrase
    for value in values:
        found = known(value)
        if found is not None:
            error = ArgumentError(
                f"expects tensors or numbers, but got {found}{_hint(value)}"
            )
            raise error.about(ast.unparse(subject))


def _called(node: ast.AST) -> ast.AST:
    """Returns what messages call a call: its function, or an entry as a whole."""
    return node.func if isinstance(node, ast.Call) else node


def check_call(node: ast.AST, function: Any, values: Iterable[Any]) -> None:
    """Makes sure that a function of Triton's or Python's gets what it can use.

    Args:
        node: The call, or the entry of a tensor.
        function: What it calls.
        values: The arguments.

    Raises:
        ArgumentError: One is a value of TLX, or there is one in it.
    """
    values = list(values)
    module = str(getattr(function, "__module__", ""))
    if module == "builtins" and not any(function is f for f in _GENERAL):
        check_python_call(node, function, values)
    elif function is getattr and len(values) > 1:
        name = unwrap(values[1])
        if isinstance(name, str) and len(values) == 2:
            check_attribute(values[0], name)
    elif module.startswith("triton.language") and not isinstance(function, type):
        _reject(_called(node), _leaves(values), are_operands=False)


def explain_failure(
    node: ast.AST, function: Any, arguments: list[Any], keywords: dict[str, Any]
) -> None:
    """Looks for what is wrong with a call that Triton has failed to compile.

    Args:
        node: The call.
        function: A function of Triton's or the user's.
        arguments: Those by position.
        keywords: Those by name.

    Raises:
        ArgumentError: An argument is a tensor descriptor, which this function does not
            take, or one is missing, unknown or too many.
    """
    name = str(getattr(function, "__name__", ""))
    module = str(getattr(function, "__module__", ""))
    if module.startswith("triton.language") and "descriptor" not in name:
        own = getattr(function, "__self__", None)
        if not isinstance(own, tl.tensor_descriptor_base):
            values = _leaves((*arguments, *keywords.values()))
            _reject(_called(node), values, are_operands=True)
    if isinstance(node, ast.Call):
        check_signature(node, function, arguments, keywords)


def check_signature(
    node: ast.AST, function: Any, arguments: list[Any], keywords: dict[str, Any]
) -> None:
    """Makes sure that a function takes the arguments of a call.

    Args:
        node: The call.
        function: A function of Triton's or the user's.
        arguments: Those by position.
        keywords: Those by name.

    Raises:
        ArgumentError: One is missing, unknown or too many.
    """
    try:
        plain = getattr(function, "__func__", function)
        signature = getattr(plain, "signature", None) or inspect.signature(plain)
    except (TypeError, ValueError):
        # Python does not know what its own functions take.
        return
    if inspect.ismethod(function):
        arguments = [function.__self__, *arguments]
    try:
        check_arguments(signature, arguments, keywords)
    except TLXError as error:
        raise error.about(ast.unparse(_called(node))) from None


def check_python_call(node: ast.AST, function: Any, values: Iterable[Any]) -> None:
    """Makes sure that a function such as `len` gets no value of TLX.

    Raises:
        ArgumentError: It does.
    """
    for value in values:
        found = _phrase_or_descriptor(value)
        if found is None:
            continue
        if any(function is f for f in _LENGTHS) and getattr(value, "num", 0):
            subject = ast.unparse(value_node(node))
            raise ArgumentError(
                f"cannot take {found}; '{subject}.num' is its length"
            ).about(ast.unparse(_called(node)))
        _reject(_called(node), [value], are_operands=True)


def value_node(node: ast.AST) -> ast.AST:
    """Returns the first argument of a call."""
    return node.args[0] if isinstance(node, ast.Call) and node.args else node


def check_operands(node: ast.AST, *operands: Any) -> None:
    """Makes sure that the operands of an operator are tensors or numbers.

    Raises:
        ArgumentError: One is a value of TLX or a tensor descriptor.
    """
    _reject(node, operands, are_operands=True)


def check_numbers(node: ast.AST, *values: Any) -> None:
    """Makes sure that values are tensors or numbers, no tuples of them either.

    Raises:
        ArgumentError: One is not.
    """
    check_operands(node, *values)
    if any(isinstance(value, tl.tuple) for value in values):
        error = ArgumentError("expects tensors or numbers, but got a tuple")
        raise error.about(ast.unparse(node))


def check_condition(node: ast.AST, value: Any) -> None:
    """Makes sure that a value can decide which way a kernel goes.

    Args:
        node: Where the value comes from.
        value: A condition of `if`, `while` or a conditional expression.

    Raises:
        ArgumentError: It is neither a constant that Triton takes for one nor a tensor
            of one element.
    """
    found = _phrase_or_descriptor(value)
    hint = _hint(value)
    if found is None and isinstance(value, tl.tensor):
        if not is_block(value) or value.numel.value == 1:
            return
        found = Phrase(f"a tensor of {counted(value.numel.value, 'element')}")
        hint = "; tl.where chooses by element"
    elif found is None and isinstance(value, tl.tuple):
        found = Phrase("a tuple")
    elif found is None:
        plain = unwrap(value)
        if plain is None or type(plain) in (bool, int):
            return
        found = plain
    error = ArgumentError.expects(ast.unparse(node), "one boolean", found)
    error.message += hint
    raise error


def check_shown(node: ast.AST, value: Any) -> None:
    """Makes sure that an f-string can show a value.

    Raises:
        ArgumentError: The value is a tuple, or known at run time only.
    """
    if isinstance(value, tl.base_value) and not isinstance(value, tl.constexpr):
        found = _phrase_or_descriptor(value) or value
        raise ArgumentError.expects(
            ast.unparse(node), "known at compile time in an f-string", found
        )


def check_index(node: ast.AST, value: Any, index: Any) -> None:
    """Makes sure that an entry of a value can be selected.

    Args:
        node: The value with its index.
        value: The value.
        index: The index; what buffers and tensors make of it is their business.

    Raises:
        ArgumentError: The value has no entries, or is a tuple without this one.
    """
    if isinstance(value, (async_token, tl.tensor_descriptor_base)):
        raise ArgumentError(f"{_phrase_or_descriptor(value)} has no entries").about(
            ast.unparse(node)
        )
    if not isinstance(value, tl.tuple) or isinstance(index, tl.slice):
        return
    size, plain = len(value), unwrap(index)
    if type(plain) is not int:
        error = ArgumentError.expects(
            "index", "an integer known at compile time in a tuple", plain
        )
    elif not -size <= plain < size:
        error = ArgumentError.expects("index", f"in [{-size}, {size})", plain)
    else:
        return
    raise error.about(ast.unparse(node))


def check_items(node: ast.AST, value: Any) -> None:
    """Makes sure that a value that is taken apart is a tuple.

    Raises:
        ArgumentError: It is a value of TLX.
    """
    found = _phrase_or_descriptor(value)
    if found is None:
        return
    text = ast.unparse(node)
    hint = ""
    if getattr(value, "num", 0):
        hint = f"; '{text}[i]' is one of them, for i in tl.static_range({text}.num)"
    error = ArgumentError.expects(text, "a tuple", found)
    error.message += hint
    raise error


def check_attribute(value: Any, name: str) -> None:
    """Makes sure that a value of TLX, a tensor descriptor or a tuple has an attribute.

    Raises:
        ArgumentError: It has not.
    """
    found = _phrase_or_descriptor(value)
    if found is None and isinstance(value, tl.tuple):
        found = Phrase("a tuple")
    if found is not None and not hasattr(value, name):
        raise ArgumentError(f"{found} has no '{name}'{_hint(value)}")


def check_target(value: Any) -> None:
    """Makes sure that nobody assigns to an entry of a value of TLX.

    Raises:
        ArgumentError: Somebody does.
    """
    found = phrase(value)
    if found is not None:
        hint = _STORE if isinstance(value, buffered_tensor) else ""
        raise ArgumentError(f"cannot assign to an entry of {found}{hint}")


def check_type(what: str, before: Any, after: Any) -> None:
    """Makes sure that two values that become one have the same type.

    Args:
        what: What the values are for, the start of the message.
        before: One value.
        after: The other.

    Raises:
        ArgumentError: Their types differ, and at least one is a value of TLX, a
            tensor descriptor or a tuple. Triton looks after the others.
    """
    values = (before, after)
    if before is after:
        return
    if all(isinstance(v, (tl.tensor, tl.constexpr)) for v in values):
        return
    if not is_same_type(before, after):
        raise mismatch(what, before, after)
    check_whole(after)


def is_plain(value: Any) -> bool:
    """Tells whether there is no value of TLX in a value."""
    return all(phrase(leaf) is None for leaf in _leaves([value]))


def holds_slice(value: Any) -> bool:
    """Tells whether a value is a slice of a buffer, or a tuple with one."""
    if isinstance(value, buffered_tensor):
        return value.type.is_part
    return isinstance(value, tl.tuple) and any(holds_slice(item) for item in value)


def check_whole(value: Any) -> None:
    """Makes sure that what branches choose and loops carry is no slice of a buffer.

    Raises:
        UnsupportedError: It is a slice, or a tuple with one.
    """
    if holds_slice(value):
        raise UnsupportedError(
            "a slice of a buffer can be neither chosen at run time nor carried by a "
            "loop; choose or carry the buffer, and slice it then"
        )


def check_away(node: ast.AST, function: Any, values: Iterable[Any]) -> None:
    """Makes sure that a function that is not inlined gets no slice of a buffer.

    Raises:
        UnsupportedError: It does.
    """
    if getattr(function, "noinline", False) and any(map(holds_slice, values)):
        raise UnsupportedError(
            "cannot take a slice of a buffer, as it is not inlined; slice it inside"
        ).about(ast.unparse(_called(node)))


def is_same_type(before: Any, after: Any) -> bool:
    """Tells whether two values have the same type."""
    kinds = (getattr(before, "type", None), getattr(after, "type", None))
    return type(before) is type(after) and bool(kinds[0] == kinds[1])


def mismatch(what: str, before: Any, after: Any) -> TLXError:
    """Returns the error for two values whose types differ."""
    return ArgumentError(
        f"{what}, but got {describe(before)} and {describe(after)}",
        expected=describe(before),
        found=describe(after),
    )
