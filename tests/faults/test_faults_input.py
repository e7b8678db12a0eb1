"""Damaged files, requests that no page sends, and forged identities: F9, F10 and F19."""

import asyncio
import json
import random
import re
import string
from collections.abc import Iterator
from typing import Any

import httpx
import psutil
import pytest
import websockets
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import FailedHealthCheck, Unsatisfiable

from fuzz.judge import Broken, judge
from fuzz.mutants import make_mutants
from solvers.worker.frames import decode, split
from tests.browser.serving import LOG
from tests.clock import PATIENCE, wait_until
from tests.faults.counts import SHARE, count
from tests.faults.figures import store_samples
from tests.faults.visits import cookies, error_text, forks, press, ready, serving, start_run
from tests.viewer import watch

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(7200)]


def test_f9_damaged_files_are_refused_or_read_correctly():
    """Each `make soak` uses new files; `tests/data/tsplib` has the constant ones and the rows."""
    seed = random.randrange(1 << 32) if SHARE else 9
    tally = {True: 0, False: 0}
    for raw in make_mutants(seed, count(500, 10_000)):
        try:
            tally[judge(raw)] += 1
        except Broken as broken:
            raise AssertionError(f"{broken}, with seed {seed}: {raw!r}") from broken
    assert min(tally.values()) > sum(tally.values()) / 10
    store_samples(
        "F9", f"files that were taken and refused, with seed {seed}", list(tally.values()), sum(tally.values())
    )


def find_fault(answer: httpx.Response, home: str) -> str:
    """The fault of an answer; empty if it is a permitted response."""
    if answer.status_code >= 500 and answer.status_code != 503:
        return f"status {answer.status_code}"
    if answer.status_code < 400:
        return ""
    text = answer.text
    if "Traceback" in text or home in text or re.search(r"\bpid\b|/proc/", text):
        return f"tells too much: {text[:200]}"
    sentence = error_text(answer) or (answer.json().get("note", "") if "json" in answer.headers["content-type"] else "")
    return "" if 0 < len(sentence) <= 500 and "\n" not in sentence.strip() else f"not one sentence: {text[:200]!r}"


def limits(examples: int) -> settings:
    """Hypothesis settings with this many examples, always the same."""
    return settings(
        max_examples=examples, derandomize=True, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=[*set(HealthCheck) - {HealthCheck.filter_too_much}],
    )  # fmt: skip


def faults_by_description(server, run: str, each: int, only: str = "") -> tuple[int, list[str], int]:
    """Send valid and invalid requests by the description; return their number, the faults, and the number of
    successes."""
    schemathesis = (
        pytest.importorskip("schemathesis", reason="schemathesis is missing") if not SHARE else import_schemathesis()
    )
    schema = schemathesis.openapi.from_url(f"{server.url}openapi.json")
    schema = schema.include(path=only) if only else schema
    sent, granted, faults, home = 0, 0, [], str(server.home)
    chance = random.Random(15)
    modes = list(schemathesis.GenerationMode)
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in modes:

            def send(case) -> None:
                nonlocal sent, granted
                if "run" in (case.path_parameters or {}) and chance.random() < 0.5:
                    case.path_parameters["run"] = run
                sent += 1
                answer = case.call(timeout=PATIENCE)
                granted += answer.status_code == 200
                headers = {name: ", ".join(values) for name, values in answer.headers.items()}
                response = httpx.Response(answer.status_code, headers=headers, content=answer.content)
                if why := find_fault(response, home):
                    faults.append(f"{case.method} {case.path} ({case.formatted_path}): {why}")

            try:
                limits(each)(given(case=operation.as_strategy(generation_mode=mode))(send))()
            except (FailedHealthCheck, Unsatisfiable):  # nothing that is not allowed can be made of it
                continue
    return sent, faults, granted


def import_schemathesis():
    """The package, which ``make soak`` and ``make test-all`` install."""
    try:
        import schemathesis
    except ImportError:
        pytest.fail("schemathesis is missing: python -m pip install schemathesis.")
    return schemathesis


def read_log(server) -> str:
    return (server.home / LOG).read_text()


