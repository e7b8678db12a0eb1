"""The study page in a browser: a finished study opens quickly; another is begun, cancelled, gone on with, saved."""

import csv

import psutil
import pytest
from serving import PATIENCE
from watching import Held

from runs.study_jobs.folders import id_of
from studies.file.reader import StudyReader
from studies.pool.process import WORKER
from studies.report.summary import summarise
from tests.clock import wait_until
from tests.studies.made_up import made_up

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

MATRIX = "() => [...document.querySelectorAll('#study-matrix tbody tr')].map(r => [...r.cells].map(c => c.textContent))"


@pytest.fixture(scope="module")
def server(own_server):
    """A server whose home folder has what these tests put there, and nothing else."""
    return own_server


@pytest.fixture(scope="module")
def finished(server):
    """A finished study in the server's folder."""
    return made_up(server.home / "studies" / "made.tourstudy", instances=12, improvements=60, title="Made up")


def state(page, begins: str) -> None:
    page.wait_for_function(
        "begins => document.getElementById('study-state')?.textContent.startsWith(begins)",
        arg=begins,
        timeout=PATIENCE,
    )


def open_made(page, server) -> None:
    """Open the finished study by its address, and wait until its matrix and its first chart are drawn."""
    page.goto(f"{server.url}study/")
    href = page.get_attribute("#study-here a:has-text('Made up')", "href")
    page.goto(server.url.rstrip("/") + href)
    page.wait_for_selector("#study-matrix td")
    page.wait_for_selector("#study-anytime .scatterlayer path.js-line")


def test_a_finished_study_shows_its_numbers_before_any_callback_is_answered_and_plotly_there(page, server, finished):
    """How soon that is: `python -m benchmarks study-page`."""
    page.goto(f"{server.url}study/")
    href = page.get_attribute("#study-here a:has-text('Made up')", "href")
    held = Held(page, "_dash-update-component|plotly")
    page.goto(server.url.rstrip("/") + href, wait_until="commit")
    page.wait_for_function(f"() => ({MATRIX})().length === 12")
    first = page.evaluate(MATRIX)
    held.wait(lambda routes: len({"plotly" in route.request.url for route in routes}) == 2)
    held.let_go()
    page.wait_for_selector("#study-anytime .scatterlayer path.js-line")
    assert page.evaluate(MATRIX) == first
    with StudyReader(finished) as reader:
        found = summarise(reader.table())
    rows = page.evaluate(MATRIX)
    assert len(rows) == 12
    for row, gaps in zip(rows, found.median.tolist(), strict=True):
        told = [float(cell.split("\u202f")[0]) for cell in row[1:]]
        assert told == pytest.approx(gaps, abs=0.051)
    page.wait_for_selector("#study-words:has-text(' is better than ')")
    page.wait_for_selector("#study-times td", state="attached")
    assert page.locator("#study-ranks tbody tr").count() == 5


@pytest.mark.long
def test_an_instance_a_budget_and_the_data_of_a_chart(page, server, finished, tmp_path):
    open_made(page, server)
    page.click("[data-instance='3']")
    page.wait_for_function("() => document.getElementById('study-accuracy-says').textContent.includes('uniform')")
    page.wait_for_selector("[data-instance='3'][aria-pressed=true]")
    before = page.inner_text("#study-spread-says")
    page.focus("#study-budget")
    page.keyboard.press("Home")
    page.wait_for_function("b => document.getElementById('study-spread-says').textContent !== b", arg=before)
    page.wait_for_function("() => document.getElementById('study-budget-says').textContent.includes('ms')")
    marks = "() => ['anytime', 'ecdf'].map((name) => TourScope.graph(`study-${name}`).layout.shapes.length)"
    page.wait_for_function(f"() => ({marks})().every((count) => count === 1)")
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({marks})().every((count) => count === 0)")
    with page.expect_download() as coming:
        page.click("[data-chart='study-anytime'][data-save='csv']")
    coming.value.save_as(tmp_path / "chart.csv")
    rows = list(csv.DictReader((tmp_path / "chart.csv").open(newline="")))
    assert {row["series"] for row in rows} >= {"A two-opt", "B ant-system, upper quartile"}
    assert all(float(row["x"]) > 0 for row in rows)
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg")):
        with page.expect_download() as coming:
            page.click(f"[data-chart='study-spread'][data-save='{kind}']")
        coming.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(start)


