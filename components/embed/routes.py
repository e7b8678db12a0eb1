"""HTTP routes of standalone runs: a page to save, and one to embed."""

from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import Response

from components.embed.document import build_document
from data.sqlite_files import read_stamp
from runs.computing.answer import Answer, download_headers
from runs.service import RunService
from runs.store.open_run import open_run
from runs.store.summary import summarise
from runs.web.framing import FRAMED


def add_embed_routes(server: FastAPI, run_service: RunService, base: str) -> None:
    """Add the routes to the FastAPI application `server` below `base`, which ends with a slash.

    Exceptions of `run_service` are answered as by the other routes of runs.
    """
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    def compute(run: str, saved: bool) -> Response:
        run_service.home.check()
        path = run_service.path(run)
        return run_service.computations.answer(f"{__name__}:page", str(path), saved, version=read_stamp(path))

    @router.get("/runs/{run}/run.html")
    def whole(run: str) -> Response:
        return compute(run, True)

    @router.get(f"/runs/{{run}}/{FRAMED}")
    def frame_page(run: str) -> Response:
        return compute(run, False)

    server.include_router(router)


def page(path: str, saved: bool) -> Answer:
    """Return a run's page; with `saved`, as a download with a file name.

    Raises
    ------
    NoSuchRun
    """
    with open_run(Path(path)) as reader:
        summary, text = summarise(reader), build_document(Path(path))
    named = (summary["instance"]["name"], summary["spec"]["stages"][-1]["algorithm"])
    return Answer(text.encode(), "text/html", download_headers(*named, suffix=".html") if saved else {})
