"""Slow requests have their own threads, and a full pool answers with a time to retry."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from components.shell import ids
from data.collection import resolve
from data.collection.resolve import load
from runs.abandoned import is_abandoned
from runs.bounded_pool import IMPORTS, INSTANCES, REPLAYS, BoundedPool, PoolFull
from runs.imports.service import ImportService
from runs.store.run_file import Entry, RunWriter
from runs.visitors import HOST, Visitor, act_as, current_visitor
from solvers.worker.frames import encode, encode_instance_frame
from tests.clock import PATIENCE, wait_until
from tests.runs.made_up_runs import new_id
from tests.runs.served import BASE, encode_json
from tests.runs.web.hostile_posts import Posts

#: More than all threads that the server's other routes and callbacks share: 40 and 32.
MANY = 50


@pytest.fixture(scope="module")
def posts(served):
    return Posts(served).plain


@pytest.fixture
def client(served):
    with TestClient(served.server, base_url="http://127.0.0.1:8050") as result:
        yield result


@contextmanager
def block_work(monkeypatch, owner, name):
    """Replace long work by work that lasts until the block ends."""
    go = threading.Event()

    def wait(*_, **__):
        go.wait()
        raise PoolFull

    monkeypatch.setattr(owner, name, wait)
    try:
        yield
    finally:
        go.set()


async def test_result_is_computed_as_the_requesting_visitor():
    with act_as(Visitor("anne")):
        assert await BoundedPool("test", 1, 1).run(lambda more: current_visitor().id + more, "!") == "anne!"


async def test_full_pool_refuses_and_failure_frees_a_place():
    room = BoundedPool("test", 1, 1)

    go = threading.Event()
    inside = [asyncio.create_task(room.run(go.wait)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(PoolFull):
        await room.run(int)
    go.set()
    await asyncio.gather(*inside)
    with pytest.raises(ZeroDivisionError):
        await room.run(lambda: 1 / 0)
    assert await room.run(int) == 0


@pytest.mark.parametrize("shared", [False, True])
async def test_work_ends_once_its_client_has_left(shared):
    room, go, done, queued = BoundedPool("test", 1, 1, shared), threading.Event(), [], threading.Event()

    def work():
        wait_until(lambda: go.is_set() or is_abandoned())
        done.append(is_abandoned())

    left = asyncio.Event()

    async def receive():
        await left.wait()
        return {"type": "http.disconnect"}

    with act_as(HOST, receive):
        tasks = [asyncio.create_task(room.run(function)) for function in (work, queued.set)]
        await asyncio.sleep(0)
        left.set()
        while not shared and room._inside:
            await asyncio.sleep(0.01)
        go.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    wait_until(lambda: done)
    assert (done, queued.is_set()) == ([not shared], shared)
    assert [type(each) is ClientDisconnect for each in results] == [not shared] * 2


def test_recomputed_climbs_delay_no_other_route(served, client, monkeypatch):
    """Each request is for another climber: requests for the same one share an answer."""
    service = served.behind[-1]
    run = new_id()
    writer = RunWriter.create(
        service.path(served.run).with_stem(run), run, 5.0, "{}", encode_instance_frame(load("burma14"))
    )
    writer.append([Entry(5.0, "rows", encode("rows", {}, {"climber": np.arange(MANY + 1)}))])
    writer.finish()
    with block_work(monkeypatch, service, "replay"):
        threads = ThreadPoolExecutor(MANY)
        answers = [threads.submit(client.get, f"{BASE}runs/{run}/climbs/{k + 1}") for k in range(MANY)]
        wait_until(lambda: REPLAYS._inside == MANY)
        assert client.get(f"{BASE}runs/{served.run}").status_code == 200
    assert {each.result().status_code for each in answers} == {503}


def test_uploads_delay_no_callback(client, monkeypatch):
    """Callbacks use asyncio's threads: they are answered while all uploads wait."""
    with block_work(monkeypatch, ImportService, "adopt_run"):
        threads = ThreadPoolExecutor(MANY)
        path = f"{BASE}runs"
        answers = [threads.submit(client.post, path, content=b"no run") for _ in range(MANY)]
        wait_until(lambda: IMPORTS._inside == MANY)
        assert client.portal.call(asyncio.to_thread, int) == 0
    assert {each.result().status_code for each in answers} == {503}


