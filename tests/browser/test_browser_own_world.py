"""Cities of a picture and real places in a real browser: made, told by name, listed with distances, and saved."""

import json

import pytest
from serving import PATIENCE
from watching import link, opened, said

from tests.data.pictures.made_up import file_of, portrait

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: Where a city of the map is on the screen.
CITY = """city => {
    const { x, y, scale, ratio } = window.TourScope.tour.place(), { xy } = window.TourScope.tour.map();
    const box = document.getElementById('tour').getBoundingClientRect();
    return [box.x + x + scale * xy[2 * city], box.y + y - scale * ratio * xy[2 * city + 1]];
}"""


def test_a_picture_and_real_places_become_a_tour_that_is_listed_and_saved(page, server):
    opened(page, link(server, json.dumps({"places": "de", "n": 8}), algorithm="greedy"))
    page.click("#start")
    page.wait_for_function("() => window.TourScope.run.state === 'finished'", timeout=PATIENCE)
    page.wait_for_function("() => window.TourScope.tour.picture()?.count === 8", timeout=PATIENCE)
    length = page.evaluate("() => window.TourScope.run.best.length")
    assert page.inner_text("#hud-unit") == "km"
    assert page.inner_text("#tile-best-label").lower() == "best so far, km"
    assert f"{length:,} km".replace(",", "\u202f").replace(" km", "\u202fkm") in said(page, "ending-says", "km")
    titles = "() => document.querySelector('#convergence .ytitle')?.textContent"
    page.wait_for_function(f"() => ({titles})() === 'Length, km'")
    page.wait_for_selector(".ag-header-cell-text:text-is('length, km')")
    page.mouse.move(*page.evaluate(CITY, 0))
    page.wait_for_function(
        "() => /^Berlin \\(1\\).* km to .* km to /.test(document.querySelector('.city-tip').textContent)"
    )
    page.click("#save-places")
    page.wait_for_selector("#itinerary[open]")
    rows = page.locator("#itinerary tbody tr").all_inner_texts()
    assert rows[0].split("\t")[1] == "Berlin"
    assert len(rows) == 9
    assert int("".join(filter(str.isdigit, rows[-1].split("\t")[3]))) == length
    assert page.evaluate("() => document.activeElement.className") == "itinerary-list"  # by keyboard from here
    with page.expect_download() as kept:
        page.click("#itinerary [data-route=gpx]")
    assert kept.value.suggested_filename == f"germany-8-greedy-{length}.gpx"
    page.keyboard.press("Escape")
    with page.expect_download() as kept:
        page.click("#save-plotter")
    assert kept.value.suggested_filename == f"germany-8-greedy-{length}-a4.svg"
    page.click("#instances-open")
    page.click("#picture-open")
    file = {"name": "face.png", "mimeType": "image/png", "buffer": file_of(portrait())}
    page.set_input_files("#picture-file", file)
    page.fill("#picture-cities", "120")
    page.click("#picture-make")
    page.wait_for_selector("#picture-use:enabled", timeout=PATIENCE)
    page.click("#picture-use")
    page.wait_for_function("() => window.TourScope.tour.map()?.n === 120", timeout=PATIENCE)
    assert page.evaluate("() => window.TourScope.tour.map().name") == "face"
    page.click("#start")  # in a plane nobody knows of which unit
    page.wait_for_function(
        "() => window.TourScope.run.instance?.n === 120 && window.TourScope.run.state === 'finished'", timeout=PATIENCE
    )
    page.wait_for_selector(".ag-header-cell-text:text-is('length')")
    assert page.inner_text("#hud-unit") == ""
    assert page.inner_text("#tile-best-label").lower() == "best so far"
    page.wait_for_function(f"() => ({titles})() === 'Length'")  # a chart is drawn a few times a second
