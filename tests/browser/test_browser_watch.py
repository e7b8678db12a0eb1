"""The main task in a real browser: start, watch, pause, cancel, reload, share, and recover from a dead server."""

import re
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from chromium import MODULES
from serving import PATIENCE, start_server, stop_server
from watching import (
    BEST,
    POINTS,
    link,
    open_address,
    open_form,
    read_state,
    start_run,
    wait_for_text,
    wait_state,
    wait_until_settled,
)

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: Adds up how far the parts of a page move while it loads, as shares of the window (Layout Instability API).
MOVED = """
    window.moved = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value; })
        .observe({ type: "layout-shift", buffered: true });
"""
FRAMES = "() => window.TourScope.stats.frames"


def button(page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def test_first_visit_ends_with_a_run_that_a_reload_shows_and_a_link_repeats(page, server):
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(MOVED)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    open_form(page, server.url)
    setup = page.get_by_role("region", name="Setup")
    page.get_by_role("columnheader", name="climber").wait_for()
    page.wait_for_selector("#start:enabled")
    assert page.evaluate("() => window.moved") < 0.01, "0.024 where menus and the table came later than their places"
    assert page.get_by_text("CUDA").first.evaluate("element => getComputedStyle(element).textDecorationLine") == "none"
    for chosen in ("berlin52", "2-opt, random restarts"):
        setup.get_by_text(chosen, exact=True).first.wait_for()
    setup.get_by_label("Seed", exact=True).fill("5")
    run = start_run(page)
    before = page.evaluate(FRAMES)
    page.wait_for_function("before => window.TourScope.stats.frames > before + 5", arg=before)
    assert page.evaluate(POINTS) in (53, 55), "the whole tour, or the tour without the two edges that leave"
    page.get_by_text(re.compile(r"^climber \d+ of 1.000 · move \d+ of \d+")).wait_for()
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=7542)
    page.locator(".tile", has_text="best of the run").get_by_text("optimal").wait_for()
    page.get_by_role("row").nth(6).wait_for()  # the head of the table of climbers, and six of them
    assert wait_for_text(page, "ending-sentence", r" of 1.000\.$").startswith("Best 7\u202f542, optimal, found after ")
    page.wait_for_function("() => document.getElementById('ending').dataset.mark === 'best'")
    assert not any("/land-" in address for address in fetched), "there is no map of the globe"

    query = parse_qs(urlparse(page.url).query)
    assert query["run"] == [run]
    assert query["seed"] == ["5"]
    rows = page.evaluate("() => window.TourScope.run.evaluations")
    wait_for_text(page, "hud-run", r"^2-opt, random restarts, \w+ · berlin52 · seed 5$")
    page.evaluate("() => window.dash_clientside.set_props('algorithm', { value: 'greedy' })")
    wait_for_text(page, "hud-run", r"^Previous run: 2-opt, random restarts, \w+ · berlin52 · seed 5$")
    page.reload()
    page.wait_for_function("() => window.TourScope?.run?.id && window.TourScope.player.shown()")
    assert page.evaluate("() => window.TourScope.run.id") == run
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=7542)

    query.pop("run")
    open_address(page, server.url + "?" + urlencode(query, doseq=True))
    assert start_run(page) != run
    wait_state(page, "finished")
    page.wait_for_function(BEST, arg=7542)
    assert page.evaluate("() => window.TourScope.run.evaluations") == rows, "the same climbs"


#: What there is to see of where a run is: its numbers, and the picture that is drawn live.
NUMBERS = """() => {
    const { run, player } = window.TourScope;
    const live = player.state.live ? document.getElementById('hud-where').textContent : '';
    return [run.evaluations, run.rows, live].join(' | ');
}"""


