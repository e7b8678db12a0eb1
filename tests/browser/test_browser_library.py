"""The library page in a browser: search, names, tags, comparison, deletion with undo, and imports."""

import csv
import json
import re
import time
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import expect
from serving import PATIENCE

from runs.races.service import Race
from runs.races.spec import RaceSpec
from tests.clock import measure_fastest
from tests.runs.made_up_runs import write_run, write_runs

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HOSTILE = "=1+1 <img src=x onerror=alert(1)>"
NAMES = "() => [...document.querySelectorAll('#library-body .entry-name')].map((each) => each.textContent)"
#: The colour of an element, and that of what failed.
COLOURS = """(element) => {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.color = 'var(--removed)';
    const colours = [element, probe].map((each) => getComputedStyle(each).color);
    probe.remove();
    return colours;
}"""
#: The first strong colour in the picture of the first entry, once it is painted.
INK = """() => {
    const canvas = document.querySelector('.entry-tour');
    if (!canvas?.width) return '';
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let k = 3;
    while (k < data.length && data[k] < 200) k += 4;
    return k < data.length ? [...data.slice(k - 3, k)].join() : '';
}"""
#: Algorithms whose name is cut, or below their dot.
CUT = """() => [...document.querySelectorAll('#library-body .entry-algorithms')]
    .filter(({ firstChild: dots, lastChild: name }) => {
        const [dot, words] = [dots, name].map((each) => each.getBoundingClientRect());
        return name.scrollWidth > name.clientWidth || words.top > dot.bottom;
    })
    .map((each) => each.textContent)"""
#: Collects how far what is shown moves while the page loads.
SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.shifted += value; }))
        .observe({ type: 'layout-shift', buffered: true });
