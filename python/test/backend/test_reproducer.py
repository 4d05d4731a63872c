# SPDX-License-Identifier: MIT
"""IR stays on disk while a compiler that may fail works on it."""

import pytest

from tlx.backend.reproducer import Reproducer
from tlx.errors import ArgumentError


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(tmp_path / "home"))
    return tmp_path / "home"


def test_file_goes_with_success_and_stays_with_failure(home):
    with Reproducer("text", "a<b>/c", ".ttgir") as reproducer:
        assert reproducer.path.read_text() == "text"
        assert reproducer.path.parent == home
        assert reproducer.path.name.startswith("a-b--c-")
    assert list(home.iterdir()) == []
    with pytest.raises(KeyError), Reproducer("text", "k", ".ptx") as reproducer:
        raise KeyError
    assert list(home.iterdir()) == [reproducer.path]


def test_folder_that_cannot_be_made(monkeypatch):
    monkeypatch.setenv("TLX_REPRODUCER_DIR", "/proc/nope")
    with pytest.raises(ArgumentError) as caught:
        Reproducer("text", "k", ".ttgir")
    assert caught.value.message == (
        "expects 'TLX_REPRODUCER_DIR' to be a folder that can be written, but got "
        "'/proc/nope': No such file or directory"
    )


def test_folder_that_takes_no_files(monkeypatch):
    monkeypatch.setenv("TLX_REPRODUCER_DIR", "/proc")
    with pytest.raises(ArgumentError, match=r"but got '/proc': "):
        Reproducer("text", "k", ".ttgir")
