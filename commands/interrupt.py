"""Handles Ctrl-C on the command line."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def on_ctrl_c(cancel: Callable[[], object]) -> Iterator[None]:
    """Context manager: on Ctrl-C, call `cancel` instead of raising KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, lambda *_: cancel())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
