"""The study page in a browser: a finished study opens quickly; others are started, cancelled, resumed and uploaded."""

import csv
import re

import psutil
import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import Held

from runs.study_jobs.folders import make_study_id
from studies.file.reader import StudyReader
from studies.pool.process import WORKER
from studies.report.summary import summarise
from tests.clock import wait_until
from tests.studies.made_up import write_study
from tests.studies.small_study import finish_study, tiny_study

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def finished_study(server):
    """A finished study in the server's folder."""
    return write_study(server.home / "studies" / "made.tourstudy", instances=12, improvements=60, title="Made up")


def wait_for_text(page, begins: str) -> None:
    """Wait until the page shows this text."""
    page.get_by_text(begins).filter(visible=True).first.wait_for(timeout=PATIENCE)


def matrix(page) -> list[list[str]]:
    """The texts of the matrix, a list for each instance."""
    rows = "table => [...table.tBodies[0]?.rows || []].map((row) => [...row.cells].map((cell) => cell.textContent))"
    return page.get_by_role("table", name="Median gaps").evaluate(rows)


def instance_rows(page):
    return page.get_by_role("table", name="Median gaps").get_by_role("rowheader")


def wait_for_chart(page, title: str):
    """Wait for the lines of the chart with this title."""
    page.get_by_role("img", name=title).locator("path.js-line").first.wait_for()


def study_address(page, server, title: str) -> str:
    page.goto(f"{server.url}study/")
    return server.url.rstrip("/") + page.get_by_role("link", name=title).get_attribute("href")


def test_finished_study_shows_numbers_before_callbacks_and_plotly(page, server, finished_study):
    """`python -m benchmarks study-page` measures how soon that is."""
    address = study_address(page, server, "Made up")
    held = Held(page, "_dash-update-component|plotly")
    page.goto(address, wait_until="commit")
    instance_rows(page).nth(11).wait_for()
    first = matrix(page)
    held.wait(lambda routes: len({"plotly" in route.request.url for route in routes}) == 2)
    held.let_go()
    wait_for_chart(page, "Tour quality over time")
    assert matrix(page) == first
    with StudyReader(finished_study) as reader:
        found = summarise(reader.table())
    assert len(first) == 12
    for row, gaps in zip(first, found.median.tolist(), strict=True):
        visible = [float(cell.split("\u202f")[0]) for cell in row[1:]]
        assert visible == pytest.approx(gaps, abs=0.0051)
    head = page.locator("#study-matrix thead .entry-head > span").last
    head.evaluate("name => { name.textContent = 'Nearest neighbour, then 2-opt'; }")
    assert head.evaluate("name => name.scrollWidth <= name.clientWidth"), "a long name takes a second line"
    finding = page.locator("#study-finding")
    expect(finding).to_contain_text(re.compile(r"^2-opt has the .* on 12 instances"), timeout=PATIENCE)
    assert finding.bounding_box()["y"] < page.locator("#study-matrix").bounding_box()["y"]
    verdicts = page.get_by_role("table", name="Verdicts")
    verdicts.get_by_role("cell", name=re.compile(r"^better on \d+ of 12 A12 [01]\.\d\d, ")).first.wait_for()
    assert verdicts.get_by_role("rowheader").count() == 5
    assert verdicts.get_by_role("columnheader", name="A 2-opt").count() == 1
    accuracy = page.get_by_role("region", name="Seconds against accuracy")
    expect(accuracy.get_by_label("Work measured in")).to_have_value("seconds")  # entries count different things
    page.get_by_role("table", name="Expected running time").get_by_role("cell").first.wait_for()
    ranks = page.get_by_role("table", name="Average ranks").get_by_role("row")
    assert ranks.count() == 1 + 5
    held = Held(page, "_dash-update-component")
    page.evaluate("() => dash_clientside.set_props('study-open', { data: { study: 'another' } })")
    expect(finding).to_be_empty()  # though no answer has come, it is not that of another study
    held.let_go()


