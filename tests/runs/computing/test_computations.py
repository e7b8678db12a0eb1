"""Answers are computed in processes, once for all clients, as long as one waits, and within limits."""

import asyncio
import contextlib
import json
import os
import sys

import psutil
import pytest
from fastapi import FastAPI

from data.errors import InvalidInstance
from runs.computing import computations as module
from runs.computing.computations import Computations
from runs.visitors import Visitor, act_as
from runs.web.faults import answer_exceptions, answer_faults
from runs.web.spooled import LARGE, SpoolingMiddleware
from solvers.core.errors import InstanceTooLarge
from solvers.worker.process import spawn
from tests.clock import PATIENCE, wait_until

pytestmark = pytest.mark.slow

JOBS = "tests.runs.computing.jobs"


@pytest.fixture
def computations(tmp_path):
    (tmp_path / "answers").mkdir()
    made = Computations(tmp_path / "answers", lambda program: spawn([sys.executable, "-m", program]))
    yield made
    made.close()


@pytest.fixture
def calls(tmp_path):
    (tmp_path / "calls").mkdir()
    return tmp_path / "calls"


async def wait_until_true(true):
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


class Client:
    """A client with a request; `leave` closes its connection."""

    def __init__(self, computations, function, *arguments, headers=(), **options):
        server = FastAPI()
        answer_faults(server)
        answer_exceptions(server, {InvalidInstance: 400, InstanceTooLarge: 413})
        server.get("/")(lambda: computations.answer(f"{JOBS}:{function}", *arguments, **options))
        self.body, self.status, self.headers, self._left = b"", 0, {}, asyncio.Event()
        scope = {
            "type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b"", "scheme": "http",
            "headers": list(headers), "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "root_path": "",
        }  # fmt: skip
        self.done = asyncio.create_task(server(scope, self._receive, self._send))

    def leave(self):
        self._left.set()

    async def _receive(self):
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]

    async def answer(self):
        await asyncio.wait_for(self.done, PATIENCE)
        return self.status, self.body


async def test_concurrent_requests_share_a_computation_and_its_headers(computations, calls):
    clients = [Client(computations, "count", str(calls), 0.1, version=1) for _ in range(20)]
    assert {await each.answer() for each in clients} == {(200, b"1")}
    assert await Client(computations, "count", str(calls), 0.1, version=1).answer() == (200, b"1")
    assert await Client(computations, "count", str(calls), 0.1, version=2).answer() == (200, b"2")
    said = Client(computations, "echo", "hello")
    assert await said.answer() == (200, b"hello")
    told = said.headers
    assert told["x-said"] == "hello"
    assert told["content-type"] == "text/plain; charset=utf-8"
    assert told["content-length"] == "5"
    assert len({path.read_text() for path in calls.iterdir()}) == 1, "a process computes one answer after another"


async def test_computation_ends_with_its_last_client(computations, calls):
    one, other = (Client(computations, "count", str(calls), PATIENCE) for _ in range(2))
    await wait_until_true(lambda: (calls / "1").exists() and (calls / "1").read_text())
    process = psutil.Process(int((calls / "1").read_text()))
    one.leave()
    await asyncio.wait_for(one.done, PATIENCE)
    assert (computations.busy, process.is_running()) == (1, True)
    other.leave()
    await asyncio.wait_for(other.done, PATIENCE)
    assert computations.busy == 0
    with contextlib.suppress(psutil.NoSuchProcess):
        await asyncio.to_thread(process.wait, PATIENCE)
    assert (one.status, other.status) == (0, 0)
    wait_until(lambda: not list(computations._folder.iterdir()))


async def test_steps_arrive_during_the_computation(computations, calls):
    client = Client(computations, "steps", str(calls))
    await wait_until_true(lambda: client.body == b"one ")
    (calls / "go").touch()
    assert await client.answer() == (200, b"one two")


async def test_client_that_would_wait_too_long_gets_retry_after(computations, calls, monkeypatch):
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.1)
    computations._admission.places = 1

    working = Client(computations, "count", str(calls), PATIENCE)
    await wait_until_true(lambda: computations._working)
    refused = Client(computations, "echo", "hello")
    status, body = await refused.answer()
    working.leave()
    await working.done
    assert await Client(computations, "echo", "hello").answer() == (200, b"hello")
    assert (status, refused.headers["retry-after"]) == (503, "5")
    assert json.loads(body)["sentence"] == "Too many ask for this at once; try again in a few seconds."


