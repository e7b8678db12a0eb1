"""A failing callback shows its message on every page, above every dialog.

`tests/assets/faults.test.js` has the answers of all kinds, and when a sentence goes.
"""

import json

import pytest
from playwright.sync_api import expect
from serving import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

expect.set_options(timeout=PATIENCE)
OUT_OF_DATE = "This page is out of date: reload it."
POSTS = "**/_dash-update-component*"


@pytest.fixture
def plain(context):
    """A page whose console may contain errors: the browser logs a line for each response with status 500."""
    view = context.new_page()
    view.set_default_timeout(PATIENCE)
    errors = []
    view.on("pageerror", lambda error: errors.append(str(error)))
    yield view
    view.unroute_all(behavior="ignoreErrors")
    view.close()
    assert not errors


def post_invalid_data(route):
    """Post invalid data that no page sends; the answer comes from the server."""
    body = json.loads(route.request.post_data)
    route.continue_(post_data=json.dumps({**body, "output": "no.such"}))


def refuse(route):
    route.fulfill(status=502, body="At most 12 MiB can be sent.", content_type="text/plain")


def test_failing_callback_shows_its_error_until_it_answers_or_is_closed(watch_page):
    plain = watch_page
    fault = plain.get_by_role("alert")
    seed, dice = plain.get_by_role("spinbutton", name="Seed"), plain.get_by_role("button", name="Another seed")
    plain.route(POSTS, refuse)
    dice.click()
    expect(fault).to_have_text("At most 12 MiB can be sent.")
    plain.get_by_role("button", name="Close this message").click()
    expect(fault).to_have_count(0)
    dice.click()
    expect(fault).to_have_text("At most 12 MiB can be sent.")
    plain.unroute(POSTS)
    before = seed.input_value()
    dice.click()
    expect(fault).to_have_count(0)
    expect(seed).not_to_have_value(before)
    plain.errors.clear()  # the browser writes a line for every answer of 502


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "race/", "study/", "library/", "papers/"])
def test_every_page_shows_the_servers_refusal(plain, server, path):
    plain.route(POSTS, post_invalid_data)
    plain.goto(server.url + path)
    expect(plain.get_by_role("alert")).to_have_text(OUT_OF_DATE)


@pytest.mark.long
def test_message_appears_above_a_dialog_and_can_be_closed(plain, server):
    plain.goto(f"{server.url}race/")
    plain.locator(".lane-name").first.click()
    save = plain.get_by_role("dialog").get_by_role("button", name="Save this lane")
    expect(save).to_be_enabled()
    plain.route(POSTS, refuse)
    save.click()
    expect(plain.get_by_role("alert")).to_have_text("At most 12 MiB can be sent.")
    plain.get_by_role("button", name="Close this message").click()
    expect(plain.get_by_role("alert")).to_have_count(0)
