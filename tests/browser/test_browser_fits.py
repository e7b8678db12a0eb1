"""No page is longer or wider than its window, in any state: long contents scroll in their own panel.

Windows that are too narrow for panels side by side show them one below the other, and scroll: to the last one's end.
"""

import json
from urllib.parse import urlencode

import pytest
from playwright.sync_api import TimeoutError as NotInTime
from visiting import ENDS, visiting
from watching import DRAWN, open_address, open_save_menu, start_run, wait_for_text, wait_state

from solvers import SOLVERS, find

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

LISTED = [solver for solver in SOLVERS if solver.listed]
WINDOWS = [(width, height) for width in (1440, 1280) for height in (720, 900, 1080)]
#: Milliseconds that Plotly may take to follow the window.
_FOLLOWS = 30_000
#: Whether an element is seen as a whole, above the bar with Start.
ABOVE_START = """selector => {
    const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector('.launch').getBoundingClientRect().top;
}"""
FITS = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return scrollHeight === window.innerHeight && scrollWidth === window.innerWidth;
}"""
SIZES = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return [scrollWidth, scrollHeight, window.innerWidth, window.innerHeight];
}"""
#: What stands out of the flow inside a box that scrolls, and is placed by something outside of it: it does not scroll.
ESCAPED = """() => {
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
        if (!(element instanceof HTMLElement) || getComputedStyle(element).position !== 'absolute') continue;
        if (!element.getClientRects().length) continue;
        const frame = element.offsetParent || document.body;
        for (let box = element.parentElement; box && box !== frame; box = box.parentElement) {
            if (box === document.body) break;
            if (/auto|scroll/.test(getComputedStyle(box).overflowY)) {
                found.push(`${element.tagName} ${element.className} out of ${box.className}`);
            }
        }
    }
    return found;
}"""
#: Whether a button is seen, and nothing lies over it.
SEEN = """id => {
    const { left, right, top, bottom } = document.getElementById(id).getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return bottom <= window.innerHeight && top >= 0 && Boolean(over && over.closest(`#${id}`));
}"""
#: Words of the convergence chart over which its buttons lie.
COVERED = """() => {
    const { left, right, top, bottom } = document.querySelector('.numbers .chart-saves').getBoundingClientRect();
    return [...document.querySelectorAll('#convergence text')].filter((words) => {
        const box = words.getBoundingClientRect();
        return box.width && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    }).map((words) => words.textContent);
}"""
#: The line beside the words of the switch that lays the optimal tour below.
LINE = "() => getComputedStyle(document.querySelector('#show-optimal ~ label'), '::before').borderTopWidth"
UNFOLD = "() => document.querySelectorAll('details.more').forEach((part) => { part.open = true; })"


def assert_fits(page, what: str, windows=WINDOWS) -> None:
    for width, height in windows:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try:
            page.wait_for_function(FITS, timeout=_FOLLOWS)
        except NotInTime:
            pytest.fail(f"{what}: the page and its window are {page.evaluate(SIZES)}")
    assert page.evaluate(ESCAPED) == [], what


def choose(page, solver) -> None:
    """Choose an algorithm and wait for its form."""
    page.evaluate("name => dash_clientside.set_props('algorithm', { value: name })", solver.name)
    page.wait_for_function("says => document.getElementById('algorithm-note').textContent === says", arg=solver.summary)
    page.evaluate(UNFOLD)


def give(page, **values) -> None:
    for component, value in values.items():
        page.evaluate("([id, value]) => dash_clientside.set_props(id, { value })", [component.replace("_", "-"), value])


@pytest.fixture(scope="module")
def shared_watch_page(context, server):
    """The watch page shared by all tests of it."""
    with visiting(context, server) as page:
        page.goto(server.url)
        page.wait_for_function(DRAWN)
        yield page


@pytest.mark.long
def test_the_watch_page_fits_with_every_algorithm(shared_watch_page):
    for solver in LISTED:
        choose(shared_watch_page, solver)
        assert_fits(shared_watch_page, solver.name)


