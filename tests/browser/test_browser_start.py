"""Start waits until the address has filled the form and never starts the page's initial values."""

from urllib.parse import parse_qsl, urlparse

import pytest
from playwright.sync_api import expect
from serving import PATIENCE
from watching import Held, drawn_twice

from components.study.address import make_address
from runs.races.spec import RaceSpec
from solvers.spec import RunSpec
from studies.spec.spec import StudySpec

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
    "race": ("race/", "?" + RaceSpec.from_json(RACE).to_query(), "#start", "race-lanes.data"),
    "study": ("study/", make_address(StudySpec.from_json(STUDY)), "#start", "study-instances.value"),
}


def hold_callback(page, output: str) -> Held:
    """Holds back the callback with this output."""
    return Held(page, "_dash-update-component", lambda request: output in request.post_data_json["output"])


def starts(page, button: str) -> list:
    """Collects the requests that Start sends from now on."""
    heard: list = []

    def listen(request) -> None:
        posted = request.post_data_json if "_dash-update-component" in request.url else {"inputs": []}
        called = any(values["id"] == button for values in posted["inputs"] if isinstance(values, dict))
        if called or urlparse(request.url).path == "/start":  # the Watch page posts its form by itself
            heard.append(request)

    page.on("request", listen)
    return heard


def pressed_early(page, server, name: str, fills: str) -> None:
    """Press Start before and after the callback with the output `fills` has filled the form from the address."""
    path, query, button, _ = PAGES[name]
    fill, heard = hold_callback(page, fills), starts(page, button.lstrip("#"))
    page.goto(server.url + path + query)
    page.wait_for_selector(button)
    fill.wait()
    assert not page.is_visible(".settings .field"), "the defaults are not those of the address"
    page.click(button, force=True)
    drawn_twice(page)
    assert page.is_disabled(button)
    fill.let_go()
    page.wait_for_selector(".settings .field")
    page.click(button)
    page.wait_for_function("() => /[?&](run|id)=/.test(location.search)")
    assert len(heard) == 1
    assert parse_qsl(urlparse(page.url).query)[:-1] == parse_qsl(query[1:]), "what was started is that of the address"


def test_start_waits_for_the_address_and_for_another_form(page, server):
    pressed_early(page, server, "watch", PAGES["watch"][3])
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_enabled(timeout=PATIENCE)
    fill = hold_callback(page, "form.children")
    page.evaluate("() => window.dash_clientside.set_props('algorithm', { value: 'ant-system' })")
    fill.wait()
    assert start.is_disabled()
    fill.let_go()
    expect(start).to_be_enabled(timeout=PATIENCE)
    page.get_by_label("Ants").first.wait_for()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "fills"), [*((name, PAGES[name][3]) for name in ("race", "study")), ("watch", "form.children")]
)
def test_early_click_on_start_waits_for_the_address(page, server, name, fills):
    pressed_early(page, server, name, fills)


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_start_works_after_an_invalid_address(page, server, name):
    path, _, button, _ = PAGES[name]
    page.goto(server.url + path + "?v=1&instance=nowhere&race=x&study=x")
    page.wait_for_selector(f"{button}:enabled")
    assert page.inner_text(".launch .refusal").startswith("This link cannot be used")


@pytest.mark.long
def test_start_works_after_the_form_failed_to_fill(context, server):
    path, query, button, fills = PAGES["watch"]
    page = context.new_page()  # one that may log errors
    page.set_default_timeout(PATIENCE)
    fill = hold_callback(page, fills)
    page.goto(server.url + path + query)
    fill.wait()
    fill.refuse()
    page.wait_for_selector(f"{button}:enabled")
    page.close()


def starts_and_is_left(page, button: str, to: str) -> str:
    """Start the form's run and leave by the page's link; return the address that was left."""
    page.click(f"{button}:enabled")
    page.wait_for_function("() => /[?&](run|id)=/.test(location.search)")
    address = page.url
    goes(page, to)
    return address


def goes(page, to: str) -> None:
    page.get_by_role("navigation", name="Pages").get_by_role("link", name=to).click()


@pytest.mark.long
def test_header_links_return_to_the_last_state_of_a_page(page, server):
    path, query, button, _ = PAGES["race"]  # one that ends at once: the next test finds the server idle
    page.goto(server.url + path + query)
    raced = starts_and_is_left(page, button, "Watch")
    page.wait_for_url(server.url)
    watched = starts_and_is_left(page, PAGES["watch"][2], "Race")
    page.wait_for_url(raced)
    page.wait_for_function("() => window.TourScope?.race?.state === 'over'")
    goes(page, "Watch")
    page.wait_for_url(watched)
    page.wait_for_function("() => window.TourScope?.run?.state === 'finished'")
    goes(page, "Watch")
    page.wait_for_url(server.url)  # its own link begins anew


#: Presses Start as soon as that can be done, before the page reads what it reads later.
EARLY = """
(function press() {
    const start = document.querySelector("#start:enabled");
    if (start && window.TourScope?.tour?.painted().cities) start.click();
    else requestAnimationFrame(press);
})();
"""
#: Counts how often it is asked whether an element can be seen, by its id.
ASKED = """
window.asked = {};
const see = Element.prototype.checkVisibility;
Element.prototype.checkVisibility = function (...options) {
    window.asked[this.id] = (window.asked[this.id] || 0) + 1;
    return see.apply(this, options);
};
"""


@pytest.mark.long
def test_lazy_parts_wait_for_the_first_tour_of_a_slow_start(page, server):
    page.clock.install()
    page.add_init_script(EARLY)
    post = Held(page, "/start$")
    page.goto(server.url)
    post.wait()
    page.clock.run_for(1500)  # three times as long as the page waits after a press
    assert page.evaluate("() => !window.Plotly && !window.dash_ag_grid")
    post.let_go()
    page.wait_for_function("() => window.TourScope.stats.frames")
    page.wait_for_function("() => window.Plotly && window.dash_ag_grid")


@pytest.mark.long
def test_start_moves_no_chart_and_requests_no_hidden_one(page, server):
    page.clock.install()
    page.add_init_script(ASKED)
    page.goto(server.url)
    page.wait_for_selector("#start:enabled")
    page.wait_for_selector("#convergence .main-svg", state="attached")
    chart = page.locator("#convergence")
    before = chart.bounding_box()
    page.click("#start")
    page.wait_for_function("() => document.body.dataset.runState === 'finished' && window.TourScope.player.shown()")
    page.clock.run_for(500)
    assert chart.bounding_box() == before
    page.wait_for_function(
        "() => document.getElementById('convergence-sentence').textContent"
    )  # it is in words at once
    asked = page.evaluate("() => window.asked")
    assert max(asked.get(hidden, 0) for hidden in ("ants", "population", "layers")) < 10
