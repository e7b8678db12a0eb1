"""The routes that every page has: a redirect to its address with a slash, and uploads of its files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.requests import ClientDisconnect

from runs.imports.receive import receive
from runs.web.faults import answer_exceptions


def page_router(
    server: Any,
    base: str,
    statuses: Mapping[type[Exception], int],
    kinds: str,
    incoming: Path,
    adopt: Callable[[Path], str],
    page: str = "",
) -> APIRouter:
    """A router for everything below `base`, with the two common routes.

    Parameters
    ----------
    server : FastAPI
        Gets the exception handlers; the caller adds the router once it is complete.
    base : str
        Ends with a slash.
    statuses : mapping of exception type to int
        See `runs.web.faults.answer_exceptions`.
    kinds : str
        The address of uploads, such as ``runs``.
    incoming, adopt
        See `runs.imports.receive.receive`; `adopt` returns an id.
    page : str
        The page's address below `base`, without a slash; empty for the page at `base`.
    """
    answer_exceptions(server, statuses)
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    @router.post(f"/{kinds}")
    async def upload(request: Request) -> Response:
        try:
            return JSONResponse({"id": await receive(request, incoming, adopt)})
        except ClientDisconnect:  # the client is gone
            return Response(status_code=400)

    if page:

        @router.get(f"/{page}")
        def without_slash(request: Request) -> Response:
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"{base}{page}/{query}")

    return router
