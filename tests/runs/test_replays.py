"""Climbs that are computed again: once for all who ask at a time."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from runs.replays import MOST, Replays
from tests.clock import PATIENCE


def test_all_who_ask_at_once_get_one_computation():
    replays, asked, go = Replays(), [], threading.Event()

    def compute():
        asked.append(1)
        assert go.wait(PATIENCE)
        return b"climb"

    with ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(replays.get, "run", 3, compute) for _ in range(5)]
        go.set()
        assert [each.result(PATIENCE) for each in waiting] == [b"climb"] * 5
    assert replays.get("run", 3, compute) == b"climb"
    assert asked == [1]


def test_each_climb_of_each_run_is_its_own_and_the_newest_are_kept():
    replays, asked = Replays(), []

    def ask(run, climber):
        def compute():
            asked.append((run, climber))
            return f"{run} {climber}".encode()

        assert replays.get(run, climber, compute) == f"{run} {climber}".encode()

    keys = [(run, climber) for climber in range(MOST // 2 + 1) for run in ("a", "b")]
    for key in (*keys, *keys[-MOST:], keys[0]):
        ask(*key)
    assert asked == [*keys, keys[0]]


def test_a_failure_is_told_and_the_next_one_tries_anew():
    replays = Replays()

    def fail():
        raise LookupError("no such climb")

    with pytest.raises(LookupError, match="no such climb"):
        replays.get("run", 0, fail)
    assert replays.get("run", 0, lambda: b"there") == b"there"
