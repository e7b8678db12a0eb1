"""The run states that a viewer receives, at any reading speed and with any disk errors."""

import asyncio
import json
import math
import random
import sqlite3
import threading
import time

import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect

from runs.service import RunService
from runs.store.live_tour import Head
from runs.store.run_file import RunWriter
from runs.stream.channel import Channel
from runs.stream.collector import END_MISSING
from runs.stream.session import Viewer, Watch
from solvers.worker.frames import decode, split
from tests.clock import PATIENCE, wait_until
from tests.runs.scripted import ScriptedEngine

FULL = ("interrupted", END_MISSING)


@pytest.fixture
def run_service(tmp_path):
    service = RunService(tmp_path, ScriptedEngine, max_runs=1000)
    yield service
    service.close()


@pytest.fixture
def handle(run_service):
    return lambda: run_service.engine.handles[-1]


class Socket:
    """The browser's end: follows one run, acknowledges everything, and leaves after the expected message."""

    def __init__(self, run, until, after=0, every=None):
        self.told, self.following, self._until = [], threading.Event(), until
        self._said: asyncio.Queue = asyncio.Queue()
        self._said.put_nowait({"op": "open", "run": run, "after": after})
        if every:
            self._said.put_nowait({"op": "head", "run": run, "on": True, "every": every})

    async def accept(self):
        pass

    async def receive_text(self):
        sentence = await asyncio.wait_for(self._said.get(), PATIENCE)
        if sentence is None:
            raise WebSocketDisconnect
        return json.dumps(sentence)

    async def send_bytes(self, raw):
        message, *frames = map(decode, split(raw))
        if message.kind == "message":
            self.told.append((message.values, frames))
            if message.values["what"] == "log":
                self.following.set()
            self._said.put_nowait({"op": "ack", "message": message.values["message"]})
            if self._until(message.values):
                self._said.put_nowait(None)

    def kinds(self):
        return [frame.kind for values, frames in self.told if values["what"] == "log" for frame in frames]


def watch_run(run_service, run, until, meanwhile=lambda: None, after=0):
    """The messages about a run up to the expected one; `meanwhile` runs once the viewer follows the log."""

    async def watch():
        socket = Socket(run, until, after)

        def then():
            assert socket.following.wait(PATIENCE)
            meanwhile()

        beside = asyncio.create_task(asyncio.to_thread(then))
        await Viewer(socket, run_service).serve()
        await beside
        return socket

    return asyncio.run(watch())


def state_is(*states):
    return lambda values: values["what"] == "log" and values["state"] in states


def test_state_published_after_its_events_is_sent(run_service, make_spec, handle, monkeypatch):
    """The viewer reads the last rows when they are on disk but not yet published, and no others follow."""
    run = run_service.start(make_spec())
    channel = run_service.channel(run)
    wait_until(lambda: channel.logged >= 3)
    on_disk, read = threading.Event(), threading.Event()
    log, publish = run_service.log, channel.publish

    def read_late(*asked):
        assert on_disk.wait(PATIENCE)
        rows = log(*asked)
        read.set()
        return rows

    def publish_late(state, *news):
        on_disk.set()
        assert read.wait(PATIENCE)
        publish(state, *news)

    monkeypatch.setattr(run_service, "log", read_late)
    monkeypatch.setattr(channel, "publish", publish_late)
    handle().finish(9_000, 52)
    socket = watch_run(run_service, run, state_is("finished"))
    (early, rows), *_, (late, none) = [message for message in socket.told if message[0]["what"] == "log"]
    assert (early["state"], rows[-1].kind, rows[-1].values["state"]) == ("running", "state", "finished")
    assert (late["state"], late["reason"], none) == ("finished", "completed", [])


def test_events_written_after_an_empty_read_are_sent(run_service, make_spec, handle, monkeypatch):
    """A returning viewer reads before the next events are on disk, and they are published before it has finished."""
    run = run_service.start(make_spec())
    channel = run_service.channel(run)
    wait_until(lambda: channel.logged >= 3)
    log, known = run_service.log, channel.logged

    def read_early(*asked):
        rows = log(*asked)
        if channel.logged == known:
            handle().finish(9_000, 52)
            wait_until(lambda: channel.logged > known)
        return rows

    monkeypatch.setattr(run_service, "log", read_early)
    socket = watch_run(run_service, run, state_is("finished"), after=known)
    assert "finished" in socket.kinds()


