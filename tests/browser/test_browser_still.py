"""Map and player keep their places from the form to the end of a run, also during questions and explanations."""

import pytest
from watching import link, open_address, start_run, wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SIZES = [(390, 844), (1280, 720), (1440, 900), (1920, 1080)]
#: Where the map is on the page, how large a unit of it is, and where the player is.
PLACE = """() => {
    const [{ x, y, width, height }, player] = ['tour', 'player'].map((id) =>
        document.getElementById(id).getBoundingClientRect());
    const { scale } = window.TourScope.tour.place();
    return [x, y + window.scrollY, width, height, scale, player.y + window.scrollY].map((each) =>
        Math.round(each * 1e6));
}"""


@pytest.fixture
def place(watch_page, server):
    """The positions of map and player at each stage of a run, in a window of this size."""

    def measure(width: int, height: int) -> dict[str, list[int]]:
        page = watch_page
        page.set_viewport_size({"width": width, "height": height})
        for name in ("ulysses16", "berlin52"):  # other cities close the run before
            open_address(page, link(server, name, climbers=20))
        page.wait_for_function("() => !window.TourScope.run.id && window.TourScope.tour.map()?.n === 52")
        places = {"form": page.evaluate(PLACE)}
        start_run(page)
        wait_state(page, "finished")
        page.wait_for_function("() => window.TourScope.player.shown()")
        places["end"] = page.evaluate(PLACE)
        page.evaluate("() => window.TourScope.player.seek(9)")
        wait_for_text(page, "explain", "Removes")
        places["explained"] = page.evaluate(PLACE)
        page.click("#predict-on")
        wait_for_text(page, "predict-sentence", "Which")
        places["asked"] = page.evaluate(PLACE)
        page.click("#predict-skip")
        wait_for_text(page, "explain", "Removes")
        places["answered"] = page.evaluate(PLACE)
        page.click("#predict-on")
        return places

    return measure


@pytest.mark.long
def test_map_and_player_keep_their_places_from_form_to_question(place):
    for width, height in SIZES:
        places = place(width, height)
        assert places == dict.fromkeys(places, places["form"]), f"{width} x {height}"


@pytest.mark.long
def test_map_keeps_its_place_below_the_views_of_a_colony(watch_page, server):
    for width, height in SIZES:
        watch_page.set_viewport_size({"width": width, "height": height})
        open_address(watch_page, link(server, "ulysses16", "ant-system", iterations=3))
        watch_page.wait_for_function("() => !window.TourScope.run.id && window.TourScope.tour.map()?.n === 16")
        before = watch_page.evaluate(PLACE)
        start_run(watch_page)
        wait_state(watch_page, "finished")
        assert watch_page.evaluate(PLACE) == before, f"{width} x {height}"
        open_address(watch_page, link(server, "burma14", "ant-system"))  # other cities close the run


#: Where the maps of the lanes are on the page.
LANES = """() => [...document.querySelectorAll('.lane canvas')].map((canvas) => {
    const { x, y, width, height } = canvas.getBoundingClientRect();
    return [x, y + window.scrollY, width, height].map(Math.round);
})"""


@pytest.mark.long
def test_maps_of_a_race_keep_their_places_to_its_end(page, server):
    """A title of two lines, the lengths, and the sentence about the end have their room before it."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{server.url}race/?instance=eil51&seconds=0.2")
        named = "[...document.querySelectorAll('.lane-title')].every((title) => title.textContent)"
        page.wait_for_function(f"() => document.getElementById('race-panels')?.dataset.lanes === '4' && {named}")
        wait_for_text(page, "run-state", "Same cities")
        before = page.evaluate(LANES)
        page.get_by_role("button", name="Start the race").click()
        wait_for_text(page, "race-ending", "first|tie")
        assert page.evaluate(LANES) == before, f"{width} x {height}"
