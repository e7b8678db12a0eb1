"""Reads a proxy's forwarding headers: original host, scheme and client."""

from urllib.request import parse_http_list

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware


class ForwardedMiddleware:
    """ASGI middleware around the whole application that applies the headers of trusted proxies.

    The host is that of ``X-Forwarded-Host``, else of ``Forwarded`` (RFC 7239), and replaces ``Host``, so that code that
    checks the host or builds a link need not know about proxies. The last of several values counts, since the nearest
    proxy wrote it. The client is taken from ``X-Forwarded-For`` only, since many proxies pass on a ``Forwarded`` header
    made up by the client.

    Parameters
    ----------
    app : ASGI application
    proxies : list of str
        Addresses and networks (``10.0.0.0/8``) of the proxies; others' headers are ignored.
    """

    def __init__(self, app: ASGIApp, proxies: list[str]) -> None:
        self._app = ProxyHeadersMiddleware(app, proxies)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as the proxy received it."""
        if scope["type"] != "lifespan" and (scope.get("client") or ("",))[0] in self._app.trusted_hosts:
            scope = dict(scope)
            headers = MutableHeaders(scope=scope)
            fields = _parse_forwarded(headers)
            if "host" in fields:
                headers["host"] = fields["host"]
            if fields.get("proto") in ("http", "https"):
                scope["scheme"] = (
                    fields["proto"].replace("http", "ws") if scope["type"] == "websocket" else fields["proto"]
                )
        await self._app(scope, receive, send)  # type: ignore[arg-type]


def _parse_forwarded(headers: Headers) -> dict[str, str]:
    """Return the headers of the nearest proxy, by the names of RFC 7239 in lower case."""
    elements = parse_http_list(", ".join(headers.getlist("forwarded")))
    pairs = (pair.partition("=") for pair in (elements[-1].split(";") if elements else ()))
    fields = {name.strip().lower(): value.strip().strip('"') for name, _, value in pairs}
    if hosts := headers.getlist("x-forwarded-host"):
        fields["host"] = hosts[-1].rpartition(",")[2].strip()
    return fields