def test_run_ended_by_a_full_disk_is_reported(run_service, make_spec, handle, monkeypatch):
    run = run_service.start(make_spec())
    wait_until(lambda: run_service.channel(run).logged >= 3)

    def append(*_):
        raise sqlite3.OperationalError("database or disk is full")

    def fill_the_disk():
        monkeypatch.setattr(RunWriter, "append", append)
        handle().finish(9_000, 52)

    socket = watch_run(run_service, run, state_is("interrupted", "finished"), fill_the_disk)
    last, frames = socket.told[-1]
    assert (last["state"], last["reason"]) == FULL
    assert "finished" not in socket.kinds()
    assert not frames
    wait_until(lambda: run not in run_service.active_runs())
    assert (
        run_service.channel(run).state[0] == run_service.summary(run)["state"] == "interrupted"
    )  # whoever comes later is told too


def test_viewer_at_the_last_event_gets_the_final_state(run_service, make_spec, handle):
    run = run_service.start(make_spec())
    handle().finish(9_000, 52)
    wait_until(lambda: run not in run_service.active_runs())
    desk_log, last = run_service.log, run_service.channel(run).logged
    run_service.log = lambda run, after, limit: desk_log(
        run, max(after, last), limit
    )  # as if it had asked for those behind
    socket = watch_run(run_service, run, state_is("finished"))
    assert socket.kinds() == []


def test_viewer_gets_nothing_twice(run_service, make_spec, handle):
    run = run_service.start(make_spec())
    wait_until(lambda: run_service.channel(run).logged >= 3)

    def finish():
        for _ in range(50):
            run_service.channel(run).publish(run_service.channel(run).state)
        handle().finish(9_000, 52)

    socket = watch_run(run_service, run, state_is("finished"), finish)
    seqs = [seq for values, _ in socket.told if values["what"] == "log" for seq in values["seqs"]]
    assert seqs == sorted(set(seqs))
    empty = [values for values, frames in socket.told if values["what"] == "log" and not frames]
    assert len(empty) <= 1


@pytest.mark.slow
async def test_watcher_of_short_runs_gets_their_ends(run_service, make_spec):
    """Rows are committed and published while viewers read: no row is skipped."""
    chance, spec = random.Random(15), make_spec()

    def end(handle, seconds):
        time.sleep(seconds)
        handle.finish(9_000, 52)

    async def watch_one():
        run = run_service.start(spec)
        handle = run_service.engine.handles[-1]
        socket = Socket(run, state_is("finished"))
        ending = asyncio.create_task(asyncio.to_thread(end, handle, chance.uniform(0, 0.02)))
        await asyncio.wait_for(Viewer(socket, run_service).serve(), PATIENCE)
        await ending
        return socket.kinds()

    gate = asyncio.Semaphore(8)

    async def one():
        async with gate:
            return await watch_one()

    assert {kinds[-1] for kinds in await asyncio.gather(*(one() for _ in range(100)))} == {"state"}


def head(length):
    return Head(0, 1, length, 0.0, "moves", np.arange(52, dtype=np.int32))


def test_only_due_messages_wake_a_viewer():
    channel, woken = Channel(("running", "")), []
    watch = Watch("abcdefghijkl", channel, 0, lambda: woken.append(channel.state[0]))
    watch.opened, watch.sent_state, watch.head_due = True, channel.state, math.inf
    channel.join(watch)
    channel.publish(channel.state, heads=[head(9_000)])
    assert woken == []
    channel.publish(("paused", ""))
    assert woken == ["paused"]
    watch.sent_state, watch.head_due = channel.state, 0.0
    channel.publish(channel.state)
    assert woken == ["paused"] * 2


async def test_early_head_is_sent_when_due(run_service, make_spec, monkeypatch):
    run, channel = run_service.start(make_spec()), Channel(("running", ""))  # nothing else wakes the viewer
    monkeypatch.setattr(run_service, "channel", lambda run: channel)
    socket = Socket(run, state_is("finished"), every=0.05)

    def lengths():
        heads = [frames for values, frames in socket.told if values["what"] == "head"]
        return [frame.values["length"] for frames in heads for frame in frames]

    def publish():
        wait_until(lambda: socket.told)
        for length in (8_000, 7_000, 6_000):
            channel.publish(channel.state, heads=[head(length)])
            wait_until(lambda length=length: length in lengths())
        channel.publish(("finished", "completed"))

    await asyncio.gather(Viewer(socket, run_service).serve(), asyncio.to_thread(publish))
    assert lengths() == [8_000, 7_000, 6_000]
