"""Chooses a response's language, and stores a visitor's choice."""

from collections.abc import Iterator
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runs.language import DEFAULT, LANGUAGES, use_language
from runs.web.join_codes import parse_cookies

#: Cookie and query field with the chosen language.
COOKIE, FIELD = "tourscope-language", "lang"
_COOKIE_SECONDS = 365 * 86_400


class Languages:
    """ASGI middleware around the whole application that sets `runs.language.current_language` for each request.

    The first of these that is known counts: the language in the address (``?lang=de``), the one chosen last, the
    supported language that the browser prefers most, or English.

    Parameters
    ----------
    app : ASGI application
    base_path : str
        Path under which the application is served, with a trailing slash.
    """

    def __init__(self, app: ASGIApp, base_path: str) -> None:
        self._app, self._base_path = app, base_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request in its language, and set the headers for caches."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        name = request_language(scope)
        choice = name if _find_requested_language(scope) and scope.get("method") == "GET" else ""
        with use_language(name):
            await self._app(scope, receive, self._with_headers(send, self._make_cookie(scope, choice)))

    def _make_cookie(self, scope: Scope, choice: str) -> str:
        if not choice:
            return ""
        secure = "; Secure" if scope["scheme"] in ("https", "wss") else ""
        return f"{COOKIE}={choice}; Path={self._base_path}; Max-Age={_COOKIE_SECONDS}; SameSite=Lax{secure}"

    def _with_headers(self, send: Send, cookie: str) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "immutable" not in headers.get("cache-control", ""):  # cached files have the language in their names
                    headers.add_vary_header("Accept-Language")
                    headers.add_vary_header("Cookie")
                if cookie and headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", cookie)
            await send(message)

        return send_with_headers


def request_language(scope: Scope) -> str:
    """Return the language in which to answer a request."""
    headers = Headers(scope=scope)
    cookie = parse_cookies(headers.get("cookie", "")).get(COOKIE, "")
    preferred = parse_preferences(headers.get("accept-language", ""))
    return next((name for name in (_find_requested_language(scope), cookie, *preferred) if name in LANGUAGES), DEFAULT)


def parse_preferences(header: str) -> list[str]:
    """Return the languages of an ``Accept-Language`` header without regions, most preferred first."""
    by_weight = sorted(_parse_weights(header[:1000]), key=lambda each: -each[0])
    return [name for weight, name in by_weight if weight > 0]


def _parse_weights(header: str) -> Iterator[tuple[float, str]]:
    for each in filter(None, map(str.strip, header.split(","))):
        tag, _, parameter = each.partition(";")
        try:
            weight = float(parameter.strip().removeprefix("q=") or 1) if parameter else 1.0
        except ValueError:
            continue
        yield weight, tag.strip().lower().partition("-")[0]


def _find_requested_language(scope: Scope) -> str:
    """Return the language in the address; empty if missing or unsupported."""
    choice = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(FIELD, [""])[-1]
    return choice if choice in LANGUAGES else ""
