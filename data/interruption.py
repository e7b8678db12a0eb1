"""Counts the time of a run's long loops, and interrupts them between short blocks."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Block = TypeVar("Block")


class Watch(Protocol):
    """Watches long loops, for example for the budget of a run in preparation."""

    def count_time(self) -> AbstractContextManager[object]:
        """Context manager: count the block's time."""

    def check(self) -> None:
        """Raise an exception to stop the loop."""


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Context manager: let `watch` watch this thread's long loops."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def check_between(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield a long loop's blocks, a few milliseconds each; the watch may stop the loop before each block."""
    watch = _watch.get()
    if watch is None:
        yield from blocks
        return
    with watch.count_time():
        for block in blocks:
            watch.check()
            yield block
