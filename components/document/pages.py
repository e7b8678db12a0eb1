"""The pages as Dash applications on one server; of all but the first, what takes time is made at the first request.

A visit needs one page of six. Without this, the server would import a third more of our modules before its
first answer.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import dash
from dash.backends import get_backend
from starlette.types import ASGIApp, Receive, Scope, Send

from runs.late import once


class Page(dash.Dash):
    """A page with a layout, callbacks and scripts of its own.

    Parameters
    ----------
    server : FastAPI
    path : str
        Its path, with a slash at both ends.
    name : str
        Of its package in `components`, whose module ``page`` has `build`. It adds no routes: they would come after the
        one that answers all unknown addresses.
    parts : callable
        Gives what `build` takes after the application.
    """

    def __init__(self, server: Any, path: str, name: str, parts: Callable[[], tuple[Any, ...]]) -> None:
        # Of a server that it is given, Dash would import Flask to find out whether it is one of its.
        backend = _on(server)
        super().__init__(__name__, backend=backend, url_base_pathname=path, include_assets_files=False)
        self._make = once(lambda: import_module(f"components.{name}.page").build(self, *parts()))

    def make(self) -> None:
        """Register the callbacks and set the layout, once."""
        self._make()


def _on(server: Any) -> type:
    """Dash's backend for FastAPI, on a server that there is."""
    made: type = type("Shared", (get_backend("fastapi"),), {"create_app": staticmethod(lambda *_, **__: server)})
    return made


#: Held while routes are added and moved: somebody may ask for others at the same moment.
_ADDING = threading.Lock()


class LateRoutes:
    """Routes that are added at the first request for one of them, before those that answer unknown addresses.

    Parameters
    ----------
    server : FastAPI
        With all routes that go first, and without the pages, which take what is left.
    add : str
        The module, and after a colon the function that adds the routes.
    parts : callable
        Gives what the function takes after the server.
    """

    def __init__(self, server: Any, add: str, parts: Callable[[], tuple[Any, ...]]) -> None:
        self._server = server
        self._module, _, self._function = add.partition(":")
        self._parts = parts
        self._place = len(server.router.routes)
        self._make = once(self._add)

    def make(self) -> None:
        """Add the routes, once."""
        self._make()

    def _add(self) -> None:
        add, parts = getattr(import_module(self._module), self._function), self._parts()
        routes = self._server.router.routes
        with _ADDING:
            before = len(routes)
            add(self._server, *parts)
            new = routes[before:]
            del routes[before:]
            routes[self._place : self._place] = new


class MakeAtNeed:
    """ASGI middleware that makes a page or routes before the first request for them.

    Add it after the pages have added theirs.

    Parameters
    ----------
    app : ASGI application
    parts : mapping of str to sequence of Page or LateRoutes
        By the paths that begin with it; a path with a slash at its end is also that without it.
    """

    def __init__(self, app: ASGIApp, parts: Mapping[str, Any]) -> None:
        self._app = app
        # the longest first: the path of the first page is the beginning of all others'
        self._parts = [(path, parts[path]) for path in sorted(parts, key=len, reverse=True)]
        self._made: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Make what is asked for, in a thread, and pass on."""
        if scope["type"] == "http":
            # Dash takes the address without the slash for the page's as well.
            asked = scope["path"] + "/"
            path, parts = next(((path, parts) for path, parts in self._parts if asked.startswith(path)), ("", ()))
            if path and path not in self._made:
                for each in parts:
                    await asyncio.to_thread(each.make)
                self._made.add(path)
        await self._app(scope, receive, send)
