# SPDX-License-Identifier: MIT
"""The Triton releases this package works with.

This module imports nothing of Triton, so that it can judge an installation that
does not even import.
"""

from __future__ import annotations

import importlib.metadata
import re
from dataclasses import dataclass

from tlx.errors import VersionError

Version = tuple[int, int]


@dataclass(frozen=True)
class Release:
    """Facts about one minor release of Triton.

    Attributes:
        version: Major and minor number.
        has_pass_names: Whether `pass_manager.run` takes the name of the pipeline.
    """

    version: Version
    has_pass_names: bool = True


RELEASES: dict[Version, Release] = {
    release.version: release for release in (Release((3, 8)), Release((3, 9)))
}


def supported_text() -> str:
    """Returns the supported versions as text, such as `3.8 or 3.9`."""
    return " or ".join(f"{major}.{minor}" for major, minor in sorted(RELEASES))


def parse(version: str) -> Version | None:
    """Returns major and minor of a version string, or None if it has none."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else None


def check_number(version: str) -> Release:
    """Returns the facts about a version of Triton, or rejects it.

    Args:
        version: `triton.__version__`.

    Raises:
        VersionError: The version is not supported.
    """
    if "+fb" in version:
        raise _owned_by(f"fbtriton {version}")
    release = RELEASES.get(parse(version) or (0, 0))
    if release is None:
        raise VersionError(
            f"expects 'triton' to be {supported_text()}, but got {version}"
        )
    return release


def check(version: str) -> Release:
    """Does what `check_number` does, and looks for files of fbtriton.

    Args:
        version: `triton.__version__`.

    Raises:
        VersionError: The version is not supported, or fbtriton, which installs
            files into the same folder, is installed too.
    """
    try:
        owner = importlib.metadata.version("fbtriton")
    except importlib.metadata.PackageNotFoundError:
        return check_number(version)
    raise _owned_by(f"fbtriton {owner}")


def _owned_by(owner: str) -> VersionError:
    return VersionError(
        f"expects the stock 'triton' {supported_text()}, but the installed 'triton' "
        f"folder holds files of {owner}; run `pip uninstall fbtriton triton`, then "
        "`pip install triton`"
    )