#: The tops of the player's buttons, and of the words of its speed whether any is cut.
PLAYER = """() => {
    const tops = [...document.querySelectorAll('#player .button')].map((each) => each.getBoundingClientRect())
        .filter(({ width }) => width).map(({ top, bottom }) => Math.round((top + bottom) / 2));
    const label = document.querySelector('.speed-label');
    return { rows: new Set(tops).size, cut: label.scrollWidth > label.clientWidth };
}"""
#: Which lines the buttons of each group that saves are in.
SAVES = """() => [...document.querySelectorAll('.save-sheet [role=group]')].map((group) => ({
    name: group.getAttribute('aria-label'),
    lines: new Set([...group.querySelectorAll('.save')].map((each) => each.offsetTop)).size,
    kinds: [...group.querySelectorAll('.save')].map((each) => each.textContent),
}))"""
#: Whether the words below the table are within their panel; and how far the form is scrolled.
SEEN_WHOLE = """() => {
    const [note, panel] = ['.finished > .note', '.numbers'].map((each) => document.querySelector(each));
    return note.getBoundingClientRect().bottom <= panel.getBoundingClientRect().bottom
        && !document.querySelector('.setup').scrollTop;
}"""
#: Of what has the keyboard, whether Start lies over it.
UNDER_START = """() => {
    const now = document.activeElement;
    const { top, bottom, width } = now.getBoundingClientRect();
    const start = document.querySelector('.launch').getBoundingClientRect();
    return Boolean(now.closest('.settings') && width && bottom > start.top + 1 && top < start.bottom);
}"""
FASTEST = """() => {
    const speed = document.getElementById('player-speed');
    speed.value = speed.max - 1;
    speed.dispatchEvent(new Event('input', { bubbles: true }));
}"""


#: The open menu: whether it is within the window, and whether it has at least six rows or all of its own.
MENU = """() => {
    const menu = document.querySelector('.dash-dropdown-content');
    const { top, bottom, height } = menu.getBoundingClientRect();
    return top >= 0 && bottom < window.innerHeight + 1.5 && (height > 239 || menu.scrollHeight === menu.clientHeight);
}"""


@pytest.mark.long
@pytest.mark.parametrize("window", [(1280, 720), (390, 844)])
def test_menus_are_within_the_window(watch_page, window):
    watch_page.set_viewport_size(dict(zip(("width", "height"), window, strict=True)))
    for menu in watch_page.locator(".dash-dropdown").all():
        if menu.is_visible():
            menu.click()
            watch_page.wait_for_function(MENU)
            watch_page.keyboard.press("Escape")
            watch_page.wait_for_selector(".dash-dropdown-content", state="detached")


@pytest.mark.long
def test_low_window_cuts_nothing_and_start_covers_nothing(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}?{urlencode({'instance': 'burma14', 'algorithm': 'held-karp'})}")
    page.wait_for_function(DRAWN)
    page.evaluate(FASTEST)
    page.wait_for_function("() => document.querySelector('.speed-label').textContent.includes('000')")
    assert page.evaluate(PLAYER) == {"rows": 1, "cut": False}
    page.click("#start")
    wait_state(page, "finished")
    page.wait_for_function(SEEN_WHOLE)
    open_save_menu(page)
    saves = {each["name"]: each for each in page.evaluate(SAVES)}
    assert [*saves] == ["Picture", "Motion", "Data", "Share"]
    assert saves["Picture"]["kinds"] == ["PNG", "SVG", "PDF", "TikZ", "Plotter"]
    assert {each["lines"] for each in saves.values()} == {1}
    page.keyboard.press("Escape")
    page.focus("#instances-open")
    for _ in range(20):
        page.keyboard.press("Tab")
        assert not page.evaluate(UNDER_START), page.evaluate("() => document.activeElement.outerHTML.slice(0, 200)")


def test_run_starts_on_a_phone_with_settings_one_tap_away(watch_page, server):
    page = watch_page
    page.set_viewport_size({"width": 390, "height": 844})
    open_address(page, f"{server.url}?{urlencode({'instance': 'burma14', 'algorithm': 'ant-system', 'iterations': 3})}")
    start_run(page)
    wait_state(page, "finished")
    for part in ("#tour", "#player-play", "#player-move"):  # it can be paused without scrolling
        page.wait_for_function(ABOVE_START, arg=part)
    assert not page.is_visible("#to-stage")
    page.click("#to-settings")
    for name in ("alpha", "beta", "rho"):
        page.wait_for_function(ABOVE_START, arg=f'#form [id*="{name}"]')
    page.wait_for_function("() => document.activeElement.contains(document.querySelector('#algorithm'))")
    page.click("#to-stage")
    page.wait_for_function(ABOVE_START, arg="#tour")
    page.wait_for_function("() => document.activeElement.id === 'stage'")
    page.set_viewport_size({"width": 1280, "height": 860})
    assert not page.is_visible("#to-settings")  # both are seen


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "race/", "#lesson=first-minute&step=2"])
def test_start_map_and_player_are_seen_on_a_projector_without_scrolling(page, server, path):
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{server.url}{path}")
    page.wait_for_selector("#lesson h3" if "lesson" in path else ".start:enabled")
    for part in (".start", ".columns canvas", ".columns .player"):
        box = page.locator(f"{part}:visible").last.bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 768, part