async def test_long_computation_gives_up_its_place(computations, calls, monkeypatch):
    monkeypatch.setattr(module, "LONG_SECONDS", 0.1)
    computations._admission.places = 1

    working = Client(computations, "count", str(calls), PATIENCE)
    await wait_until_true(lambda: computations._working)
    quick = await Client(computations, "echo", "hello").answer()
    working.leave()
    await working.done
    assert quick == (200, b"hello")


@pytest.mark.skipif(os.name != "posix", reason="signals")
async def test_long_computations_work_in_turns_if_there_are_too_many(computations, calls, monkeypatch):
    monkeypatch.setattr(module, "LONG_SECONDS", 0.1)
    computations._admission.places = computations._long.places = 1
    worked = set()

    def count_stopped():
        stopped = 0
        for each in computations._workers.values():
            with contextlib.suppress(psutil.Error, ValueError):  # it has just ended
                stopped += psutil.Process(each.pid).status() == psutil.STATUS_STOPPED
        return stopped

    clients = [Client(computations, "count", str(calls), PATIENCE, version=k) for k in range(3)]
    await wait_until_true(lambda: count_stopped() == 2)
    await wait_until_true(lambda: worked.update(computations._long._active) or len(worked) == 3)
    assert await Client(computations, "echo", "hello").answer() == (200, b"hello")
    for left in (2, 1):
        clients.pop(0).leave()
        await wait_until_true(lambda left=left: count_stopped() == left - 1)
    clients[0].leave()
    await wait_until_true(lambda: not computations.busy)


async def test_demanding_visitor_delays_nobody(computations, calls):
    computations._admission.places = 1
    order = []

    async def ask(name, k):
        with act_as(Visitor(name)):
            client = Client(computations, "echo", f"{name} {k}")
        await client.answer()
        order.append(name)

    first = Client(computations, "count", str(calls), 0.2)
    await wait_until_true(lambda: computations._working)
    with act_as(Visitor("anne")):
        long = Client(computations, "count", str(calls), 0.3, version=1)
    await asyncio.sleep(0)
    computations._admission.places = 2
    await wait_until_true(lambda: len(computations._admission._active) == 2 or long.done.done())
    await asyncio.gather(*(ask("anne", k) for k in range(3)), ask("ben", 0), first.answer(), long.answer())
    assert order.index("ben") < 3


@pytest.mark.parametrize(
    ("kind", "status", "said"),
    [
        ("known", 400, "It has no name."),
        ("full", 503, "This could not be done: the disk is full."),
        ("bug", 500, "This could not be done because of an error in the program; see the server's log."),
        ("die", 413, "This takes more time or memory than the server gives to one answer."),
        ("grow", 413, "This takes more time or memory than the server gives to one answer."),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="signals and limits")
async def test_failure_becomes_a_server_error_and_the_next_one_works(computations, kind, status, said, caplog):
    answered, body = await Client(computations, "fail", kind).answer()
    assert await Client(computations, "echo", "hello").answer() == (200, b"hello")
    assert (answered, json.loads(body)["sentence"]) == (status, said)
    if kind == "bug":
        [record] = [record for record in caplog.records if record.exc_info]
        assert "in fail" in "".join(record.exc_info[1].__notes__)


async def test_unrecorded_climb_is_recomputed_and_ends_too(computations, tmp_path):
    begun, ended = [], []

    async def replay():
        return b"again"

    async def never():
        begun.append(True)
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            ended.append(True)

    assert await Client(computations, "copy_recorded", fallback=replay).answer() == (200, b"again")
    client = Client(computations, "copy_recorded", fallback=never, version=1)
    await wait_until_true(lambda: begun)
    client.leave()
    await client.done
    await wait_until_true(lambda: ended)


async def test_known_answer_is_not_sent_again(computations):
    client = Client(computations, "tagged_answer", headers=[(b"if-none-match", b'"tag"')])
    assert await client.answer() == (304, b"")


async def test_large_answer_waits_in_a_file_for_a_slow_client():
    """The producer has exited by then, which frees its memory."""
    ended, sent, read = [], [], asyncio.Event()

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(LARGE) + b"end"})
        ended.append(True)

    async def send(message):
        sent.append(message)
        if message["type"] == "http.response.body":
            assert ended
            await read.wait()

    sending = asyncio.create_task(SpoolingMiddleware(app)({"type": "http"}, None, send))
    await wait_until_true(lambda: len(sent) == 2)
    read.set()
    await sending
    body = b"".join(message.get("body", b"") for message in sent)
    assert body == bytes(LARGE) + b"end"
    assert max(len(message.get("body", b"")) for message in sent) < LARGE
    assert sent[-1]["more_body"] is False
