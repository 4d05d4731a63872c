# SPDX-License-Identifier: MIT
"""The adapter to stock Triton: the only code of TLX that knows Triton's inside."""

from tlx.backend.detect import uses_tlx
from tlx.backend.hook import force, install, is_installed

__all__ = ["force", "install", "is_installed", "uses_tlx"]
