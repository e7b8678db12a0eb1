"""Helpers for callbacks: the id in a store, and callbacks that do not block the server's event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any


def named_in(stored: Any, what: str) -> str | None:
    """Id of the run, race or study in a store, or None."""
    value = stored.get(what) if isinstance(stored, dict) else None
    return value if isinstance(value, str) else None


def in_thread(function: Callable[..., Any], *bound: Any) -> Callable[..., Awaitable[Any]]:
    """Make a callback that runs `function` in a thread, since Dash runs async callbacks on the event loop of the
    streams.

    Parameters
    ----------
    function : callable
        Takes `bound`, then the values of the callback's inputs and states.
    *bound
        First arguments of `function`.
    """

    async def answer(*values):
        return await asyncio.to_thread(function, *bound, *values)

    return answer
