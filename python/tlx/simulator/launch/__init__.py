# SPDX-License-Identifier: MIT
"""Launches that run in the simulator: `tlx.simulate()` and what it needs."""
