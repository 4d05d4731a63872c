# SPDX-License-Identifier: MIT
"""What a row of the builder table is, and how it becomes a method.

A row says how a call of the builder, as Triton's front end makes it, becomes one
operation: which argument is an operand, which an attribute, which the result
type. What does not fit a row is a function of the builder and its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: A method that a row or a function becomes.
Method = Callable[..., Any]


@dataclass(frozen=True)
class Operand:
    """A value."""


@dataclass(frozen=True)
class OptionalOperand:
    """A value or None. Triton also spells None as an empty value of its own."""


@dataclass(frozen=True)
class Operands:
    """A list of values; one segment of the operation's operands."""


@dataclass(frozen=True)
class Result:
    """The type of the only result."""


@dataclass(frozen=True)
class Results:
    """A list with the types of all results."""


@dataclass(frozen=True)
class Attr:
    """An attribute.

    Args:
        name: of the attribute of the operation.
        convert: from the argument to what `Context.attr` takes; None leaves the
            attribute out.
    """

    name: str
    convert: Callable[[Any], Any] | None = None


Parameter = Operand | OptionalOperand | Operands | Result | Results | Attr

V = Operand()
V_OR_NONE = OptionalOperand()
VS = Operands()
TYPE = Result()
TYPES = Results()


@dataclass(frozen=True)
class Row:
    """One builder method as one operation.

    Args:
        op: name of the operation.
        parameters: what each argument of the method is.
        result: computes the result types from the arguments. None if there are
            no results or if a parameter gives their type.
        attributes: constant attributes.
        order: places of the operands among the arguments, if they do not come in
            the order of the operation.
        regions: number of regions.
        returns: "value" for the first result, "values" for all, "op" for the
            operation, "none" for nothing.
    """

    op: str
    parameters: Sequence[Parameter]
    result: Callable[..., Sequence[Any]] | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    order: Sequence[int] | None = None
    regions: int = 0
    returns: str = "value"

    def method(self, name: str, value_class: type) -> Method:
        """Make the method of the builder that this row describes."""
        names = tuple(_argument_name(p, i) for i, p in enumerate(self.parameters))

        def method(builder: Any, *args: Any, **keywords: Any) -> Any:
            bound = args
            if len(args) != len(names):
                bound = _bind(name, names, args, keywords)
            return self._build(builder, bound, value_class)

        method.__name__ = name
        method.__doc__ = f"Create `{self.op}`."
        return method

    def _build(self, builder: Any, args: Sequence[Any], value_class: type) -> Any:
        operands: list[Any] = []
        results: Sequence[Any] = () if self.result is None else self.result(*args)
        attributes = dict(self.attributes)
        for parameter, arg in zip(self.parameters, args, strict=True):
            match parameter:
                case Operand() | Operands():
                    operands.append(arg)
                case OptionalOperand():
                    operands.append(arg if isinstance(arg, value_class) else None)
                case Result():
                    results = (arg,)
                case Results():
                    results = arg
                case Attr(name, convert):
                    attributes[name] = convert(arg) if convert else arg
        if self.order is not None:
            operands = [operands[i] for i in self.order]
        op = builder.create(self.op, operands, results, attributes, self.regions)
        return _RETURNS[self.returns](op)


_RETURNS: dict[str, Callable[[Any], Any]] = {
    "value": lambda op: op.get_result(0),
    "values": lambda op: op.results,
    "op": lambda op: op,
    "none": lambda op: None,
}


def _argument_name(parameter: Parameter, index: int) -> str:
    return parameter.name if isinstance(parameter, Attr) else f"arg{index}"


def _bind(
    name: str, names: Sequence[str], args: Sequence[Any], keywords: Mapping[str, Any]
) -> Sequence[Any]:
    """Fill the arguments that came as keywords in."""
    rest = names[len(args) :]
    if len(args) > len(names) or set(rest) != set(keywords):
        raise TypeError(
            f"{name} expects {len(names)} arguments, but got {len(args)} and the "
            f"keywords {sorted(keywords)}"
        )
    return [*args, *(keywords[key] for key in rest)]


def same_as(index: int) -> Callable[..., Sequence[Any]]:
    """Rule for a result of the type of an argument."""
    return lambda *args: (args[index].type,)
