"""Every dialog, drawer, menu and mode against axe-core, light and dark, at 320, 1280 and 3840 px.

The pages themselves, and the dialogs that most people open, are in `test_browser_axe`.
"""

import json

import pytest
from axe import check_dialog, needs_axe
from watching import DRAWN, link, open_form, open_save_menu, start_run, wait_for_text, wait_state

from components.learn.collection import ORDER
from papers.catalogue import ALL_PAPERS
from runs.races.spec import RaceSpec
from solvers import SOLVERS
from tests.data.pictures.made_up import encode_picture, portrait
from tests.runs.made_up_runs import write_run

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(1200), needs_axe]

RACE = {"v": 1, "instance": {"name": "burma14"}, "budget": {"seconds": 1.0},
        "lanes": [{"stages": [{"algorithm": name}]} for name in ("greedy", "two-opt", "held-karp")]}  # fmt: skip
TABLE = "town,east,north\nA,0,0\nB,0,30\nC,40,30\nD,40,0\n"
#: All algorithms but those of other packages, which need not be installed.
LISTED = [solver.name for solver in SOLVERS if solver.listed and solver.family != "reference"]
CHOSEN = "([id, value]) => dash_clientside.set_props(id, { value })"
#: As a page is that presents, whose full screen has one size.
PRESENTED = """on => {
    if (on) document.documentElement.dataset.present = 'on';
    else delete document.documentElement.dataset.present;
}"""


@pytest.fixture(scope="module")
def server(own_server):
    """A server with runs that tests list, compare and delete."""
    for run, instance in (("berlin52aaaa", "berlin52"), ("berlin52bbbb", "berlin52"), ("kroA100bbbbb", "kroA100")):
        write_run(own_server.home / "runs" / f"{run}.tourscope", instance)
    return own_server


@pytest.fixture
def climb(page, server):
    """The Watch page with a finished run of 2-opt."""
    open_form(page, link(server, "burma14", climbers=3))
    start_run(page)
    wait_state(page, "finished")
    return page


def close_dialog(page, dialog: str) -> None:
    page.keyboard.press("Escape")
    page.wait_for_selector(f"{dialog}[open]", state="hidden")


def test_dialog_of_instances_in_both_parts_and_dialog_of_columns(page, server, tmp_path):
    page.goto(link(server, "berlin52"))
    page.wait_for_function(DRAWN)
    page.click("#instances-open")
    page.wait_for_selector("#instances-cards .card")
    found = check_dialog(page, "instances, list")
    page.evaluate(CHOSEN, ["instances-part", "own"])
    for kind in ("clustered", "directed"):
        page.evaluate(CHOSEN, ["generator-class", kind])
        found += check_dialog(page, f"instances, {kind}")
    (tmp_path / "towns.csv").write_text(TABLE)
    page.set_input_files("#instances-upload input[type=file]", tmp_path / "towns.csv")
    page.wait_for_selector("#columns[open] .sample td")
    found += check_dialog(page, "columns")
    assert not found, "\n".join(found)


def test_drawing_dialog(page, server):
    page.goto(link(server, "berlin52"))
    page.wait_for_function(DRAWN)
    page.click("#draw-open")
    page.wait_for_selector("#draw[open]")
    found = check_dialog(page, "draw, empty")
    box = page.locator("#draw-board").bounding_box()
    for across, down in ((0.2, 0.2), (0.8, 0.2), (0.5, 0.8), (0.3, 0.5)):
        page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
    for summary in page.locator("#draw summary").all():
        summary.click()
    found += check_dialog(page, "draw, with cities")
    assert not found, "\n".join(found)


def test_video_and_moments_dialogs_and_picture_settings(climb):
    found = []
    for button in ("#save-video", "#save-moments"):
        open_save_menu(climb)
        climb.click(button)
        climb.wait_for_function("() => document.querySelector('#video[open] #video-make')?.disabled === false")
        found += check_dialog(climb, button)
        close_dialog(climb, "#video")
    open_save_menu(climb)
    climb.click(".picture-menu summary")
    found += check_dialog(climb, "settings of pictures")
    assert not found, "\n".join(found)


def test_end_with_a_proof_list_of_places_and_tree_of_the_bound(page, server):
    open_form(page, link(server, json.dumps({"places": "de", "n": 8}), algorithm="greedy"))
    start_run(page)
    wait_state(page, "finished")
    wait_for_text(page, "prove-sentence", "^Held-Karp")
    found = check_dialog(page, "end with an offer of a proof")
    open_save_menu(page)
    page.click("#save-places")
    page.wait_for_selector("#itinerary[open] tbody tr")
    found += check_dialog(page, "list of places")
    close_dialog(page, "#itinerary")
    page.click("#bound-start")
    page.click("#bound-why")
    page.wait_for_selector("#lower-bound[open]")
    found += check_dialog(page, "1-tree")
    page.click("label[for=lower-bound-moats]")
    wait_for_text(page, "lower-bound-sentence", "straight lines in the plane")
    found += check_dialog(page, "moats of places on the globe")
    close_dialog(page, "#lower-bound")
    assert not found, "\n".join(found)


