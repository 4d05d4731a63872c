# SPDX-License-Identifier: MIT
"""The text of errors, their place, and their way through pickling."""

import pickle

import pytest

from tlx import errors


def location(line: int, text: str, caret: int) -> errors.SourceLocation:
    return errors.SourceLocation("kernel.py", line, caret + 1, text, caret)


def test_message_without_a_place_is_one_line():
    error = errors.ShapeError.expects("shape", "of rank 1 to 5", (1,) * 6)
    assert str(error.about("tlx.local_alloc")) == (
        "'tlx.local_alloc' expects 'shape' to be of rank 1 to 5, "
        "but got (1, 1, 1, 1, 1, 1)"
    )
    assert error.expected == "of rank 1 to 5"
    assert error.found == (1,) * 6


def test_message_with_a_place_shows_line_and_caret():
    error = errors.ArgumentError("cannot do this", subject="tlx.fence")
    error.location = location(12, "    tlx.fence('x')", 4)
    error.add_note("called from here", location(40, "  helper(a)", 2))
    assert str(error) == (
        "kernel.py:12:5: error: 'tlx.fence' cannot do this\n"
        "    tlx.fence('x')\n"
        "    ^\n"
        "kernel.py:40:3: note: called from here\n"
        "    helper(a)\n"
        "    ^"
    )
    assert (error.file, error.line, error.column) == ("kernel.py", 12, 5)


def test_the_caret_follows_the_column_behind_the_indent():
    error = errors.TLXError("wrong", location=location(1, "  a = f(b)", 6))
    assert str(error).splitlines()[1:] == ["    a = f(b)", "        ^"]


def test_the_innermost_subject_stays():
    error = errors.TLXError("wrong").about("tlx.inner").about("tlx.outer")
    assert error.headline == "'tlx.inner' wrong"


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_a_tlx_error(name):
    cls = getattr(errors, name)
    if isinstance(cls, type) and issubclass(cls, Exception):
        assert issubclass(cls, (errors.TLXError, Warning))


def test_errors_survive_pickling():
    error = errors.InternalError("broken", reproducer="/tmp/r.mlir")
    error.location = location(3, "x", 0)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.InternalError
    assert str(copy) == str(error)
    assert copy.reproducer == "/tmp/r.mlir"
    assert "reproducer written to /tmp/r.mlir" in str(copy)


def test_the_first_error_of_a_pass_leads():
    here, there = location(5, "  wait(bar)", 2), location(2, "bar = alloc()", 0)
    note = errors.Diagnostic("note", "allocated here", there)
    error = errors.CompileError.from_diagnostics(
        [
            errors.Diagnostic("warning", "slow"),
            errors.Diagnostic("error", "never arrives", here, [note]),
            errors.Diagnostic("error", "second", here),
        ]
    )
    assert str(error).splitlines()[0] == "kernel.py:5:3: error: never arrives"
    assert "kernel.py:2:1: note: allocated here" in str(error)
    assert "note: also: second" in str(error)
    assert len(error.diagnostics) == 3


def test_no_diagnostics_still_say_something():
    error = errors.CompileError.from_diagnostics([])
    assert str(error) == "the compiler failed without a message"


def test_a_location_reads_its_line(tmp_path):
    path = tmp_path / "k.py"
    path.write_text("a\n  b\n")
    assert errors.SourceLocation.read(str(path), 2, 3).text == "  b"
    assert errors.SourceLocation.read(str(path), 9).text is None
    assert errors.SourceLocation.read("/nowhere.py", 1).text is None


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("num_warp", ", did you mean 'num_warps'?"),
        ("replicates", ", did you mean 'replicate'?"),
        ("zzz", ""),
    ],
)
def test_suggestions(word, hint):
    assert errors.did_you_mean(word, ["num_warps", "replicate"]) == hint
