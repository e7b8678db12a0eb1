"""The upload route, shared by all kinds of saved files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from runs.imports.receive import receive
from runs.web.faults import answer_exceptions


def make_page_router(
    server: Any,
    base: str,
    statuses: Mapping[type[Exception], int],
    kinds: str,
    incoming: Path,
    adopt: Callable[[Path], str],
) -> APIRouter:
    """Return a router for everything below `base`, with the upload route.

    Parameters
    ----------
    server : FastAPI
        Receives the exception handlers; the caller adds the router once it is complete.
    base : str
        Base path, which ends with a slash.
    statuses : mapping of exception type to int
        See `runs.web.faults.answer_exceptions`.
    kinds : str
        The address of uploads, such as ``runs``.
    incoming, adopt
        See `runs.imports.receive.receive`; `adopt` returns an id.
    """
    answer_exceptions(server, statuses)
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    @router.post(f"/{kinds}")
    async def upload(request: Request) -> Response:
        try:
            return JSONResponse({"id": await receive(request, incoming, adopt)})
        except ClientDisconnect:  # the client has left
            return Response(status_code=400)

    return router
