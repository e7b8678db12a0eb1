"""The upload route, shared by all kinds of saved files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from runs.imports.receive import receive
from runs.service import RunService
from runs.visitors import current_visitor
from runs.web.faults import answer_exceptions


def make_page_router(
    server: Any,
    base: str,
    statuses: Mapping[type[Exception], int],
    kinds: str,
    run_service: RunService,
    adopt: Callable[[Path, str], str],
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
    run_service : RunService
    adopt : callable
        Imports the file at a path for an owner, and returns its new id.
    """
    answer_exceptions(server, statuses)
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    @router.post(f"/{kinds}")
    async def upload(request: Request) -> Response:
        try:
            folder, owner = run_service.home.incoming, current_visitor().id
            return JSONResponse({"id": await receive(request, folder, lambda path: adopt(path, owner))})
        except ClientDisconnect:  # the client has left
            return Response(status_code=400)

    return router
