"""Refuses requests to Dash's callbacks that Dash's own script would not send.

Dash would parse large bodies while everything else waits, and answer malformed ones with status 500.
"""

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dash import Dash
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data.plain_json import VALUES, count_marks, is_plain
from runs.translation import translate
from runs.web.callback_kinds import Kinds, matches
from runs.web.faults import make_pool_full_answer

#: The route below a page's path to which its callbacks are posted.
CALLBACK_ROUTE = "_dash-update-component"
_OUTDATED = "This page is out of date: reload it."
_NO_PAGE = "There is no page at this address."
_TOO_MANY = "There are too many values in this request."
_DASH_PREFIX = "/_dash-"
#: Size in bytes from which a body is large; maximum total size of bodies in memory; seconds between two pieces of a
#: large body.
LARGE, MAX_HELD, _PAUSE = 256 << 10, 32 << 20, 0.005


class CountedBodies:
    """ASGI middleware that limits the values in a body, and the memory of all bodies.

    Add it after Dash's own middleware, which parses JSON on the event loop.

    Values are counted as the body arrives, so nothing waits for them; the rest of a refused body is not read. If there
    are many large bodies, they are received slowly, so that the event loop serves others in between.

    Parameters
    ----------
    app : ASGI application
    pages : collection of str
        Paths of the pages, which end with a slash; Dash also parses bodies posted there.
    """

    def __init__(self, app: ASGIApp, pages: Collection[str]) -> None:
        self._app = app
        self._pages = pages
        self._held = self._large = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a body on to Dash; refuse it once it has more than `VALUES` values, or all bodies exceed `MAX_HELD`."""
        if scope["type"] != "http" or not self._is_parsed(scope):
            await self._app(scope, receive, send)
            return
        messages: list[Message] = []
        count, size, more, is_large = 0, 0, True, False
        try:
            while more:
                message = await receive()
                piece = message.get("body", b"")
                count, size = count_marks(piece, count), size + len(piece)
                self._held += len(piece)
                if count > VALUES:
                    await JSONResponse({"sentence": translate(_TOO_MANY)}, 413)(scope, receive, send)
                    return
                if size > LARGE:
                    self._large += not is_large
                    is_large = True
                    if self._held > max(size, MAX_HELD):
                        await make_pool_full_answer()(scope, receive, send)
                        return
                    await asyncio.sleep(_PAUSE * self._large)
                messages.append(message)
                more = message["type"] == "http.request" and message.get("more_body", False)
            messages.reverse()

            async def receive_again() -> Message:
                return messages.pop() if messages else await receive()

            await self._app(scope, receive_again, send)
        finally:
            self._held -= size
            self._large -= is_large

    def _is_parsed(self, scope: Scope) -> bool:
        is_json = Headers(scope=scope).get("content-type", "").startswith("application/json")
        return is_json and (_DASH_PREFIX in scope["path"] or scope["path"].rstrip("/") + "/" in self._pages)


class CallbackGuard:
    """ASGI middleware that checks bodies against callbacks. Add it before Dash's, which parses them.

    Parameters
    ----------
    app : ASGI application
    pages : mapping of str to Dash
        Pages by path, which ends with a slash; read on the first request.
    """

    def __init__(self, app: ASGIApp, pages: Mapping[str, Dash]) -> None:
        self._app = app
        self._pages = pages
        self._kinds: dict[str, Kinds] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse bodies that do not match a callback, and pass on the others."""
        refusal = self._find_refusal(scope) if _is_callback(scope) else None
        await (refusal or self._app)(scope, receive, send)

    def _find_refusal(self, scope: Scope) -> JSONResponse | None:
        path = scope["path"].removesuffix(CALLBACK_ROUTE)
        if path not in self._pages:
            return JSONResponse({"sentence": translate(_NO_PAGE)}, 404)
        if path not in self._kinds:
            self._kinds[path] = Kinds(self._pages[path])
        body = scope["state"].get("json_body")
        if _fits(body, self._pages[path].callback_map, self._kinds[path]):
            return None
        return JSONResponse({"sentence": translate(_OUTDATED)}, 400)


