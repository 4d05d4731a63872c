# SPDX-License-Identifier: MIT
"""What a run can find wrong with a kernel."""
