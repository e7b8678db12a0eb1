"""Helpers for callbacks: ids in stores, and callbacks that do not block the server's event loop."""

from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeVar

from dash import Input, Output, State

from components.types import Json, PatternId
from runs.bounded_pool import run_in_thread

Result = TypeVar("Result")


def inputs(name: str, *component_ids: str | PatternId) -> list[Input]:
    """Return a callback's inputs for the same property of several components."""
    return [Input(component_id, name) for component_id in component_ids]


def states(name: str, *component_ids: str | PatternId) -> list[State]:
    """Return a callback's states for the same property of several components."""
    return [State(component_id, name) for component_id in component_ids]


def outputs(name: str, *component_ids: str | PatternId) -> list[Output]:
    """Return a callback's outputs for the same property of several components."""
    return [Output(component_id, name) for component_id in component_ids]


def find_stored_id(stored: Json, what: str) -> str | None:
    """Return the id of a store's run, race or study, or None."""
    value = stored.get(what) if isinstance(stored, dict) else None
    return value if isinstance(value, str) else None


def choose(value: Json, choices: Collection[str], default: str) -> str:
    """Return a page's value if it is one of the choices, else the default."""
    return value if isinstance(value, str) and value in choices else default


def in_thread(function: Callable[..., Result], *bound: Any) -> Callable[..., Awaitable[Result]]:
    """Return a callback that runs `function` in a thread, as Dash runs async ones on the streams' event loop.

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
    """Like `in_thread`, without the callback's first input, a button's clicks."""
    return in_thread(lambda _, *values: function(*bound, *values))
