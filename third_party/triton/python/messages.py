# SPDX-License-Identifier: MIT
"""What Triton's diagnostics mean for a user of TLX, where they name no way out."""

from __future__ import annotations

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Known:
    """A diagnostic of Triton.

    Attributes:
        pattern: What it says.
        message: What we say; takes the groups of the pattern.
    """

    pattern: re.Pattern[str]
    message: str


# Which elements lie side by side follows from the strides that Triton knows.
KNOWN = (
    Known(
        re.compile(
            r"cp\.async does not support transfers smaller than (\d+) bytes; "
            r"calculated this as (\d+) bytes"
        ),
        "'tlx.async_load' expects each thread to copy at least {0} bytes that are "
        "known to lie side by side under one mask, but got {1}; state what you know "
        "of offsets with 'tl.multiple_of' and of the mask with 'tl.max_constancy', "
        "or load a tensor and store it",
    ),
)


def explain(text: str) -> str:
    """Returns the message for a diagnostic: ours if we know it, else its own."""
    for known in KNOWN:
        if match := known.pattern.search(text):
            return known.message.format(*match.groups())
    return text
