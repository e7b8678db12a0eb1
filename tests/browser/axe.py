"""Runs axe-core on a page in several looks, each a theme and a window size."""

from collections.abc import Iterable
from typing import NamedTuple

import pytest
from serving import ROOT
from visiting import ENDS

#: npm fetches it with the tools that check the scripts.
SCRIPT = ROOT / "node_modules" / "axe-core" / "axe.min.js"
#: All of WCAG 2.2 A and AA, and what is good practice besides.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN = """async (tags) => {
    const options = { runOnly: { type: 'tag', values: tags }, rules: { 'target-size': { enabled: true } } };
    const { violations } = await axe.run(document, { ...options, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary, html }) =>
        [id, target.join(' '), failureSummary.split('\\n').slice(1).join(';').trim(), html.slice(0, 140)].join(' | ')));
}"""
#: Sets the theme without the page's own switch, which keeps what a person chose; colours that fade in are at their end.
THEME = """theme => {
    document.documentElement.dataset.bsTheme = theme;
    document.getAnimations().forEach((each) => each.playState === 'running' && each.effect.getTiming().iterations === 1
        && each.finish());
}"""


#: Of tests that ask axe-core.
needs_axe = pytest.mark.skipif(not SCRIPT.exists(), reason="npm could not fetch axe-core")


class Look(NamedTuple):
    """A theme, and the width and height of a window."""

    theme: str
    width: int
    height: int


ALL = tuple(Look(theme, *size) for theme in ("light", "dark") for size in ((320, 640), (1280, 800), (3840, 2160)))


def short_windows(page) -> list[str]:
    """The windows in which the grey page background extends below or beside the panels."""
    found = []
    for width, height in ((1280, 720), (390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [] if page.evaluate(ENDS) else [f"{width} x {height}: more than its panels"]
    return found


def violations(page, looks: Iterable[Look]) -> list[str]:
    """axe-core's findings on the current page in each look."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT.read_text())
    found = []
    for theme, width, height in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(THEME, theme)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{theme}, {width} px: {each}" for each in page.evaluate(RUN, TAGS)]
    return found


def check_dialog(page, name: str) -> list[str]:
    """axe-core's findings, with the name of the open dialog."""
    found = [f"{name}, {each}" for each in violations(page, ALL)]
    page.set_viewport_size({"width": 1280, "height": 800})
    return found