def _is_callback(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "POST" and scope["path"].endswith(f"/{CALLBACK_ROUTE}")


def _fits(body: Any, callbacks: Mapping[str, Any], kinds: Kinds) -> bool:
    """Return whether a body has exactly a callback's outputs, inputs and states, with values of their types."""
    if not isinstance(body, dict) or not isinstance(body.get("output"), str) or not is_plain(body):
        return False
    declaration = callbacks.get(body["output"], {})
    if "callback" not in declaration:  # a clientside callback, which runs in the browser
        return False
    if _make_callback_name(body.get("outputs")) != body["output"]:
        return False
    expected = [*declaration["inputs"], *declaration["state"]]
    inputs, state = body.get("inputs", []), body.get("state", [])
    if not isinstance(inputs, list) or not isinstance(state, list) or len(inputs) != len(declaration["inputs"]):
        return False
    received = [*inputs, *state]
    if (
        len(received) != len(expected)
        or not all(map(_matches, received, expected))
        or not _have_same_elements(received, expected)
    ):
        return False
    values = [(each, one.get("value")) for one, each in _pair_properties(received, expected)]
    return all(kinds.fits(each, value) for each, value in values) and _are_changes_valid(
        body.get("changedPropIds", []), declaration["inputs"]
    )


def _make_callback_name(outputs: Any) -> str:
    """Return Dash's name for a callback, given its outputs."""
    return (
        f"..{'...'.join(map(_make_output_name, outputs))}.."
        if isinstance(outputs, list)
        else _make_output_name(outputs)
    )


def _make_output_name(output: Any) -> str:
    names: list[Any] = [output.get("id"), output.get("property")] if isinstance(output, dict) else [None]
    return ".".join(names) if _are_texts(names) else ""


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_pattern(declaration: dict[str, str]) -> bool:
    """Return whether a declared id is a pattern, which any number of elements may match."""
    return declaration["id"].startswith("{")


def _matches(received: Any, declaration: dict[str, str]) -> bool:
    if _is_pattern(declaration):
        return isinstance(received, list) and all(_matches_element(each, declaration) for each in received)
    return isinstance(received, dict) and all(received.get(key) == declaration[key] for key in ("id", "property"))


def _matches_element(received: Any, declaration: dict[str, str]) -> bool:
    if not isinstance(received, dict) or received.get("property") != declaration["property"]:
        return False
    name = received.get("id")
    return matches(name, json.loads(declaration["id"])) and (
        declaration["property"] != "id" or received.get("value") == name
    )


def _have_same_elements(received: list[Any], expected: list[dict[str, str]]) -> bool:
    """Return whether all properties of a pattern have the same elements, without duplicates."""
    names_by_pattern: dict[str, list[Any]] = {}
    for each, declaration in zip(received, expected, strict=True):
        if not _is_pattern(declaration):
            continue
        names = [json.dumps(one["id"], sort_keys=True) for one in each]
        if len(set(names)) < len(names) or names_by_pattern.setdefault(declaration["id"], names) != names:
            return False
    return True


def _pair_properties(
    received: list[Any], expected: list[dict[str, str]]
) -> Iterable[tuple[dict[str, Any], dict[str, str]]]:
    """Yield single elements' received properties with their declarations."""
    for each, declaration in zip(received, expected, strict=True):
        yield from ((one, declaration) for one in (each if isinstance(each, list) else [each]))


def _are_changes_valid(names: Any, inputs: list[dict[str, str]]) -> bool:
    """Return whether every changed property is an input, whose element may no longer exist."""
    single = {f"{each['id']}.{each['property']}" for each in inputs}
    patterns = [each for each in inputs if _is_pattern(each)]
    if not isinstance(names, list) or not _are_texts(names):
        return False
    return all(name in single or any(_declares(name, pattern) for pattern in patterns) for name in names)


def _declares(name: str, declaration: dict[str, str]) -> bool:
    text, _, property_name = name.rpartition(".")
    if property_name != declaration["property"]:
        return False
    try:
        return matches(json.loads(text), json.loads(declaration["id"]))
    except (ValueError, RecursionError):
        return False
