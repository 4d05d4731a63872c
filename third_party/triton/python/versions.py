# SPDX-License-Identifier: MIT
"""The Triton releases this package works with.

This module imports nothing of Triton, so that it can judge an installation that
does not even import, and little else, because it runs whenever Triton is imported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tlx.errors import VersionError

Version = tuple[int, int]

# Minor releases whose dialects, passes and front end we know. What differs between
# them is data where it is used: see `stock_passes.StockPass.since`.
SUPPORTED: tuple[Version, ...] = ((3, 8), (3, 9))


def supported_text() -> str:
    """Returns the supported versions as text, such as `3.8 or 3.9`."""
    return " or ".join(f"{major}.{minor}" for major, minor in SUPPORTED)


def parse(version: str) -> Version | None:
    """Returns major and minor of a version string, or None if it has none."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else None


def check_number(version: str) -> Version:
    """Returns major and minor of a supported version of Triton.

    Args:
        version: `triton.__version__`.

    Raises:
        VersionError: The version is not supported.
    """
    if "+fb" in version:
        raise _owned_by(f"fbtriton {version}")
    number = parse(version)
    if number is None or number not in SUPPORTED:
        from tlx.errors import VersionError

        raise VersionError(
            f"expects 'triton' to be {supported_text()}, but got {version}"
        )
    return number


def check(version: str) -> Version:
    """Does what `check_number` does, and looks for files of fbtriton.

    Args:
        version: `triton.__version__`.

    Raises:
        VersionError: The version is not supported, or fbtriton, which installs
            files into the same folder, is installed too.
    """
    import importlib.metadata

    try:
        owner = importlib.metadata.version("fbtriton")
    except importlib.metadata.PackageNotFoundError:
        return check_number(version)
    raise _owned_by(f"fbtriton {owner}")


def _owned_by(owner: str) -> VersionError:
    from tlx.errors import VersionError

    return VersionError(
        f"expects the stock 'triton' {supported_text()}, but the installed 'triton' "
        f"folder holds files of {owner}; run `pip uninstall fbtriton triton`, then "
        "`pip install triton`"
    )
