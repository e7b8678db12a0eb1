"""The library's page in a browser: found, named, tagged, compared, deleted and brought back, taken in."""

import csv
import time
from urllib.parse import parse_qs, urlparse

import pytest
from serving import PATIENCE

from tests.clock import least
from tests.runs.made_up_runs import made_up, write_run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HOSTILE = "=1+1 <img src=x onerror=alert(1)>"
NAMES = "() => [...document.querySelectorAll('#library-body .entry-name')].map((each) => each.textContent)"
TEXTS = "all => all.map((each) => each.textContent)"
RUNS = {
    "berlin52aaaa": ("berlin52", "two-opt", 7600),
    "berlin52bbbb": ("berlin52", "ant-system", 7542),
    "kroA100ccccc": ("kroA100", "greedy", 24000),
    "kroA100ddddd": ("kroA100", "simulated-annealing", 21282),
    "burma14eeeee": ("burma14", "held-karp", 3323),
}


@pytest.fixture(scope="module")
def server(own_server):
    """A server whose home folder has what these tests put there, and nothing else."""
    return own_server


@pytest.mark.long
def test_a_library_without_entries_says_what_it_is_for(page, server):
    page.goto(f"{server.url}library/")
    page.wait_for_selector("#library-nothing:not([hidden])")
    links = page.eval_on_selector_all("#library-nothing a", "all => all.map((each) => each.pathname)")
    assert links == ["/", "/race/", "/study/"]
    assert page.locator("#library-search").is_hidden()


@pytest.fixture(scope="module")
def runs(server):
    """Five runs, the last one the newest."""
    for k, (run, facts) in enumerate(RUNS.items()):
        write_run(server.home / "runs" / f"{run}.tourscope", *facts, created=1.7e9 + 1000 * k)
    return list(RUNS)


@pytest.fixture
def shown(page, server, runs):
    """The page with the five."""
    return visit(page, server)


def visit(page, server, query="", rows=5):
    page.goto(f"{server.url}library/{query}")
    listed(page, rows)
    return page


def listed(page, rows):
    page.wait_for_function("n => document.querySelectorAll('#library-body tr').length === n", arg=rows)


def tagged(page, rows):
    page.wait_for_function(
        "n => document.querySelectorAll(`#library-body [data-tag='good <b>']`).length === n", arg=rows
    )


def pick(page, *numbers):
    for number in numbers:
        page.locator(".pick").nth(number).click()


def says(page, selector, words):
    page.wait_for_function(
        "([selector, words]) => document.querySelector(selector)?.textContent.includes(words)",
        arg=[selector, words],
        timeout=PATIENCE,
    )


def noted(page, words):
    """Wait for the note, and put the focus in it: else it would stay for some seconds alone."""
    page.wait_for_function(
        """words => {
            const note = document.getElementById('library-toast');
            if (note.hidden || !note.textContent.includes(words)) return false;
            note.querySelector('a, button').focus();
            return true;
        }""",
        arg=words,
    )


@pytest.mark.long
def test_a_name_is_typed_where_it_stands_and_stays_a_text(shown):
    page = shown
    page.locator("#library-body tr").nth(0).locator("a").focus()
    page.keyboard.press("F2")
    page.keyboard.type("not this")
    page.keyboard.press("Escape")
    assert page.evaluate(NAMES)[0] == "Held-Karp on burma14"
    page.locator(".rename").nth(0).click()
    page.keyboard.type(HOSTILE)
    page.keyboard.press("Enter")
    page.wait_for_function(f"name => ({NAMES})()[0] === name", arg=HOSTILE)
    page.wait_for_function("() => document.activeElement.className === 'rename'")
    page.reload()
    listed(page, 5)
    assert page.evaluate(NAMES)[0] == HOSTILE
    assert page.locator("#library-body img").count() == 0
    page.locator(".rename").nth(0).click()
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({NAMES})()[0] === 'Held-Karp on burma14'")


def test_search_and_filters_are_in_the_address_and_back_works(shown, server):
    page = shown
    page.keyboard.press("/")
    page.keyboard.type("kroa100")
    listed(page, 2)
    assert parse_qs(urlparse(page.url).query) == {"q": ["kroa100"]}
    page.click("[data-facet='algorithm'][value='greedy']")
    listed(page, 1)
    address = page.url
    page.go_back()
    listed(page, 2)
    assert page.input_value("#library-search") == "kroa100"
    page.go_back()
    listed(page, 5)
    assert page.input_value("#library-search") == ""
    page.goto(address)
    listed(page, 1)
    assert page.is_checked("[data-facet='algorithm'][value='greedy']")
    page.fill("#library-search", "nowhere")
    says(page, "#library-empty", "Nothing matches \u201cnowhere\u201d, algorithm greedy.")
    page.click("#library-empty .library-clear")
    listed(page, 5)
    assert urlparse(page.url).query == ""


