"""Lets a thread find out whether anybody still waits for its result."""

import threading
from contextvars import ContextVar

#: Set once nobody is waiting any more; `runs.bounded_pool` creates one for each call.
ABANDONED: ContextVar[threading.Event | None] = ContextVar("abandoned", default=None)


def is_abandoned() -> bool:
    """Return whether nobody is waiting for the current work any more."""
    event = ABANDONED.get()
    return event is not None and event.is_set()