def test_f10_any_described_or_odd_request_is_answered(tmp_path):
    with serving(tmp_path / "home") as server:
        ready(server)
        run = start_run(server.url, instance="berlin52", climbers=20)
        assert watch(server.url, run).state == "finished"
        sent, faults, granted = faults_by_description(server, run, count(2, 50))
        assert not faults, f"{len(faults)} of {sent}: {faults[:5]}"
        assert sent > 100
        assert granted > sent / 10  # not all is refused at the door
        assert "Traceback" not in read_log(server)
        assert httpx.get(f"{server.url}healthz", timeout=PATIENCE).json() == {"state": "ok"}
    store_samples("F10", "requests to all routes", [], sent)


def test_f10_finds_a_route_that_trusts_its_input(tmp_path):
    with serving(tmp_path / "home", planted="route") as server:
        _, faults, _ = faults_by_description(server, "abcdefghijkl", 3, only="/instance")
    assert any("status 500" in fault for fault in faults), faults


#: Messages of the stream, which are spoilt one thing at a time; `RUN` stands for the id of a run that is there.
MESSAGES = (
    {"op": "open", "run": "RUN", "after": 0},
    {"op": "close", "run": "RUN"},
    {"op": "head", "run": "RUN", "on": True, "every": 0.1, "all": True},
    {"op": "field", "run": "RUN", "on": True},
    {"op": "ack", "message": 1},
)
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**40, 1e308, float("nan"), float("inf"), "", "x" * 4000, "\ud800", "\0", "..", [], {},
    [[[]]], {"op": "open"}, "abcdefghijkl", 0.5, "1",
)  # fmt: skip


def messages(run: str, seed: int) -> Iterator[str | bytes]:
    """Messages, a third of which resemble a page's."""
    chance = random.Random(seed)
    while True:
        message = dict(chance.choice(MESSAGES))
        if "run" in message:
            message["run"] = run if chance.random() < 0.8 else "abcdefghijkl"
        match chance.randrange(6):
            case 0 | 1:
                yield json.dumps(message)
            case 2:
                yield json.dumps({**message, chance.choice([*message]): chance.choice(ODD)})
            case 3:
                yield json.dumps({key: value for key, value in message.items() if chance.random() < 0.7})
            case 4:
                text = json.dumps(message)
                at = chance.randrange(len(text))
                yield text[:at] + chance.choice(string.printable + "é😀\0") + text[at + chance.randrange(3) :]
            case _:
                yield chance.choice((chance.randbytes(50), "[" * 50_000, json.dumps(chance.choice(ODD)), "\ufeff{}"))


async def send_messages(url: str, run: str, times: int) -> tuple[int, int]:
    """Send this many messages, on a new connection whenever one is closed; return the number of closes with 1003 and
    others."""
    source, sent, closes = messages(run, 15), 0, []
    while sent < times:
        async with websockets.connect(url.replace("http", "ws") + "stream", max_size=None) as stream:
            assert not stream.protocol.extensions, "the server compresses, which takes its time from all"
            try:
                while sent < times:
                    sent += 1
                    await stream.send(next(source))
                    await wait_until_handled(stream, f"no run {sent}")
            except websockets.ConnectionClosed as closed:
                closes.append(closed.rcvd.code if closed.rcvd else 0)
    return closes.count(1003), len(closes) - closes.count(1003)


async def wait_until_handled(stream, name: str) -> None:
    """Wait until all messages are handled: a request for a missing run is refused in order."""
    await stream.send(json.dumps({"op": "open", "run": name, "after": 0}))
    while True:
        answer = decode(next(split(await asyncio.wait_for(stream.recv(), PATIENCE))))
        if answer.kind == "refused" and answer.values["run"] == name:
            return


def test_f10_any_message_to_both_sockets_is_handled(tmp_path):
    times = count(300, 10_000)
    with serving(tmp_path / "home") as server:
        run = start_run(server.url, instance="berlin52", climbers=20)
        watch(server.url, run)
        refused, broken = asyncio.run(send_messages(server.url, run, times))
        assert refused > times / 30
        assert not broken
        for path in ("_dash-ws-callback", "race/_dash-ws-callback", "library/stream"):
            with pytest.raises(websockets.InvalidStatus) as closed:
                asyncio.run(wait_for_server(server.url.replace("http", "ws") + path))
            assert closed.value.response.status_code == 403
        assert "Traceback" not in read_log(server)
        assert watch(server.url, run).state == "finished"
    store_samples("F10", "messages to the stream", [], times)


