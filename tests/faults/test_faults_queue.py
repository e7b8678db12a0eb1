"""A hundred people press Start at once: F20."""

import asyncio
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from runs.store.reader import RunReader
from solvers.worker.frames import decode
from tests.clock import PATIENCE
from tests.faults.counts import count
from tests.faults.figures import store_samples
from tests.faults.nothing_lost import lost_events
from tests.faults.visits import cookies, form, run_path, serving
from tests.viewer import Viewer, is_over

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(1800)]

PLACES, GREEDY = 2, 10
#: Seconds by which the moments that are told of two runs may be late.
LEEWAY = 0.05


async def start(client: httpx.AsyncClient, url: str, visitor: dict, seed: int) -> tuple[str, float]:
    """Press Start; return the run, and the seconds until the answer."""
    began = asyncio.get_running_loop().time()
    header = "; ".join(f"{name}={value}" for name, value in visitor.items())
    answer = await client.post(f"{url}start", json=form("kroA100", 60, seed=seed), headers={"cookie": header})
    assert answer.status_code == 200, answer.text
    return answer.json()["run"], asyncio.get_running_loop().time() - began


async def all_at_once(server, visitors: list[dict]):
    """The first visitor starts ten runs, then every other visitor one; returns the messages to the five that wait
    longest."""
    first, *others = visitors
    limits = httpx.Limits(max_connections=len(others))
    async with httpx.AsyncClient(timeout=PATIENCE, limits=limits) as client:
        greedy = [(await start(client, server.url, first, seed))[0] for seed in range(GREEDY)]
        started = await asyncio.gather(*(start(client, server.url, each, 1) for each in others))
    runs = [run for run, _ in started]
    watched = [
        Viewer(server.url, run, headers={"cookie": "; ".join(f"{name}={value}" for name, value in each.items())})
        for run, each in [*zip(runs, others, strict=True)]
    ]
    seen = await asyncio.gather(*(viewer.follow(is_over, 10 * PATIENCE) for viewer in watched[-5:]))
    await watched[0].follow(is_over)
    return greedy, runs, [seconds for _, seconds in started], seen


def times(server, run: str) -> tuple[float, float, float]:
    """The times at which a run was requested, started and ended."""
    with RunReader(run_path(server, run)) as reader:
        states = [decode(raw).values for raw in reader.read_frames("state")]
        meta = reader.meta()
    assert meta.state == "finished", json.dumps(states)
    return meta.created, next(each["at"] for each in states if each["state"] == "running"), states[-1]["at"]


def test_f20_hundred_simultaneous_starts_are_queued_fairly_without_loss(tmp_path):
    users = count(30, 100)
    with serving(tmp_path / "home", "--share") as server:
        with ThreadPoolExecutor(4) as threads:
            visitors = list(threads.map(lambda _: dict(cookies(server)), range(users + 1)))
        assert len({each["tourscope-visitor"] for each in visitors}) == users + 1
        ready_here(server, visitors[0])
        greedy, runs, answers, seen = asyncio.run(all_at_once(server, visitors))
        spans = {run: times(server, run) for run in (*greedy, *runs)}
        for run, viewer in zip(runs[-5:], seen, strict=True):
            assert not lost_events(run_path(server, run), viewer)
    assert len(spans) == users + GREEDY
    assert any(state == "queued" and int(place) > 1 for each in seen for _, state, place in each.states)
    for _, begin, _ in spans.values():
        # An end is written a moment before the next run begins.
        going = [run for run, (_, at, end) in spans.items() if at <= begin < end - LEEWAY]
        assert len(going) <= PLACES
    for first, run in itertools.combinations(greedy, 2):
        (_, begin, end), (_, other, other_end) = spans[first], spans[run]
        both = max(begin, other)
        waiting = [each for each in runs if spans[each][0] < both - LEEWAY and both < spans[each][1]]
        assert not waiting or both > min(end, other_end) - LEEWAY, "one person has both places while others wait"
    store_samples("F20", "seconds until Start is answered, all at once", answers)


def ready_here(server, visitor: dict) -> None:
    """Like `ready`, for a visitor with a code."""
    header = {"cookie": "; ".join(f"{name}={value}" for name, value in visitor.items())}
    viewer = Viewer(server.url, "abcdefghijkl", headers=header)
    asyncio.run(viewer.follow(lambda seen: seen.status.get("spare") == "ready"))
