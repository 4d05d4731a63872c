# SPDX-License-Identifier: MIT
"""The page in a real browser.

With TLX_SCREENSHOTS=DIR the tests leave pictures of what they saw.
"""

import os
from pathlib import Path

import pytest
from timeline import browser as browsers

from tlx.simulator.timeline import write_page

pytestmark = pytest.mark.skipif(
    browsers.find() is None, reason=f"no browser: none of {', '.join(browsers.NAMES)}"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    it = browsers.Browser(tmp_path_factory.mktemp("profile"))
    yield it
    it.close()


@pytest.fixture
def show(browser, tmp_path, request):
    """Opens the page of a timeline; fails for errors and requests on it."""

    def run(timeline):
        browser.open(write_page(timeline, tmp_path / "a.html"))
        return browser

    yield run
    if folder := os.environ.get("TLX_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        browser.screenshot(Path(folder) / f"{request.node.name}.png")
    methods = [e.get("method") for e in browser.events]
    assert "Runtime.exceptionThrown" not in methods, browser.events
    urls = [
        e["params"]["request"]["url"]
        for e in browser.events
        if e.get("method") == "Network.requestWillBeSent"
    ]
    assert all(url.startswith(("file:", "data:")) for url in urls), urls


def center(page, lane, span):
    """Where a span is drawn, within the window."""
    return page.run(
        f"(() => {{ const l = LANES[{lane}], box = canvas.getBoundingClientRect();"
        f"return [box.left + (x(l.start[{span}]) + x(l.end[{span}])) / 2,"
        "box.top + l.top + LANE / 2]; })()"
    )


def color(page, x, y):
    """The color of a pixel of the canvas, as a CSS color."""
    return page.run(
        "(() => { const r = devicePixelRatio, box = canvas.getBoundingClientRect();"
        f"const d = pen.getImageData(({x} - box.left) * r, ({y} - box.top) * r, 1, 1)"
        ".data; return '#' + [...d.slice(0, 3)].map(v => v.toString(16)"
        ".padStart(2, '0')).join(''); })()"
    )


def test_spans_are_drawn_in_their_lanes(show, gemm):
    page = show(gemm.timeline)
    page.run("view.edges = 'selected'; draw()")
    for number, lane in enumerate(gemm.timeline.lanes[:5]):
        if lane.is_engine:
            at = center(page, number, 3)
            assert color(page, at[0] + 2, at[1] - 9) == page.run(
                f"colors[KINDS[LANES[{number}].kind[3]]]"
            )
    assert page.run("document.title") == "gemm_ws: simulated timeline"
    assert page.run("document.querySelectorAll('#lanes tbody tr').length") == 10


def test_tooltip_says_what_and_why(show, gemm):
    page = show(gemm.timeline)
    stall = next(
        i for i, s in enumerate(gemm.timeline.lanes[1].spans) if s.subject == "full"
    )
    page.mouse("mouseMoved", *center(page, 1, stall))
    text = page.run("tip.innerText")
    assert "wait for full" in text
    assert "cycles" in text
    assert "completed by bytes of async_descriptor_load" in text
    assert "03_gemm_ws.py:" in text
    assert "barrier_wait(full" in text
    page.mouse("mouseMoved", 5, 5)
    assert page.run("tip.hidden") is True


def test_keys(show, gemm):
    page = show(gemm.timeline)
    page.run("canvas.focus()")
    whole = page.run("view.to - view.from")
    page.press("+", "+")
    assert page.run("view.to - view.from") == pytest.approx(whole / 2.25)
    before = page.run("view.from")
    page.press("ArrowRight")
    assert page.run("view.from") > before
    page.press("0", "ArrowDown", "ArrowDown", ".")
    assert page.run("[view.lane, view.span >= 0]") == [1, True]
    assert "task 1" in page.run("document.getElementById('details').innerText")
    page.press("Enter")
    assert page.run("view.to - view.from") < whole / 2
    page.press("Escape", "0")
    assert page.run("[view.lane, view.span]") == [-1, -1]
    assert page.run("view.to - view.from") == pytest.approx(whole)


def test_drag_wheel_and_click(show, gemm):
    page = show(gemm.timeline)
    x, y = center(page, 4, 5)
    whole = page.run("view.to - view.from")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100, modifiers=2)
    assert page.run("view.to - view.from") == pytest.approx(whole / 1.2)
    x, y = center(page, 4, 5)
    page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    page.mouse("mouseReleased", x, y, button="left", clickCount=1)
    assert page.run("[view.lane, view.span]") == [4, 5]
    before = page.run("view.from")
    page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    page.mouse("mouseMoved", x - 80, y, button="left", buttons=1)
    page.mouse("mouseReleased", x - 80, y, button="left", clickCount=1)
    assert page.run("view.from") > before


def test_table_leads_to_the_longest_stall(show, gemm):
    page = show(gemm.timeline)
    total = gemm.timeline.stall_totals()[0]
    page.run("document.querySelector('#stalls tbody button').click()")
    page.settle()
    assert page.run("LANES[view.lane].start[view.span]") == total.longest.start
    assert page.run("view.lane") == total.lane.number
    text = page.run("document.querySelector('#stalls tbody tr').innerText")
    assert f"{total.cycles:,}" in text


def test_names_stay_text(show, evil):
    page = show(evil)
    assert page.run("document.title") == f"{evil.kernel}: simulated timeline"
    assert page.run("document.getElementById('kernel').innerText") == evil.kernel
    page.mouse("mouseMoved", *center(page, 0, 1))
    assert evil.kernel in page.run("tip.innerText")
    assert page.run("document.querySelectorAll('b').length") == 0


def test_dark(show, gemm, browser):
    scheme = {"name": "prefers-color-scheme", "value": "dark"}
    browser.call("Emulation.setEmulatedMedia", features=[scheme])
    try:
        page = show(gemm.timeline)
        page.run("view.edges = 'selected'; draw()")
        assert page.run("colors.back") == "#14171c"
        at = center(page, 4, 3)
        assert color(page, at[0] + 2, at[1] - 9) == "#6fcf7f"
    finally:
        browser.call("Emulation.setEmulatedMedia", features=[])


def test_text_has_contrast(show, gemm, browser):
    """Texts on spans have at least 4.5:1, spans on the page at least 3:1 (WCAG)."""
    script = """(() => {
      const linear = u => u <= 0.03928 ? u / 12.92 : ((u + 0.055) / 1.055) ** 2.4;
      const light = (c) => {
        const v = [1, 3, 5].map(i => linear(parseInt(c.slice(i, i + 2), 16) / 255));
        return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2] + 0.05; };
      const ratio = (a, b) =>
        Math.max(light(a), light(b)) / Math.min(light(a), light(b));
      const kinds = KINDS.filter(k => k !== "wait").map(k => colors[k]);
      return { text: Math.min(...kinds.map(k => ratio(k, colors["span-text"])),
          ratio(colors["wait-text"], colors.wait), ratio(colors.quiet, colors.panel),
          ratio(colors.text, colors.back)),
        spans: Math.min(...kinds.map(k => ratio(k, colors.back)),
          ratio(colors["wait-mark"], colors.wait)) }; })()"""
    for value in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": value}
        browser.call("Emulation.setEmulatedMedia", features=[feature])
        found = show(gemm.timeline).run(script)
        assert found["text"] >= 4.5, (value, found)
        assert found["spans"] >= 3, (value, found)
    browser.call("Emulation.setEmulatedMedia", features=[])


def test_large_timeline_stays_quick(show, large):
    page = show(large)
    assert page.run("LANES.reduce((n, l) => n + l.count, 0)") == 100_000
    slowest = page.run(
        "Math.max(...[1, 10, 100, 1000].map(part => Math.min(...[1, 2, 3].map(() => {"
        "show(0, LAST / part); const t = performance.now(); draw();"
        "return performance.now() - t; }))))"
    )
    # Milliseconds of a frame on a slow machine without a GPU.
    assert slowest < 500
