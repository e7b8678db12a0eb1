"""Visitors of a shared server: one starts a run, the other watches it and cannot end it, the host can."""

import pytest
from chromium import MODULES
from playwright.sync_api import expect
from serving import PATIENCE, start_server, stop_server
from watching import DRAWN, at, link, opened, said, started, wait_state

WHITE = "rgb(255, 255, 255)"
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
ACT = """async asked => {
    const body = await (await fetch("library/actions", { method: "POST", body: JSON.stringify(asked) })).json();
    return body.sentence || body.says;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = start_server(tmp_path_factory.mktemp("home"), options=("--share",))
    yield running
    stop_server(running)


@pytest.fixture(autouse=True)
def _alone(chromium):
    """A test finds no pages of the ones before it: pages that follow the lecturer are counted."""
    yield
    for context in chromium.contexts:
        context.close()


def visitor(chromium, server, query: str):
    """A page of somebody who has just come in, in a browser of their own."""
    context = chromium.new_context(viewport={"width": 1440, "height": 860})
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(server.url + query)
    page.wait_for_url(server.url)
    return page


def test_the_host_opens_the_page_by_which_a_class_comes_in_and_sees_the_visitors(chromium, server):
    host = visitor(chromium, server, server.host)
    faults = []
    host.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
    host.clock.install()
    host.click("header a[href$='/class/']")
    expect(host.locator(".class-link")).to_have_text(server.url + server.join)
    assert "Only this machine" in host.inner_text(".class-warning:visible")
    assert host.inner_text("#joined").startswith("0 visitors")
    guest = visitor(chromium, server, host.inner_text(".class-link").removeprefix(server.url))
    guest.wait_for_selector("header nav")
    assert not guest.locator("header a[href$='/class/']").count()
    host.clock.run_for(6000)
    said(host, "joined", "1 visitor has come in")
    for width in (1280, 390):
        host.set_viewport_size({"width": width, "height": 720})
        assert host.evaluate("() => document.documentElement.scrollWidth") == width
    for theme in ("light", "dark"):
        host.goto(f"{server.url}class/?theme={theme}")
        assert host.evaluate("() => getComputedStyle(document.querySelector('.class-code')).backgroundColor") == WHITE
    assert faults == []

    host.route("**/class/joined", lambda route: route.fulfill(status=403))  # as a server that has started anew
    host.clock.run_for(6000)
    said(host, "outdated", "started anew")
    assert host.is_visible("#outdated")


def test_others_watch_a_run_and_only_its_owner_and_the_host_end_it(chromium, server):
    anne, bert, host = (visitor(chromium, server, query) for query in (server.join, server.join, server.host))
    opened(anne, link(server, "pr1002", climbers=1_000_000, **{"budget.seconds": 600}))
    run = started(anne)
    wait_state(anne, "running")
    assert anne.is_visible("#run-cancel")
    assert not anne.is_visible("#start")

    opened(bert, f"{server.url}?run={run}")
    said(bert, "run-state", "Another visitor’s run")
    assert bert.is_visible("#start")  # for a run of one's own
    assert not any(bert.is_visible(f"#run-{what}") for what in ("cancel", "pause", "resume", "step"))
    for what in ({"do": "rename", "name": "mine"}, {"do": "tag", "add": ["mine"]}, {"do": "delete"}):
        told = bert.evaluate(ACT, {**what, "keys": [f"run:{run}"]})
        assert told.startswith("This run is another visitor's: only they and the host")
    bert.evaluate("() => document.getElementById('run-cancel').click()")  # as a script might
    said(bert, "start-note", "another visitor's")
    bert.goto(f"{server.url}library/")
    bert.click("#library-body .pick")
    said(bert, "library-picked", "Everything selected is another visitor")
    assert bert.is_disabled("#library-delete-button")
    assert not bert.locator("#library-body .rename").count()

    wait_state(anne, "running")
    anne.click("#run-pause")
    wait_state(anne, "paused")
    opened(host, f"{server.url}?run={run}")
    wait_state(host, "paused")
    host.click("#run-cancel")
    wait_state(anne, "cancelled")
    delete = {"do": "delete", "keys": [f"run:{run}"]}
    while "still running" in (told := anne.evaluate(ACT, delete)):  # its worker may still be busy with the end
        anne.wait_for_timeout(100)
    assert told == "1 run deleted."


def test_the_host_leads_and_another_browser_follows_leaves_and_comes_back(chromium, server):
    host = visitor(chromium, server, server.host)
    opened(host, link(server, "berlin52", climbers=5, **{"budget.seconds": 600}))
    run = started(host)
    wait_state(host, "finished")
    host.evaluate("() => document.activeElement.blur()")
    host.evaluate("() => window.TourScope.player.playClimb(1, false)")
    at(host, 1, 0)
    for move in (1, 2):
        host.keyboard.press("ArrowRight")
        at(host, 1, move)

    guest = visitor(chromium, server, server.join)
    guest.wait_for_function(DRAWN)
    assert not guest.locator("#lead").count()
    host.focus("#lead")
    host.keyboard.press("Enter")
    said(host, "lecture", "You lead: .*1 screen follows")
    said(guest, "lecture", "You see what the lecturer shows")
    guest.wait_for_function("run => window.TourScope.run.id === run", arg=run)
    at(guest, 1, 2)
    host.evaluate("() => document.activeElement.blur()")
    host.keyboard.press("ArrowRight")
    at(guest, 1, 3)

    guest.evaluate("() => document.activeElement.blur()")
    guest.keyboard.press("ArrowLeft")  # who works the player looks around on their own
    at(guest, 1, 2)
    said(guest, "lecture", "You look around on your own")
    said(host, "lecture", "0 screens follow")
    host.keyboard.press("ArrowDown")
    at(host, 2, 0)
    guest.reload()
    said(guest, "lecture", "You look around on your own")
    guest.wait_for_function(DRAWN)
    at(guest, 1, 2)
    guest.focus("#lecture-act")
    guest.keyboard.press("Enter")
    said(guest, "lecture", "You see what the lecturer shows")
    at(guest, 2, 0)

    guest.goto(f"{server.url}library/")
    guest.click("#lecture-link")
    guest.wait_for_url(f"**/?run={run}")
    guest.wait_for_function(DRAWN)
    at(guest, 2, 0)
    opened(host, link(server, "berlin52", "ant-system", **{"budget.seconds": 1}))  # the page leads on
    ants = started(host)
    guest.wait_for_function("run => window.TourScope.run.id === run", arg=ants)
    wait_state(host, "finished")
    host.click("#view label:has-text('Pheromone')")
    host.wait_for_selector(".stage[data-view=pheromone]")
    host.keyboard.press("End")
    shown = "() => [document.querySelector('.stage').dataset.view, window.TourScope.player.state.climb].join()"
    last = host.evaluate("() => `pheromone,${window.TourScope.run.known - 1}`")
    for page in (host, guest):
        page.wait_for_function(f"last => ({shown})() === last", arg=last)
    assert guest.locator("#view input:checked").input_value() == "pheromone"

    host.click("#lecture-act")
    said(guest, "lecture", "The lecture is over")
    assert not host.is_visible("#lecture-act")
    places = []
    host.on("request", lambda request: places.append(request) if request.url.endswith("class/lead") else None)
    host.keyboard.press("Home")
    host.wait_for_function(f"() => ({shown})() === 'pheromone,0'")
    assert (places, guest.evaluate(shown)) == ([], last)
    guest.click("#lecture-act")
    guest.wait_for_function("() => document.documentElement.dataset.lecture === 'none'")

    guest.click("header a[href$='/class/runs']")
    said(guest, "class-rows", "1Hostberlin52")
    for page, who in ((guest, "Host"), (host, "You")):
        page.goto(f"{server.url}class/runs")
        said(page, "class-rows", f"{who}berlin52Ant System")
    guest.select_option("#class-instance", "berlin52")
    guest.wait_for_function("() => document.querySelectorAll('#class-rows tr').length === 2")
    with guest.expect_download() as saved:
        guest.click("a[download]")
    assert saved.value.path().read_text().count("berlin52") == 2


def test_who_follows_goes_along_from_page_to_page(chromium, server):
    host = visitor(chromium, server, server.host)
    opened(host, link(server, "berlin52", climbers=5))
    started(host)
    wait_state(host, "finished")
    host.click("#lead")
    said(host, "lecture", "You lead")
    guest, other = (visitor(chromium, server, server.join) for _ in range(2))
    other.goto(f"{server.url}study/")  # who is at something else by themselves stays there
    said(other, "lecture", "The lecturer is showing another page")
    said(host, "lecture", "1 screen follows")

    host.goto(f"{server.url}race/?instance=berlin52&algorithms=two-opt,nearest-neighbour&seconds=1")
    host.wait_for_function("() => TourScope.race.instance")
    guest.wait_for_url("**/race/")
    host.get_by_role("button", name="Start the race").click()
    host.wait_for_function("() => TourScope.race.state === 'over'")
    race = host.evaluate("() => TourScope.race.id")
    guest.wait_for_function("id => TourScope.race.id === id && TourScope.race.state === 'over'", arg=race)
    whole = host.evaluate("() => TourScope.racePlayer.duration()")
    for second in (whole / 2, whole / 4):
        host.evaluate("at => TourScope.racePlayer.seek(at)", second)
        for page in (host, guest):
            page.wait_for_function("at => Math.abs(TourScope.racePlayer.state.clock - at) < 0.003", arg=second)
    guest.evaluate("() => document.activeElement.blur()")
    guest.keyboard.press("Home")
    said(guest, "lecture", "You look around on your own")
    guest.wait_for_function("() => TourScope.racePlayer.state.clock === 0")
    guest.click("#lecture-act")
    guest.wait_for_function("at => Math.abs(TourScope.racePlayer.state.clock - at) < 0.003", arg=second)

    host.click("header nav a[href$='papers/']")
    guest.wait_for_url("**/papers/")
    said(guest, "lecture", "You see what the lecturer shows")
    said(host, "lecture", "You lead: .*1 screen follows")
    other.click("#lecture-link")
    other.wait_for_url("**/papers/")
    said(host, "lecture", "2 screens follow")
    host.click("#lecture-act")
    said(guest, "lecture", "The lecture is over")
