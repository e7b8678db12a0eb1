"""Start waits until the address has filled the form: pressed early it never starts what the page shows first."""

from urllib.parse import parse_qsl, urlparse

import pytest
from serving import PATIENCE
from watching import opened

from components.studies_address import address
from runs.race_spec import RaceSpec
from solvers.spec import RunSpec
from studies.spec import StudySpec

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

STAGES = [{"algorithm": "greedy"}]
CITIES = {"name": "burma14"}
RUN = {"v": 1, "instance": CITIES, "stages": STAGES, "seed": 7}
RACE = {"v": 1, "instance": CITIES, "lanes": [{"stages": STAGES}] * 2, "seed": 7, "budget": {"seconds": 1.0}}
STUDY = {
    "v": 1, "instances": [CITIES], "entries": [{"label": "one", "stages": STAGES}], "seeds": {"first": 7, "count": 2},
    "budget": {"seconds": 1.0},
}  # fmt: skip
#: Of each page: its path, the address that fills its form, its button, and what of the form the address changes.
PAGES = {
    "watch": ("", "?" + RunSpec.from_json(RUN).to_query(), "#start", "instance.value"),
    "race": ("race/", "?" + RaceSpec.from_json(RACE).to_query(), "#race-start", "race-lanes.data"),
    "study": ("study/", address(StudySpec.from_json(STUDY)), "#studies-start", "studies-instances.value"),
}


class Fill:
    """Holds back what fills a page's form until it is let go, and counts how often Start was heard."""

    def __init__(self, page, output: str, button: str) -> None:
        self._page, self._output, self._button = page, output, button.lstrip("#")
        self._back = []
        self.starts = 0
        page.route("**/_dash-update-component?*", self._sort)

    def _sort(self, route) -> None:
        posted = route.request.post_data_json
        self.starts += any(given["id"] == self._button for given in posted["inputs"] if isinstance(given, dict))
        if self._output in posted["output"]:
            self._back.append(route)
        else:
            route.continue_()

    def wait(self) -> None:
        """Wait until the browser has asked for it."""
        for _ in range(PATIENCE // 100):
            if self._back:
                return
            self._page.wait_for_timeout(100)
        raise AssertionError("the form was not asked for")

    def let_go(self) -> None:
        """Pass it on, and from now on everything."""
        self._output = "nothing is called so"
        for route in self._back:
            route.continue_()

    def fail(self) -> None:
        """Refuse it, as a server does that is of another release."""
        self._output = "nothing is called so"
        for route in self._back:
            route.fulfill(status=400, body="no")


@pytest.mark.parametrize(("name", "fills"), [*((name, PAGES[name][3]) for name in PAGES), ("watch", "form.children")])
def test_start_pressed_early_waits_for_the_address(page, server, name, fills):
    path, query, button, _ = PAGES[name]
    fill = Fill(page, fills, button)
    page.goto(server.url + path + query)
    page.wait_for_selector(button)
    fill.wait()
    page.click(button, force=True)
    page.wait_for_timeout(200)
    assert page.is_disabled(button)
    fill.let_go()
    page.click(button)
    page.wait_for_function("() => /[?&](run|id)=/.test(location.search)")
    assert fill.starts == 1
    assert parse_qsl(urlparse(page.url).query)[:-1] == parse_qsl(query[1:]), "what was started is that of the address"


@pytest.mark.parametrize("name", PAGES)
def test_start_can_be_pressed_where_the_address_is_nonsense(page, server, name):
    path, _, button, _ = PAGES[name]
    page.goto(server.url + path + "?v=1&instance=nowhere&race=x&study=x")
    page.wait_for_selector(f"{button}:enabled")
    assert page.inner_text(".launch .refusal").startswith("This link cannot be used")


def test_start_can_be_pressed_though_the_form_could_not_be_filled(context, server):
    path, query, button, fills = PAGES["watch"]
    page = context.new_page()  # one that may log errors
    page.set_default_timeout(PATIENCE)
    fill = Fill(page, fills, button)
    page.goto(server.url + path + query)
    fill.wait()
    fill.fail()
    page.wait_for_selector(f"{button}:enabled")
    page.close()


def test_start_waits_for_the_form_of_another_algorithm(page, server):
    opened(page, server.url)
    page.wait_for_selector("#start:enabled")
    fill = Fill(page, "form.children", "#start")
    page.evaluate("() => window.dash_clientside.set_props('algorithm', { value: 'ant-system' })")
    fill.wait()
    assert page.is_disabled("#start")
    fill.let_go()
    page.wait_for_selector("#start:enabled")
    assert page.is_visible("label:has-text('Ants')")
