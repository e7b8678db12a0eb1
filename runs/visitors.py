"""The visitor behind the current request."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Visitor(NamedTuple):
    """A person who uses the server.

    Attributes
    ----------
    id : str
        Random id; empty for visitors whom the server cannot tell apart.
    host : bool
        Whether this is the person who started the server.
    """

    id: str = ""
    host: bool = False

    @property
    def is_shared_host(self) -> bool:
        """Whether this is the host of a shared server; visitors of other servers have no ids."""
        return self.host and bool(self.id)


#: No visitor, the default: code that forgets to set the visitor may change nothing on a shared server.
NO_VISITOR = Visitor()
HOST = Visitor(host=True)
_CURRENT = ContextVar("visitor", default=NO_VISITOR)


def visitor() -> Visitor:
    """The current visitor; threads started by a request inherit it."""
    return _CURRENT.get()


@contextmanager
def acting_as(actor: Visitor) -> Iterator[None]:
    """Context manager: code in the block acts for the visitor `actor`."""
    token = _CURRENT.set(actor)
    try:
        yield
    finally:
        _CURRENT.reset(token)
