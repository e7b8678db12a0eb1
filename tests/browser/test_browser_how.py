"""The drawer "How it works": it opens beside the tour, highlights the line of each step, and restores the focus."""

import pytest
from watching import link, open_form

from solvers import SOLVERS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SEEN = """() => {
    const line = document.querySelector('#how .pseudo [aria-current]')?.getBoundingClientRect();
    const box = document.querySelector('.how-body').getBoundingClientRect();
    return Boolean(line) && line.top >= box.top && line.bottom <= box.bottom;
}"""


def lights(page, label: str) -> None:
    page.wait_for_selector(f"#how .pseudo [data-line={label}][aria-current]")


#: By how many pixels each formula is wider than its place.
WIDE = "() => [...document.querySelectorAll('#how .math.block')].map((each) => each.scrollWidth - each.clientWidth)"


def test_drawer_highlights_the_line_of_each_step_and_its_links_lead_on_and_back(climb):
    page = climb
    page.keyboard.press("h")
    page.wait_for_selector("#how[open] .pseudo")
    assert page.evaluate("document.activeElement.id") == "how-title"
    page.keyboard.press("Home")  # scrolls in the drawer, where the keyboard is
    page.focus("#player-move")
    page.keyboard.press("Home")
    lights(page, "start")
    page.keyboard.press("ArrowRight")
    lights(page, "move")
    page.wait_for_function(SEEN)
    assert page.evaluate("window.scrollY") == 0
    page.keyboard.press("End")
    lights(page, "optimum")
    page.keyboard.press("Escape")
    page.wait_for_selector("#how", state="detached")

    page.focus("#how-open")
    page.keyboard.press("Enter")
    page.wait_for_selector("#how[open] .diagram svg")
    page.keyboard.press("Escape")
    page.wait_for_selector("#how", state="detached")
    assert page.evaluate("document.activeElement.id") == "how-open"

    page.click("#how-help")
    page.click("#how button:has-text('All algorithms')")
    page.click("#how [data-algorithm=max-min-ant-system]")
    page.wait_for_selector("#how .katex-mathml")
    page.click("#how section a[data-doc='algorithms/ant-system.md'] >> nth=0")
    page.wait_for_selector("#how-title:text-is('Ant System')")
    page.click("#how button[aria-label=Back]")
    page.wait_for_selector("#how-title:text-is('MAX-MIN Ant System')")
    page.click("#how button:has-text('All algorithms')")
    page.click("#how .how-documents a")
    page.wait_for_selector("#how-title:text-is('TourScope documentation')")
    page.click("#how a[data-doc='glossary.md']")
    page.wait_for_selector("#how-title:text-is('Glossary')")
    page.click("#how button:has-text('All algorithms')")
    page.click("#how [data-algorithm=held-karp]")
    page.click("#how .how-choice[data-name=qin-han]")
    assert "a thread computes one state" in page.inner_text("#how figcaption >> nth=1")
    page.click("#how-help")  # of the algorithm at hand, which is another by now
    page.wait_for_selector("#how-title:has-text('2-opt')")
    page.click("#how-help")
    page.wait_for_selector("#how", state="detached")


@pytest.mark.long
def test_drawer_keeps_the_tour_visible_and_returns_the_focus(page, server):
    open_form(page, link(server, "burma14"))
    page.wait_for_selector("#start:enabled")  # the form is that of the address, and keeps the keyboard
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 860})
        page.focus("#how-open")
        page.keyboard.press("Enter")
        page.wait_for_selector("#how[open] .diagram svg")
        tour, drawer = (page.locator(each).bounding_box() for each in ("#tour", "#how"))
        beside = drawer["x"] >= tour["x"] + tour["width"] or drawer["y"] >= tour["y"] + tour["height"] / 2
        assert beside, (tour, drawer)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.keyboard.press("Escape")
        page.wait_for_selector("#how", state="detached")
        assert page.evaluate("document.activeElement.id") == "how-open"


@pytest.mark.long
def test_formula_wider_than_the_drawer_is_shrunk(page, server):
    open_form(page, link(server, "burma14", "greedy"))
    page.click("#how-open")
    page.wait_for_selector("#how .math.block[style*='font-size']")
    assert set(page.evaluate(WIDE)) == {0}
    assert page.locator("#how .math.block[tabindex]").count() == 0  # there is nothing to scroll
    page.set_viewport_size({"width": 320, "height": 860})
    page.keyboard.press("Escape")
    page.click("#how-open")
    page.locator("#how .math.block").first.scroll_into_view_if_needed()
    page.wait_for_selector("#how .math.block[style*='font-size: 75%']")
    assert max(page.evaluate(WIDE)) > 0  # it would be too small, and scrolls, by keyboard too
    assert page.locator("#how .math.block[tabindex]").count() == 1


@pytest.mark.long
def test_no_formula_is_cut_off_beside_the_tour(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    for solver in SOLVERS:
        open_form(page, link(server, "burma14", solver.name))
        page.click("#how-open")
        page.wait_for_selector("#how .math.block .katex")
        page.wait_for_function(f"() => ({WIDE})().every((each) => each <= 1)", timeout=30_000)
        page.keyboard.press("Escape")
        page.wait_for_selector("#how", state="detached")


@pytest.mark.long
def test_each_formula_is_typeset_once_even_below_a_diagram(page, server):
    open_form(page, link(server, "burma14"))
    page.click("#how-open")
    page.wait_for_selector("#how figcaption .katex-mathml")
    set_once = "[...document.querySelectorAll('#how figcaption .math')].map((each) => each.dataset.set)"
    page.wait_for_function(f"() => {set_once}.every((each) => each === '')")
    written = page.locator("#how figcaption annotation").all_text_contents()
    assert {"i", "j", "(i, j)"} <= set(written), written


@pytest.mark.long
def test_diagram_starts_on_request_with_reduced_motion(page, server):
    open_form(page, link(server, "burma14"))
    page.click("#how-open")
    page.wait_for_selector("#how .diagram svg")
    controls = page.locator("#how .diagram-controls >> nth=0")
    assert "Play" in controls.inner_text()
    before = page.inner_html("#how .diagram svg >> nth=0")
    controls.locator("button:has-text('Step')").click()
    assert page.inner_html("#how .diagram svg >> nth=0") != before
