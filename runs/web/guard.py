"""Checks every request's host, origin, size, rate and code; sets the visitor and security headers."""

import base64
import hashlib
import ipaddress
import re
import socket
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runs.language import current_language
from runs.translation import translate
from runs.visitors import HOST, Visitor, act_as
from runs.web.framing import Framing
from runs.web.join_codes import JOIN_COOKIE, JoinCodes, parse_cookies
from runs.web.rates import Rate

#: Maximum size of a body in bytes: a file of `data.limits.MAX_BYTES` in base64, and the other values that the page
#: sends.
MAX_BODY = 24 << 20
#: Key of the `JoinCodes` in the scope of a request, on servers that require a code.
JOIN_CODES = "tourscope.entrance"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]+)?")
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
#: Values of ``Sec-Fetch-Site`` for requests by the page itself or by the person (a typed address, a bookmark).
OWN_SITES = ("same-origin", "none")
_SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
# Plotly and AG Grid write style elements; nothing needs eval.
_POLICY = (
    "default-src 'self'; script-src {}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
#: Self-contained, since a visitor without a code cannot load style sheets.
_CODE_PAGE = Path(__file__).with_name("code_page.html").read_text("utf-8")


@dataclass(frozen=True)
class GuardConfig:
    """The requests that the guard accepts, and their rates.

    Attributes
    ----------
    scripts : sequence of str
        CSP hashes of the pages' inline scripts; see `hash_scripts`.
    uploads : mapping of str to int
        Paths that accept a body larger than `MAX_BODY`, with the limit in bytes.
    rates : mapping of str to Rate
        Rates at which a visitor may post to a path; visitors without an id share the rate of their address.
    sockets : collection of str
        Paths of the server's WebSockets; any other is refused, even one that Dash would open.
    free : collection of str
        Paths that may be read without the join code.
    names : collection of str
        Other names of the server, such as those of a proxy in front of it.
    framing : Framing
        Pages that other sites may frame; they may also be read without the join code.
    typeface : str
        Path of the typeface on the page that asks for the join code; it may be read without the code.
    """

    scripts: Sequence[str] = ()
    uploads: Mapping[str, int] = field(default_factory=dict)
    rates: Mapping[str, Rate] = field(default_factory=dict)
    sockets: Collection[str] = ()
    free: Collection[str] = ()
    names: Collection[str] = ()
    framing: Framing = field(default_factory=Framing)
    typeface: str = ""


class Guard:
    """ASGI middleware around the whole application.

    Parameters
    ----------
    app : ASGI application
    host : str
        Address at which the server listens.
    codes : JoinCodes or None
        The join codes, one of which each visitor must send once; None if every visitor is the host.
    config : GuardConfig
    """

    def __init__(self, app: ASGIApp, host: str, codes: JoinCodes | None, config: GuardConfig) -> None:
        self._app, self._config, self._codes = app, config, codes
        self._hosts = LOOPBACK | {host.lower(), *(name.lower() for name in config.names)}
        self._free = {*config.free, config.typeface}
        self._policy = _POLICY.format(" ".join(["'self'", *config.scripts]))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on and add headers to the response."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        visitor = self._codes.visitor(_read_cookies(scope)) if self._codes else HOST
        refusal = self._find_refusal(scope, visitor)
        if refusal is None:
            visitor, cookie = self._identify(scope, visitor)
            if self._codes:
                self._codes.count(visitor, _read_cookies(scope))
                scope[JOIN_CODES] = self._codes
            with act_as(visitor, receive):
                await self._app(scope, receive, self._with_headers(scope, send, cookie))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, self._with_headers(scope, send))

    def _identify(self, scope: Scope, visitor: Visitor) -> tuple[Visitor, str]:
        """Identify the visitor; a visitor without an id gets one in a cookie with the first page."""
        codes = self._codes
        if not (codes and codes.shared and opens_page(scope)) or visitor.id:
            return visitor, ""
        visitor = codes.assign_id(visitor, _find_address(scope))
        return visitor, codes.cookie(visitor, _is_secure(scope))

    def _find_refusal(self, scope: Scope, visitor: Visitor) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_known_host(headers.get("host", "")):
            return PlainTextResponse(translate("Unknown host name."), 400)
        framed = self._config.framing.opens_frame(scope, headers)
        if not (self._is_own_origin(scope, headers) and (framed or _is_own_site(scope, headers))):
            return PlainTextResponse(self._explain_origin(headers), 403)
        if scope["type"] == "websocket" and scope["path"] not in self._config.sockets:
            return PlainTextResponse(translate("There is no stream at this address."), 404)
        if scope["type"] == "http":
            length = headers.get("content-length", "0")
            if "transfer-encoding" in headers:
                return PlainTextResponse(translate("Send the length of the body."), 411)
            if headers.get("content-type", "").lower().startswith("multipart/"):  # no route accepts one
                return PlainTextResponse(
                    translate("Multipart forms are not accepted: send the file itself as the body."), 413
                )
            limit = self._config.uploads.get(scope["path"], MAX_BODY) if scope["method"] == "POST" else MAX_BODY
            if not re.fullmatch("[0-9]{1,18}", length) or int(length) > limit:
                return PlainTextResponse(translate(f"At most {limit >> 20} MiB can be sent."), 413)
        is_public = scope["path"] in self._free and scope.get("method") in _SAFE_METHODS
        is_public = is_public or self._config.framing.is_offered(scope)
        joining = self._join(scope, self._codes) if self._codes and not is_public else None
        return joining or self._check_rate(scope, visitor)

    def _check_rate(self, scope: Scope, visitor: Visitor) -> Response | None:
        rate = self._config.rates.get(scope["path"]) if scope.get("method") == "POST" else None
        wait = rate.wait(visitor.id or _find_address(scope)) if rate else 0
        if not wait:
            return None
        return PlainTextResponse(translate(f"Too many requests: wait {wait} s."), 429, {"Retry-After": str(wait)})

    def _is_known_host(self, host: str) -> bool:
        name = parse_host(host)
        if name in self._hosts:
            return True
        # A shared server accepts its machine's name and any IP address; DNS rebinding requires another name.
        shared = self._codes is not None and self._codes.shared
        return shared and (name == socket.gethostname().lower() or _is_address(name))

    def _is_own_origin(self, scope: Scope, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in _SAFE_METHODS):
            return True
        return origin.lower().partition("://")[2] == headers.get("host", "").lower()

    def _explain_origin(self, headers: Headers) -> str:
        """Explain why a request counts as another site's; a proxy may have changed the host of our own page."""
        page, host = headers.get("origin", "").lower().partition("://")[2], headers.get("host", "").lower()
        if page != host and self._is_known_host(page):
            return translate(
                f"This page is at {page}, but the proxy before the server has asked for {host}: let it pass on the "
                "header Host as it is."
            )
        return translate("Requests from other sites are refused.")

    def _join(self, scope: Scope, codes: JoinCodes) -> Response | None:
        """Return None if the browser has joined, a page that joins it if the query has a valid code, else a refusal."""
        cookies = _read_cookies(scope)
        if codes.admits(cookies.get(JOIN_COOKIE, "")) and not self._becomes_host(scope, codes):
            return None
        code = codes.read(_read_code(scope))
        is_valid = codes.admits(code)
        if code and not is_valid and (wait := codes.guess_rate.wait(codes.visitor(cookies).id)):
            return PlainTextResponse(
                translate(f"Too many wrong codes: wait {wait} s."), 429, {"Retry-After": str(wait)}
            )
        if scope["type"] == "http" and is_valid:
            # a redirect would still count as a request from another site and not send the strict cookie
            page = HTMLResponse('<meta http-equiv="refresh" content="0;url=./"><title>TourScope</title>Joining.')
            secure = _is_secure(scope)
            page.set_cookie(JOIN_COOKIE, code, httponly=True, samesite="strict", secure=secure)
            visitor = codes.assign_id(codes.visitor(cookies), _find_address(scope))
            if cookie := codes.cookie(visitor, secure):
                page.headers.append("set-cookie", cookie)
            return page
        if opens_page(scope):
            return HTMLResponse(_make_code_page(bool(code), self._config.typeface), 403)
        return PlainTextResponse(
            translate("Open the address with the join code that the server printed when it started."), 403
        )

    def _becomes_host(self, scope: Scope, codes: JoinCodes) -> bool:
        """Return whether a browser that joined as a visitor opens the host's address."""
        return codes.is_host(_read_code(scope)) and not codes.visitor(_read_cookies(scope)).host

    def _with_headers(self, scope: Scope, send: Send, cookie: str = "") -> Send:
        added = _SECURITY_HEADERS | self._config.framing.headers(scope, self._policy)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(added)
                if cookie:
                    headers.append("set-cookie", cookie)
            await send(message)

        return send_with_headers


