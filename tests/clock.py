"""Waiting on a machine that has other work to do, and holding times against it."""

import time
from collections.abc import Callable

#: Seconds after which what is waited for will not come any more. Workers stand back (`os.nice`): beside other work they
#: have a twentieth of a core.
PATIENCE = 180.0


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until the condition holds."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "this took too long"
        time.sleep(0.01)


def least(take: Callable[[], float], enough: float, tries: int = 5) -> float:
    """The least seconds of some tries, no more of them once one took less than `enough`.

    Another process may have the core in the midst of any try, but hardly of all.
    """
    found = take()
    for _ in range(tries - 1):
        if found < enough:
            break
        found = min(found, take())
    return found