def test_cancel_waits_for_no_other_callback(served, posts):
    """Other callbacks use asyncio's threads."""
    cancel = next(post for post in posts if post.body["changedPropIds"] == [f"{ids.PAUSE}.n_clicks"])

    async def make_requests():
        await served.post(cancel.page, cancel.body)  # builds the page
        go = threading.Event()
        others = [asyncio.create_task(asyncio.to_thread(go.wait)) for _ in range(MANY)]
        try:
            return await asyncio.wait_for(served.post(cancel.page, cancel.body), PATIENCE)
        finally:
            go.set()
            await asyncio.gather(*others)

    assert asyncio.run(make_requests()).status == 200


#: Start's request, for an instance with more cities than its algorithm can take.
FORM = {"algorithm": "held-karp", "params": {}, "seed": 1, "seconds": 1, "device": "cpu", "threads": None}


def test_every_callback_loads_a_large_instance_in_the_same_pool(served, posts, monkeypatch):
    threads = []

    def load_here(*_, **__):
        threads.append(threading.current_thread().name.rstrip("_0123456789"))
        return load("pr1002")

    fields = {ids.INSTANCE, ids.CHOICE, ids.LACKING, ids.WHICH_QUESTION, ids.ADDRESS}
    posts = [
        post
        for post in posts
        if any(isinstance(each, dict) and each["id"] in fields for each in (*post.body["inputs"], *post.body["state"]))
    ]
    for page in served.pages:  # with the first request the server makes the layout, which has a small instance
        assert asyncio.run(served.post(page, {})).status == 400
    monkeypatch.setattr(resolve, "is_large", lambda *_: True)
    for loads in ("_load", "_import"):
        monkeypatch.setattr(ImportService, loads, load_here)
    monkeypatch.setattr(ImportService, "_cache", lambda _, key, instance: instance)
    for post in posts:
        before = len(threads)
        assert asyncio.run(served.post(post.page, post.body)).status in (200, 204), post.body["output"]
        if any(each["id"] == ids.INSTANCE for each in post.body["inputs"] if isinstance(each, dict)):
            assert len(threads) > before, post.body["output"]
    form = encode_json({**FORM, "instance": "berlin52"})
    assert asyncio.run(served.ask("POST", f"{BASE}start", form)).status == 400
    assert len(threads) > 15
    assert set(threads) == {"instances"}


def test_large_instance_is_loaded_once_and_delays_no_other_callback(served, monkeypatch):
    service, go, loaded = served.behind[-1], threading.Event(), []

    def load_slowly(_, reference):
        go.wait()
        loaded.append(reference["seed"])
        return load("burma14")

    monkeypatch.setattr(ImportService, "_load", load_slowly)
    body = {**FORM, "instance": '{"generate":"uniform","n":1000000,"seed":%d}'}

    async def make_requests():
        forms = [encode_json({**body, "instance": body["instance"] % (k % 2)}) for k in range(MANY)]
        starts = [asyncio.create_task(served.ask("POST", f"{BASE}start", form)) for form in forms]
        while INSTANCES._inside < MANY:
            await asyncio.sleep(0.01)
        assert await asyncio.to_thread(int) == 0
        go.set()
        return await asyncio.gather(*starts)

    monkeypatch.setattr(service, "_start", lambda *_: "abcdefghijkl")
    assert {answer.status for answer in asyncio.run(make_requests())} == {200}
    assert sorted(loaded) == [0, 1]
