"""How callbacks answer a page: what its stores name, and without holding up what else the server does."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any


def named_in(stored: Any, what: str) -> str | None:
    """The id of the run, race or study that a store names, if there is one."""
    found = stored.get(what) if isinstance(stored, dict) else None
    return found if isinstance(found, str) else None


def in_thread(function: Callable[..., Any], *given: Any) -> Callable[..., Awaitable[Any]]:
    """A callback that has `function` answer in a thread: Dash runs callbacks on the event loop, as the streams do.

    Parameters
    ----------
    function : callable
        Of what is given here, and then of the values of the callback's inputs and states.
    *given
    """

    async def answer(*values):
        return await asyncio.to_thread(function, *given, *values)

    return answer
