# SPDX-License-Identifier: MIT
"""The limits of tensor maps, on both sides."""

import pytest

from tlx.tensormap import box_faults, extent_faults, stride_faults


def texts(faults):
    return [f"{f.name}: {f.rule}, not {f.found}" for f in faults]


def test_extents():
    assert not texts(extent_faults([1, 1 << 32, None]))
    assert texts(extent_faults([0, None, (1 << 32) + 1])) == [
        "shape[0]: in [1, 4294967296], not 0",
        "shape[2]: in [1, 4294967296], not 4294967297",
    ]


def test_strides():
    assert not texts(stride_faults([0, 16, None, (1 << 40) - 16]))
    assert texts(stride_faults([8, None, 1 << 40, -16])) == [
        "strides[0]: a multiple of 16 bytes, not 8",
        "strides[2]: in [0, 1099511627775] bytes, not 1099511627776",
        "strides[3]: in [0, 1099511627775] bytes, not -16",
    ]


def test_only_multiples_are_a_matter_of_alignment():
    faults = [*stride_faults([8, -16]), *extent_faults([0])]
    assert [f.is_misaligned for f in faults] == [True, False, False]


@pytest.mark.parametrize(
    ("box", "itemsize", "swizzle", "expected"),
    [
        ((256, 8), 2, 0, []),
        ((257, 8), 2, 0, ["box[0]: in [1, 256], not 257"]),
        ((0, 8), 2, 0, ["box[0]: in [1, 256], not 0"]),
        ((8, 12), 2, 0, ["box[1]: a multiple of 16 bytes, not 24"]),
        ((8, 64), 2, 128, []),
        ((8, 64), 2, 64, ["box[1]: at most the 64 bytes of the swizzle, not 128"]),
        ((8, 64), 2, 0, []),
    ],
)
def test_boxes(box, itemsize, swizzle, expected):
    assert texts(box_faults(box, itemsize, swizzle)) == expected


def test_element_strides():
    assert not texts(box_faults((8, 8), 2, 0, (1, 8)))
    assert texts(box_faults((8, 8), 2, 0, (0, 9))) == [
        "element strides[0]: in [1, 8], not 0",
        "element strides[1]: in [1, 8], not 9",
    ]