@pytest.mark.long
def test_player_is_one_row_beside_a_lesson(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}#lesson=two-opt-stuck&step=2")
    page.wait_for_selector("#lesson h3")
    page.wait_for_function(DRAWN)
    page.evaluate(FASTEST)
    page.wait_for_function(
        f"() => {{ const {{ rows, cut }} = ({PLAYER})(); return rows === 1 && !cut; }}", timeout=30_000
    )


@pytest.mark.long
def test_next_stays_where_it_is_from_one_short_step_of_a_lesson_to_another(page, server):
    page.set_viewport_size({"width": 1440, "height": 900})
    tops = set()
    for step in (2, 4):  # ten lines, and six
        page.goto(f"{server.url}#lesson=first-minute&step={step}")
        page.reload()
        page.wait_for_selector("#lesson h3")
        tops.add(page.get_by_role("button", name="Next", exact=True).bounding_box()["y"])
    assert len(tops) == 1


#: The upper and lower ends of a lesson's marks on the lengths.
MARKS = """() => [...document.querySelectorAll('.tile [data-lesson-mark]')].map((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const { outlineOffset, outlineWidth } = getComputedStyle(element);
    const out = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    return [top - out, bottom + out];
})"""


@pytest.mark.long
def test_marks_of_a_length_and_its_gap_do_not_overlap(page, server):
    page.goto(f"{server.url}?{urlencode({'instance': 'berlin52', 'algorithm': 'two-opt', 'climbers': 5})}")
    page.wait_for_function(DRAWN)
    start_run(page)
    wait_state(page, "finished")
    page.goto(f"{page.url}#lesson=first-minute&step=3")
    page.reload()
    page.wait_for_function(f"() => ({MARKS})().length === 2")
    (_, above), (below, _) = page.evaluate(MARKS)
    assert above <= below + 2  # the line of large digits is a little lower than their type


#: Of these boxes, those that are higher than the room they have.
CUT = """selectors => selectors.filter((selector) => {
    const { scrollHeight, clientHeight } = document.querySelector(selector);
    return scrollHeight > clientHeight;
})"""


@pytest.mark.long
def test_low_window_keeps_player_and_sentence_visible_beside_drawer_or_lesson(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}?{urlencode({'instance': 'berlin52', 'algorithm': 'two-opt', 'climbers': 5})}")
    page.wait_for_function(DRAWN)
    start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => { TourScope.player.pause(); TourScope.player.seek(1); }")
    wait_for_text(page, "explain", "Removes")
    page.click("#how-open")
    page.wait_for_selector("body[data-how]")
    page.wait_for_function(f"() => ({PLAYER})().rows === 1 && !({CUT})(['.stage', '.reading']).length")
    page.goto(f"{server.url}#lesson=two-opt-stuck&step=2")
    page.reload()
    page.wait_for_selector("#lesson h3")
    assert not page.is_visible(".hint:not(.refused)")  # it would name another number of climbers
    page.get_by_role("button", name="Run this").click()
    wait_state(page, "finished")
    page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_function(SEEN, arg="copy-link")
    page.click("#hand-open")
    page.wait_for_function(f"() => !({CUT})(['.stage', '.reading']).length")


@pytest.mark.long
def test_race_player_keeps_its_lines_whatever_its_clock_shows(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}race/")
    page.wait_for_selector(".race-stage .live")
    tops = "() => ['.race-speed', '.race-stage .live'].map((each) => document.querySelector(each).offsetTop)"
    before = page.evaluate(tops)
    page.evaluate("() => { document.getElementById('race-clock').textContent = '12.11 s of 12.11 s'; }")
    assert page.evaluate(tops) == before


