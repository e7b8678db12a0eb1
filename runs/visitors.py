"""The visitor behind the current request."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Visitor(NamedTuple):
    """Somebody who uses the server.

    Attributes
    ----------
    id : str
        Random; empty of somebody whom the server cannot tell from others.
    host : bool
        Whether it is the person who started the server.
    """

    id: str = ""
    host: bool = False

    @property
    def lets_in(self) -> bool:
        """Whether this is the host of a shared server; a server that is not shared has no ids."""
        return self.host and bool(self.id)


#: No visitor, the default: code that forgets to set the visitor may change nothing on a shared server.
NO_VISITOR = Visitor()
HOST = Visitor(host=True)
_CURRENT = ContextVar("visitor", default=NO_VISITOR)


def visitor() -> Visitor:
    """The current visitor; threads that a request starts inherit it."""
    return _CURRENT.get()


@contextmanager
def acting_as(who: Visitor) -> Iterator[None]:
    """Context manager: the block acts for the visitor `who`."""
    token = _CURRENT.set(who)
    try:
        yield
    finally:
        _CURRENT.reset(token)
