"""Drawing cities in a real browser: by mouse, finger and keyboard, with undo, and used in a run."""

import json

import pytest
from chromium import MODULES
from serving import PATIENCE
from watching import link, open_address, open_form, wait_known

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

CITIES = "() => window.Draw.drawing().cities.map(({ x, y }) => [x, y])"
#: Where a place of the drawing is on the screen.
POINT = """([x, y]) => {
    const box = document.getElementById('draw-board').getBoundingClientRect();
    const place = window.Draw.place();
    return [box.x + place.x + place.scale * x, box.y + place.y - place.scale * y];
}"""
#: The dialog's own module, as the page has loaded it.
LOADED = """async () => {
    const address = document.querySelector('link[href$="/draw.css"]').href.replace(/css$/, 'js');
    window.Draw = (await import(address))['draw/dialog.js'].draw;
}"""
INSTANCE = "() => window.dash_component_api.getLayout('instance').props.value"
SQUARE = [[100, 100], [900, 100], [900, 900], [100, 900]]


def open_dialog(page) -> None:
    """Open the dialog and load its drawing."""
    page.click("#draw-open")
    page.wait_for_selector("#draw[open]")
    page.evaluate(LOADED)


def at(page, place) -> list[float]:
    return page.evaluate(POINT, place)


def count(page, n: int) -> None:
    page.wait_for_function("n => window.Draw.drawing().cities.length === n", arg=n)


def assert_near(cities, places) -> None:
    """Assert that cities are at the positions of the pointer, up to a pixel."""
    assert len(cities) == len(places)
    for city, place in zip(cities, places, strict=True):
        assert city == pytest.approx(place, abs=4)


def test_cities_are_drawn_or_pasted_and_become_an_instance(watch_page, server):
    page = watch_page
    open_dialog(page)
    if page.evaluate(CITIES):  # of a first try
        page.get_by_role("button", name="Clear", exact=True).click()
    for place in SQUARE:
        page.mouse.click(*at(page, place))
    assert_near(page.evaluate(CITIES), SQUARE)
    page.mouse.move(*at(page, [100, 100]))
    page.mouse.down()
    page.mouse.move(*at(page, [300, 400]), steps=5)
    page.mouse.up()
    moved = page.evaluate(CITIES)
    assert_near(moved, [[300, 400], *SQUARE[1:]])
    page.keyboard.press("Control+z")
    assert_near(page.evaluate(CITIES), SQUARE)  # a drag is undone at once
    page.keyboard.press("Control+y")
    assert page.evaluate(CITIES) == moved
    page.click("#draw .button.primary")
    page.wait_for_function("() => window.TourScope.run.state === 'finished'", timeout=PATIENCE)
    wait_known(page)
    assert page.evaluate("() => [...window.TourScope.tour.map().xy]") == [x for city in moved for x in city]
    reference = json.loads(page.evaluate(INSTANCE))
    assert reference["drawn"] == 1
    open_address(page, link(server, "berlin52"))
    page.wait_for_function("() => window.TourScope.tour.map().n === 52")
    open_address(page, link(server, json.dumps(reference)))  # the link alone has the cities
    page.wait_for_function("() => window.TourScope.tour.map().n === 4")
    page.wait_for_function(f"text => ({INSTANCE})() === text", arg=json.dumps(reference, separators=(",", ":")))
    open_dialog(page)
    count(page, 4)
    assert page.evaluate(CITIES) == moved

    page.click("#draw details:has(#draw-table) > summary")
    page.fill("#draw-table", "Berlin")
    page.click("#draw >> text=Draw these cities")
    page.wait_for_function("() => document.getElementById('draw-wrong').textContent.startsWith('Line 1: ')")
    page.fill("#draw-table", "name,lat,lon\nBerlin,52.52,13.405\nParis,48.8566,2.3522\nRoma,41.9028,12.4964")
    page.click("#draw >> text=Draw these cities")
    count(page, 3)
    page.wait_for_function("() => / km/.test(document.querySelector('#draw').textContent)")
    left, top = page.evaluate(
        """() => {
            const box = document.getElementById('draw-board').getBoundingClientRect();
            const { x, y, scale, ratio } = window.Draw.place();
            return [box.x + x + scale * 13405000, box.y + y - scale * ratio * 52520000];
        }"""
    )
    page.mouse.click(left, top)
    page.wait_for_function("() => document.querySelector('#draw').textContent.includes('Berlin: ')")
    page.click("#draw .sheet-foot >> text=Use these cities")
    page.wait_for_function("() => window.TourScope.tour.map()?.globe && window.TourScope.tour.map().n === 3")
    assert json.loads(page.evaluate(INSTANCE))["names"] == ["Berlin", "Paris", "Roma"]


@pytest.mark.long
def test_messages_about_a_drawing_move_nothing(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_form(page, server.url)
    page.click("#draw-open")
    page.wait_for_selector("#draw[open]")
    foot = "() => document.querySelector('#draw .sheet-foot').getBoundingClientRect().top"
    before, board = page.evaluate(foot), page.locator("#draw-board").bounding_box()
    for k in range(4):
        page.mouse.click(board["x"] + 50 + 50 * k, board["y"] + 60 + 30 * (k % 2))
    page.wait_for_function("() => /added/.test(document.getElementById('draw-sentence').textContent)")
    page.wait_for_function("() => /tour/.test(document.querySelector('.draw-said').textContent)")
    assert page.evaluate(foot) == before


@pytest.mark.long
def test_cities_are_drawn_by_keyboard_only(page, server):
    open_form(page, link(server, "berlin52"))
    open_dialog(page)
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    count(page, 2)
    (x, y), (right, level) = page.evaluate(CITIES)
    assert right > x
    assert level == y
    page.keyboard.press("Space")
    page.wait_for_function("() => document.getElementById('draw-sentence').textContent.startsWith('City 2 chosen')")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(CITIES)[1][1] > level
    page.keyboard.press("Delete")
    count(page, 1)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert page.evaluate(CITIES) == [[x, y], [right, level]]
    page.keyboard.press("Escape")
    page.wait_for_selector("#draw:not([open])", state="attached")


@pytest.mark.long
def test_cities_are_drawn_by_touch_on_a_narrow_screen(chromium, server):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        open_form(page, link(server, "berlin52"))
        page.tap("#draw-open")
        page.wait_for_selector("#draw[open]")
        page.evaluate(LOADED)
        first = at(page, SQUARE[0])
        for place in SQUARE:
            page.touchscreen.tap(*at(page, place))
        assert_near(page.evaluate(CITIES), SQUARE)
        assert at(page, SQUARE[0]) == first  # what is said below the board does not move it
        page.touchscreen.tap(first[0] + 18, first[1])  # a finger reaches the city from there, to drag it
        count(page, 5)
        page.touchscreen.tap(*first)
        count(page, 5)
        page.tap("#draw >> text=Undo")
        count(page, 4)
        page.touchscreen.tap(*at(page, SQUARE[-1]))
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        page.tap("#draw >> text=Delete city")
        count(page, 3)
        page.tap("#draw >> text=Undo")
        count(page, 4)
    finally:
        context.close()
