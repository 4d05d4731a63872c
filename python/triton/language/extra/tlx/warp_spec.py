# SPDX-License-Identifier: MIT
"""Another name for `tlx.warp_spec`, which kernels import names from."""

from tlx.language.warp_spec import get_bufidx_phase

__all__ = ["get_bufidx_phase"]
