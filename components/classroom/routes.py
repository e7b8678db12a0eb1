"""The HTTP routes of the page by which a class comes in; on a server that is not shared there are none."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from components.classroom.link import link_of
from components.classroom.page import joined, page
from components.shell.header import CLASS
from components.shell.json_answer import json_answer
from runs.owners import HostOnly
from runs.visitors import visitor
from runs.web.entrance import Entrance
from runs.web.guard import ENTRANCE

#: The answers have the join code, or are of the moment.
_NOT_KEPT = {"Cache-Control": "no-store"}


def add_class_routes(server: Any, base: str) -> None:
    """Add the routes to the FastAPI application `server`, all below `base` (which ends with a slash)."""
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    @router.get(f"/{CLASS.rstrip('/')}")
    def without_slash(request: Request) -> Response:
        return RedirectResponse(f"{base}{CLASS}" + (f"?{request.url.query}" if request.url.query else ""))

    @router.get(f"/{CLASS}")
    def whole(request: Request) -> Response:
        entrance = entrance_for_host(request)
        link = link_of(request, base, entrance.join)
        return HTMLResponse(page(link, len(entrance.seen), base), headers=_NOT_KEPT)

    @router.get(f"/{CLASS}joined")
    def number(request: Request) -> Response:
        answer = json_answer({"says": joined(len(entrance_for_host(request).seen))})
        answer.headers.update(_NOT_KEPT)
        return answer

    server.include_router(router)


def entrance_for_host(request: Request) -> Entrance:
    """The entrance of a shared server, for its host.

    Raises
    ------
    HTTPException
        404 if the server is not shared.
    HostOnly
    """
    entrance: Entrance | None = request.scope.get(ENTRANCE)
    if entrance is None or not entrance.shared:
        raise HTTPException(404)
    if not visitor().host:
        raise HostOnly
    return entrance