def parse_host(host: str) -> str:
    """Return the name in a ``Host`` header, in lower case; empty if it has none."""
    match = _HOST.fullmatch(host.lower())
    return (match[1] or match[2]) if match else ""


def hash_scripts(html: str) -> list[str]:
    """Return the CSP hashes of a page's inline scripts."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts]


def opens_page(scope: Scope) -> bool:
    """Return whether a request opens a page in the browser rather than fetching data."""
    return scope.get("method") == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


def _make_code_page(wrong: bool, typeface: str) -> str:
    """Return the page for visitors without a join code; `wrong` means that they sent an invalid one."""
    return _CODE_PAGE.format(
        language=current_language(),
        typeface=typeface,
        how=translate(
            "This is not the join code." if wrong else "Open the address with the join code, or type the code."
        ),
        code=translate("Join code"),
        button=translate("Join"),
    )


def _is_own_site(scope: Scope, headers: Headers) -> bool:
    """Return whether a request comes from the server's own pages; plain links from other sites are accepted too.

    Another port of the same machine is another site as well: browsers call it ``same-site``.
    """
    asked_by = headers.get("sec-fetch-site")  # browsers send it to addresses that they trust, and no page can set it
    if asked_by is None or asked_by in OWN_SITES:
        return True
    opens_page = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return scope["type"] == "http" and scope["method"] in _SAFE_METHODS and opens_page


def _find_address(scope: Scope) -> str:
    return (scope.get("client") or ("",))[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _read_cookies(scope: Scope) -> dict[str, str]:
    return parse_cookies(Headers(scope=scope).get("cookie", ""))


def _read_code(scope: Scope) -> str:
    return parse_qs(scope["query_string"].decode("latin-1")).get("join", [""])[0]


def _is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")
