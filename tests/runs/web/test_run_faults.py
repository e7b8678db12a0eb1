"""Every request is answered with a sentence, and the server's internal errors are logged."""

import asyncio
import errno
import json
import logging
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from dash.exceptions import PreventUpdate
from starlette.responses import StreamingResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from components.library import comparison
from components.library import ids as library_ids
from components.shell import header
from data.collection.resolve import load
from runs.computing.computations import Computations
from runs.store.open_run import UnreadableRun
from runs.store.run_file import Entry, RunWriter
from runs.stream.session import Viewer
from runs.web import downloads, instances
from runs.web.log import LINE, LINES, BoundedFormatter
from solvers.worker.frames import encode, instance_frame
from tests.runs.served import BASE
from tests.runs.web.hostile_posts import Posts
from tests.runs.web.hostile_routes import requests
from tests.tables import each_row

pytestmark = pytest.mark.slow

SEED = 15
#: Odd values for each argument of each callback; all of them are some seventy.
OF_EACH = 10
#: One in so many of the odd posts and requests is sent, drawn by lot; all of them take long.
ONE_IN = pytest.mark.parametrize("one_in", [8, pytest.param(1, marks=pytest.mark.long)])
FAULT = "This could not be done because of an error in the program; see the server's log."


@pytest.fixture(scope="module")
def posts(served):
    return Posts(served)


def fault(answer, home) -> str:
    """The fault of an answer; empty if it is a permitted response."""
    if answer.status >= 500 and answer.status != 503:
        return f"status {answer.status}"
    if answer.status < 400:
        return ""
    sentence = answer.sentence
    if not sentence or len(sentence) > 500 or len(sentence.splitlines()) > 1:
        return f"not one sentence: {answer.body[:200]!r}"
    output = answer.body.decode()
    return f"tells too much: {output[:300]}" if "Traceback" in output or str(home) in output else ""


async def send_posts(served, sent):
    """The response to each request."""
    return [(post, await served.post(post.page, post.body)) for post in sent]


def callback_name(post) -> str:
    """The name of the callback, if it has one."""
    named = post.body.get("output") if isinstance(post.body, dict) else None
    return named[:80] if isinstance(named, str) else ""


def sampled_posts(sent, one_in) -> list:
    """A fixed sample of all possible requests, one in this many."""
    every = list(sent)
    return random.Random(SEED).sample(every, len(every) // one_in)


def faults_in(caplog) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == "runs.web.faults"]


def test_own_posts_of_the_page_are_answered(served, posts):
    for post, answer in asyncio.run(send_posts(served, posts.plain)):
        assert answer.status in (200, 204), (post.body["output"], answer.body[:300])


@ONE_IN
def test_a_post_with_one_odd_thing_in_it_is_refused_or_answered(served, posts, caplog, one_in):
    sent = sampled_posts(posts.odd(random.Random(SEED), OF_EACH), one_in)
    found, faults, statuses = asyncio.run(send_posts(served, sent)), [], {}
    for post, answer in found:
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        if wrong := fault(answer, served.home):
            faults.append((post.page.config.requests_pathname_prefix, callback_name(post), post.odd, wrong))
    assert not faults, f"{len(faults)} of {len(found)}: {faults[:10]}"
    assert not faults_in(caplog)
    assert statuses[200] > 1000 / one_in, statuses  # not all are refused at the door
    assert statuses[400] > 4000 / one_in, statuses


@ONE_IN
def test_odd_request_to_a_route_is_refused_or_answered(served, caplog, one_in):
    async def send_requests():
        return [
            (each, await served.ask(each.method, each.path, each.body, each.query, **each.headers)) for each in sent
        ]

    sent = sampled_posts(requests(served), one_in)
    faults = [
        (each[:4], wrong) for each, answer in asyncio.run(send_requests()) if (wrong := fault(answer, served.home))
    ]
    assert not faults, f"{len(faults)} of {len(sent)}: {faults[:10]}"
    assert not faults_in(caplog)
    assert len(sent) > 1000 / one_in


