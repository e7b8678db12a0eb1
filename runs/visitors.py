"""The visitor behind the current request."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from starlette.types import Receive


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
        """Whether this is the host of a shared server; on other servers visitors have no ids."""
        return self.host and bool(self.id)


#: No visitor, the default: code that forgets to set the visitor may change nothing on a shared server.
NO_VISITOR = Visitor()
HOST = Visitor(host=True)
_CURRENT = ContextVar("visitor", default=NO_VISITOR)
_RECEIVE: ContextVar[Receive | None] = ContextVar("receive", default=None)


def current_visitor() -> Visitor:
    """Return the current visitor; threads started by a request inherit it."""
    return _CURRENT.get()


async def wait_until_left(receive: Receive | None = None) -> None:
    """Return when a client leaves, by default the current request's, whose body must have been read."""
    receive = receive or _RECEIVE.get()
    if receive is None:  # nobody can leave
        await asyncio.Event().wait()
        return
    while (await receive())["type"] != "http.disconnect":
        pass


@contextmanager
def act_as(actor: Visitor, receive: Receive | None = None) -> Iterator[None]:
    """Context manager: act for the visitor `actor`, whose request's messages come from `receive`."""
    tokens = _CURRENT.set(actor), _RECEIVE.set(receive)
    try:
        yield
    finally:
        _CURRENT.reset(tokens[0])
        _RECEIVE.reset(tokens[1])
