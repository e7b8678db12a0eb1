"""Helpers for callbacks: the id in a store, and callbacks that do not block the server's event loop."""

from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeVar

from components.types import Json
from runs.bounded_pool import run_in_thread

Result = TypeVar("Result")


def stored_id(stored: Json, what: str) -> str | None:
    """Return the id of the run, race or study in a store, or None."""
    value = stored.get(what) if isinstance(stored, dict) else None
    return value if isinstance(value, str) else None


def choose(value: Json, choices: Collection[str], default: str) -> str:
    """Return a value sent by a page if it is one of the choices, else the default."""
    return value if isinstance(value, str) and value in choices else default


def in_thread(function: Callable[..., Result], *bound: Any) -> Callable[..., Awaitable[Result]]:
    """Make a callback that runs `function` in a thread, since Dash runs async callbacks on the event loop of the
    streams.

    Parameters
    ----------
    function : callable
        Takes `bound`, then the values of the callback's inputs and states.
    *bound
        First arguments of `function`.
    """

    async def answer(*values: Json) -> Result:
        return await run_in_thread(function, *bound, *values)

    return answer


def on_click(function: Callable[..., Result], *bound: Any) -> Callable[..., Awaitable[Result]]:
    """Do the same as `in_thread`, without the value of the callback's first input, the clicks on a button."""
    return in_thread(lambda _, *values: function(*bound, *values))
