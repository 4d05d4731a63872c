# SPDX-License-Identifier: MIT
"""The page, as text."""

import html.parser
import json
import re
from pathlib import Path

import pytest

from tlx.simulator.code import cost
from tlx.simulator.timeline import write_page
from tlx.simulator.timeline.page import page_text

_ROOT = Path(__file__).parents[4]


class Elements(html.parser.HTMLParser):
    """Notes the start tags, and the text after each."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Notes a tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        """Notes a text."""
        tag = self.tags[-1][0] if self.tags else ""
        self.texts.setdefault(tag, []).append(data)


@pytest.fixture(scope="module")
def text(gemm):
    return page_text(gemm.timeline)


def data_of(text):
    (data,) = re.findall(r'<script type="application/json".*?>(.*?)</script>', text)
    return json.loads(data)


def test_needs_no_network(text):
    assert not re.findall(r"https?:|//[a-z]+\.|@import|url\(", text)
    for tag, attrs in Elements(text).tags:
        assert tag not in ("iframe", "img", "object", "embed")
        assert "src" not in attrs
        assert attrs.get("href", "data:,") == "data:,"
    assert "default-src 'none'" in text


def test_holds_the_run(text, gemm):
    data = data_of(text)
    timeline = gemm.timeline
    assert [len(x["start"]) for x in data["lanes"]] == [
        len(x.spans) for x in timeline.lanes
    ]
    assert len(data["edges"]) == len(timeline.edges)
    first = data["lanes"][0]
    assert sum(first["start"]) == timeline.lanes[0].spans[-1].start
    assert "Shows 2 of 4 CTAs" in data["scope"]
    assert f"{gemm.cycles:,} cycles" in data["facts"]


def test_names_cannot_become_markup(evil):
    text = page_text(evil)
    elements = Elements(text)
    scripts = [attrs for tag, attrs in elements.tags if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "data"}, {}]
    assert elements.texts["title"][0] == f"{evil.kernel}: simulated timeline"
    assert data_of(text)["kernel"] == evil.kernel
    assert evil.kernel not in text


def test_says_what_is_not_shown(evil):
    evil.dropped, evil.schedule, evil.grid = 7, "random", (9, 1, 1)
    scope = data_of(page_text(evil))["scope"]
    assert "Shows 1 of 9 CTAs" in scope
    assert "7 later operations" in scope
    assert "'earliest'" in scope


def test_write_page(gemm, text, tmp_path):
    path = write_page(gemm.timeline, tmp_path / "new" / "a.html")
    assert path.read_text(encoding="utf-8") == text
    assert [p.name for p in path.parent.iterdir()] == ["a.html"]


def test_documentation_has_the_constants():
    page = (_ROOT / "docs/simulator-timeline.md").read_text()
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in page.splitlines()
        if re.match(r"\| `[A-Z_]+` \|", line)
    ]
    assert rows == [(f"`{n}`", str(v), m, s) for n, v, m, s in cost.table()]
