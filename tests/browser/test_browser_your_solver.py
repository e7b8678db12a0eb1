"""A user's own solver on the Watch page: chosen, run, changed while the page is open, faulty, mended."""

import pytest
from playwright.sync_api import expect
from serving import PATIENCE, start_server, stop_server

from tests.solvers.user_files.mine import written

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
END = "climb.end(evaluations)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mine")


@pytest.fixture(scope="module")
def server(tmp_path_factory, folder):
    running = start_server(tmp_path_factory.mktemp("home"), options=["--solver", str(written(folder))])
    yield running
    stop_server(running)


def run(page, state: str) -> None:
    """Press Start, and wait for the end of the run."""
    before = page.url
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_enabled(timeout=PATIENCE)
    start.click()
    page.wait_for_function("before => location.href !== before && /run=/.test(location.search)", arg=before)
    expect(page.locator("#run-state")).to_contain_text(state, timeout=PATIENCE)


def test_a_file_is_chosen_run_edited_and_run_again(page, server, folder):
    page.goto(f"{server.url}?instance=burma14")
    page.click("#algorithm")
    expect(page.get_by_text("Your solver", exact=True)).to_be_visible(timeout=PATIENCE)
    page.get_by_text("My solver", exact=True).click()
    expect(page.get_by_label("2-opt", exact=True)).to_be_visible(timeout=PATIENCE)
    run(page, "Finished")
    expect(page.locator("#hud-run")).to_have_text("My solver, own · burma14 · seed 1", timeout=PATIENCE)
    page.wait_for_function("() => /of [1-9]/.test(document.querySelector('#page').innerText)", timeout=PATIENCE)
    written(folder, (END, "climb.end(nothing)"))
    run(page, "mine.py, line 55: NameError: name 'nothing' is not defined.")
    written(folder)
    run(page, "Finished")
