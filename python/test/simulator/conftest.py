# SPDX-License-Identifier: MIT
"""Lets the tests of all folders below import the helpers here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
