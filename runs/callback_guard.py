"""The door of Dash's callbacks: Dash answers 500 to whatever its own script in the page would not have posted."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class CallbackGuard:
    """ASGI middleware, added before Dash adds its own: by then Dash has parsed the body, or given it up for None.

    Parameters
    ----------
    app : ASGI application
    known : callable
        Gives the callbacks of the page that a path belongs to by their output; they are complete only after this is
        made.
    """

    def __init__(self, app: ASGIApp, known: Callable[[str], Mapping[str, Any]]) -> None:
        self._app = app
        self._known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a body that fits no callback, and pass everything else on."""
        if _is_callback(scope) and not _fits(scope["state"]["json_body"], self._known(scope["path"])):
            sentence = "The page and the server do not fit together: reload the page."
            await PlainTextResponse(sentence, 400)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_callback(scope: Scope) -> bool:
    posted = scope["type"] == "http" and scope["method"] == "POST"
    return posted and scope["path"].endswith("/_dash-update-component")


def _fits(body: Any, known: Mapping[str, Any]) -> bool:
    """Whether a body has exactly the outputs, inputs and states that one of the callbacks declares."""
    if not isinstance(body, dict) or not isinstance(body.get("output"), str):
        return False
    declared = known.get(body["output"], {})
    changed = body.get("changedPropIds", [])
    return (
        "callback" in declared  # one of the page's scripts has none
        and _text(body.get("outputs")) == body["output"]
        and _same(body.get("inputs", []), declared["inputs"])
        and _same(body.get("state", []), declared["state"])
        and isinstance(changed, list)
        and _texts(changed)
    )


def _text(outputs: Any) -> str:
    """Outputs as Dash names a callback by them."""
    return f"..{'...'.join(map(_one, outputs))}.." if isinstance(outputs, list) else _one(outputs)


def _one(output: Any) -> str:
    names: list[Any] = [output.get("id"), output.get("property")] if isinstance(output, dict) else [None]
    return ".".join(names) if _texts(names) else ""


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _same(given: Any, declared: list[dict[str, str]]) -> bool:
    return isinstance(given, list) and len(given) == len(declared) and all(map(_is, given, declared))


def _is(given: Any, declared: dict[str, str]) -> bool:
    if declared["id"].startswith("{"):  # a pattern, which any number of components may match
        return isinstance(given, list) and all(_matches(each, declared["property"]) for each in given)
    return isinstance(given, dict) and all(given.get(key) == declared[key] for key in ("id", "property"))


def _matches(given: Any, wanted: str) -> bool:
    named = isinstance(given, dict) and isinstance(given.get("id"), dict) and _texts(given["id"].values())
    return named and given.get("property") == wanted
