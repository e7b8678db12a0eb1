"""Cities of a picture and real places in a real browser: made, told by name, listed with distances, and saved."""

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import link, opened, said

from tests.data.pictures.made_up import file_of, portrait

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
expect.set_options(timeout=PATIENCE)

#: Where a city of the map is on the screen.
CITY = """city => {
    const { x, y, scale, ratio } = window.TourScope.tour.place(), { xy } = window.TourScope.tour.map();
    const box = document.getElementById('tour').getBoundingClientRect();
    return [box.x + x + scale * xy[2 * city], box.y + y - scale * ratio * xy[2 * city + 1]];
}"""

#: The share of the tour's canvas that has the colour of land in the light theme.
LAND = """() => {
    const canvas = document.querySelector('#tour');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let light = 0;
    for (let k = 0; k < data.length; k += 4) light += data[k + 3] === 255 && data[k] === 241 && data[k + 1] === 242;
    return light / (canvas.width * canvas.height);
}"""


def test_a_picture_and_real_places_become_a_tour_that_is_listed_and_saved(page, server):
    page.emulate_media(color_scheme="light")
    opened(page, link(server, "berlin52", "greedy"))
    page.get_by_role("button", name="Instances", exact=True).click()
    page.get_by_label("Of", exact=True).select_option("de")
    note, number = page.locator("#places-note"), page.locator("#places-n")
    number.fill("9999")
    expect(note).to_contain_text("n must be 1 to 1,139")
    expect(page.locator("#places-use")).to_be_disabled()
    number.fill("8")
    page.get_by_role("button", name="Use these places").click()
    expect(page.locator("#instance-note")).to_contain_text("8 largest cities of Germany")
    page.wait_for_function("() => window.TourScope.tour.painted().cities === 8")
    page.wait_for_function(f"() => ({LAND})() > 0.3")
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