#: Seconds of parsing, in which nothing else of the server goes on.
MANY_VALUES = b"[" + b"[]," * 4_000_000 + b"[]]"
PIECE = 1 << 16


def pieces(body):
    """A body received in pieces, and the number of pieces that were read."""
    taken = []

    async def receive():
        taken.append(body[len(taken) * PIECE : (len(taken) + 1) * PIECE])
        return {"type": "http.request", "body": taken[-1], "more_body": len(taken) * PIECE < len(body)}

    return receive, taken


def test_post_of_too_many_values_is_refused_before_parsing(served, monkeypatch):
    async def told(path):
        receive, taken = pieces(MANY_VALUES)
        answer = await served.ask("POST", path, MANY_VALUES, receive=receive, content_type="application/json")
        return answer.status, answer.sentence, len(taken)

    monkeypatch.setattr("starlette.requests.json", None)  # with which Dash parses
    paths = [page.config.requests_pathname_prefix for page in served.pages]
    for path in (*paths, *(f"{path}_dash-update-component" for path in paths), "/foo/_dash-update-component"):
        status, sentence, taken = asyncio.run(told(path))
        assert (status, sentence) == (413, "There are too many values in this request."), path
        assert taken < 10, path


@each_row("path", ["start", "by-hand", "prove", "library/actions", "papers/jobs"])
def test_route_refuses_too_many_values_before_parsing(served, monkeypatch, path):
    monkeypatch.setattr("data.plain_json.json", None)
    answer = asyncio.run(served.ask("POST", BASE + path, MANY_VALUES, content_type="application/json"))
    assert answer.status == 400
    assert answer.body


def test_odd_posts_find_a_reader_that_trusts_its_input(served, posts, monkeypatch):
    monkeypatch.setattr(header, "known_devices", lambda status: status["devices"][0]["kind"])
    chosen = (post for post in posts.odd(random.Random(SEED), OF_EACH) if callback_name(post) == "device-chip.children")
    assert {answer.status for _, answer in asyncio.run(send_posts(served, chosen))} == {200, 400, 500}


@each_row(
    ("path", "method"),
    [
        ("/foo/_dash-update-component", "POST"),
        (f"{BASE}foo/_dash-update-component", "POST"),
        (f"{BASE}_dash-component-suites/foo/bar.js", "GET"),
        (f"{BASE}race/_dash-component-suites/dash/nothing.js", "GET"),
    ],
)
def test_unknown_page_is_not_found(served, path, method):
    answer = asyncio.run(served.ask(method, path, b"{}", content_type="application/json"))
    assert (answer.status, bool(answer.sentence)) == (404, True)


def compare(served, posts):
    """Compare runs, with the request of the library page."""
    [post] = [each for each in posts.plain if f"{library_ids.CHART}.figure" in each.body["output"]]
    return asyncio.run(served.post(post.page, post.body))


def fails(error):
    def raise_error(*_):
        raise error

    return raise_error


def test_callback_fault_is_logged_once_and_reported(served, posts, caplog, monkeypatch):
    monkeypatch.setattr(comparison, "read", fails(RuntimeError("no wonder " * 100_000)))
    answer = compare(served, posts)
    assert (answer.status, json.loads(answer.body)) == (500, {"sentence": FAULT})
    [record] = faults_in(caplog)
    assert record.getMessage() == f"POST '{BASE}library/_dash-update-component' failed"
    output = BoundedFormatter("%(message)s").format(record)
    assert "in raise_error" in output
    assert len(output) < (LINES + 1) * (LINE + 5)
    assert max(map(len, output.splitlines())) <= LINE + 4


