"""The lower bound: computed for a run, and explained as a 1-tree and as zones and moats."""

import pytest
from watching import link, open_address, start_run, wait_for_text, wait_state

pytestmark = pytest.mark.browser

#: Whether the canvas of the picture has something on it.
PAINTED = """() => {
    const canvas = document.querySelector('.lower-bound-map');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value);
}"""

#: Whether the page's own map, and so its saved pictures, has zones and moats.
AREAS = "on => window.TourScope.tour.traces().some(({ fill }) => fill === 'toself') === on"


@pytest.mark.long
def test_moats_show_step_by_step_why_no_tour_is_shorter(watch_page, server):
    page = watch_page
    open_address(page, link(server, "berlin52", climbers=100))
    start_run(page)
    wait_state(page, "finished")
    page.click("#bound-start")
    page.click("#bound-why")
    wait_for_text(page, "lower-bound-sentence", "no tour is shorter than 7\\D?54\\d")
    page.click("label[for=lower-bound-moats]")
    wait_for_text(page, "lower-bound-sentence", "^\\d+ moats: zones .* \\+ moats .* = 7\\D542\\. No tour")
    wait_for_text(page, "lower-bound-sentence", "The best tour, 7\\D596, is 54 longer, a gap of 0\\.72\\D%\\.")
    page.focus("#lower-bound-step")
    page.keyboard.press("Home")
    wait_for_text(page, "lower-bound-sentence", "^Zones alone, 6\\D287: no tour is shorter than 6\\D287\\.")
    page.wait_for_function(PAINTED)
    page.click("#lower-bound-play")
    wait_for_text(page, "lower-bound-sentence", "^\\d+ moats: .* = 7\\D542")
    page.keyboard.press("Escape")
    page.wait_for_selector("#lower-bound[open]", state="hidden")
    page.keyboard.press("z")
    page.wait_for_function(AREAS, arg=True)
    page.keyboard.press("z")
    page.wait_for_function(AREAS, arg=False)
