"""Waiting, and comparing times with bounds, on a machine with other load."""

import json
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

#: Seconds after which what is waited for will not come any more. Workers stand back (`os.nice`): beside other work they
#: have a twentieth of a core.
PATIENCE = 180.0


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until the condition holds."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "this took too long"
        time.sleep(0.01)


def measure_fastest(take: Callable[[], float], enough: float, tries: int = 5) -> float:
    """The least seconds of some tries, no more of them once one took less than `enough`.

    Another process may have the core in the midst of any try, but hardly of all.
    """
    found = take()
    for _ in range(tries - 1):
        if found < enough:
            break
        found = min(found, take())
    return found


#: Processor seconds of `_piece` on the machine on which bounds were set: a core of an AMD EPYC.
_PIECE = 0.004


def _piece() -> None:
    """A fixed piece of work in Python and NumPy."""
    text = json.dumps([{"name": str(k), "value": k} for k in range(2000)])
    sorted(json.loads(text), key=lambda each: each["name"])
    np.sort(np.random.default_rng(1).random(50_000))


def is_within_bound(seconds: float, bound: float) -> bool:
    """Whether seconds of the processor are less than a bound, on a slower machine in proportion.

    It is slower by as much as a fixed piece of work takes longer here and now than it did where bounds were set.
    """
    return seconds < bound or seconds < bound * min(thread_seconds(_piece) for _ in range(20)) / _PIECE


def thread_seconds(work: Callable[[], object]) -> float:
    """Processor seconds of this thread for some work."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def process_seconds(pid: int) -> float:
    """Processor seconds of a process so far."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def waiting_seconds(pid: int) -> float:
    """Seconds for which the first thread of a process waited for a processor; NaN on systems other than Linux."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return math.nan


def child_seconds() -> float:
    """Processor seconds of all finished child processes."""
    times = psutil.Process().cpu_times()
    return times.children_user + times.children_system
