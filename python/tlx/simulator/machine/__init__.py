# SPDX-License-Identifier: MIT
"""The simulated machine: agents, engines, memory, barriers."""
