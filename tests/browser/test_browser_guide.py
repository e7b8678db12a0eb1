"""The first-minute guide: shown to first-time visitors, empty for nobody, and gone for good after a click."""

import pytest
from axe import ALL, needs_axe, short_windows, violations
from chromium import MODULES
from serving import PATIENCE
from watching import DRAWN, link, wait_for_text

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SHOWN = "() => document.getElementById('guide').getClientRects().length > 0"
DONE = "() => [...document.querySelectorAll('.guide li[data-done]')].map((mark) => mark.dataset.mark)"
#: Whether the guide and the tour's canvas lie apart.
APART = """() => {
    const [guide, tour] = ['guide', 'tour'].map((id) => document.getElementById(id).getBoundingClientRect());
    return guide.bottom <= tour.top;
}"""
READY = f"() => ({DRAWN})() && document.getElementById('start')?.disabled === false"


@pytest.fixture
def visitor(chromium, server):
    """A page of a first-time visitor."""
    context = chromium.new_context(viewport={"width": 1440, "height": 860})
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def visit(page, address: str):
    page.goto(address)
    page.wait_for_function(READY)
    return page.evaluate(SHOWN)


def begin_greedy(page, marks):
    """Choose another algorithm, which ticks no step yet, and start it."""
    page.evaluate("() => window.dash_clientside.set_props('algorithm', { value: 'greedy' })")
    wait_for_text(page, "hud-run", "^Previous run: ")
    assert page.evaluate(DONE) == marks
    page.click("#start")


@pytest.mark.long
def test_guide_ticks_completed_steps_and_stays_closed(visitor, server):
    assert visit(visitor, server.url)
    assert visitor.evaluate(DONE) == []
    assert visitor.evaluate(APART)
    visitor.click("#start")
    visitor.wait_for_function("() => window.TourScope.player.shown()")
    visitor.wait_for_function(f"() => ({DONE})().join() === 'what,start'")
    visitor.click("#player-forward")
    visitor.wait_for_function(f"() => ({DONE})().join() === 'what,start,drag'")
    visitor.evaluate("() => document.activeElement.blur()")
    visitor.keyboard.press("g")
    visitor.wait_for_function(f"() => !({DONE})().length")
    visitor.focus("#player-move")
    visitor.evaluate("() => { const bar = document.getElementById('player-move'); bar.value = '3';"
                     " bar.dispatchEvent(new Event('input', { bubbles: true })); }")  # fmt: skip
    visitor.wait_for_function(f"() => ({DONE})().join() === 'what,drag'")
    begin_greedy(visitor, ["what", "drag"])
    visitor.wait_for_function(f"() => ({DONE})().length === 4")
    visitor.get_by_role("button", name="Close the guide for good").click()
    visitor.wait_for_function(f"() => !({SHOWN})()")
    assert not visit(visitor, server.url)
    visitor.keyboard.press("g")
    visitor.wait_for_function(SHOWN)
    assert visitor.evaluate(DONE) == []
    visitor.focus("#guide-close")
    visitor.keyboard.press("Escape")
    visitor.wait_for_function(f"() => !({SHOWN})()")


@pytest.mark.long
def test_guide_is_never_empty_in_a_low_window_and_stays_away_once_complete(visitor, server):
    """In a low window the guide is one line: the next step, and at the end the completed steps."""
    line = """() => [...document.querySelectorAll('.guide li')].filter((mark) => mark.offsetHeight > 1)
        .map((mark) => mark.dataset.mark)"""
    visitor.set_viewport_size({"width": 1280, "height": 720})
    assert visit(visitor, server.url)
    assert visitor.evaluate(line) == ["what"]
    visitor.click("#start")
    visitor.wait_for_function("() => window.TourScope.player.shown()")
    visitor.wait_for_function(f"() => ({line})().join() === 'drag'")
    visitor.click("#player-forward")
    visitor.wait_for_function(f"() => ({line})().join() === 'change'")
    begin_greedy(visitor, ["what", "start", "drag"])
    visitor.wait_for_function(f"() => ({DONE})().length === 4")
    assert visitor.evaluate(line) == [None], "where to go on"
    assert not visit(visitor, server.url)


@pytest.mark.long
def test_visitors_by_link_have_no_guide(visitor, server):
    assert not visit(visitor, link(server, "burma14"))
    assert visit(visitor, f"{server.url}?theme=dark")


@pytest.mark.long
@needs_axe
def test_the_guide_is_accessible_and_fits(visitor, server):
    assert visit(visitor, server.url)
    assert violations(visitor, ALL) == []
    assert short_windows(visitor) == []
    visitor.set_viewport_size({"width": 390, "height": 844})
    assert visitor.evaluate("() => document.getElementById('guide').offsetHeight") < 40, (
        "one line, as that of each step"
    )
