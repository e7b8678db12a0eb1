"""A callback that fails says so on the page, on whichever page and above whichever dialog."""

import json

import pytest
from serving import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

UNFIT = "This page is out of date: reload it."
POSTS = "**/_dash-update-component*"


@pytest.fixture
def plain(context):
    """A page whose console is not held against it: the browser writes a line for every answer of 500."""
    view = context.new_page()
    view.set_default_timeout(PATIENCE)
    errors = []
    view.on("pageerror", lambda error: errors.append(str(error)))
    yield view
    view.unroute_all(behavior="ignoreErrors")
    view.close()
    assert not errors


def spoil(route):
    """Post what no page posts; the answer is the server's own."""
    body = json.loads(route.request.post_data)
    route.continue_(post_data=json.dumps({**body, "output": "no.such"}))


def fail_with(status, **answer):
    return lambda route: route.fulfill(status=status, **answer)


def sentence(page):
    page.wait_for_selector("#fault")
    return page.locator("#fault").text_content()


def ready(page, url):
    page.goto(url)
    page.wait_for_function("() => document.querySelector('#instance-note')?.textContent")


@pytest.mark.parametrize(
    "path", ["", *(pytest.param(path, marks=pytest.mark.long) for path in ("race/", "study/", "library/"))]
)
def test_every_page_says_what_the_server_says_of_a_post_that_it_refuses(plain, server, path):
    plain.route(POSTS, spoil)
    plain.goto(server.url + path)
    assert sentence(plain) == UNFIT
    assert plain.locator("#fault").get_attribute("role") == "alert"


@pytest.mark.long
def test_a_sentence_goes_when_it_is_closed_or_the_callback_answers_again(plain, server):
    ready(plain, server.url)
    plain.route(POSTS, fail_with(500, json={"sentence": "The disk is full."}))
    plain.locator("#seed-dice").click()
    assert sentence(plain) == "The disk is full."
    plain.get_by_label("Close this message").click()
    plain.wait_for_selector("#fault", state="detached")
    plain.locator("#seed-dice").click()
    assert sentence(plain) == "The disk is full."
    plain.unroute(POSTS)
    before = plain.locator("#seed").input_value()
    plain.locator("#seed-dice").click()
    plain.wait_for_selector("#fault", state="detached")
    plain.wait_for_function("before => document.querySelector('#seed').value !== before", arg=before)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"body": "At most 12 MiB can be sent.", "content_type": "text/plain"}, "At most 12 MiB can be sent."),
        *(
            pytest.param(answer, "The server could not answer. Its log may say why.", marks=pytest.mark.long)
            for answer in ({"body": "<html>", "content_type": "text/html"}, {"json": ["sentence"]})
        ),
    ],
)
def test_an_answer_of_whatever_kind_is_told_in_a_sentence(plain, server, answer, said):
    plain.route(POSTS, fail_with(502, **answer))
    plain.goto(server.url)
    assert sentence(plain) == said


@pytest.mark.long
def test_a_sentence_stands_above_a_dialog_and_can_be_closed_there(plain, server):
    ready(plain, f"{server.url}race/")
    plain.locator("#race-add").wait_for()
    plain.locator(".lane-name").first.click()
    plain.wait_for_selector("dialog#race-form[open]")
    plain.route(POSTS, fail_with(500, json={"sentence": "The disk is full."}))
    plain.locator("#race-use").click()
    assert sentence(plain) == "The disk is full."
    plain.get_by_label("Close this message").click()
    plain.wait_for_selector("#fault", state="detached")


@pytest.mark.parametrize(
    ("address", "note"),
    [
        (f"?v=1&instance=berlin52&algorithm=two-opt&climbers={'1' * 400}", "#start-note"),
        *(
            pytest.param(
                f"?v=1&instance=berlin52&algorithm=two-opt&{name}={'1' * 400}", "#start-note", marks=pytest.mark.long
            )
            for name in ("budget.seconds", "seed")
        ),
        pytest.param(f"race/?race={'[' * 988}{']' * 988}", "#race-note", marks=pytest.mark.long),
        pytest.param(f"study/?study={'[' * 988}{']' * 988}", "#study-note", marks=pytest.mark.long),
    ],
    ids=["400 digits", "400 digits of seconds", "seed of 400 digits", "race of depth 988", "study of depth 988"],
)
def test_a_link_that_cannot_be_used_says_so(page, server, address, note):
    page.goto(server.url + address)
    page.wait_for_function("note => document.querySelector(note)?.textContent", arg=note)
    said = page.locator(note).text_content()
    assert said.startswith("This link cannot be used: ")
    assert len(said) < 250
    assert page.locator("#fault").count() == 0
