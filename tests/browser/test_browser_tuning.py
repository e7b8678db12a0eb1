"""A tuning study in a browser: set up, watched, checked on other runs, and saved as a preset for a run."""

import json
import re

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import open_address

from solvers.presets.preset_file import SUFFIX, read
from studies.file.reader import StudyReader
from studies.spec.space import build_search_space
from tests.studies.tuning.small_tuning import PARAMS, VARIED, run_tuning, tuning

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def finished_tuning(server):
    """A finished tuning study in the server's folder."""
    path = server.home / "studies" / "whole.tourstudy"
    run_tuning(path, tuning(trials=16, batch=16))
    return path


def open_tuning(page, server, path) -> None:
    from runs.study_jobs.folders import make_study_id

    page.goto(f"{server.url}study/?id={make_study_id(path.resolve())}")
    page.get_by_role("region", name="Trials", exact=True).wait_for(timeout=PATIENCE)


@pytest.mark.long
def test_tuning_shows_its_trials_and_is_saved_as_a_preset_for_a_run(page, watch_page, server, finished_tuning):
    open_tuning(page, server, finished_tuning)
    trials = page.get_by_role("region", name="Trials", exact=True)
    trials.get_by_text("16 of 16 trials").wait_for(timeout=PATIENCE)
    expect(trials).to_contain_text("Gaps are measured from the optimum of gr17 and burma14.")
    expect(trials).to_contain_text(re.compile("In test runs with new seeds"), timeout=PATIENCE)
    rows = trials.get_by_role("table", name="Table of the trials").locator("tbody tr")
    rows.first.wait_for(timeout=PATIENCE)
    with StudyReader(finished_tuning) as reader:
        found = reader.trials()
        best = dict(reader.spec.entries[1].stages[-1].params)
    assert rows.count() == 16
    states = rows.evaluate_all("rows => rows.map((row) => row.cells[1].textContent)")
    assert sorted(states) == sorted(each.state for each in found)
    trials.get_by_role("img", name="Best trial so far").locator("path.js-line").first.wait_for(timeout=PATIENCE)

    page.get_by_label("Name of the preset").fill("From trials")
    page.get_by_role("button", name="Save as preset").click()
    page.get_by_text("is now in the menu of presets").wait_for(timeout=PATIENCE)
    (file,) = (server.home / "presets").glob(f"*{SUFFIX}")
    preset = read(file)
    assert preset.name == "From trials"
    assert preset.params == {name: value for name, value in best.items() if name != "chains"}
    with page.expect_download() as coming:
        page.get_by_role("link", name="File", exact=True).click()
    assert json.loads(coming.value.path().read_text()) == preset.to_json()

    page = watch_page
    open_address(page, f"{server.url}?instance=gr17&algorithm=simulated-annealing")
    menu = page.get_by_label("Preset")
    menu.wait_for(timeout=PATIENCE)
    menu.select_option(label="From trials (your own)")
    page.wait_for_function(
        "value => document.querySelector('#form select[id*=schedule], #form [id*=schedule]') && "
        "[...document.querySelectorAll('#form input')].some((input) => Number(input.value) === value)",
        arg=preset.params["acceptance"],
        timeout=PATIENCE,
    )


@pytest.mark.long
def test_tuning_is_set_up_on_the_page_and_started(page, server):
    vary = {each.name: each.to_json() for each in build_search_space("simulated-annealing", VARIED)}
    spec = tuning(vary=vary, trials=5, seeds={"count": 1}).to_json() | {"seeds": {"first": 100, "count": 2}}
    page.goto(f"{server.url}study/?study={json.dumps(spec)}")
    rows = page.get_by_role("group", name="Parameters to vary")
    rows.get_by_role("checkbox").first.wait_for(timeout=PATIENCE)
    ticked = rows.get_by_role("checkbox", checked=True)
    expect(ticked).to_have_count(3)
    expect(page.get_by_label("Values of Cooling")).to_have_value("0.8..0.99")
    rows.get_by_role("checkbox", name="Schedule").uncheck()
    page.get_by_label("Values of Cooling").fill("0.9..0.95")
    page.get_by_label("Values of Cooling").press("Tab")
    page.get_by_text("10 runs", exact=False).or_(page.get_by_text("18 runs", exact=False)).first.wait_for(
        timeout=PATIENCE
    )
    page.get_by_role("button", name="Start").click()
    page.get_by_text("5 of 5 trials").wait_for(timeout=5 * PATIENCE)
    newest = max((server.home / "studies").glob("*.tourstudy"), key=lambda path: path.stat().st_ctime)
    with StudyReader(newest) as reader:
        assert {each.name: each.to_json() for each in reader.spec.tune.vary} == {
            "cooling": {"low": 0.9, "high": 0.95, "step": 0.01}, "acceptance": vary["acceptance"],
        }  # fmt: skip
        assert reader.spec.entries[0].stages[-1].params == PARAMS
        assert reader.spec.tune.seeds.count == 1
