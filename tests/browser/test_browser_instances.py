"""The instance dialog in a real browser: selection, random cities, tables, refusals."""

import re

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import Held, wait_for_text

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

CITIES = "() => window.TourScope?.tour?.painted().cities"
SHOWN = "() => [...document.querySelectorAll('.card:not([hidden]) .card-name')].map((name) => name.textContent)"
OPEN = "() => [...document.querySelectorAll('dialog[open]')].map((dialog) => dialog.id)"
#: Of each card how many pixels of its picture have ink on them, and whether a pixel is one of the screen.
INK = """() => [...document.querySelectorAll('.card')].map((card) => {
    const canvas = card.querySelector('canvas');
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let inked = 0;
    for (let k = 3; k < data.length; k += 4) inked += data[k] > 60;
    return [inked, width === Math.round(canvas.clientWidth * devicePixelRatio)];
})"""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(own_server):
    """A server whose home folder contains only files of these tests."""
    return own_server


@pytest.fixture
def home(page, server):
    page.goto(server.url)
    page.wait_for_function(f"() => ({CITIES})() === 52")
    return page


def open_instances(page):
    page.keyboard.press("/")
    page.wait_for_function("() => document.querySelectorAll('.card').length > 40")
    return page


def cities_are(page, n: int) -> None:
    page.wait_for_function(f"n => ({CITIES})() === n", arg=n)


def wait_until_closed(page) -> None:
    page.wait_for_function(f"() => !({OPEN})().length")


def write_upload(page, tmp_path, name: str, text: str, area: str = "instances-upload"):
    path = tmp_path / name
    path.write_text(text)
    page.set_input_files(f"#{area} input[type=file]", path)
    return path


@pytest.mark.long
def test_a_bar_moves_until_the_list_is_there(home):
    bar = "() => getComputedStyle(document.querySelector('#instances .cards'), '::before').height"
    held = Held(home, "/instances$")
    home.keyboard.press("/")
    held.wait()
    wait_for_text(home, "instances-count", "Loading")
    assert home.evaluate(bar) == "4px"
    held.let_go()
    home.wait_for_function(f"() => ({bar})() === 'auto'")


@pytest.mark.long
def test_focus_stays_in_the_library_and_returns(home):
    home.focus("#instances-open")
    home.keyboard.press("Enter")
    home.wait_for_function("() => document.querySelectorAll('.card').length > 40")
    for _ in range(25):
        home.keyboard.press("Tab")
        inside = home.evaluate("() => document.activeElement === document.body || "
                               "Boolean(document.activeElement.closest('#instances'))")  # fmt: skip
        assert inside
    home.keyboard.press("Escape")
    wait_until_closed(home)
    home.wait_for_function("() => document.activeElement.id === 'instances-open'")


@pytest.mark.long
def test_filters_and_sort_orders(home):
    open_instances(home)
    home.select_option("#instances-kind", "GEO")
    home.wait_for_function(f"() => ({SHOWN})().length < 10")
    assert home.evaluate(SHOWN) == ["burma14", "ulysses16", "ulysses22", "gr202", "ali535"]
    home.select_option("#instances-size", "1-50")
    home.select_option("#instances-sort", "name")
    home.wait_for_function(f"() => ({SHOWN})().length === 3")
    wait_for_text(home, "instances-count", "^3 of 63 instances$")
    home.select_option("#instances-source", "uploaded")
    home.wait_for_function("() => /No instances match/.test(document.getElementById('instances-count').textContent)")


@pytest.mark.long
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_every_instance_has_a_sharp_picture_and_nothing_scrolls_sideways(home, width, theme):
    home.set_viewport_size({"width": width, "height": 860})
    if theme == "dark":
        home.click("#theme-toggle")
    home.wait_for_function("theme => document.documentElement.dataset.bsTheme === theme", arg=theme)
    open_instances(home)
    home.wait_for_function(f"() => ({INK})().every(([inked, sharp]) => inked > 60 && sharp)", polling=200)
    assert home.evaluate("() => { const list = document.getElementById('instances-cards');"
                         " return list.scrollWidth <= list.clientWidth; }")  # fmt: skip


@pytest.mark.long
def test_random_cities_are_drawn_used_and_refused_with_a_message(home):
    open_instances(home)
    home.click("#generator-class label:has-text('Clustered')")
    home.fill("#generator-n", "0")
    home.wait_for_function("() => document.getElementById('generator-use').disabled")
    assert re.sub(r"\s", " ", home.inner_text("#generator-note")) == "Cities: enter a whole number from 1 to 1 000 000."
    home.fill("#generator-n", "300")
    before = home.input_value("#generator-seed")
    home.click("#generator-dice")
    home.wait_for_function("before => document.getElementById('generator-seed').value !== before", arg=before)
    home.wait_for_function("() => !document.getElementById('generator-use').disabled")
    seed = int(home.input_value("#generator-seed"))
    home.click("#generator-use")
    cities_are(home, 300)
    home.wait_for_function("name => document.getElementById('instance').textContent.includes(name)",
                           arg=f"clustered-300-{seed}")  # fmt: skip
    open_instances(home)
    home.wait_for_function("() => [...document.querySelectorAll('.card')].some((card) => card.card.n === 300)")


@pytest.mark.long
def test_tour_is_shown_whole_wherever_it_is_dropped(home, tmp_path):
    cities = "\\n".join(str(city) for city in range(1, 53))
    home.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text.replaceAll('\\\\n', '\\n')], 'mine.tour'));
            const init = { dataTransfer: data, bubbles: true, cancelable: true };
            document.querySelector('.numbers').dispatchEvent(new DragEvent('drop', init));
        }""",
        f"TYPE: TOUR\\nDIMENSION: 52\\nTOUR_SECTION\\n{cities}\\n-1\\nEOF\\n",
    )
    home.wait_for_function("() => document.getElementById('hud-length').textContent.replace(/\\D/g, '') === '22205'")
    home.wait_for_function("() => /complete/.test(document.getElementById('hud-where').textContent)")
    assert re.fullmatch(r"\?run=[\w-]{12}", home.evaluate("() => window.location.search"))
    assert "2-opt" in home.inner_text("#algorithm")