@pytest.mark.long
@pytest.mark.parametrize("name", ["max-min-ant-system", "two-opt", "held-karp"])
def test_the_watch_page_fits_after_a_run_and_with_its_dialogs(shared_watch_page, name):
    page = shared_watch_page
    give(page, instance="burma14", budget_seconds=1)
    choose(page, find(name))
    before = page.evaluate("() => window.TourScope.run.id")
    page.click("#start")
    page.wait_for_function("before => window.TourScope.run.id && window.TourScope.run.id !== before", arg=before)
    wait_state(page, "finished")
    views = page.eval_on_selector_all("#view input", "all => all.map((each) => each.value)")
    for view in views if page.is_visible("#views") else ["tour"]:
        give(page, view=view)
        assert_fits(page, f"{name}, {view}", WINDOWS[:3])
    for width in (1280, 1920, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_selector("#convergence .annotation text", timeout=_FOLLOWS)
        page.wait_for_function(f"() => !({COVERED})().length", timeout=_FOLLOWS)
    page.set_viewport_size({"width": 1280, "height": 900})
    give(page, view="tour")
    for line, on in (("5px", True), ("0px", False)):
        page.get_by_label("Optimal tour").set_checked(on)
        assert page.evaluate(LINE) == line
    for button, dialog in (("#instances-open", "#instances"), ("#variants-open", "#variants")):
        if page.is_visible(button):
            page.click(button)
            page.wait_for_selector(f"{dialog}[open]")
            assert_fits(page, dialog, WINDOWS[:3])
            page.keyboard.press("Escape")
            page.wait_for_selector(dialog, state="hidden")


@pytest.mark.long
@pytest.mark.parametrize("path", ["race", "study"])
def test_setup_fits_and_its_dialog_button_is_visible(context, server, path):
    with visiting(context, server) as page:
        page.goto(f"{server.url}{path}/")
        page.wait_for_selector(".lane-card")
        page.evaluate(UNFOLD)
        assert_fits(page, path)
        page.click(".lane-card .lane-name")
        page.wait_for_selector("#item-form[open]")
        for solver in LISTED:
            choose(page, solver)
            assert_fits(page, f"{path}, {solver.name}")
            page.set_viewport_size({"width": 1280, "height": 720})
            page.evaluate("document.querySelector('#item-form .sheet-body').scrollTo(0, 0)")
            assert page.evaluate(SEEN, "item-use"), f"Save is seen with {solver.name}"


@pytest.mark.long
def test_three_lanes_are_equally_wide_and_no_fourth_is_offered(page, server):
    page.goto(f"{server.url}race/")
    page.wait_for_selector(".lane-card")
    page.get_by_role("button", name="Remove lane D", exact=False).click()
    page.wait_for_selector(".lanes[data-lanes='3'] .lane:nth-child(3)")
    offered = "() => getComputedStyle(document.querySelector('#race-differ-a option[value=\"3\"]')).display"
    assert page.evaluate(offered) == "none"
    widths = "() => [...document.querySelectorAll('.lane')].map((lane) => Math.round(lane.offsetWidth)).filter(Boolean)"
    for width, height in ((1280, 720), (1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert len({*page.evaluate(widths)}) == 1, width


@pytest.mark.long
def test_race_fits_during_and_after_it(context, server):
    with visiting(context, server) as page:
        page.goto(f"{server.url}race/")
        page.wait_for_selector(".lane-card")
        page.wait_for_function("() => window.TourScope.race.instance")
        give(page, budget_seconds=1)
        page.click("#start")
        page.wait_for_function("() => window.TourScope.race.lanes.length === 4")
        assert_fits(page, "a race that goes")
        page.wait_for_function("() => window.TourScope.race.state === 'over'")
        assert_fits(page, "a race that is over")


@pytest.mark.long
def test_study_and_library_fit_with_contents(context, server):
    with visiting(context, server) as page:
        study = {
            "v": 1, "instances": [{"name": "burma14"}], "seeds": {"first": 1, "count": 2}, "budget": {"seconds": 0.1},
            "entries": [
                {"label": name, "stages": [{"algorithm": name, "params": {}}]} for name in ("two-opt", "random")
            ],
        }  # fmt: skip
        page.goto(f"{server.url}study/?{urlencode({'study': json.dumps(study)})}")
        page.wait_for_function("() => document.querySelectorAll('.lane-card').length === 2")
        page.click("#start")
        page.wait_for_selector("#study-results:not(.none)")
        page.wait_for_function("() => document.getElementById('study-state').textContent.includes('done')")
        assert_fits(page, "a study")
        page.goto(f"{server.url}library/")
        page.wait_for_function("() => document.querySelectorAll('#library-body tr').length > 2")
        assert_fits(page, "the library")


@pytest.mark.long
@pytest.mark.parametrize("paper", ["uchida", "utne-hansen", "oneil-burtscher", "qin-han", "bitner"])
def test_the_papers_fit_with_charts_and_tables(context, server, paper):
    with visiting(context, server) as page:
        page.goto(f"{server.url}papers/?paper={paper}")
        page.wait_for_selector(".paper-entry")
        assert_fits(page, f"the papers, {paper}", WINDOWS[:3])
        for width, height in ((1024, 768), (390, 844), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(ENDS, timeout=_FOLLOWS)


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "race/", "study/", "library/", "papers/", "learn/"])
def test_narrow_page_ends_with_its_panels(context, server, path):
    with visiting(context, server) as page:
        page.goto(server.url + path)
        page.wait_for_selector("main > .panel:not([hidden])")
        for width, height in ((1024, 768), (390, 844), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            try:
                page.wait_for_function(ENDS, timeout=_FOLLOWS)
            except NotInTime:
                pytest.fail(f"the page and its window are {page.evaluate(SIZES)}")
