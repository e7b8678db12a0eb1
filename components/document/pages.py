"""The pages as Dash applications on one server; all but the first are made when somebody first asks for one.

A visit needs one page of six, and the modules of the other five are a sixth of what the server imports.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import dash
from starlette.types import ASGIApp, Receive, Scope, Send


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
    parts : tuple
        What `build` takes after the application.
    """

    def __init__(self, server: Any, path: str, name: str, parts: tuple[Any, ...]) -> None:
        # Dash imports Flask to find out which backend it has, unless it is named.
        super().__init__(__name__, server=server, backend="fastapi", url_base_pathname=path, include_assets_files=False)
        self._name = name
        self._parts = parts
        self._is_made = False

    def make(self) -> None:
        """Register the callbacks and set the layout, once."""
        if not self._is_made:
            self._is_made = True
            import_module(f"components.{self._name}.page").build(self, *self._parts)


class MakeAtNeed:
    """ASGI middleware that makes a page before the first request for it. Add it after the pages have added theirs.

    Parameters
    ----------
    app : ASGI application
    pages : mapping of str to Page
        By path.
    """

    def __init__(self, app: ASGIApp, pages: Mapping[str, Page]) -> None:
        self._app = app
        # the longest first: the path of the first page is the beginning of all others'
        self._pages = [pages[path] for path in sorted(pages, key=len, reverse=True)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Make the page that is asked for, and pass on."""
        if scope["type"] == "http":
            # Dash takes the address without the slash for the page's as well.
            asked = scope["path"] + "/"
            paths = ((page, page.config.routes_pathname_prefix) for page in self._pages)
            if page := next((page for page, path in paths if asked.startswith(path)), None):
                page.make()
        await self._app(scope, receive, send)
