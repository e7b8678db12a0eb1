"""Checks every request: host, origin, size and join code; adds security headers to every response."""

import base64
import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 12 << 20
COOKIE = "tourscope-join"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]+)?")
_SAFE = ("GET", "HEAD", "OPTIONS")
_SAFETY = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}
# Plotly and AG Grid write style elements; nothing needs eval.
_POLICY = (
    "default-src 'self'; script-src {}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)


class Guard:
    """ASGI middleware around the whole application.

    Parameters
    ----------
    app : ASGI application
    host : str
        The address that the server listens at.
    join_code : str or None
        The code that each visitor of a shared server must send once; None if the server is not shared.
    script_hashes : sequence of str
        CSP hashes of the page's inline scripts; see `hashes`.
    uploads : mapping of str to int
        Paths that accept a body larger than `MAX_BODY`, and its most bytes.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        join_code: str | None,
        script_hashes: Sequence[str] = (),
        uploads: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._app = app
        self._uploads = uploads
        self._hosts = LOOPBACK | {host.lower()}
        self._join_code = join_code
        self._headers = _SAFETY | {"Content-Security-Policy": _POLICY.format(" ".join(["'self'", *script_hashes]))}

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
        if not self._is_own_origin(scope, headers):
            return PlainTextResponse("Requests from other sites are refused.", 403)
        if scope["type"] == "http":
            length = headers.get("content-length", "0")
            if "transfer-encoding" in headers:
                return PlainTextResponse("Send the length of the body.", 411)
            if headers.get("content-type", "").lower().startswith("multipart/"):  # no route accepts one
                return PlainTextResponse("Multipart forms are not accepted: send the file itself as the body.", 413)
            most = self._uploads.get(scope["path"], MAX_BODY) if scope["method"] == "POST" else MAX_BODY
            if not re.fullmatch("[0-9]{1,18}", length) or int(length) > most:
                return PlainTextResponse(f"At most {most >> 20} MiB can be sent.", 413)
        return self._join(scope, headers) if self._join_code else None

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
        if scope["type"] == "http" and hmac.compare_digest(code_sent.encode(), code.encode()):
            # a redirect would still count as another site's request, and not send the strict cookie
            welcome = HTMLResponse('<meta http-equiv="refresh" content="0;url=./"><title>TourScope</title>Joining.')
            welcome.set_cookie(COOKIE, code, httponly=True, samesite="strict")
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
