"""What the routes of each page begin with: the way to the page, and the way in for files of its kind."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.requests import ClientDisconnect

from runs.imports.receive import receive
from runs.web.faults import tell


def page_router(
    server: Any,
    base: str,
    statuses: Mapping[type[Exception], int],
    kinds: str,
    incoming: Path,
    adopt: Callable[[Path], str],
    page: str = "",
) -> APIRouter:
    """A router for everything below `base`, which is not shown in a schema.

    Parameters
    ----------
    server : FastAPI
        Takes the router once it is complete.
    base : str
        Ends with a slash.
    statuses : mapping of exception type to int
        See `runs.web.faults.tell`.
    kinds : str
        What is taken in, as an address: ``runs``.
    incoming, adopt
        See `runs.imports.receive.receive`; `adopt` gives an id.
    page : str
        Where the page stands below `base`, without a slash; empty of the page at `base`.
    """
    tell(server, statuses)
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    @router.post(f"/{kinds}")
    async def upload(request: Request) -> Response:
        try:
            return JSONResponse({"id": await receive(request, incoming, adopt)})
        except ClientDisconnect:  # nobody is there to read an answer
            return Response(status_code=400)

    if page:

        @router.get(f"/{page}")
        def without_slash(request: Request) -> Response:
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"{base}{page}/{query}")

    return router
