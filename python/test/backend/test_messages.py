# SPDX-License-Identifier: MIT
"""Diagnostics of Triton in words that name the way out."""

from tlx.backend.messages import explain


def test_known_diagnostic_is_explained():
    text = (
        "cp.async does not support transfers smaller than 4 bytes; calculated this as "
        "2 bytes"
    )
    assert explain(text) == (
        "'tlx.async_load' expects each thread to copy at least 4 bytes that are known "
        "to lie side by side under one mask, but got 2; state what you know of offsets "
        "with 'tl.multiple_of' and of the mask with 'tl.max_constancy', or load a "
        "tensor and store it"
    )


def test_other_diagnostics_stay_as_they_are():
    assert explain("cp.async is not there") == "cp.async is not there"
