"""The special pages of shared servers and of framed runs, against axe-core, in every theme and width."""

import pytest
from axe import check_dialog, needs_axe
from chromium import MODULES
from serving import PATIENCE, start_server, stop_server
from watching import DRAWN, link, open_form, open_save_menu, start_run, wait_for_text, wait_state

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(1200), needs_axe]

#: A question to the class, as Predict and lessons ask it.
ASK = """() => document.dispatchEvent(new CustomEvent('ask-class', {
    detail: { text: 'Which?', answers: ['This', 'That', 'A longer answer, on two lines'], right: 1, marks: null },
}))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = start_server(tmp_path_factory.mktemp("home"), options=("--share",))
    yield running
    stop_server(running)


@pytest.fixture
def visitor(chromium):
    """Creates visitors' pages, each in its own browser."""
    contexts = []

    def open_page(address: str):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        contexts.append(context)
        context.add_init_script(path=MODULES)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_class_joins_is_led_and_sees_all_runs(visitor, server):
    host, guest = visitor(server.url + server.host), visitor(server.url + server.join)
    host.wait_for_url(server.url)
    open_form(host, link(server, "burma14", climbers=3))
    start_run(host)
    wait_state(host, "finished")
    guest.wait_for_url(server.url)
    guest.wait_for_function(DRAWN)
    host.click("#lead")
    wait_for_text(guest, "lecture", "You see what the lecturer shows")
    found = check_dialog(host, "lecturer") + check_dialog(guest, "follower")
    host.evaluate(ASK)
    for page, name in ((host, "asked"), (guest, "answering")):
        page.wait_for_selector(".question:not([hidden])")
        found += check_dialog(page, name)
    guest.click("button.question-answer")
    host.click(".question-acts .primary")
    guest.wait_for_selector(".question-answer[data-right=true]")
    found += check_dialog(host, "answer") + check_dialog(guest, "answer of a visitor")
    host.click(".question-acts .primary")
    guest.wait_for_selector(".question", state="hidden")
    open_form(guest, link(server, "burma14", climbers=3))
    start_run(guest)
    wait_state(guest, "finished")
    for page, name in ((host, "host"), (guest, "guest")):
        page.goto(f"{server.url}class/runs")
        page.wait_for_selector("tbody tr")
        found += check_dialog(page, f"everybody's runs, {name}")
    host.goto(f"{server.url}class/")
    host.wait_for_selector(".class-link")
    found += check_dialog(host, "how a class comes in")
    assert not found, "\n".join(found)


def test_framed_run_and_its_dialog(visitor, tmp_path):
    server = start_server(tmp_path, options=("--embed", "https://www.example.org"))
    try:
        page = visitor(link(server, "burma14", climbers=3))
        page.wait_for_function(DRAWN)
        run = start_run(page)
        wait_state(page, "finished")
        open_save_menu(page)
        page.click("#save-html")
        page.wait_for_selector("#frame[open]")
        found = check_dialog(page, "frame")
        page.goto(f"{server.url}runs/{run}/embed")
        page.wait_for_selector("canvas")
        found += check_dialog(page, "a run by itself")
        assert not found, "\n".join(found)
    finally:
        stop_server(server)
