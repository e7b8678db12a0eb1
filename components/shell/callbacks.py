"""How the server answers a page without holding up what else it does."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any


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
