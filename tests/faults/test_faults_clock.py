"""The wall clock changes during a run: F11."""

import asyncio
import os
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from solvers.worker.frames import decode
from tests.clock import PATIENCE, wait_until
from tests.faults.nothing_lost import lost_events
from tests.faults.visits import press, ready, run_path, serving, start_run, summary
from tests.viewer import Viewer, is_over, watch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.skipif(os.name != "posix", reason="a file that is mapped cannot be written elsewhere"),
]

SHIFTED = Path(__file__).parent / "shifted_clock"
DAY, HOUR = 86_400.0, 3_600.0


@pytest.fixture
def clock(tmp_path):
    """Sets the clock of servers with these variables to a number of seconds ahead."""
    file = tmp_path / "ahead"
    file.write_bytes(struct.pack("d", 0.0))

    def set_ahead(seconds: float) -> None:
        with file.open("r+b") as opened:
            opened.write(struct.pack("d", seconds))

    set_ahead.variables = {"PYTHONPATH": str(SHIFTED), "TOURSCOPE_CLOCK": str(file)}
    return set_ahead


def test_f11_clock_change_keeps_order_and_seconds(tmp_path, clock):
    with serving(tmp_path / "home", **clock.variables) as server, ThreadPoolExecutor() as threads:
        ready(server)
        run = start_run(server.url)
        viewer = Viewer(server.url, run)
        watching = threads.submit(asyncio.run, viewer.follow(is_over))
        began = time.monotonic()
        for ahead in (0, DAY, -HOUR, 7 * DAY):
            clock(ahead)
            wait_until(has_more(viewer.seen))
        press(server.url, "run-cancel", run)
        seen = watching.result()
        took = time.monotonic() - began
        assert seen.state == "cancelled"
        elapsed = [at for _, at in seen.heads]
        assert elapsed == sorted(elapsed), "the run's seconds go back"
        assert elapsed[-1] <= took + 1
        film = decode(httpx.get(f"{server.url}runs/{run}/film", timeout=PATIENCE).content)
        assert film.values["seconds"] <= took + 1
        assert sorted(film.arrays["at"]) == film.arrays["at"].tolist()
        assert not lost_events(run_path(server, run), seen, watch(server.url, run))


def has_more(seen):
    """Whether more heads and events have arrived since the call."""
    heads, events = len(seen.heads), len(seen.seqs)
    return lambda: len(seen.heads) > heads + 5 and len(seen.seqs) > events + 2


def act(server, **what) -> dict:
    answer = httpx.post(f"{server.url}library/actions", json=what, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return answer.json()


def delete_run(server, run: str) -> str:
    """Delete a run after its worker has left it; return the token for the undo."""
    tokens = []

    def done() -> bool:
        tokens.append(act(server, do="delete", keys=[f"run:{run}"])["undo"])
        return bool(tokens[-1])

    wait_until(done)
    return tokens[-1]


def in_trash(home: Path, run: str) -> bool:
    return any(path.name == f"{run}.tourscope" for path in (home / "trash").rglob("*"))


def test_f11_nothing_is_deleted_before_its_time(tmp_path, clock):
    home = tmp_path / "home"
    with serving(home, **clock.variables) as server:
        run = start_run(server.url, instance="berlin52", climbers=20)
        seen = watch(server.url, run)
        undo = delete_run(server, run)
    for ahead in (DAY, -HOUR, 6.9 * DAY):
        clock(ahead)
        with serving(home, **clock.variables):
            assert in_trash(home, run), f"it is gone with the clock {ahead} s ahead"
    clock(DAY)
    with serving(home, **clock.variables) as server:
        act(server, do="undo", token=undo)
        assert summary(server, run)["state"] == "finished"
        assert not lost_events(run_path(server, run), seen)
        delete_run(server, run)
    clock(9 * DAY)  # and the clock that is set is the one that counts
    with serving(home, **clock.variables):
        wait_until(lambda: not in_trash(home, run))
