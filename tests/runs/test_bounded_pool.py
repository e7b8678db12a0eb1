"""Slow requests have their own threads, and a full pool answers with a time to retry."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from runs.bounded_pool import ANIMATIONS, GENERATED, IMPORTS, REPLAYS, BoundedPool, PoolFull
from runs.visitors import Visitor, acting_as, visitor
from runs.web.downloads import animation_response
from runs.web.faults import answer_faults
from tests.clock import wait_until
from tests.runs.served import BASE, serving

#: More than all threads that the server's other routes and callbacks share: 40 and 32.
MANY = 50


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("home"), patch) as service:
        yield service


@pytest.fixture
def client(served):
    with TestClient(served.server, base_url="http://127.0.0.1:8050") as result:
        yield result


@contextmanager
def standing(monkeypatch, owner, name):
    """Replace what takes long by something that takes until the block ends."""
    go = threading.Event()

    def wait(*_, **__):
        go.wait()
        raise PoolFull

    monkeypatch.setattr(owner, name, wait)
    try:
        yield
    finally:
        go.set()


def asked_by_many(client, room, path, count=MANY):
    """Ask for the same `count` times at once; returns the answers that are still to come."""
    threads = ThreadPoolExecutor(count)
    answers = [threads.submit(client.get, path) for _ in range(count)]
    wait_until(lambda: room._inside + sum(each.done() for each in answers) == count)
    return answers


def test_values_come_back_as_the_visitor_who_asks():
    async def asked():
        room = BoundedPool("test", 1, 1)
        with acting_as(Visitor("anne")):
            assert [each async for each in room.each(iter([1, None, 2]))] == [1, None, 2]
            return await room.run(lambda more: visitor().id + more, "!")

    assert asyncio.run(asked()) == "anne!"


def test_who_finds_no_place_is_refused_and_a_place_is_free_after_a_failure():
    room = BoundedPool("test", 1, 1)

    async def asked():
        go = threading.Event()
        inside = [asyncio.create_task(room.run(go.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(PoolFull):
            await room.run(int)
        go.set()
        await asyncio.gather(*inside)
        with pytest.raises(ZeroDivisionError):
            await room.run(lambda: 1 / 0)
        return await room.run(int)

    assert asyncio.run(asked()) == 0


def test_climbs_that_are_computed_again_delay_no_other_route(served, client, monkeypatch):
    service = served.behind[-1]
    monkeypatch.setattr(service, "recorded_climb", lambda *_: None)
    with standing(monkeypatch, service, "replayed_climb"):
        answers = asked_by_many(client, REPLAYS, f"{BASE}runs/{served.run}/climbs/0")
        assert client.get(f"{BASE}runs/{served.run}").status_code == 200
    assert {each.result().status_code for each in answers} == {503}


def test_animations_are_few_at_a_time_and_the_others_are_told_when_to_come_again(served, client, monkeypatch):
    with standing(monkeypatch, served.behind[-1], "climb"):
        answers = asked_by_many(client, ANIMATIONS, f"{BASE}runs/{served.run}/climbs/0.gif")
        refused = [each.result() for each in answers if each.done()]
        assert len(refused) == MANY - 6
        assert {(each.status_code, each.headers["retry-after"]) for each in refused} == {(503, "5")}
        assert client.get(f"{BASE}runs/{served.run}").status_code == 200
    assert [each.result().status_code for each in answers].count(503) == MANY


def test_an_animation_in_steps_is_whole_and_has_a_place_until_then():
    inside = []

    def steps():
        for step in (b"a", b"b"):
            inside.append(ANIMATIONS._inside)
            yield step

    server = FastAPI()
    answer_faults(server)
    server.get("/steps")(lambda: animation_response(SimpleNamespace(steps=steps), {}, progress="1"))
    client = TestClient(server)
    assert (client.get("/steps").content, inside) == (b"ab", [1, 1])
    with ExitStack() as others:
        for _ in range(6):
            others.enter_context(ANIMATIONS.place())
        assert client.get("/steps").status_code == 503
    assert client.get("/steps").status_code == 200


def test_instances_that_are_generated_delay_no_other_route(served, client, monkeypatch):
    service, reference = served.behind[-1], {"generate": "clustered", "n": 200_000, "seed": 1}
    with standing(monkeypatch, service, "instance"):
        path = f"{BASE}instance?ref={json.dumps(reference)}"
        answers = asked_by_many(client, GENERATED, path)
        assert client.get(f"{BASE}runs/{served.run}").status_code == 200
    assert {each.result().status_code for each in answers} == {503}


def test_uploads_delay_no_callback(served, client, monkeypatch):
    """Callbacks share the threads of asyncio: work in one is answered while all uploads stand."""
    with standing(monkeypatch, served.behind[-1], "adopt_run"):
        threads = ThreadPoolExecutor(MANY)
        path = f"{BASE}runs"
        answers = [threads.submit(client.post, path, content=b"no run") for _ in range(MANY)]
        wait_until(lambda: IMPORTS._inside == MANY)
        assert client.portal.call(asyncio.to_thread, int) == 0
    assert {each.result().status_code for each in answers} == {503}
