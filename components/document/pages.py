"""The pages as Dash applications on one server; slow parts are built on demand.

A visit needs one page of six. Building all of them would import a third more of our modules before the first response.
Also, a browser first requests the document and scripts of the first page, which do not depend on its contents: the
browser loads them while the server builds the page.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, cast

import dash
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runs.lazy import once
from runs.translation import translate


class Page(dash.Dash):
    """A page with its own layout, callbacks and scripts.

    Parameters
    ----------
    server : FastAPI
    path : str
        Path of the page, with a slash at both ends.
    name : str
        Name of its package in `components`, whose module ``page`` has `build`. `build` must not add routes: they would
        come after the route for all unknown addresses.
    parts : callable
        Returns the arguments of `build` that follow the application.
    """

    def __init__(self, server: FastAPI, path: str, name: str, parts: Callable[[], tuple[Any, ...]]) -> None:
        super().__init__(__name__, server=cast("Any", server), url_base_pathname=path, include_assets_files=False)
        self._is_built = False

        def build() -> None:
            import_module(f"components.{name}.page").build(self, *parts())
            self._is_built = True

        self._make = once(build)

    def make(self) -> None:
        """Register the callbacks and set the layout, once."""
        self._make()

    def _setup_server(self) -> None:
        """Until the page is built, skip Dash's setup on the first request, except for its list of scripts.

        These are the only private parts of Dash used for a faster start: the document is there 1.4 s earlier.
        """
        if self._is_built:
            super()._setup_server()
        elif not self.registered_paths:
            self._generate_scripts_html()


#: Held while routes are added and reordered, since another request may add routes at the same time.
_ADDING = threading.Lock()


class LazyRoutes:
    """Routes added on the first request for one of them, ahead of the routes for unknown addresses.

    Parameters
    ----------
    server : FastAPI
        The server with the pages, which match all remaining paths.
    add : str
        Module and name of the function that adds the routes, separated by a colon.
    parts : callable
        Returns the arguments of the function that follow the server.
    """

    def __init__(self, server: FastAPI, add: str, parts: Callable[[], tuple[Any, ...]]) -> None:
        self._server = server
        self._name, self._parts = add, parts
        self._make = once(self._add)

    def make(self) -> None:
        """Add the routes, once."""
        self._make()

    def _add(self) -> None:
        add, parts = resolve_name(self._name), self._parts()
        with insert_before_pages(self._server):
            add(self._server, *parts)


def mark_first_page(server: FastAPI) -> None:
    """Mark the end of the server's current routes; later routes go between these and the pages' routes.

    Parameters
    ----------
    server : FastAPI
    """
    server.state.first_page = len(server.router.routes)


@contextmanager
def insert_before_pages(server: FastAPI) -> Iterator[None]:
    """Context manager: add the block's routes before those of the pages; see `mark_first_page`."""
    routes = server.router.routes
    with _ADDING:
        before = len(routes)
        yield
        new = routes[before:]
        del routes[before:]
        place = server.state.first_page
        routes[place:place] = new
        server.state.first_page += len(new)


class BuildOnDemand:
    """ASGI middleware that builds a page or routes before the first request for them.

    Add it after the pages have added their own middleware.

    Parameters
    ----------
    app : ASGI application
    parts : mapping of str to sequence of Page or LazyRoutes
        Pages and routes by path prefix; a path ending in a slash also matches without it. Read once `ready`.
    base : str
        Path of the first page, whose document and scripts need not wait for `ready`.
    ready : Future
        Done when all parts are known; the result is false if that failed and the server will exit.
    begin : callable, optional
        Called once the server listens.
    """

    def __init__(
        self,
        app: ASGIApp,
        parts: Mapping[str, Sequence[Page | LazyRoutes]],
        base: str,
        ready: Future[bool],
        begin: Callable[[], object] | None = None,
    ) -> None:
        self._app, self._ready, self._begin = app, ready, begin
        self._document = base
        self._scripts = (f"{base}assets/", f"{base}_dash-component-suites/")
        self._by_path = parts
        self._parts: list[tuple[str, Sequence[Page | LazyRoutes]]] = []
        self._built: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Build the requested page in a thread, then pass the request on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, self._and_begin(send))
            return
        if not self._ready.done():
            if self._may_go_first(scope):
                await self._app(scope, receive, send)
                return
            await asyncio.shield(asyncio.wrap_future(self._ready))
        if not self._ready.result():
            await _refuse(scope, receive, send)
            return
        if not self._parts:
            # longest first, since the path of the first page is a prefix of all others
            self._parts = sorted(self._by_path.items(), key=lambda each: -len(each[0]))
        if scope["type"] == "http":
            # Dash also serves a page at the address without the slash.
            requested = scope["path"] + "/"
            path, parts = next(((path, parts) for path, parts in self._parts if requested.startswith(path)), ("", ()))
            if path and path not in self._built:
                for part in parts:
                    await asyncio.to_thread(part.make)
                self._built.add(path)
        await self._app(scope, receive, send)

    def _may_go_first(self, scope: Scope) -> bool:
        path = scope["path"]
        return scope["type"] == "http" and (path == self._document or path.startswith(self._scripts))

    def _and_begin(self, send: Send) -> Send:
        async def send_and_begin(message: Message) -> None:
            await send(message)
            if self._begin and message["type"] == "lifespan.startup.complete":
                self._begin()

        return send_and_begin


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1011})
    else:
        await PlainTextResponse(translate("The server is shutting down."), 503)(scope, receive, send)
