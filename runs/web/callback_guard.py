"""Refuses requests to Dash's callbacks that its own script would not send.

Dash would parse large ones while everything else waits, and answer malformed ones with status 500.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dash import Dash
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data.plain_json import VALUES, is_plain, marks
from runs.translation import translate
from runs.web.callback_kinds import Kinds, matches

#: The route below a page's path to which its callbacks are posted.
CALLBACK_ROUTE = "_dash-update-component"
_OUTDATED = "This page is out of date: reload it."
_NO_PAGE = "There is no page at this address."
_TOO_MANY = "There are too many values in this request."
_OF_DASH = "/_dash-"


class CountedBodies:
    """ASGI middleware that limits the values in a body. Add it after Dash's own, which parses JSON on the event loop
    first.

    Values are counted as the body arrives, so nothing waits for them; the rest of a refused body is not read.

    Parameters
    ----------
    app : ASGI application
    pages : collection of str
        Paths of the pages, which end with a slash; Dash also parses bodies posted there.
    """

    def __init__(self, app: ASGIApp, pages: Collection[str]) -> None:
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a body that Dash will parse and pass it on; refuse it as soon as it has more than `VALUES` values."""
        if scope["type"] != "http" or not self._is_parsed(scope):
            await self._app(scope, receive, send)
            return
        came: list[Message] = []
        count, more = 0, True
        while more:
            message = await receive()
            count = marks(message.get("body", b""), count)
            if count > VALUES:
                await JSONResponse({"sentence": translate(_TOO_MANY)}, 413)(scope, receive, send)
                return
            came.append(message)
            more = message["type"] == "http.request" and message.get("more_body", False)
        came.reverse()

        async def receive_again() -> Message:
            return came.pop() if came else await receive()

        await self._app(scope, receive_again, send)

    def _is_parsed(self, scope: Scope) -> bool:
        is_json = Headers(scope=scope).get("content-type", "").startswith("application/json")
        return is_json and (_OF_DASH in scope["path"] or scope["path"].rstrip("/") + "/" in self._pages)


class CallbackGuard:
    """ASGI middleware that checks bodies against callbacks. Add it before Dash adds its own, which parses the body.

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
        """Refuse a body that does not match a callback, and pass on all others."""
        refusal = self._refusal(scope) if _is_callback(scope) else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
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
    """Whether a body has exactly the outputs, inputs and states of a callback, with values of the declared types."""
    if not isinstance(body, dict) or not isinstance(body.get("output"), str) or not is_plain(body):
        return False
    declared = callbacks.get(body["output"], {})
    if "callback" not in declared:  # a clientside callback, which runs in the browser
        return False
    if _callback_name(body.get("outputs")) != body["output"]:
        return False
    expected = [*declared["inputs"], *declared["state"]]
    inputs, state = body.get("inputs", []), body.get("state", [])
    if not isinstance(inputs, list) or not isinstance(state, list) or len(inputs) != len(declared["inputs"]):
        return False
    sent = [*inputs, *state]
    if len(sent) != len(expected) or not all(map(_matches, sent, expected)) or not _same_elements(sent, expected):
        return False
    values = [(each, one.get("value")) for one, each in _paired(sent, expected)]
    return all(kinds.fits(each, value) for each, value in values) and _changes_fit(
        body.get("changedPropIds", []), declared["inputs"]
    )


def _callback_name(outputs: Any) -> str:
    """Name that Dash derives for a callback from its outputs."""
    return f"..{'...'.join(map(_output_name, outputs))}.." if isinstance(outputs, list) else _output_name(outputs)


def _output_name(output: Any) -> str:
    names: list[Any] = [output.get("id"), output.get("property")] if isinstance(output, dict) else [None]
    return ".".join(names) if _are_texts(names) else ""


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _is_pattern(declared: dict[str, str]) -> bool:
    """Whether a declared id is a pattern, which any number of elements may match."""
    return declared["id"].startswith("{")


def _matches(sent: Any, declared: dict[str, str]) -> bool:
    if _is_pattern(declared):
        return isinstance(sent, list) and all(_matches_element(each, declared) for each in sent)
    return isinstance(sent, dict) and all(sent.get(key) == declared[key] for key in ("id", "property"))


def _matches_element(sent: Any, declared: dict[str, str]) -> bool:
    if not isinstance(sent, dict) or sent.get("property") != declared["property"]:
        return False
    name = sent.get("id")
    return matches(name, json.loads(declared["id"])) and (declared["property"] != "id" or sent.get("value") == name)


def _same_elements(sent: list[Any], expected: list[dict[str, str]]) -> bool:
    """Whether all properties of a pattern have the same elements, without duplicates."""
    names_of: dict[str, list[Any]] = {}
    for each, declared in zip(sent, expected, strict=True):
        if not _is_pattern(declared):
            continue
        names = [json.dumps(one["id"], sort_keys=True) for one in each]
        if len(set(names)) < len(names) or names_of.setdefault(declared["id"], names) != names:
            return False
    return True


def _paired(sent: list[Any], expected: list[dict[str, str]]) -> Iterable[tuple[dict[str, Any], dict[str, str]]]:
    """Yield the sent properties of single elements, each with its declaration."""
    for each, declared in zip(sent, expected, strict=True):
        yield from ((one, declared) for one in (each if isinstance(each, list) else [each]))


def _changes_fit(names: Any, inputs: list[dict[str, str]]) -> bool:
    """Whether every changed property is an input; its element may no longer exist."""
    plain = {f"{each['id']}.{each['property']}" for each in inputs}
    patterns = [each for each in inputs if _is_pattern(each)]
    if not isinstance(names, list) or not _are_texts(names):
        return False
    return all(name in plain or any(_declares(name, each) for each in patterns) for name in names)


def _declares(name: str, declared: dict[str, str]) -> bool:
    text, _, changed = name.rpartition(".")
    if changed != declared["property"]:
        return False
    try:
        return matches(json.loads(text), json.loads(declared["id"]))
    except (ValueError, RecursionError):
        return False
