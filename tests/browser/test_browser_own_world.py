"""Cities from a picture and real places in a real browser: created, named, listed with distances, and saved."""

import json
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from test_browser_instances import SHOWN, cities_are, wait_until_closed, write_upload
from test_browser_instances import open_instances as listed
from watching import link, open_address, open_form, open_save_menu, start_run, wait_for_text, wait_state

from tests.data.pictures.made_up import encode_picture, portrait

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


def test_picture_and_real_places_become_a_tour_that_is_listed_and_saved(page, server):
    open_form(page, link(server, "berlin52", "greedy"))
    page.get_by_role("button", name="Instances", exact=True).click()
    page.get_by_label("Of", exact=True).select_option("de")
    note, number = page.locator("#places-note"), page.locator("#places-n")
    number.fill("9999")
    expect(note).to_contain_text("n must be 1 to 1,139")
    expect(page.locator("#places-use")).to_be_disabled()
    number.fill("80")
    page.get_by_role("button", name="Use these places").click()
    expect(page.locator("#instance-note")).to_contain_text("80 largest cities of Germany")
    page.wait_for_function("() => window.TourScope.tour.painted().cities === 80")
    page.wait_for_function(f"() => ({LAND})() > 0.3")

    open_address(page, link(server, json.dumps({"places": "de", "n": 8}), "greedy"))
    start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("End")
    page.wait_for_function("() => window.TourScope.tour.picture()?.count === 8", timeout=PATIENCE)
    length = page.evaluate("() => window.TourScope.run.best.length")
    assert page.inner_text("#hud-unit") == "km"
    assert page.inner_text("#tile-best-label").lower() == "best of the run, km"
    assert f"{length:,} km".replace(",", "\u202f").replace(" km", "\u202fkm") in wait_for_text(
        page, "ending-sentence", "km"
    )
    titles = "() => document.querySelector('#convergence .ytitle')?.textContent"
    page.wait_for_function(f"() => ({titles})() === 'Length, km'")
    page.wait_for_selector(".ag-header-cell-text:text-is('length, km')")
    page.mouse.move(*page.evaluate(CITY, 0))
    page.wait_for_function(
        "() => /^Berlin \\(1\\).* km to .* km to /.test(document.querySelector('.city-tip').textContent)"
    )
    open_save_menu(page)
    page.click("#save-places")
    page.wait_for_selector("#itinerary[open]")
    rows = page.locator("#itinerary tbody tr").all_inner_texts()
    assert rows[0].split("\t")[1] == "Berlin"
    assert len(rows) == 9
    assert int("".join(filter(str.isdigit, rows[-1].split("\t")[3]))) == length
    assert page.evaluate("() => document.activeElement.className") == "itinerary-list"  # by keyboard from here
    with page.expect_download() as saved:
        page.click("#itinerary [data-route=gpx]")
    assert saved.value.suggested_filename == f"germany-8-greedy-{length}.gpx"
    page.keyboard.press("Escape")
    open_save_menu(page)
    with page.expect_download() as saved:
        page.click("#save-plotter")
    assert saved.value.suggested_filename == f"germany-8-greedy-{length}-a4.svg"
    page.click("#instances-open")
    page.click("#picture-open")
    file = {"name": "face.png", "mimeType": "image/png", "buffer": encode_picture(portrait())}
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
    assert page.inner_text("#tile-best-label").lower() == "best of the run"
    page.wait_for_function(f"() => ({titles})() === 'Length'")  # a chart is drawn a few times a second