def test_heads_sort_and_say_so(shown):
    page = shown
    page.click("[data-sort='length'] button")
    page.wait_for_selector("[data-sort='length'][aria-sort='descending']")
    page.click("[data-sort='length'] button")
    page.wait_for_selector("[data-sort='length'][aria-sort='ascending']")
    told = page.eval_on_selector_all(
        "#library-body [data-label='Length']", "all => all.map((each) => each.textContent)"
    )
    numbers = [int(each.replace("\u202f", "")) for each in told]
    assert numbers == sorted(length for _, _, length in RUNS.values())
    assert parse_qs(urlparse(page.url).query) == {"sort": ["length"], "up": ["1"]}


def test_what_is_selected_is_tagged_deleted_and_brought_back(shown):
    page = shown
    pick(page, 1)
    page.locator(".pick").nth(3).click(modifiers=["Shift"])
    assert page.inner_text("#library-picked") == "3 selected"
    page.click("#library-tag-button")
    page.keyboard.type("good <b>")
    page.keyboard.press("Enter")
    page.wait_for_selector("#library-tags-here .entry-tag")
    tagged(page, 3)
    page.click("#library-delete-button")
    noted(page, "3 runs deleted.")
    listed(page, 2)
    assert page.is_hidden("#library-bar")
    page.click("#library-toast [data-undo]")
    listed(page, 5)
    tagged(page, 3)
    page.locator("#library-body [data-tag]").first.click()
    listed(page, 3)
    page.click("#library-all input")
    page.keyboard.press("Delete")
    says(page, "#library-trash", "Recently deleted")
    page.click("#library-trash [data-undo]")
    listed(page, 3)


def test_runs_of_several_instances_are_compared_here(shown, tmp_path):
    page = shown
    pick(page, 0)
    assert page.inner_text("#library-why") == "To compare, select two runs or more."
    assert page.get_attribute("#library-compare-button", "aria-disabled") == "true"
    pick(page, 1, 3)
    page.click("#library-compare-button")
    page.wait_for_selector("#library-chart .scatterlayer path.js-line", state="attached")
    says(page, "#library-chart-says", "At the end: A")
    page.wait_for_function("() => document.querySelectorAll('#library-compared tbody tr').length === 3")
    cells = page.eval_on_selector_all(
        "#library-compared tbody tr", "rows => rows.map((row) => row.cells[0].textContent)"
    )
    assert cells == ["berlin52", "burma14", "kroA100"]
    with page.expect_download() as coming:
        page.click("[data-chart='library-chart'][data-save='csv']")
    assert coming.value.suggested_filename == "library-chart.csv"
    coming.value.save_as(tmp_path / "chart.csv")
    assert {row["series"] for row in csv.DictReader((tmp_path / "chart.csv").open(newline=""))} == {
        "A Held-Karp on burma14", "B Simulated annealing on kroA100", "C Ant System on berlin52",
    }  # fmt: skip
    address = page.url
    page.go_back()
    page.wait_for_selector("#library-table", state="visible")
    page.goto(address)
    says(page, "#library-chart-says", "At the end: A")
    page.click("#library-comparison-close")
    page.wait_for_selector("#library-table", state="visible")


@pytest.mark.long
def test_few_runs_of_one_instance_go_to_the_race_page(shown, server):
    page = shown
    pick(page, 1, 2)
    with page.expect_navigation(wait_until="commit"):
        page.click("#library-compare-button")
    assert page.url == f"{server.url}race/?runs=kroA100ddddd,kroA100ccccc"


@pytest.mark.long
def test_a_run_that_broke_off_is_compared_here_and_one_without_a_tour_is_not(page, server, runs):
    broken, bare = (server.home / "runs" / f"{name}.tourscope" for name in ("interruptedx", "unreadablexx"))
    write_run(broken, "berlin52", "greedy", 9000, created=1.6e9, state="interrupted")
    bare.write_bytes(b"garbage")
    try:
        visit(page, server, rows=7)
        page.click("tr[data-key='run:berlin52aaaa'] .pick")
        page.click("tr[data-key='run:unreadablexx'] .pick")
        says(page, "#library-why", "unreadablexx.tourscope has no tour to compare.")
        page.click("tr[data-key='run:unreadablexx'] .pick")
        page.click("tr[data-key='run:interruptedx'] .pick")
        page.click("#library-compare-button")
        says(page, "#library-chart-says", "At the end: ")
    finally:
        broken.unlink()
        bare.unlink()


