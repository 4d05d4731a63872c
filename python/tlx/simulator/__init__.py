# SPDX-License-Identifier: MIT
"""A simulator of Hopper for kernels in TLX: numbers, deadlocks, races, on the CPU."""