@pytest.mark.long
def test_finished_study_is_printed_in_full_and_saved_chart_by_chart(page, server, finished_study, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 640})
    page.goto(study_address(page, server, "Made up"))
    wait_for_chart(page, "Tour quality over time")
    spread = page.get_by_role("region", name="Spread at a budget")
    spread.get_by_text("Median gaps at the end of each run").wait_for()
    assert spread.locator("svg").count() == 0  # nobody has scrolled to it
    page.emulate_media(media="print")
    assert page.get_by_role("region", name="Setup").is_hidden()
    assert page.get_by_role("button", name="CSV").filter(visible=True).count() == 0
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    spread.locator("svg .boxlayer").wait_for(state="attached")
    page.emulate_media(media="screen")

    page.get_by_role("button", name="uniform-50-3†").click()
    page.get_by_role("button", name="uniform-50-3†", pressed=True).wait_for()
    wait_for_text(page, "No optimum of uniform-50-3 is known")
    page.get_by_label("Cut runs off at").press("Home")
    spread.get_by_text("Median gaps at", exact=False).filter(has_not_text="end of each run").wait_for()
    page.get_by_role("status").filter(has_text="µs").wait_for()
    marks = "() => ['anytime', 'ecdf'].map((name) => TourScope.findGraph(`study-${name}`).layout.shapes.length)"
    page.wait_for_function(f"() => ({marks})().every((count) => count === 1)")
    page.get_by_label("Cut runs off at").press("End")
    page.wait_for_function(f"() => ({marks})().every((count) => count === 0)")

    with page.expect_download() as coming:
        page.get_by_role("region", name="Tour quality over time").get_by_role("button", name="CSV").click()
    coming.value.save_as(tmp_path / "chart.csv")
    rows = list(csv.DictReader((tmp_path / "chart.csv").open(newline="")))
    assert {row["series"] for row in rows} >= {"A two-opt", "B ant-system, upper quartile"}
    assert all(float(row["x"]) > 0 for row in rows)
    for kind, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with page.expect_download() as coming:
            spread.get_by_role("button", name=kind).click()
        coming.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(start)


def finished_runs(server) -> int:
    """The number of finished runs of the newest study."""
    newest = max((server.home / "studies").glob("*.tourstudy"), key=lambda path: path.stat().st_ctime)
    with StudyReader(newest) as reader:
        return reader.counts()["finished"]