def test_route_fault_is_logged_once_and_reported(served, caplog, monkeypatch):
    monkeypatch.setattr(instances.resolve, "instance_list", fails(KeyError("no wonder")))
    answer = asyncio.run(served.ask("GET", f"{BASE}instances", query="join=secret"))
    assert (answer.status, answer.sentence) == (500, FAULT)
    [record] = faults_in(caplog)
    assert record.exc_info[0] is KeyError
    assert "secret" not in BoundedFormatter().format(record)


def test_full_disk_is_reported_as_such(served, posts, caplog, monkeypatch):
    monkeypatch.setattr(comparison, "read", fails(OSError(errno.ENOSPC, "No space left on device", "/home/x")))
    answer = compare(served, posts)
    assert (answer.status, answer.sentence) == (503, "This could not be done: the disk is full.")
    [record] = faults_in(caplog)
    record.exc_text = None  # by the formatter of the test
    assert len(BoundedFormatter().format(record).splitlines()) == 2, "it has a traceback, as if the program had failed"


def test_refusal_from_a_callback_is_no_fault(served, posts, caplog, monkeypatch):
    monkeypatch.setattr(comparison, "read", fails(UnreadableRun()))
    answer = compare(served, posts)
    assert (answer.status, answer.sentence) == (404, str(UnreadableRun()))
    assert not faults_in(caplog)


def test_unchanged_callback_is_no_fault(served, posts, caplog, monkeypatch):
    monkeypatch.setattr(comparison, "read", fails(PreventUpdate()))
    answer = compare(served, posts)
    assert (answer.status, answer.body) == (204, b"")
    assert not faults_in(caplog)


def test_interrupted_answer_does_not_look_complete(served, caplog, monkeypatch):
    def halves():
        yield "climber,length\r\n"
        raise ValueError

    monkeypatch.setattr(Computations, "answer", lambda *_, **__: StreamingResponse(halves()))
    messages = asyncio.run(served.messages("GET", f"{BASE}runs/{served.run}/climbers.csv"))
    assert messages[0]["status"] == 200
    assert messages[-1]["more_body"] is True  # so that the server cuts the connection
    assert len(faults_in(caplog)) == 1


def test_climber_table_may_change_threads_between_steps(tmp_path):
    writer = RunWriter.create(tmp_path / "run", "run", 5.0, "{}", instance_frame(load("burma14")))
    for first in (0, 3):
        named = {name: np.arange(first, first + 3) for name in ("climber", "length", "moves", "evaluations", "seconds")}
        writer.append([Entry(2.0, "rows", encode("rows", {}, named))])
    writer.finish()
    steps = downloads._write_csv(tmp_path / "run", None, 1, "climber", with_moves=True)
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        answer = [thread.submit(next, steps, b"").result() for thread in (one, other) * 3]
    head, *rows = b"".join(answer).decode().splitlines()
    assert head.startswith("climber,length,")
    assert [row.split(",")[:2] for row in rows] == [[str(k + 1), str(k)] for k in range(6)]


def test_stream_fault_is_logged_and_closes_it(served, caplog, monkeypatch):
    monkeypatch.setattr(Viewer, "serve", fails(ValueError("no wonder")))
    with pytest.raises(WebSocketDisconnect) as closed, TestClient(served.server).websocket_connect(f"{BASE}stream"):
        pass
    assert closed.value.code == 1011
    assert len(faults_in(caplog)) == 1


def test_long_message_is_shortened_in_the_middle_and_its_lines_at_their_ends():
    record = logging.LogRecord("a", 40, "b", 1, "%s", ("\n".join(f"{k} {'x' * 5000}" for k in range(500)),), None)
    lines = BoundedFormatter().format(record).splitlines()
    assert (len(lines), max(map(len, lines))) == (LINES + 1, LINE + 4)
    assert (lines[0][:2], lines[-1][:4]) == ("0 ", "499 ")
    short = logging.LogRecord("a", 40, "b", 1, "one\ntwo", (), None)
    assert BoundedFormatter().format(short) == "one\ntwo"
