# SPDX-License-Identifier: MIT
"""Programs made ready to run: meanings of operations, control flow as jumps."""
