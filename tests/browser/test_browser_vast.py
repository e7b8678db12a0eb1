"""Huge instances: a density picture, part of the tour, and the whole tour when zoomed in."""

import json

import pytest
from watching import link, open_form, start_run, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

N = 300_000
#: Opacity of what lies around the middle of the tour's canvas: the mean, and the greatest.
SHADE = """() => {
    const it = document.getElementById('tour');
    const { data } = it.getContext('2d').getImageData(it.width / 2 - 50, it.height / 2 - 50, 100, 100);
    const alphas = data.filter((_, at) => at % 4 === 3);
    return [alphas.reduce((sum, one) => sum + one, 0) / alphas.length / 255, Math.max(...alphas) / 255];
}"""
WHERE = "([pattern, is]) => new RegExp(pattern).test(document.getElementById('hud-where').textContent) === is"
POINTS = "() => window.TourScope.tour.painted().points"


def zoom_in(page, times: int) -> None:
    """Turn the wheel over the middle of the map, doubling the scale at each turn."""
    box = page.locator("#tour").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(times):
        page.mouse.wheel(0, -300)


@pytest.mark.long
def test_tour_of_very_many_cities_is_shown_over_them_in_part_and_whole_when_zoomed_in(page, server):
    generated = json.dumps({"generate": "uniform", "n": N, "seed": 1})
    open_form(page, link(server, generated, "lin-kernighan", rounds=1))
    mean, darkest = page.evaluate(SHADE)
    assert 0.05 < mean < 0.4, "cities one over the other would be a blot"
    assert darkest < 0.75
    start_run(page)
    wait_state(page, "finished")
    page.wait_for_function(WHERE, arg=["not all edges drawn$", True])
    far = page.evaluate(POINTS)
    assert 0.1 * N < far < 1.5 * N
    zoom_in(page, 4)
    page.wait_for_function(WHERE, arg=["not all edges drawn", False])
    near = page.evaluate(POINTS)
    assert 500 < near < 0.05 * N, "of what is beyond the canvas nothing is painted"
    assert page.evaluate(SHADE)[1] == 1, "cities are dots again"
    page.dblclick("#tour")
    page.wait_for_function(WHERE, arg=["not all edges drawn$", True])
    assert page.evaluate(POINTS) == far
