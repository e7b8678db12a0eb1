"""Real places in a real browser: chosen in the dialog, drawn over their coastlines."""

import pytest
from playwright.sync_api import expect
from serving import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
expect.set_options(timeout=PATIENCE)

#: The share of the tour's canvas that has the colour of land in the light theme.
LAND = """() => {
    const canvas = document.querySelector('#tour');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let light = 0;
    for (let k = 0; k < data.length; k += 4) light += data[k + 3] === 255 && data[k] === 241 && data[k + 1] === 242;
    return light / (canvas.width * canvas.height);
}"""


@pytest.fixture
def home(page, server):
    page.emulate_media(color_scheme="light")
    page.goto(server.url)
    page.wait_for_function("() => window.TourScope?.tour?.painted().cities === 52")
    return page


def test_the_largest_cities_of_a_country_are_chosen_and_lie_on_its_land(home):
    fetched = []
    home.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    home.get_by_role("button", name="Instances", exact=True).click()
    home.get_by_label("Of", exact=True).select_option("de")
    note = home.locator("#places-note")
    number = home.locator("#places-n")
    number.fill("9999")
    expect(note).to_contain_text("n must be 1 to 1,139")
    expect(home.locator("#places-use")).to_be_disabled()
    number.fill("80")
    home.get_by_role("button", name="Use these places").click()
    home.wait_for_function("() => window.TourScope.tour.painted().cities === 80")
    expect(home.locator("#instance-note")).to_contain_text("80 largest cities of Germany")
    home.wait_for_function(f"() => ({LAND})() > 0.3")
    assert "land-50m.bin" in fetched


def test_a_page_without_a_map_of_the_globe_fetches_no_land(home):
    names = home.evaluate("() => performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert not any("land-" in name for name in names)
