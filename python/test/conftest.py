# SPDX-License-Identifier: MIT
"""Set-up of all Python tests."""

# In a source checkout this gives `triton.language.extra.tlx` its meaning.
import tlx  # noqa: F401
