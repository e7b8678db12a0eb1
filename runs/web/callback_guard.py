"""The door of Dash's callbacks: Dash answers 500 to whatever its own script in the page would not have posted."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dash import Dash
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from data.plain_json import is_plain
from runs.web.callback_kinds import Kinds, matches

#: What a page's path is followed by where its callbacks are posted to.
POSTED = "_dash-update-component"
_UNFIT = "This page is out of date: reload it."
_NO_PAGE = "There is no page at this address."


class CallbackGuard:
    """ASGI middleware, added before Dash adds its own: by then Dash has parsed the body, or given it up for None.

    Parameters
    ----------
    app : ASGI application
    pages : mapping of str to Dash
        The pages by their paths, with a slash at the end; they are complete only after this is made.
    """

    def __init__(self, app: ASGIApp, pages: Mapping[str, Dash]) -> None:
        self._app = app
        self._pages = pages
        self._kinds: dict[str, Kinds] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a body that fits no callback, and pass everything else on."""
        refusal = self._refusal(scope) if _is_callback(scope) else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        path = scope["path"].removesuffix(POSTED)
        if path not in self._pages:
            return JSONResponse({"sentence": _NO_PAGE}, 404)
        if path not in self._kinds:
            self._kinds[path] = Kinds(self._pages[path])
        body = scope["state"].get("json_body")
        if _fits(body, self._pages[path].callback_map, self._kinds[path]):
            return None
        return JSONResponse({"sentence": _UNFIT}, 400)


def _is_callback(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "POST" and scope["path"].endswith(f"/{POSTED}")


def _fits(body: Any, known: Mapping[str, Any], kinds: Kinds) -> bool:
    """Whether a body has exactly the outputs, inputs and states that one of the callbacks declares, of their kinds."""
    if not isinstance(body, dict) or not isinstance(body.get("output"), str) or not is_plain(body):
        return False
    declared = known.get(body["output"], {})
    if "callback" not in declared or _text(body.get("outputs")) != body["output"]:  # one of the page's scripts has none
        return False
    wanted = [*declared["inputs"], *declared["state"]]
    inputs, state = body.get("inputs", []), body.get("state", [])
    if not isinstance(inputs, list) or not isinstance(state, list) or len(inputs) != len(declared["inputs"]):
        return False
    given = [*inputs, *state]
    if len(given) != len(wanted) or not all(map(_is, given, wanted)) or not _agree(given, wanted):
        return False
    held = [(each, one.get("value")) for one, each in _paired(given, wanted)]
    return all(kinds.fits(each, value) for each, value in held) and _changed(
        body.get("changedPropIds", []), declared["inputs"]
    )


def _text(outputs: Any) -> str:
    """Outputs as Dash names a callback by them."""
    return f"..{'...'.join(map(_one, outputs))}.." if isinstance(outputs, list) else _one(outputs)


def _one(output: Any) -> str:
    names: list[Any] = [output.get("id"), output.get("property")] if isinstance(output, dict) else [None]
    return ".".join(names) if _texts(names) else ""


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _is_pattern(declared: dict[str, str]) -> bool:
    """Whether any number of elements may match it."""
    return declared["id"].startswith("{")


def _is(given: Any, declared: dict[str, str]) -> bool:
    if _is_pattern(declared):
        return isinstance(given, list) and all(_matches(each, declared) for each in given)
    return isinstance(given, dict) and all(given.get(key) == declared[key] for key in ("id", "property"))


def _matches(given: Any, declared: dict[str, str]) -> bool:
    if not isinstance(given, dict) or given.get("property") != declared["property"]:
        return False
    name = given.get("id")
    return matches(name, json.loads(declared["id"])) and (declared["property"] != "id" or given.get("value") == name)


def _agree(given: list[Any], wanted: list[dict[str, str]]) -> bool:
    """Whether all properties of one pattern are of the same elements, each there once."""
    found: dict[str, list[Any]] = {}
    for each, declared in zip(given, wanted, strict=True):
        if not _is_pattern(declared):
            continue
        names = [json.dumps(one["id"], sort_keys=True) for one in each]
        if len(set(names)) < len(names) or found.setdefault(declared["id"], names) != names:
            return False
    return True


def _paired(given: list[Any], wanted: list[dict[str, str]]) -> Iterable[tuple[dict[str, Any], dict[str, str]]]:
    """What was sent of each element, with what it is declared as."""
    for each, declared in zip(given, wanted, strict=True):
        yield from ((one, declared) for one in (each if isinstance(each, list) else [each]))


def _changed(names: Any, inputs: list[dict[str, str]]) -> bool:
    """Whether each of the properties that are said to have changed is an input's; its element may be gone by now."""
    plain = {f"{each['id']}.{each['property']}" for each in inputs}
    patterns = [each for each in inputs if _is_pattern(each)]
    if not isinstance(names, list) or not _texts(names):
        return False
    return all(name in plain or any(_names(name, each) for each in patterns) for name in names)


def _names(name: str, declared: dict[str, str]) -> bool:
    text, _, changed = name.rpartition(".")
    if changed != declared["property"]:
        return False
    try:
        return matches(json.loads(text), json.loads(declared["id"]))
    except (ValueError, RecursionError):
        return False
