"""HTTP routes of runs by themselves: a page to be saved, and the same to be shown in a frame."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from components.embed.document import document
from runs.service import RunService
from runs.web.downloads import saved_as
from runs.web.framing import FRAMED


def add_embed_routes(server: Any, run_service: RunService, base: str) -> None:
    """Add the routes to the FastAPI application `server`, all below `base` (which ends with a slash).

    The exceptions of `run_service` are answered as those of the other routes of runs.
    """
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    def made(run: str) -> str:
        with run_service.reading(run):
            return document(run_service.path(run))

    @router.get("/runs/{run}/run.html")
    def page(run: str) -> Response:
        summary = run_service.existing_summary(run)
        named = (summary["instance"]["name"], summary["spec"]["stages"][-1]["algorithm"])
        return HTMLResponse(made(run), headers=saved_as(*named, ending=".html"))

    @router.get(f"/runs/{{run}}/{FRAMED}")
    def framed(run: str) -> Response:
        return HTMLResponse(made(run))

    server.include_router(router)
