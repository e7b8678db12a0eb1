"""The pages by Tab, Enter and Escape only; the focus is visible on each, in both themes."""

import json
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from test_browser_keyboard import OUTLINE, tab_to

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
expect.set_options(timeout=PATIENCE)

#: More stops than the shortest of these pages has.
_STOPS = 40
TWO = [{"stages": [{"algorithm": name, "params": {}}]} for name in ("greedy", "nearest-neighbour")]
STUDY = {
    "v": 1, "instances": [{"name": "burma14"}], "seeds": {"first": 1, "count": 2}, "budget": {"seconds": 0.1},
    "entries": [{"label": each["stages"][0]["algorithm"], **each} for each in TWO],
}  # fmt: skip


@pytest.fixture(scope="module")
def server(own_server):
    """A server whose library contains the runs of these tests."""
    return own_server


def enter(page, name: str) -> None:
    """Press Tab from the top of the page to the element with this name, then Enter."""
    page.evaluate("() => document.querySelector('.skip').focus()")
    tab_to(page, name)
    page.keyboard.press("Enter")


@pytest.mark.long
def test_a_study_is_run_and_found_in_the_library(page, server):
    page.goto(f"{server.url}study/?{urlencode({'study': json.dumps(STUDY)})}")
    page.wait_for_function("() => document.querySelectorAll('.lane-card').length === 2")
    page.wait_for_selector("#start:enabled")
    enter(page, "Start the study")
    page.wait_for_function("() => document.getElementById('study-state').textContent.includes('done')")
    enter(page, "Library")
    page.wait_for_selector("#library-body tr")
    enter(page, "(?!Select).+ on burma14; 2 seeds.*")  # beside the box that selects it
    page.wait_for_function(
        "() => window.location.pathname.endsWith('/study/') && window.location.search.includes('id=')"
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "last"),
    [
        ("race/", ".lane-card"), ("study/", ".lane-card"), ("library/", "#library-body tr, .library-nothing"),
        ("papers/?paper=speed", ".paper-entry"), ("learn/", ".lesson-card"),
    ],
)  # fmt: skip
def test_focus_is_visible(page, server, path, last):
    page.goto(server.url + path)
    page.wait_for_selector(last)
    unseen = []
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.bsTheme = theme; }", theme)
        page.focus("#theme-toggle")
        for _ in range(_STOPS):
            page.keyboard.press("Tab")
            focus = page.evaluate(OUTLINE)
            unseen += [] if focus["ring"] or "BODY" in focus["name"] else [f"{theme}: {focus['name']}"]
    assert unseen == []
