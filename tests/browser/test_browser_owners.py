"""Visitors of a shared server: one starts a run, the other watches it and cannot end it, the host can."""

import pytest
from chromium import MODULES
from serving import PATIENCE, start_server, stop_server
from watching import link, opened, said, started, wait_state

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
    assert host.inner_text(".class-link") == server.url + server.join
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