def test_a_run_is_paused_stepped_resumed_and_cancelled(watch_page, server):
    page = watch_page
    open_address(page, link(server, "kroA200", climbers=1_000_000, variant="sequential", **{"budget.seconds": 600}))
    start_run(page)
    button(page, "Pause the run").click()
    wait_state(page, "paused")
    button(page, "live").click()
    page.get_by_text(re.compile(" · live$")).wait_for()  # where the run stands is shown, though nothing moves
    before = wait_until_settled(page, NUMBERS)
    for _ in range(3):
        button(page, "Step").click()
        page.wait_for_function(f"before => ({NUMBERS})() !== before", arg=before)
        before = wait_until_settled(page, NUMBERS)
        assert read_state(page) == "paused"
    evaluations = page.evaluate("() => window.TourScope.run.evaluations")
    button(page, "Resume the run").click()
    wait_state(page, "running")
    page.wait_for_function("before => window.TourScope.run.evaluations > before", arg=evaluations)
    button(page, "Cancel the run").click()
    wait_state(page, "cancelled")


@pytest.mark.long
def test_step_of_the_run_moves_the_player_to_the_run(page, server):
    open_form(page, link(server, "pr1002", climbers=1_000_000, **{"budget.seconds": 600}))
    start_run(page)
    button(page, "Pause the run").click()
    wait_state(page, "paused")
    page.keyboard.press("Home")
    button(page, "Step").click()
    page.get_by_text(re.compile(" · live$")).wait_for()
    assert read_state(page) == "paused"
    button(page, "Cancel the run").click()
    wait_state(page, "cancelled")


@pytest.mark.long
def test_another_instance_closes_the_run(page, server):
    open_form(page, link(server, "burma14", climbers=10))
    start_run(page)
    wait_state(page, "finished")
    page.evaluate("() => window.dash_clientside.set_props('instance', { value: 'eil51' })")
    page.wait_for_function("() => !window.TourScope.run.id && document.getElementById('save-png').disabled")
    page.wait_for_function("() => !window.location.search.includes('run=')")
    for label in ("player-climb-label", "player-move-label"):
        wait_for_text(page, label, "^no run$")


@pytest.mark.long
def test_a_saved_run_opens_again_by_upload(page, server):
    open_form(page, link(server, "burma14", climbers=10))
    run = start_run(page)
    wait_state(page, "finished")
    with page.expect_download() as download:
        button(page, "Run file").click()
    page.get_by_text("Recent runs").click()
    page.set_input_files("#recent-upload input[type=file]", download.value.path())
    page.wait_for_function("run => window.TourScope.run.id && window.TourScope.run.id !== run", arg=run)
    page.wait_for_function("() => window.TourScope.player.shown()")
    wait_state(page, "finished")
    page.wait_for_function(f"() => [15, 17].includes(({POINTS})())")


@pytest.mark.long
def test_other_files_are_refused_beside_the_upload(page, server, tmp_path):
    wrong = tmp_path / "wrong.tourscope"
    wrong.write_bytes(b"no run")
    open_form(page, server.url)
    page.get_by_text("Recent runs").click()
    page.set_input_files("#recent-upload input[type=file]", wrong)
    page.get_by_text("cannot be imported").wait_for()


@pytest.mark.long
def test_dark_theme_is_remembered(page, server):
    open_form(page, server.url)
    button(page, "Light or dark").click()
    page.wait_for_function("() => document.documentElement.dataset.bsTheme === 'dark'")
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.bsTheme === 'dark'")


@pytest.mark.long
def test_page_recovers_when_the_server_returns(chromium, tmp_path):
    """The server crashes during a run; after the restart the page shows the run, marked as interrupted."""
    first = start_server(tmp_path)
    context = chromium.new_context(viewport={"width": 1440, "height": 860})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(path=MODULES)
    page = context.new_page()
    try:
        open_form(page, link(first, "pr1002", climbers=1000, **{"budget.seconds": 600}))
        start_run(page)
        page.wait_for_function("() => window.TourScope.player.shown().count > 0")
        first.process.kill()
        first.process.wait()
        page.wait_for_function("() => document.getElementById('run-cancel').disabled")
        second = start_server(tmp_path, first.port)
        try:
            page.wait_for_function("() => document.body.dataset.runState === 'interrupted'")
            assert page.evaluate("() => window.TourScope.player.shown().count") > 0
            page.wait_for_function("() => document.getElementById('run-state').dataset.kind === 'refusal'")
            page.wait_for_function("() => !document.getElementById('run-cancel').disabled")
        finally:
            stop_server(second)
    finally:
        context.close()
        if first.process.poll() is None:
            stop_server(first)
