# SPDX-License-Identifier: MIT
"""Applies the meanings of operations, given as MLIR text, to values."""

import numpy as np

from tlx import _ext
from tlx.simulator import semantics  # noqa: F401
from tlx.simulator.code.registry import PURE, unsupported
from tlx.simulator.execute import execute
from tlx.simulator.ir.load import load
from tlx.simulator.ir.types import Pointer, Scalar, Tensor
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.options import Options

_CONTEXT = _ext.Context()


def evaluate(params, body, *args, functions=""):
    """Runs operations and returns what the last one makes.

    Checks that each result has the form and type that the registry promises.

    Args:
        params: Parameters of the function, like `%a: i32, %b: tensor<4xf32>`.
        body: Pure operations, like `arith.addi %a, %a : i32`.
        args: Values of the parameters; lists become arrays.
        functions: Other functions of the module.

    Returns:
        The value; a tuple of all values if there are more or fewer than one.
    """
    text = f"tt.func @f({params}) {{\n{body}\ntt.return\n}}{functions}"
    function = load(_ext.parse(text, _CONTEXT)).functions["f"]
    block = function.body.entry
    values = {}
    for number, type, arg in zip(block.args, function.params, args, strict=True):
        values[number] = _value(arg, type)
    made = ()
    with np.errstate(all="ignore"):
        for op in block.ops[:-1]:
            if op.name not in PURE:
                raise unsupported(op)
            meaning = PURE[op.name](op)
            made = meaning(*[values[o] for o in op.operands])
            results = (made,) if len(op.results) == 1 else made
            for value, type in zip(results, op.result_types, strict=True):
                _check(value, type)
            values.update(zip(op.results, results, strict=True))
    return made


def unary(name, type, x, result=None):
    """Evaluates an operation of one operand."""
    to = "" if result is None else f" to {result}"
    return evaluate(f"%a: {type}", f"{name} %a : {type}{to}", x)


def binary(name, type, a, b):
    """Evaluates an operation of two operands of one type."""
    return evaluate(f"%a: {type}, %b: {type}", f"{name} %a, %b : {type}", a, b)


def _value(arg, type):
    if isinstance(type, Tensor):
        return np.asarray(arg, dtype=type.dtype).reshape(type.shape)
    if isinstance(type, Scalar) and not type.is_integer:
        return type.dtype.type(arg)
    return arg


def _check(value, type):
    if isinstance(type, Tensor):
        assert isinstance(value, np.ndarray)
        assert (value.shape, value.dtype) == (type.shape, type.dtype)
    elif isinstance(type, Pointer) or type.is_integer:
        assert isinstance(value, int)
        low, high = (0, 1) if type == Scalar("i1") else _range(type)
        assert low <= value <= high
    else:
        assert isinstance(value, np.generic)
        assert value.dtype == type.dtype


def _range(type):
    half = 1 << (type.dtype.itemsize * 8 - 1)
    return -half, half - 1


def run_kernel(params, body, *args):
    """Runs a kernel of one CTA; arrays among the arguments become pointers.

    Args:
        params: Parameters of the function.
        body: Operations.
        args: Values of the parameters; what the kernel stores is in the arrays.
    """
    text = f"tt.func public @f({params}) {{\n{body}\ntt.return\n}}"
    program = load(_ext.parse(text, _CONTEXT))
    memory = GlobalMemory()
    values = [
        memory.map(f"argument {i}", arg) if isinstance(arg, np.ndarray) else arg
        for i, arg in enumerate(args)
    ]
    execute(program, (1, 1, 1), values, memory, Options())
