"""axe-core checks every page and the most used dialogs in every look: WCAG 2.2 AA and best practices.

No page extends behind its panels, neither on a desktop nor on the narrowest screen.
"""

import pytest
from axe import ALL, needs_axe, short_windows, violations
from watching import link, wait_state

from papers.results import MeasuredTable, Result, save
from runs.races.spec import RaceSpec
from tests.runs.made_up_runs import write_run
from tests.studies.made_up import write_study

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(900), needs_axe]
FOCUSED = "button => document.activeElement === document.querySelector(button)"
STAGES = [{"algorithm": "greedy"}]
RACE = {"v": 1, "instance": {"name": "burma14"}, "lanes": [{"stages": STAGES}] * 2, "budget": {"seconds": 1.0}}


@pytest.fixture(scope="module")
def server(own_server):
    """A server with a finished study and two runs."""
    write_study(own_server.home / "studies" / "made.tourstudy", instances=4, improvements=20, title="Made up")
    for run, instance in (("berlin52aaaa", "berlin52"), ("kroA100bbbbb", "kroA100")):
        write_run(own_server.home / "runs" / f"{run}.tourscope", instance)
    return own_server


def opens_and_closes(page, button: str, visible: str) -> list[str]:
    """axe-core's findings in the dialog or menu that a button opens; closes it again."""
    page.focus(button)
    page.keyboard.press("Enter")
    page.wait_for_selector(visible)
    found = violations(page, ALL)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Escape")
    page.wait_for_selector(visible, state="hidden")
    page.wait_for_function(FOCUSED, arg=button)  # Dash's menus take it back some time after they are gone
    return [f"{visible}, {each}" for each in found]


def test_watch_page_dialogs_and_colony_views(page, server):
    page.goto(link(server, "burma14", "ant-system", iterations=10))
    page.wait_for_selector("#start:enabled")
    page.wait_for_selector("#climbers .ag-header-cell-text")
    found = short_windows(page) + violations(page, ALL)
    for button, visible in (
        ("#instances-open", "#instances-cards .card"),
        ("#variants-open", "#variants[open] #variants-table td"),
        ("#algorithm", ".dash-dropdown-content [role=radiogroup]"),
        ("#recent-open", ".recent .menu"),
    ):
        found += opens_and_closes(page, button, visible)
    page.keyboard.press("?")
    page.wait_for_selector("#keys")
    found += violations(page, ALL)
    page.keyboard.press("Escape")
    page.click("#start")
    wait_state(page, "finished")
    page.wait_for_selector("#climbers .ag-row")
    for view in page.eval_on_selector_all("#view input", "all => all.map((each) => each.value)"):
        page.evaluate("view => dash_clientside.set_props('view', { value: view })", view)
        page.wait_for_selector(f"#stage[data-view={view}]")
        found += violations(page, ALL)
    assert found == []


def test_race_page_and_lane_dialog(page, server):
    page.goto(f"{server.url}race/?{RaceSpec.from_json(RACE).to_query()}")
    page.wait_for_selector("#start:enabled")
    found = short_windows(page) + violations(page, ALL)
    found += opens_and_closes(page, ".lane-card .lane-name", "#item-form[open] #algorithm")
    page.click("#start")
    page.wait_for_function("() => window.TourScope.race.state === 'over'")
    assert found + violations(page, ALL) == []


def test_study_page_entry_dialog_and_finished_study(page, server):
    page.goto(f"{server.url}study/")
    page.wait_for_selector("#start:enabled")
    found = short_windows(page) + violations(page, ALL)
    found += opens_and_closes(page, ".lane-card .lane-name", "#item-form[open] #algorithm")
    page.get_by_role("link", name="Made up").click()
    page.wait_for_selector("#study-anytime path.js-line")
    page.wait_for_selector("#study-ranks table")
    page.wait_for_selector("#study-times table")
    assert found + violations(page, ALL) == []


def test_papers_with_a_chart_and_local_results(page, server):
    measured = MeasuredTable("Instance", ("CPU",), ("ms",), {"d198": ([40.0, 41.0],)}, {"a280, CPU": "Too slow."})
    machine = {"cpu": "Some CPU", "threads": 2, "date": "2026-11-23"}
    save(Result("uchida/table-ii", measured, "cpu", False, 2.0, machine), server.home / "papers")
    page.goto(f"{server.url}papers/?entry=uchida/table-ii")
    page.wait_for_selector("#papers-chart-table-ii .main-svg")
    assert short_windows(page) + violations(page, ALL) == []


def test_lessons_with_a_step_and_a_worksheet(page, server):
    page.goto(f"{server.url}learn/")
    page.wait_for_selector(".lesson-card")
    found = short_windows(page) + violations(page, ALL)
    page.goto(f"{server.url}learn/?lesson=two-opt-stuck")
    page.wait_for_selector(".sheet-step")
    found += short_windows(page) + violations(page, ALL)
    page.goto(f"{server.url}#lesson=two-opt-stuck&step=3")
    page.wait_for_selector("[data-lesson-mark]")
    found += violations(page, ALL)
    page.goto(f"{server.url}#lesson=two-opt-stuck&step=5")
    page.locator(".lesson-answer input").last.check()
    assert found + violations(page, ALL) == []


def test_library_with_commands_and_a_comparison(page, server):
    page.goto(f"{server.url}library/")
    page.wait_for_function("() => document.querySelectorAll('#library-body tr').length >= 2")
    found = short_windows(page) + violations(page, ALL)
    for title in ("2-opt on berlin52", "2-opt on kroA100"):
        page.get_by_role("checkbox", name=f"Select {title}").check()
    found += violations(page, ALL)
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="Back to the list").wait_for()
    assert found + violations(page, ALL) == []