def test_picture_dialog(page, server):
    page.goto(link(server, "berlin52"))
    page.wait_for_function(DRAWN)
    page.click("#instances-open")
    page.click("#picture-open")
    page.wait_for_selector("#picture[open]")
    found = check_dialog(page, "picture, none chosen")
    file = {"name": "face.png", "mimeType": "image/png", "buffer": encode_picture(portrait())}
    page.set_input_files("#picture-file", file)
    page.fill("#picture-cities", "120")
    found += check_dialog(page, "picture, chosen")
    page.click("#picture-make")
    page.wait_for_selector("#picture-use:enabled")
    found += check_dialog(page, "picture, its cities")
    close_dialog(page, "#picture")
    assert not found, "\n".join(found)


def test_predicting_presenting_and_drawing_by_hand(climb, server):
    found = []
    climb.evaluate("() => window.TourScope.player.playClimb(0, false)")
    climb.click("#predict-on")
    climb.wait_for_function("() => document.querySelector('.stage').dataset.predict === 'asking'")
    found += check_dialog(climb, "predict")
    climb.click("#predict-on")
    climb.evaluate(PRESENTED, True)
    found += check_dialog(climb, "present")
    climb.evaluate(PRESENTED, False)
    climb.click("#hand-open")
    found += check_dialog(climb, "by hand")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("algorithm", LISTED)
def test_finished_run_of_each_algorithm_in_each_view(page, server, algorithm):
    found = []
    open_form(page, link(server, "burma14", algorithm, **{"budget.seconds": 1}))
    page.click("#start")
    wait_state(page, "finished")
    for view in page.eval_on_selector_all("#view input", "all => all.map((each) => each.value)"):
        page.evaluate(CHOSEN, ["view", view])
        page.wait_for_selector(f"#stage[data-view={view}]")
        found += check_dialog(page, view)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("algorithm", LISTED)
def test_drawer_of_each_algorithm(page, server, algorithm):
    open_form(page, link(server, "burma14", algorithm))
    page.click("#how-open")
    page.wait_for_selector("#how[open] .how-body section")
    found = check_dialog(page, "drawer")
    page.click("#how button:has-text('All algorithms')")
    page.wait_for_selector("#how [data-algorithm]")
    found += check_dialog(page, "all algorithms")
    assert not found, "\n".join(found)


def test_a_document_as_a_page(page, server):
    found = []
    for path in ("glossary.md", "algorithms/two-opt.md", "race.md"):
        page.goto(f"{server.url}docs/{path}")
        page.wait_for_selector("main h1")
        found += check_dialog(page, path)
    assert not found, "\n".join(found)


def test_race_page_menus_dialogs_and_presented_lanes(page, server):
    page.goto(f"{server.url}race/?{RaceSpec.from_json(RACE).to_query()}")
    page.wait_for_selector("#start:enabled")
    page.click("#instances-open")
    page.wait_for_selector("#instances-cards .card")
    found = check_dialog(page, "instances")
    close_dialog(page, "#instances")
    page.click("#start")
    page.wait_for_function("() => window.TourScope.race.state === 'over'")
    page.click(".recent summary, .recent button >> nth=0")
    found += check_dialog(page, "recent races")
    page.keyboard.press("Escape")
    open_save_menu(page)
    page.click(".picture-menu summary")
    found += check_dialog(page, "settings of pictures")
    page.evaluate(PRESENTED, True)
    found += check_dialog(page, "present")
    page.goto(f"{server.url}race/?runs=berlin52aaaa,berlin52bbbb")
    page.wait_for_function("() => window.TourScope.race?.state === 'over'")
    found += check_dialog(page, "compared")
    assert not found, "\n".join(found)


def test_library_with_name_field_tags_and_trash(page, server):
    page.goto(f"{server.url}library/")
    page.wait_for_selector("#library-body tr")
    page.locator(".rename").first.click()
    found = check_dialog(page, "rename")
    page.keyboard.press("Escape")
    page.locator(".pick").first.click()
    page.click("#library-tag-button")
    page.keyboard.type("good")
    page.keyboard.press("Enter")
    page.wait_for_selector("#library-tags-here button")
    found += check_dialog(page, "tags")
    page.click("#library-delete-button")
    page.wait_for_selector("#library-toast:not([hidden]) button")
    page.focus("#library-toast button")
    found += check_dialog(page, "deleted, with Undo")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#library-body .entry-tag').length === 1")
    page.fill("#library-search", "no such run")
    page.get_by_text("Nothing matches").wait_for()
    found += check_dialog(page, "nothing found")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("paper", [paper.id for paper in ALL_PAPERS])
def test_each_paper_with_its_entries(page, server, paper):
    page.goto(f"{server.url}papers/?paper={paper}")
    page.wait_for_selector(".paper-entry")
    found = check_dialog(page, paper)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lesson", ORDER)
def test_each_lesson_as_a_worksheet(page, server, lesson):
    page.goto(f"{server.url}learn/?lesson={lesson}")
    page.wait_for_selector(".sheet-step")
    found = check_dialog(page, lesson)
    assert not found, "\n".join(found)
