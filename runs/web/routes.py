"""The HTTP routes of runs: the stream, climbs, downloads, uploads, previews of instances."""

import re

from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket

from data.errors import InvalidInstance
from runs.bounded_pool import ANIMATIONS, REPLAYS
from runs.imports.launch import Refused
from runs.imports.receive import TooLarge
from runs.owners import HostOnly, NotYours
from runs.service import NoSuchAscent, NoSuchClimb, NoSuchField, NoSuchRun, RunService, UnreadableRun
from runs.store.tour_timeline import film
from runs.stream.session import Viewer
from runs.visitors import visitor
from runs.web import downloads, instances, pictures
from runs.web.page_router import page_router
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.worker.frames import instance_frame

FRAME = "application/octet-stream"
_STATUS: dict[type[Exception], int] = {
    NoSuchRun: 404,
    UnreadableRun: 404,
    NoSuchClimb: 404,
    NoSuchField: 404,
    NoSuchAscent: 404,
    InvalidInstance: 400,
    InvalidParams: 400,
    Refused: 400,
    TooLarge: 413,
    NotYours: 403,
    HostOnly: 403,
    InstanceTooLarge: 413,
    DeviceUnavailable: 503,
    RunFailed: 500,
}


def add_routes(app, run_service: RunService, base: str) -> None:
    """Add the routes to the FastAPI application `app`, all below `base` (which ends with a slash)."""
    router = page_router(
        app, base, _STATUS, "runs", run_service.incoming, lambda path: run_service.adopt_run(path, visitor().id)
    )

    @router.websocket("/stream")
    async def stream(socket: WebSocket) -> None:
        await Viewer(socket, run_service).serve()

    @router.get("/runs/{run}")
    def summary(run: str) -> Response:
        return JSONResponse(run_service.existing_summary(run))

    @router.get("/runs/{run}/climbs/{name}")
    async def climb(
        run: str, name: str, after: str = "0", width: str = "", theme: str = "", progress: str = ""
    ) -> Response:
        # one route for both forms, since a path parameter of Starlette includes the dot
        match = re.fullmatch(r"([0-9]{1,10})(\.gif)?", name)
        if match is None or not re.fullmatch(r"[0-9]{1,10}", after):
            raise NoSuchClimb
        if match[2]:
            return await ANIMATIONS.run(downloads.gif, run_service, run, int(match[1]), width, theme, progress)
        frame = await run_in_threadpool(run_service.recorded_climb, run, int(match[1]), int(after))
        if frame is None:
            frame = await REPLAYS.run(run_service.replayed_climb, run, int(match[1]))
        return Response(frame, media_type=FRAME)

    @router.get("/runs/{run}/fields/{iteration}")
    def field(run: str, iteration: str) -> Response:
        if re.fullmatch(r"[0-9]{1,15}", iteration) is None:
            raise NoSuchField
        return Response(run_service.field(run, int(iteration)), media_type=FRAME)

    @router.get("/runs/{run}/fields.gif")
    async def fields_gif(
        run: str, view: str = "", log: str = "", best: str = "", width: str = "", theme: str = "", progress: str = ""
    ) -> Response:
        if view not in ("pheromone", "trails"):
            raise NoSuchField
        settings = {"width": width, "theme": theme, "log": log, "best": best}
        return await ANIMATIONS.run(downloads.fields_gif, run_service, run, view, settings, progress)

    @router.get("/runs/{run}/film")
    def tour_film(run: str) -> Response:
        return Response(film(run_service.path(run), run_service.run_instance(run).n), media_type=FRAME)

    @router.get("/runs/{run}/instance")
    def run_instance(run: str) -> Response:
        return Response(run_service.opening(run)[1], media_type=FRAME)

    @router.post("/runs/{run}/bound")
    def bound(run: str) -> Response:
        return JSONResponse({"state": run_service.bound(run)})

    @router.get("/runs/{run}/ascent")
    def ascent(run: str) -> Response:
        return Response(run_service.ascent(run), media_type=FRAME)

    @router.get("/instance")
    async def instance(ref: str) -> Response:
        reference = await run_in_threadpool(instances.read_reference, ref)
        frame = await instances.make_frame(reference, lambda: instance_frame(run_service.instance(reference)))
        return Response(frame, media_type=FRAME)

    instances.add_route(router, run_service)
    pictures.add_route(router, run_service)

    for name, download in downloads.DOWNLOADS.items():
        router.add_api_route(f"/runs/{{run}}/{name}", _endpoint(download, run_service), methods=["GET"])
    app.include_router(router)


def _endpoint(download: downloads.Download, run_service: RunService):
    def endpoint(run: str) -> Response:
        return download(run_service, run)

    return endpoint