def workers(server) -> list[psutil.Process]:
    """The processes that run studies."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    found = [child for child in children if child.name().startswith("studies.pool") or WORKER in child.cmdline()]
    assert found
    return found


def upload(page, path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Drop a study file").click()
    chooser.value.set_files(path)


def test_study_is_started_cancelled_resumed_and_linked_and_another_visitors_study_opened(page, server, tmp_path):
    page.goto(f"{server.url}study/")
    wait_for_text(page, "90 runs, ")
    wait_for_text(page, "Enough: it takes at least")
    page.get_by_label("Seeds", exact=True).fill("2")
    wait_for_text(page, "Too few to show any difference")
    page.get_by_label("Limit per run").fill("0.1")
    page.get_by_text("More settings").click()
    page.get_by_text("CPU", exact=True).click()  # else it waits until it is known which GPUs there are
    wait_for_text(page, "18 runs, ")
    page.get_by_role("button", name="Start the study").click()
    page.wait_for_url("**id=*")
    wait_until(lambda: finished_runs(server) > 0)
    for worker in workers(server):
        worker.suspend()  # else a page that other work holds up would find that all is done
    page.get_by_role("cell").filter(has_text="/2").first.wait_for()
    page.get_by_role("button", name="Cancel").click()
    wait_for_text(page, "Stopped: ")
    page.get_by_role("button", name="Resume").click()
    wait_for_text(page, "All 18 runs are done.")
    page.get_by_role("heading", name="3 algorithms on berlin52, kroA100, kroA200; 2 seeds").wait_for()
    address = page.url
    page.goto(address)
    wait_for_text(page, "All 18 runs are done.")
    page.get_by_role("button", name="Start the study", disabled=False).wait_for()  # the address has filled the form
    expect(page.get_by_label("Seeds", exact=True)).to_have_value("2")

    page.goto(f"{server.url}race/")
    page.get_by_role("navigation").get_by_role("link", name="Study").click()
    page.wait_for_url(address)  # where it was left
    page.get_by_role("navigation").get_by_role("link", name="Study").click()
    page.get_by_role("link", name="18 of 18 runs").wait_for()

    page.get_by_text("Recent studies").click()
    none = tmp_path / "none.tourstudy"
    none.write_bytes(b"no study")
    upload(page, none)
    wait_for_text(page, "cannot be imported")
    upload(page, finish_study(tmp_path / "theirs.tourstudy", tiny_study(title="Of a stranger")))
    page.get_by_role("heading", name="Of a stranger").wait_for()
    page.wait_for_url("**id=*")


@pytest.mark.long
def test_number_finds_instances_of_similar_size(page, server):
    page.goto(f"{server.url}study/")
    wait_for_text(page, "90 runs, ")
    page.click("#study-instances")
    page.locator(".dash-dropdown-search").fill("1000")
    row = page.locator(".dash-dropdown-option", has_text="pr1002")
    expect(row.locator(".option-fact")).to_contain_text("1\u202f002 cities")
    row.click()
    page.keyboard.press("Escape")
    chosen = page.locator("#study-instances .dash-dropdown-value-item", has_text="pr1002")
    expect(chosen.locator(".option-name")).to_be_visible()
    expect(chosen.locator(".option-fact")).to_be_hidden()


@pytest.mark.long
def test_matrix_of_a_study_shows_three_entries_on_a_phone(page, server, finished_study):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(study_address(page, server, "Made up"))
    instance_rows(page).nth(11).wait_for()
    third = "() => document.querySelectorAll('#study-matrix tbody tr:first-child td')[2]?.getBoundingClientRect().right"
    page.wait_for_function(f"() => ({third})() > 0")
    assert page.evaluate(third) < 380
    expect(page.locator("#study-matrix thead .entry-head > span").last).not_to_be_empty()  # it is read, though not seen


@pytest.mark.long
def test_sweep_of_one_parameter_in_dark_on_a_narrow_screen(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}study/")
    page.get_by_role("button", name="Light or dark").click()
    held = Held(page, "_dash-update-component", lambda request: "study-over.options" in request.post_data)
    page.get_by_role("button", name="Add an entry").click()
    form = page.get_by_role("dialog")
    held.wait()
    for field in ("Vary parameter", "Name"):  # the answer empties them
        expect(form.get_by_label(field)).to_be_disabled()
    held.let_go()
    form.get_by_label("Vary parameter").select_option(label="Climbers")
    form.get_by_label("Values").fill("1, 10, ten")
    form.get_by_role("button", name="Save").click()
    form.locator(".refusal:not(:empty)").wait_for()
    form.get_by_label("Values").fill("1, 10, 100")
    form.get_by_role("button", name="Save").click()
    form.wait_for(state="hidden")
    page.get_by_role("button", name="Remove entry").nth(5).wait_for()
    assert page.get_by_role("button", name="Remove entry").count() == 6
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


@pytest.mark.long
def test_temporarily_unreadable_file_is_shown_once_readable(page, server):
    path = write_study(server.home / "studies" / "moment.tourstudy", instances=2, title="A moment")
    sound = path.read_bytes()
    path.write_bytes(bytes(len(sound)))
    page.goto(f"{server.url}study/?id={make_study_id(path.resolve())}")
    wait_for_text(page, "moment.tourstudy is not a study file")
    path.write_bytes(sound)
    wait_for_text(page, "All ")
    wait_for_chart(page, "Tour quality over time")
    assert len(matrix(page)) == 2


@pytest.mark.long
def test_dropped_table_is_an_instance_of_the_study_also_after_a_reload(page, server, tmp_path):
    table = tmp_path / "towns.csv"
    table.write_text("name,x,y\n" + "".join(f"Town{k},{k * k % 17},{k * 5 % 13}\n" for k in range(12)))
    page.goto(f"{server.url}study/")
    page.set_input_files("#upload input", table)
    page.get_by_role("button", name="Use these columns").click()
    expect(page.locator("#study-instances")).to_contain_text("towns")
    wait_for_text(page, "120 runs")
    page.reload()
    page.locator("#study-instances").click()
    wait_for_text(page, "towns")
