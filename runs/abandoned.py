"""Whether anybody still waits for what a thread does."""

import threading
from contextvars import ContextVar

#: Set once nobody waits any more; `runs.bounded_pool` has one for each call.
ABANDONED: ContextVar[threading.Event | None] = ContextVar("abandoned", default=None)


def is_abandoned() -> bool:
    """Return whether nobody waits any more for the current work."""
    event = ABANDONED.get()
    return event is not None and event.is_set()