def finished_runs(server) -> int:
    """How many runs of the newest study are done."""
    newest = max((server.home / "studies").glob("*.tourstudy"), key=lambda path: path.stat().st_ctime)
    with StudyReader(newest) as reader:
        return reader.counts()["finished"]


def workers(server) -> list[psutil.Process]:
    """The processes that do the runs of studies."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    found = [child for child in children if child.name().startswith("studies.pool") or WORKER in child.cmdline()]
    assert found
    return found


def test_a_study_is_begun_cancelled_gone_on_with_and_linked(page, server):
    page.goto(f"{server.url}study/")
    page.wait_for_selector("#study-cost:has-text('90 runs')")
    page.fill("#study-seeds", "2")
    page.fill("#study-amount", "0.3")
    page.click("text=More settings")
    page.click("#device label:has-text('CPU')")  # else it waits until it is known which GPUs there are
    page.wait_for_selector("#study-cost:has-text('18 runs')")
    page.click("#study-start")
    page.wait_for_function("() => location.search.includes('id=')")
    wait_until(lambda: finished_runs(server) > 0)
    for worker in workers(server):
        worker.suspend()  # else a page that other work holds up would find that all is done
    page.wait_for_selector("#study-matrix td:has-text('/2')")
    page.click("#study-cancel")
    state(page, "Stopped")
    page.click("#study-resume")
    state(page, "All 18 runs are done.")
    address = page.url
    page.goto(address)
    state(page, "All 18 runs are done.")
    page.wait_for_selector("#study-start:enabled")  # the address has filled the form
    assert page.input_value("#study-seeds") == "2"
    page.goto(f"{server.url}race/")
    page.click("nav a:has-text('Study')")
    page.wait_for_url(address)  # where it was left
    page.click("nav a:has-text('Study')")
    page.wait_for_selector("#study-here a:has-text('18 of 18 runs')")


@pytest.mark.long
def test_one_entry_over_a_parameter_in_the_dark_on_a_narrow_screen(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}study/")
    page.click("#theme-toggle")
    page.click("#study-add")
    page.wait_for_selector("#study-form[open]")
    page.select_option("#study-over", label="Climbers")
    page.fill("#study-over-values", "1, 10, ten")
    page.click("#study-use")
    page.wait_for_selector("#study-form-note:not(:empty)")
    page.fill("#study-over-values", "1, 10, 100")
    page.click("#study-use")
    page.wait_for_selector("#study-form:not([open])", state="attached")
    page.wait_for_function("() => document.querySelectorAll('#study-entry-list .lane-card').length === 6")
    assert not page.is_visible("#study-form")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


@pytest.mark.long
def test_a_file_that_cannot_be_read_for_a_moment_is_shown_as_soon_as_it_can(page, server):
    path = made_up(server.home / "studies" / "moment.tourstudy", instances=2, title="A moment")
    sound = path.read_bytes()
    path.write_bytes(bytes(len(sound)))
    page.goto(f"{server.url}study/?id={id_of(path.resolve())}")
    state(page, "moment.tourstudy is not a study file")
    path.write_bytes(sound)
    state(page, "All ")
    page.wait_for_selector("#study-anytime .scatterlayer path.js-line")
    assert len(page.evaluate(MATRIX)) == 2


@pytest.mark.long
def test_charts_that_nobody_has_scrolled_to_are_printed(page, server, finished):
    page.set_viewport_size({"width": 1280, "height": 640})
    open_made(page, server)
    page.wait_for_function("() => document.getElementById('study-spread-says').textContent")
    assert page.locator("#study-spread svg").count() == 0
    page.emulate_media(media="print")
    assert page.locator(".studies .setup").is_hidden()
    assert page.locator(".studies .saves:visible").count() == 0
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_selector("#study-spread svg .boxlayer", state="attached")