@pytest.mark.long
def test_files_are_refused_with_a_message_or_become_runs_with_plain_text_names(watch_page, tmp_path):
    page = watch_page
    listed(page)
    write_upload(page, tmp_path, "ragged.csv", "a,x,y\nq,1,2\nr,3\n")
    page.get_by_role("dialog", name="Instances").get_by_text("(line 3)").wait_for()
    write_upload(page, tmp_path, "towns.csv", "town,east,north\n<b>A</b>,0,0\n=cmd(),0,30\nC,40,30\nD,40,0\n")
    columns = page.get_by_role("dialog", name="Columns of the table")
    columns.get_by_role("cell", name="<b>A</b>").wait_for()
    columns.get_by_label("x or latitude").select_option("1")
    columns.get_by_label("y or longitude").select_option("2")
    page.wait_for_function(
        """() => {
            const { width, height } = document.querySelector('#columns canvas');
            const pen = document.querySelector('#columns canvas').getContext('2d');
            return pen.getImageData(0, 0, width, height).data.some((value) => value > 60);
        }"""
    )
    page.set_viewport_size({"width": 390, "height": 844})
    assert not columns.evaluate("box => box.scrollWidth > box.clientWidth")
    columns.get_by_role("button", name="Use these columns").click()
    cities_are(page, 4)
    wait_until_closed(page)
    start = page.get_by_role("button", name="Start", exact=True)
    start.click()
    page.wait_for_function("() => document.getElementById('tile-best').textContent === '140'")
    page.set_viewport_size({"width": 1440, "height": 860})
    name = "<img src=x onerror=alert(1)><b>&lt;"
    text = f"NAME: {name}\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    listed(page)
    write_upload(page, tmp_path, "x.tsp", text + "1 0 0\n2 0 30\n3 40 30\nEOF\n")
    cities_are(page, 3)
    listed(page)
    page.wait_for_function(f"name => ({SHOWN})().includes(name)", arg=name)
    assert page.evaluate("() => document.querySelectorAll('#page :is(.card, #instance) img').length") == 0
    page.keyboard.press("Escape")
    start.click()
    page.wait_for_function("() => document.getElementById('tile-best').textContent === '120'")
    wait_state(page, "finished")
    page.wait_for_function("() => window.TourScope.player.shown()")
    open_save_menu(page)
    with page.expect_download() as download:
        page.click("#save-svg")
    drawing = ElementTree.parse(download.value.path())
    assert any("".join(each.itertext()).startswith(f"{name} · 2-opt") for each in drawing.iter())
    assert not [each.tag for each in drawing.iter() if each.tag.endswith(("}img", "}b"))]


#: Puts a text on the clipboard and pastes it.
PASTE = """text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""
#: Minutes from row to column, as a spreadsheet copies them; the shortest path from Depot to Home is 4 + 3 + 5 + 2 + 6.
MINUTES = """\tDepot\tBakery\tSchool\tMarket\tClinic\tHome
Depot\t0\t4\t9\t9\t9\t1
Bakery\t9\t0\t3\t9\t9\t9
School\t9\t9\t0\t5\t9\t9
Market\t9\t9\t9\t0\t2\t9
Clinic\t9\t9\t9\t9\t0\t6
Home\t9\t9\t9\t9\t9\t0
"""
ONE_WAY = "from,to,cost\nA,B,3\nB,C,4\nC,A,5\nB,A,9\nC,D,1\nD,A,2\n"


@pytest.mark.long
def test_pasted_matrix_becomes_a_path_with_fixed_edges_and_one_way_streets_a_round_trip(page, server):
    open_form(page, link(server, "berlin52", "lin-kernighan"))
    page.evaluate(PASTE, MINUTES)
    page.wait_for_function("() => window.TourScope.tour.map()?.n === 6")
    page.click("summary:has-text('Path instead of a round trip')")
    page.fill("#path-start", "Depot")
    page.fill("#path-end", "Home")
    page.click("#path-take")
    page.wait_for_function("() => window.TourScope.tour.map()?.end === 5")
    start_run(page)
    wait_state(page, "finished")
    assert page.evaluate("() => window.TourScope.run.best.length") == 20
    open_save_menu(page)
    page.click("#save-places")
    page.wait_for_selector("#itinerary[open] tbody tr")
    rows = page.locator("#itinerary tbody tr").all_inner_texts()
    assert [row.split("\t")[1] for row in rows] == ["Depot", "Bakery", "School", "Market", "Clinic", "Home"]
    with page.expect_download() as saved:
        page.click("#itinerary [data-route=csv]")
    assert saved.value.path().read_text("utf-8-sig").count("\n") == 7
    page.keyboard.press("Escape")

    page.evaluate(PASTE, ONE_WAY)
    page.wait_for_function("() => window.TourScope.tour.map()?.n === 4")
    page.click("summary:has-text('Fixed edges')")
    page.fill("#fixed-edges", "A, C; B")
    page.click("#fixed-take")
    wait_for_text(page, "upload-note", "pairs of cities")
    page.fill("#fixed-edges", "D, A")
    page.click("#fixed-take")
    expect(page.locator("#instance-note")).to_contain_text("fixed edges: 1")
    start_run(page)
    wait_state(page, "finished")
    assert page.evaluate("() => window.TourScope.run.best.length") == 3 + 4 + 1 + 2
