"""Checks every request: host, origin, size, rate and join code; adds security headers to every response."""

import base64
import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runs.web.rates import Rate

MAX_BODY = 12 << 20
COOKIE = "tourscope-join"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]+)?")
_SAFE = ("GET", "HEAD", "OPTIONS")
#: What a browser says of who asked for a request: the page itself, or the person (an address typed, a bookmark).
_OWN_SITES = ("same-origin", "none")
#: Bytes of random data in the join code.
JOIN_BYTES = 16
#: Wrong join codes that an address may send at once, and how many more each minute.
_GUESSES = (10, 10)
_SAFETY = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}
# Plotly and AG Grid write style elements; nothing needs eval.
_POLICY = (
    "default-src 'self'; script-src {}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Doors:
    """What the guard lets in, and how often.

    Attributes
    ----------
    scripts : sequence of str
        CSP hashes of the pages' inline scripts; see `hashes`.
    uploads : mapping of str to int
        Paths that accept a body larger than `MAX_BODY`, and its most bytes.
    rates : mapping of str to Rate
        How often an address may post to a path.
    sockets : collection of str
        Paths of the WebSockets that the server has; any other is refused, also one that Dash would open.
    free : collection of str
        Paths that may be read without the join code.
    names : collection of str
        Other names of the server, as those of a proxy before it.
    """

    scripts: Sequence[str] = ()
    uploads: Mapping[str, int] = field(default_factory=dict)
    rates: Mapping[str, Rate] = field(default_factory=dict)
    sockets: Collection[str] = ()
    free: Collection[str] = ()
    names: Collection[str] = ()


class Guard:
    """ASGI middleware around the whole application.

    Parameters
    ----------
    app : ASGI application
    host : str
        The address that the server listens at.
    join_code : str or None
        The code that each visitor of a shared server must send once; None if the server is not shared.
    doors : Doors
    """

    def __init__(self, app: ASGIApp, host: str, join_code: str | None, doors: Doors) -> None:
        self._app, self._doors = app, doors
        self._guesses = Rate(*_GUESSES)
        self._hosts = LOOPBACK | {host.lower(), *(name.lower() for name in doors.names)}
        self._join_code = join_code
        self._headers = _SAFETY | {"Content-Security-Policy": _POLICY.format(" ".join(["'self'", *doors.scripts]))}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on and add the headers to its response."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, self._with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_known_host(headers.get("host", "")):
            return PlainTextResponse("Unknown host name.", 400)
        if not (self._is_own_origin(scope, headers) and _is_own_site(scope, headers)):
            return PlainTextResponse("Requests from other sites are refused.", 403)
        if scope["type"] == "websocket" and scope["path"] not in self._doors.sockets:
            return PlainTextResponse("There is no stream at this address.", 404)
        if scope["type"] == "http":
            length = headers.get("content-length", "0")
            if "transfer-encoding" in headers:
                return PlainTextResponse("Send the length of the body.", 411)
            if headers.get("content-type", "").lower().startswith("multipart/"):  # no route accepts one
                return PlainTextResponse("Multipart forms are not accepted: send the file itself as the body.", 413)
            most = self._doors.uploads.get(scope["path"], MAX_BODY) if scope["method"] == "POST" else MAX_BODY
            if not re.fullmatch("[0-9]{1,18}", length) or int(length) > most:
                return PlainTextResponse(f"At most {most >> 20} MiB can be sent.", 413)
        asks_code = self._join_code and not (scope["path"] in self._doors.free and scope.get("method") in _SAFE)
        return (self._join(scope, headers) if asks_code else None) or self._too_often(scope)

    def _too_often(self, scope: Scope) -> Response | None:
        rate = self._doors.rates.get(scope["path"]) if scope.get("method") == "POST" else None
        wait = rate.wait(_address(scope)) if rate else 0
        if not wait:
            return None
        return PlainTextResponse(f"Too many requests: wait {wait} s.", 429, {"Retry-After": str(wait)})

    def _is_known_host(self, host: str) -> bool:
        match = _HOST.fullmatch(host.lower())
        name = (match[1] or match[2]) if match else ""
        if name in self._hosts:
            return True
        # A shared server accepts its machine's name and any IP address: DNS rebinding needs another name.
        return self._join_code is not None and (name == socket.gethostname().lower() or _is_address(name))

    def _is_own_origin(self, scope: Scope, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in _SAFE):
            return True
        return origin.lower().partition("://")[2] == headers.get("host", "").lower()

    def _join(self, scope: Scope, headers: Headers) -> Response | None:
        """None if the visitor has the cookie, a page that sets it if the query has the code, else a refusal."""
        code = self._join_code or ""
        if hmac.compare_digest(_cookie(headers).encode(), code.encode()):
            return None
        code_sent = parse_qs(scope["query_string"].decode("latin-1")).get("join", [""])[0]
        if code_sent and (wait := self._guesses.wait(_address(scope), take=code_sent != code)):
            return PlainTextResponse(f"Too many wrong codes: wait {wait} s.", 429, {"Retry-After": str(wait)})
        if scope["type"] == "http" and hmac.compare_digest(code_sent.encode(), code.encode()):
            # a redirect would still count as another site's request, and not send the strict cookie
            welcome = HTMLResponse('<meta http-equiv="refresh" content="0;url=./"><title>TourScope</title>Joining.')
            welcome.set_cookie(COOKIE, code, httponly=True, samesite="strict", secure=scope["scheme"] == "https")
            return welcome
        return PlainTextResponse("Open the address with the join code that the server printed when it started.", 403)

    def _with_headers(self, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        return send_with_headers


def hashes(html: str) -> list[str]:
    """CSP hashes of the inline scripts of a page."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts]


def _is_own_site(scope: Scope, headers: Headers) -> bool:
    """False for what another site's page embeds or fetches. A link there that opens a page here is fine.

    Another port of the same machine is another site too: browsers call it ``same-site``.
    """
    asked_by = headers.get("sec-fetch-site")  # browsers send it to addresses that they trust, and no page can set it
    if asked_by is None or asked_by in _OWN_SITES:
        return True
    opens_page = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return scope["type"] == "http" and scope["method"] in _SAFE and opens_page


def _address(scope: Scope) -> str:
    return (scope.get("client") or ("",))[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""