def test_lines_are_taken_away_as_csv(shown, tmp_path):
    page = shown
    page.click("#library-all input")
    with page.expect_download() as coming:
        page.click("#library-save-button")
    coming.value.save_as(tmp_path / "library.csv")
    rows = list(csv.DictReader((tmp_path / "library.csv").open(newline="")))
    assert {(row["id"], row["length"]) for row in rows} == {(run, str(facts[2])) for run, facts in RUNS.items()}


@pytest.mark.long
def test_a_file_that_is_brought_is_in_the_list(shown, server, tmp_path):
    page = shown
    file = write_run(tmp_path / "theirs.tourscope", length=22_205)  # as long as its tour is: tours are measured again
    page.set_input_files("#library-upload input", str(file))
    noted(page, "The run is in the library now.")
    listed(page, 6)
    page.click("#library-toast a")
    page.wait_for_url("**/?run=*")
    page.goto(f"{server.url}library/")
    listed(page, 6)
    bad = [{"name": name, "mimeType": "text/plain", "buffer": b"nothing"} for name in ("a.tourrace", "b.tourscope")]
    page.set_input_files("#library-upload input", bad)
    page.wait_for_function("() => /[.]$/.test(document.getElementById('library-upload-note').textContent)")
    ids = page.eval_on_selector_all("#library-body tr", "all => all.map((each) => each.dataset.key)")
    (new,) = {key.removeprefix("run:") for key in ids} - set(RUNS)
    page.locator(f"tr[data-key='run:{new}'] .pick").click()
    page.click("#library-delete-button")
    listed(page, 5)


def test_pictures_are_painted_and_colours_follow_the_theme(shown):
    page = shown
    ink = (
        "() => { const canvas = document.querySelector('.entry-tour'); if (!canvas.width) return '';"
        " const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        " let k = 3; while (k < data.length && data[k] < 200) k += 4;"
        " return k < data.length ? [...data.slice(k - 3, k)].join() : ''; }"
    )
    page.wait_for_function(f"() => ({ink})() !== ''")
    light = page.evaluate(ink)
    page.click("#theme-toggle")
    page.wait_for_function(f"light => ({ink})() !== light && ({ink})() !== ''", arg=light)


@pytest.mark.long
def test_a_narrow_screen_shows_cards(page, server, runs):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, server)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert not page.evaluate("() => document.getElementById('library-filters').open")
    box = page.locator("#library-body tr").nth(0).bounding_box()
    assert box["height"] > 100
    assert box["width"] < 390
    pick(page, 0)
    assert page.locator("#library-delete-button").bounding_box()["y"] > 700
    page.select_option("#library-sort", "length")
    page.wait_for_function("() => location.search === '?sort=length'")


def searched(page) -> float:
    """Seconds until those are shown that are searched for."""
    page.fill("#library-search", "")
    says(page, "#library-count", "605 entries")
    begun = time.monotonic()
    page.fill("#library-search", "berlin52 greedy")
    says(page, "#library-count", "12 entries")
    return time.monotonic() - begun


@pytest.mark.long
def test_many_entries_stay_quick(page, server, runs):
    """A search takes less than half as long as the page to load, however much else is going on."""
    ids = made_up(server.home / "runs", 600)
    try:
        visit(page, server, rows=100)
        page.wait_for_function("() => /^605 entries$/.test(document.getElementById('library-count').textContent)")
        for rows in (200, 300, 400, 500):
            page.click("#library-more")
            listed(page, rows)
        assert page.locator("#library-more").is_hidden()
        page.click("#library-after")
        says(page, "#library-count", "501 to 600 of 605 entries")
        begun = time.monotonic()
        page.reload()
        says(page, "#library-count", "501 to 600 of 605 entries")
        loading = time.monotonic() - begun
        page.click("#library-before")
        listed(page, 100)
        page.wait_for_function("() => /^605 entries$/.test(document.getElementById('library-count').textContent)")
        assert least(lambda: searched(page), loading / 2) < loading / 2
        page.click(".library-clear")
        listed(page, 100)
        page.click("#library-all input")
        page.click("#library-all-of-them")
        says(page, "#library-picked", "605 selected, 505 not in this list")
    finally:
        for run in ids:
            (server.home / "runs" / f"{run}.tourscope").unlink()
