"""The server at startup, which serves its first page's document and scripts before loading anything else."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import FastAPI

from components.document.pages import BuildOnDemand, LazyRoutes, Page, mark_first_page
from components.shell import assets
from components.shell.paths import PAGES
from components.watch.document import set_document
from runs.web.addresses import answer_addresses
from runs.web.callback_guard import CallbackGuard, CountedBodies
from runs.web.faults import Faults, answer_faults

#: The page at the base path. This page comes last, since its routes match every path below.
FIRST = "watch"


@dataclass
class Server:
    """The server and its pages, some of which are not built yet.

    Attributes
    ----------
    server : FastAPI
    pages : dict of str to Page
        Pages by path, with `FIRST` last.
    parts : dict of str to callable
        Functions that return the arguments of each page's `build`, by the page's name.
    on_demand : dict of str to list
        Pages and routes to build on the first request below a path, by that path.
    ready : Future
        Done once `parts`, `on_demand` and the routes are complete; the result is false if that failed. Until then all
        requests wait, except those for the first page's document and scripts.
    """

    server: FastAPI
    pages: dict[str, Page] = field(default_factory=dict)
    parts: dict[str, Callable[[], tuple[Any, ...]]] = field(default_factory=dict)
    on_demand: dict[str, list[Page | LazyRoutes]] = field(default_factory=dict)
    ready: Future[bool] = field(default_factory=Future)

    def build_arguments(self, name: str) -> tuple[Any, ...]:
        """Return the arguments of a page's `build`."""
        return self.parts[name]()


def open_pages(base: str, begin: Callable[[], object] | None = None) -> Server:
    """Create the pages' applications on a server, registering only what Starlette requires before startup.

    Parameters
    ----------
    base : str
        Path under which the pages are served, with a trailing slash.
    begin : callable, optional
        Called on the event loop once the server has started.
    """
    opened = Server(FastAPI(docs_url=None, redoc_url=None, openapi_url=None))
    server, pages = opened.server, opened.pages
    server.add_middleware(CallbackGuard, pages=pages)
    answer_faults(server)
    assets.add_route(server, base)
    mark_first_page(server)
    for name in sorted(PAGES, key=lambda name: name == FIRST):
        pages[base + PAGES[name]] = Page(server, base + PAGES[name], name, partial(opened.build_arguments, name))
    set_document(pages[base])
    server.add_middleware(BuildOnDemand, parts=opened.on_demand, base=base, ready=opened.ready, begin=begin)
    server.add_middleware(Faults, statuses=server.state.statuses)  # outside `BuildOnDemand`, whose parts may fail
    server.add_middleware(CountedBodies, pages=pages)
    answer_addresses(server, base, [path.removeprefix(base) for path in pages])
    return opened
