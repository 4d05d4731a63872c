# SPDX-License-Identifier: MIT
"""Programs as the simulator reads them from MLIR."""
