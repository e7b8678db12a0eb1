"""Presenting: the tour or the lanes fill the screen, a remote's keys step, and a link shows exactly a move."""

import pytest
from visiting import visiting
from watching import at, link, open_form, start_run, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ON = "() => document.documentElement.dataset.present === 'on'"
OFF = "() => document.documentElement.dataset.present === undefined"
#: What is seen of these, of a page that presents: whether each is drawn.
SEEN = """names => names.map((name) => {
    const element = document.querySelector(name);
    return Boolean(element && element.getClientRects().length);
})"""
#: Of an element, whether it is as large as the window.
FILLS = """name => {
    const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
    return x === 0 && y === 0 && width === window.innerWidth && height === window.innerHeight;
}"""


@pytest.fixture(scope="module")
def run(context, server):
    """The id of a run with three climbers."""
    with visiting(context, server) as page:
        open_form(page, link(server, "burma14", climbers=3))
        start_run(page)
        wait_state(page, "finished")
        return page.evaluate("() => window.TourScope.run.id")


def stand(page, climb: int, move: int) -> None:
    """Move the player to a position."""
    page.evaluate("climb => window.TourScope.player.playClimb(climb, false)", climb)
    at(page, climb, 0)
    page.locator("#player-move").fill(str(move))
    at(page, climb, move)
    page.evaluate("() => document.activeElement.blur()")


def test_copied_link_shows_its_exact_move(climb, page, shared_server, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    stand(climb, 1, 5)
    place = climb.locator("#copy-link").bounding_box()
    climb.get_by_role("button", name="Copy link").click()
    climb.wait_for_function("() => document.getElementById('copy-link-sentence').textContent === 'The link is copied.'")
    assert climb.locator("#copy-link").bounding_box() == place  # it stays below the pointer
    copied = climb.evaluate("() => navigator.clipboard.readText()")
    run = climb.evaluate("() => window.TourScope.run.id")
    assert copied == f"{shared_server.url}?run={run}&climb=1&move=5"
    open_form(page, f"{copied}&theme=dark&scale=2&present")
    at(page, 1, 5)
    assert page.evaluate("() => window.TourScope.player.state.playing") is False
    assert "climb=" not in page.url  # a reload keeps the place of the player, not that of the link
    page.wait_for_function(ON)
    assert page.evaluate("() => document.documentElement.dataset.bsTheme") == "dark"
    assert page.evaluate("() => getComputedStyle(document.querySelector('.hud')).zoom") == "2"
    page.keyboard.press("Escape")
    page.wait_for_function(OFF)
    page.get_by_role("button", name="Light or dark").click()  # a person's choice counts from then on
    page.wait_for_function("() => document.documentElement.dataset.bsTheme === 'light'")


def test_presenting_fills_the_screen_steps_by_remote_and_ends_by_escape(climb):
    stand(climb, 1, 4)
    climb.keyboard.press("PageDown")
    assert climb.evaluate("() => window.TourScope.player.state.position") == 4  # it scrolls, as on any page
    climb.get_by_role("button", name="Present", exact=True).click()
    climb.wait_for_function(ON)
    climb.wait_for_function("() => document.fullscreenElement")
    assert climb.evaluate(FILLS, "#stage")
    hidden = ["header", ".setup", ".numbers", "#hud-where", "#player-speed", "#bound-start"]
    seen = ["#hud-length", "#hud-run", ".legend", "#tour", "#player-play"]  # with the names of algorithm and cities
    assert climb.evaluate(SEEN, [*hidden, *seen]) == [False] * 6 + [True] * 5
    assert climb.evaluate("() => window.TourScope.tour.bold()") == 1.5, "lines and cities grow as the type does"
    climb.keyboard.press("PageDown")
    at(climb, 1, 5)
    climb.keyboard.press("PageUp")
    at(climb, 1, 4)
    climb.keyboard.press("b")
    climb.wait_for_function("() => document.documentElement.dataset.blank")
    climb.keyboard.press("PageDown")  # which only ends the black screen
    climb.wait_for_function("() => !document.documentElement.dataset.blank")
    at(climb, 1, 4)
    assert climb.url.endswith("&present")
    climb.keyboard.press("Escape")
    climb.wait_for_function(OFF)
    climb.wait_for_function("() => !document.fullscreenElement")
    assert not climb.url.endswith("present")
    assert climb.evaluate("() => document.activeElement.id") == "present"


@pytest.mark.long
def test_window_is_filled_if_full_screen_is_refused(page, server, run):
    open_form(page, f"{server.url}?run={run}")
    page.evaluate("() => { Element.prototype.requestFullscreen = () => Promise.reject(new Error('refused')); }")
    page.keyboard.press("p")
    page.wait_for_function(ON)
    assert page.evaluate(FILLS, "#stage")
    page.click("#present-leave")
    page.wait_for_function(OFF)


@pytest.mark.long
@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768), (390, 844)])
def test_presented_tour_fills_every_window(page, server, run, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.goto(f"{server.url}?run={run}&climb=2&move=3&theme=dark&scale=2&present")
    page.wait_for_function(ON)
    page.wait_for_function("() => window.TourScope?.tour?.painted().points > 0")
    assert page.evaluate(FILLS, "#stage")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.long
def test_comparison_is_presented_at_the_second_of_its_link(page, server, run, context):
    with visiting(context, server) as other:
        open_form(other, link(server, "burma14", climbers=5, seed=2))
        start_run(other)
        wait_state(other, "finished")
        second = other.evaluate("() => window.TourScope.run.id")
    page.goto(f"{server.url}race/?runs={run},{second}&at=0&present")
    page.wait_for_function("() => window.TourScope?.race?.state === 'over'")
    page.wait_for_function("() => document.querySelector('.lane:not([hidden]) .lane-title').textContent")
    assert page.evaluate(FILLS, "#stage")
    assert page.evaluate("() => window.TourScope.racePlayer.state.clock") == 0
    hidden = "() => getComputedStyle(document.getElementById('race-ending')).visibility"
    assert page.evaluate(hidden) == "hidden"  # the end is not given away
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({hidden})() === 'visible'")
    page.wait_for_function("() => document.getElementById('race-ending').textContent.includes('This is one run each')")
    page.keyboard.press("PageUp")
    page.wait_for_function(f"() => ({hidden})() === 'hidden'")
    parts = ["header", ".setup", ".race-table", "#player-speed", ".race-chart", ".lane-length", "#race-scrub"]
    assert page.evaluate(SEEN, parts) == [False] * 4 + [True] * 3
