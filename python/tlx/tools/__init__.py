# SPDX-License-Identifier: MIT
"""Command line tools of TLX."""
