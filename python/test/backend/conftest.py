# SPDX-License-Identifier: MIT
"""Fixtures of the adapter's tests."""

from pathlib import Path

import pytest
import triton

ALIAS = Path("triton/language/extra/tlx")


@pytest.fixture(scope="session")
def stock_triton(tmp_path_factory):
    """Returns a folder with Triton as it comes, without our re-export inside.

    The folders on the way to the re-export are real, everything else is a link.
    """
    site = tmp_path_factory.mktemp("stock")

    def link(source, target):
        target.mkdir()
        for entry in source.iterdir():
            place = (target / entry.name).relative_to(site)
            if place in ALIAS.parents:
                link(entry, target / entry.name)
            elif place != ALIAS and entry.name != "__pycache__":
                (target / entry.name).symlink_to(entry)

    link(Path(triton.__file__).parent, site / "triton")
    return site