"""
RUNS = {
    "berlin52aaaa": ("berlin52", "two-opt", 7600),
    "berlin52bbbb": ("berlin52", "ant-system", 7542),
    "kroA100ccccc": ("kroA100", "greedy", 24000),
    "kroA100ddddd": ("kroA100", "simulated-annealing", 21282),
    "burma14eeeee": ("burma14", "held-karp", 3323),
}
TITLES = [
    "2-opt on berlin52", "Ant System on berlin52", "Greedy edges on kroA100", "Simulated annealing on kroA100",
    "Held-Karp on burma14",
]  # fmt: skip
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(own_server):
    """A server whose home folder contains only files of these tests."""
    return own_server


@pytest.mark.long
def test_empty_library_explains_itself(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(SHIFTS)
    page.goto(f"{server.url}library/")
    nothing = page.locator("section", has=page.get_by_role("heading", name="Everything you run is saved here"))
    links = nothing.get_by_role("link")
    expect(links).to_have_count(3)
    assert [links.nth(k).get_attribute("href") for k in range(3)] == ["/", "/race/", "/study/"]
    expect(page.get_by_text("Drop a run, race or study file")).to_be_visible()
    expect(search_field(page)).to_be_hidden()
    assert page.evaluate("() => window.shifted") < 0.01


@pytest.fixture(scope="module")
def runs(server):
    """Five runs, oldest first."""
    for k, (run, facts) in enumerate(RUNS.items()):
        write_run(server.home / "runs" / f"{run}.tourscope", *facts, created=1.7e9 + 1000 * k)
    return list(RUNS)


@pytest.fixture
def library_page(page, server, runs):
    """The library page with the five runs."""
    return visit(page, server)


def visit(page, server, query="", rows=5):
    page.goto(f"{server.url}library/{query}")
    wait_for_rows(page, rows)
    return page


def entries(page):
    return page.get_by_role("table", name="Runs, races and studies").locator("tbody").get_by_role("row")


def search_field(page):
    return page.get_by_role("searchbox", name="Search the library")


def selected_bar(page):
    return page.get_by_role("region", name="Selected entries")


def wait_for_rows(page, rows):
    page.wait_for_function("n => document.querySelectorAll('#library-body tr').length === n", arg=rows)


def pick(page, *numbers):
    for number in numbers:
        page.locator(".pick").nth(number).click()


def says(page, selector, words):
    page.wait_for_function(
        "([selector, words]) => document.querySelector(selector)?.textContent.includes(words)",
        arg=[selector, words],
        timeout=PATIENCE,
    )


def focus_note(page, words):
    """Wait for the note and focus it; otherwise it would disappear after some seconds."""
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
def test_name_is_edited_in_place_and_stays_plain_text(library_page):
    page = library_page
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
    wait_for_rows(page, 5)
    assert page.evaluate(NAMES)[0] == HOSTILE
    assert page.locator("#library-body img").count() == 0
    page.locator(".rename").nth(0).click()
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({NAMES})()[0] === 'Held-Karp on burma14'")


@pytest.mark.long
def test_list_is_searched_filtered_and_sorted_with_its_state_in_the_address(library_page):
    page = library_page
    greedy = page.get_by_role("group", name="Algorithm").get_by_role("checkbox", name="Greedy edges")
    beyond = "box => (({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(box.closest('.facet-values'))"
    assert greedy.evaluate(beyond) == 0  # else it has a scroll bar below it
    page.keyboard.press("/")
    page.keyboard.type("kroa100")
    wait_for_rows(page, 2)
    page.wait_for_function("() => new URLSearchParams(location.search).get('q') === 'kroa100'")
    assert parse_qs(urlparse(page.url).query) == {"q": ["kroa100"]}
    greedy.click()
    wait_for_rows(page, 1)
    address = page.url
    page.go_back()
    wait_for_rows(page, 2)
    expect(search_field(page)).to_have_value("kroa100")
    page.go_back()
    wait_for_rows(page, 5)
    expect(search_field(page)).to_have_value("")
    page.goto(address)
    wait_for_rows(page, 1)
    expect(greedy).to_be_checked()
    search_field(page).fill("nowhere")
    page.get_by_text("Nothing matches \u201cnowhere\u201d, algorithm greedy.").wait_for()
    page.get_by_role("button", name="Clear search and filters").last.click()
    wait_for_rows(page, 5)
    assert urlparse(page.url).query == ""
    head = page.get_by_role("columnheader", name="Length")
    for order in ("descending", "ascending"):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
    by_length = [title for _, title in sorted(zip([facts[2] for facts in RUNS.values()], TITLES, strict=True))]
    expect(entries(page).get_by_role("link")).to_have_text(by_length)
    assert parse_qs(urlparse(page.url).query) == {"sort": ["length"], "up": ["1"]}


def test_selection_is_tagged_deleted_restored_saved_and_compared(library_page, tmp_path):
    page, bar = library_page, selected_bar(library_page)
    tags = entries(page).get_by_role("button", name="good <b>", exact=True)
    pick(page, 1)
    page.get_by_role("checkbox", name=f"Select {TITLES[1]}").click(modifiers=["Shift"])
    expect(bar).to_contain_text("3 selected")
    bar.get_by_role("button", name="Tag", exact=True).click()
    page.keyboard.type("good <b>")
    page.keyboard.press("Enter")
    bar.get_by_role("button", name="Remove the tag good <b> from 3 entries").wait_for()
    expect(tags).to_have_count(3)
    bar.get_by_role("button", name="Delete the selected entries").click()
    focus_note(page, "3 runs deleted.")
    wait_for_rows(page, 2)
    expect(bar).to_be_hidden()
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    wait_for_rows(page, 5)
    expect(tags).to_have_count(3)
    tags.first.click()
    wait_for_rows(page, 3)
    page.get_by_role("checkbox", name="Select all listed entries").click()
    page.keyboard.press("Delete")
    page.get_by_role("region", name="Recently deleted").get_by_role("button", name="Undo: restore 3 runs").click()
    wait_for_rows(page, 3)
    page.click(".library-clear")
    wait_for_rows(page, 5)

    page.get_by_role("checkbox", name="Select all listed entries").click()
    with page.expect_download() as coming:
        bar.get_by_role("button", name="Export CSV").click()
    coming.value.save_as(tmp_path / "library.csv")
    rows = list(csv.DictReader((tmp_path / "library.csv").open(newline="")))
    assert {(row["id"], row["length"]) for row in rows} == {(run, str(facts[2])) for run, facts in RUNS.items()}
    bar.get_by_role("button", name="Clear the selection").click()
    pick(page, 0)
    bar.get_by_text("To compare, select two or more runs.").wait_for()
    expect(bar.get_by_role("button", name="Compare")).to_have_attribute("aria-disabled", "true")
    pick(page, 1, 3)
    bar.get_by_role("button", name="Compare").click()
    comparison = page.get_by_role("region", name="Comparison")
    page.wait_for_selector("#library-chart .scatterlayer path.js-line", state="attached")
    comparison.get_by_text("At the end: A").wait_for()
    heads = [re.compile(f"^{word}") for word in ("Instance", "berlin52", "burma14", "kroA100")]
    expect(comparison.get_by_role("row")).to_have_text(heads)
    with page.expect_download() as coming:
        comparison.get_by_role("region", name="Tour quality over time").get_by_role("button", name="CSV").click()
    assert coming.value.suggested_filename == "library-chart.csv"
    coming.value.save_as(tmp_path / "chart.csv")
    assert {row["series"] for row in csv.DictReader((tmp_path / "chart.csv").open(newline=""))} == {
        "A Held-Karp on burma14", "B Simulated annealing on kroA100", "C Ant System on berlin52",
    }  # fmt: skip
    address = page.url
    page.go_back()
    entries(page).first.wait_for()
    page.goto(address)
    comparison.get_by_text("At the end: A").wait_for()
    comparison.get_by_role("button", name="Back to the list").click()
    entries(page).first.wait_for()


@pytest.mark.long
def test_few_runs_of_one_instance_open_the_race_page(library_page, server):
    page = library_page
    pick(page, 1, 2)
    with page.expect_navigation(wait_until="commit"):
        page.click("#library-compare-button")
    assert page.url == f"{server.url}race/?runs=kroA100ddddd,kroA100ccccc"


@pytest.mark.long
def test_aborted_run_is_compared_here_unless_it_has_no_tour(page, server, runs):
    broken, bare = (server.home / "runs" / f"{name}.tourscope" for name in ("interruptedx", "unreadablexx"))
    write_run(broken, "berlin52", "greedy", 9000, created=1.6e9, state="interrupted")
    bare.write_bytes(b"garbage")
    try:
        visit(page, server, rows=7)
        failed = page.locator("tr[data-key='run:unreadablexx'] .state").filter(visible=True)
        expect(failed).to_have_text("\u2717 unreadable")
        sentence, removed = failed.evaluate(COLOURS)
        assert sentence == removed
        page.set_viewport_size({"width": 1280, "height": 860})  # without the column of states
        expect(failed).to_have_text("\u2717 unreadable")
        page.click("tr[data-key='run:berlin52aaaa'] .pick")
        page.click("tr[data-key='run:unreadablexx'] .pick")
        says(page, "#library-why", "unreadablexx.tourscope has no tour to compare.")
        page.click("tr[data-key='run:unreadablexx'] .pick")
        page.click("tr[data-key='run:interruptedx'] .pick")
        page.click("#library-compare-button")
        says(page, "#library-chart-sentence", "At the end: ")
    finally:
        broken.unlink()
        bare.unlink()


@pytest.mark.long
def test_uploaded_file_is_listed(library_page, server, tmp_path):
    page = library_page
    file = write_run(tmp_path / "theirs.tourscope", length=22_205)  # as long as its tour is: tours are measured again
    page.set_input_files("#library-upload input", str(file))
    focus_note(page, "The run is now in the library.")
    wait_for_rows(page, 6)
    page.click("#library-toast a")
    page.wait_for_url("**/?run=*")
    page.goto(f"{server.url}library/")
    wait_for_rows(page, 6)
    bad = [{"name": name, "mimeType": "text/plain", "buffer": b"nothing"} for name in ("a.tourrace", "b.tourscope")]
    page.set_input_files("#library-upload input", bad)
    page.wait_for_function("() => /[.]$/.test(document.getElementById('library-upload-note').textContent)")
    ids = page.eval_on_selector_all("#library-body tr", "all => all.map((each) => each.dataset.key)")
    (new,) = {key.removeprefix("run:") for key in ids} - set(RUNS)
    page.locator(f"tr[data-key='run:{new}'] .pick").click()
    page.click("#library-delete-button")
    wait_for_rows(page, 5)


@pytest.mark.long
def test_page_loads_without_layout_shift_and_follows_the_theme(page, server, runs):
    failed = write_run(server.home / "runs" / "failedxxxxxx.tourscope", "gr17", "greedy", 3000, state="failed")
    try:
        page.add_init_script(SHIFTS)
        visit(page, server, rows=6)
        page.wait_for_function(f"() => ({INK})() !== ''")
        assert page.evaluate("() => window.shifted") < 0.01
        light = page.evaluate(INK)
        state = entries(page).get_by_role("cell", name="failed", exact=True).locator(".state")
        colours = state.evaluate(COLOURS)
        assert colours[0] == colours[1]
        page.click("#theme-toggle")
        page.wait_for_function(f"light => ({INK})() !== light && ({INK})() !== ''", arg=light)
        dark = state.evaluate(COLOURS)
        assert dark[0] == dark[1] != colours[0]
    finally:
        failed.unlink()


@pytest.mark.long
def test_narrow_screen_shows_cards(page, server, runs):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, server)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert not page.evaluate("() => document.getElementById('library-filters').open")
    box = page.locator("#library-body tr").nth(0).bounding_box()
    assert box["height"] > 100
    assert box["width"] < 390
    assert page.evaluate(CUT) == []
    pick(page, 0)
    assert page.locator("#library-delete-button").bounding_box()["y"] > 700
    page.select_option("#library-sort", "length")
    page.wait_for_function("() => location.search === '?sort=length'")


def time_search(page) -> float:
    """Seconds until the search results are shown."""
    page.fill("#library-search", "")
    says(page, "#library-count", "605 entries")
    begun = time.monotonic()
    page.fill("#library-search", "berlin52 greedy")
    says(page, "#library-count", "12 entries")
    return time.monotonic() - begun


@pytest.mark.long
def test_listed_lanes_link_to_their_race(page, server, runs):
    """The link stays in its row on a narrow page too, however long the race's name is."""
    lanes = [{"stages": [{"algorithm": name}]} for name in ("two-opt", "ant-system")]
    spec = RaceSpec.from_json({"v": 1, "instance": {"name": "berlin52"}, "lanes": lanes, "budget": {"seconds": 1}})
    race = Race("raceraceabcd", 1.8e9, spec, ("berlin52aaaa", "berlin52bbbb"))
    path = server.home / "races" / f"{race.id}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(race.to_json()), encoding="utf-8")
    try:
        visit(page, server, rows=4)
        assert page.get_by_role("link", name="Lane of the race").count() == 0
        visit(page, server, "?lanes=1", rows=6)
        links = page.get_by_role("link", name="Lane of the race \u201c2-opt, Ant System on berlin52\u201d")
        expect(links).to_have_count(2)
        page.set_viewport_size({"width": 390, "height": 844})
        row = entries(page).filter(has=links).first.bounding_box()
        link = links.first.bounding_box()
        assert row["x"] <= link["x"]
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        links.first.click()
        page.wait_for_url(re.compile(rf"/race/\?id={race.id}"))
    finally:
        path.unlink()


