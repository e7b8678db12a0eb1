"""Lets a run count the time of its long loops, and interrupt them between short blocks of work."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Block = TypeVar("Block")


class Watch(Protocol):
    """Watches long loops; for example, for the budget of a run in preparation."""

    def count_time(self) -> AbstractContextManager[object]:
        """Context manager: count the time in the block."""

    def check(self) -> None:
        """Raise an exception if the loop must stop."""


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Context manager: `watch` watches the long loops of this thread."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def check_between(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks of a long loop, each of some milliseconds; the watch may stop it before each block."""
    watch = _watch.get()
    if watch is None:
        yield from blocks
        return
    with watch.count_time():
        for block in blocks:
            watch.check()
            yield block
