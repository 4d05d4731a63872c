# SPDX-License-Identifier: MIT
"""Values that differ between the threads of a task."""

import operator

import numpy as np
import pytest

from tlx.simulator.machine.per_thread import (
    FOREIGN,
    DiffersByThread,
    PerThread,
    among,
    from_parts,
    from_threads,
    groups,
)


def lanes(*threads, size=8):
    return np.isin(np.arange(size), threads)


def every(value):
    return [value.of(thread) for thread in range(value.which.size)]


def test_equal_values_are_one():
    assert from_threads([3] * 8) == 3
    assert type(from_threads([np.float32(2.5)] * 8)) is np.float32
    same = object()
    assert from_threads([same] * 8) is same
    value = from_threads([1, 2, 1, 2])
    assert value.choices == (1, 2)
    assert every(value) == [1, 2, 1, 2]


def test_zeros_of_other_sign_are_different():
    value = from_threads([np.float32(0.0), np.float32(-0.0)])
    assert type(value) is PerThread
    assert np.signbit(value.of(1))


def test_numbers_that_are_no_numbers_are_the_same():
    assert np.isnan(from_threads([np.float32(np.nan)] * 2))


def test_parts():
    value = from_parts([(lanes(*range(8)), 5), (lanes(1, 2), 6)], 8)
    assert every(value) == [5, 6, 6, 5, 5, 5, 5, 5]
    again = from_parts([(lanes(*range(8)), value), (lanes(1, 2), 5)], 8)
    assert again == 5


def test_threads_without_a_value():
    value = from_parts([(lanes(2), 7)], 8)
    assert every(value) == [None, None, 7] + [None] * 5
    assert among(value, lanes(2)) == 7


def test_groups():
    a, b = from_threads([0, 0, 1, 1]), from_threads([5, 6, 5, 5])
    found = groups([a, 9, b], lanes(*range(4), size=4))
    assert [(flags.tolist(), values) for flags, values in found] == [
        ([True, False, False, False], (0, 9, 5)),
        ([False, True, False, False], (0, 9, 6)),
        ([False, False, True, True], (1, 9, 5)),
    ]
    active = lanes(2, 3, size=4)
    ((flags, values),) = groups([a, 9, b], active)
    assert flags is active
    assert values == (1, 9, 5)


VALUE = from_threads([1, 2])
USES = {
    "bool": lambda: bool(VALUE),
    "int": lambda: int(VALUE),
    "float": lambda: float(VALUE),
    "index": lambda: [0][VALUE],
    "array": lambda: np.asarray(VALUE),
    "array of a type": lambda: np.full((3,), VALUE, np.int32),
    "attribute": lambda: VALUE.slots,
    "equal": lambda: VALUE == 1,
    "reversed": lambda: np.float32(1) == VALUE,
    "in": lambda: VALUE in (0, 1),
    "minimum": lambda: min(3, VALUE),
    "ufunc": lambda: np.fmod(np.float32(1), VALUE),
    "negative": lambda: -VALUE,
    "absolute": lambda: abs(VALUE),
    "foreign": lambda: FOREIGN + 1,
}
BINARY = ("add", "and_", "floordiv", "lshift", "mul", "or_", "rshift", "sub", "truediv")


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_uses_as_a_number(use):
    with pytest.raises(DiffersByThread):
        use()


@pytest.mark.parametrize("name", [*BINARY, "mod", "xor", "lt", "ge", "ne"])
@pytest.mark.parametrize("other", [3, np.float32(1), np.int64(2), np.zeros(2)])
def test_arithmetic(name, other):
    function = getattr(operator, name)
    with pytest.raises(DiffersByThread):
        function(VALUE, other)
    with pytest.raises(DiffersByThread):
        function(other, VALUE)