@pytest.mark.long
def test_many_entries_stay_fast(page, server, runs):
    """A search takes less time than loading the page, whatever the load of the machine."""
    ids = write_runs(server.home / "runs", 600)
    try:
        visit(page, server, rows=100)
        page.wait_for_function("() => /^605 entries$/.test(document.getElementById('library-count').textContent)")
        for rows in (200, 300, 400, 500):
            page.click("#library-more")
            wait_for_rows(page, rows)
        assert page.locator("#library-more").is_hidden()
        page.click("#library-after")
        says(page, "#library-count", "501 to 600 of 605 entries")
        begun = time.monotonic()
        page.reload()
        says(page, "#library-count", "501 to 600 of 605 entries")
        loading = time.monotonic() - begun
        page.click("#library-before")
        wait_for_rows(page, 100)
        page.wait_for_function("() => /^605 entries$/.test(document.getElementById('library-count').textContent)")
        assert measure_fastest(lambda: time_search(page), loading) < loading  # 0.8 of it on a busy machine
        page.click(".library-clear")
        wait_for_rows(page, 100)
        page.click("#library-all input")
        page.click("#library-all-of-them")
        says(page, "#library-picked", "605 selected, 505 not in this list")
    finally:
        for run in ids:
            (server.home / "runs" / f"{run}.tourscope").unlink()
