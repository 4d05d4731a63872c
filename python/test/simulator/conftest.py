# SPDX-License-Identifier: MIT
"""Lets the tests of all folders below import the helpers here."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

# The same examples on every machine, however slow it is.
settings.register_profile("simulator", deadline=None, derandomize=True)
settings.load_profile("simulator")