async def wait_for_server(address: str) -> None:
    async with websockets.connect(address):
        return


def test_f10_finds_a_stream_that_trusts_its_input(tmp_path):
    with serving(tmp_path / "home", planted="stream") as server:
        _, broken = asyncio.run(send_messages(server.url, "abcdefghijkl", 300))
        assert broken
        wait_until(lambda: "no such run is watched" in read_log(server))


#: Requests that must not do what they ask for; each is sent with the victim's id of a process and of a run.
FORGED = (
    ("GET", "_dash-update-component?cancelJob={pid}", None, {}),
    ("POST", "_dash-update-component?cancelJob={pid}", "{{}}", {}),
    ("DELETE", "runs/{run}", None, {}),
    ("PUT", "runs/{run}", "{{}}", {}),
    ("PATCH", "runs/{run}", "{{}}", {}),
    ("DELETE", "library/actions", None, {}),
    ("TRACE", "", None, {}),
    ("GET", "runs/{pid}", None, {}),
    ("GET", "runs/..%2f..%2fetc%2fpasswd", None, {}),
    ("GET", "runs/../{run}%00", None, {}),
    ("GET", "assets/x/..%2f..%2fapp.py", None, {}),
    ("GET", "docs/..%2f..%2fapp.py", None, {}),
    ("GET", "studies/..%2f..%2fx/study.tourstudy", None, {}),
    ("GET", "learn/lessons/..%2f..%2fREADME", None, {}),
    ("GET", "how/documents/..%2f..%2fapp.py", None, {}),
    ("GET", "runs/{run}", None, {"host": "evil.example.org"}),
    ("POST", "start", "{{}}", {"origin": "http://evil.example.org"}),
    ("POST", "library/actions", '{{"do": "delete", "keys": ["run:{run}"]}}', {"origin": "null"}),
    ("POST", "library/actions", '{{"do": "delete", "keys": ["run:{run}"]}}', {"sec-fetch-site": "cross-site"}),
)


def test_f19_forging_reaches_nobody_elses_data(tmp_path):
    with serving(tmp_path / "home", "--share") as server:
        owner, other, stranger = (httpx.Client(timeout=PATIENCE, cookies=dict(cookies(server))) for _ in range(3))
        run = start_run(server.url, owner, seconds=600.0)
        workers = [each.pid for each in forks(server)]
        wait_until(lambda: owner.get(f"{server.url}runs/{run}").json()["state"] == "running")
        for method, path, body, headers in FORGED:
            for pid in (workers[0], server.process.pid):
                asked = path.format(pid=pid, run=run), body and body.format(run=run)
                answer = other.request(method, server.url + asked[0], content=asked[1], headers=headers)
                assert 400 <= answer.status_code < 500, (method, path, answer.status_code)
        code = stranger.cookies["tourscope-visitor"]
        for forged in ("", "x", code[:-1], owner.cookies["tourscope-visitor"][:-1] + "0", f"{run}.{'0' * 64}"):
            stranger.cookies.set("tourscope-visitor", forged, domain="127.0.0.1", path="/")
            press(server.url, "run-cancel", run, stranger)
        press(server.url, "run-cancel", run, other)
        deleted = other.post(f"{server.url}library/actions", json={"do": "delete", "keys": [f"run:{run}"]})
        assert run not in json.dumps(deleted.json().get("keys", []))
        assert owner.get(f"{server.url}runs/{run}").json()["state"] == "running"
        assert all(psutil.pid_exists(pid) for pid in workers)
        assert server.process.poll() is None
        press(server.url, "run-cancel", run, owner)
        wait_until(lambda: owner.get(f"{server.url}runs/{run}").json()["state"] == "cancelled")
        assert "Traceback" not in read_log(server)
