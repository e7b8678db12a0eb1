"""HTTP routes of runs: stream, climbs, downloads, uploads and previews of instances."""

import math
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocket

from data.collection.uploads import make_reference
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_PICTURE_BYTES
from data.sqlite_files import read_stamp
from runs.bounded_pool import REPLAYS
from runs.imports.receive import TooLarge, receive
from runs.imports.untrusted_files import InvalidUpload
from runs.owners import HostOnly, NotOwner
from runs.service import RunService
from runs.store.open_run import NoSuchAscent, NoSuchClimb, NoSuchField, NoSuchRun, UnreadableRun
from runs.stream.session import Viewer
from runs.web import downloads, instances
from runs.web.page_router import make_page_router
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, NoPicture, RunFailed

_STATUS: dict[type[Exception], int] = {
    NoSuchRun: 404,
    UnreadableRun: 404,
    NoSuchClimb: 404,
    NoSuchField: 404,
    NoSuchAscent: 404,
    NoPicture: 400,
    InvalidInstance: 400,
    InvalidParams: 400,
    InvalidUpload: 400,
    TooLarge: 413,
    NotOwner: 403,
    HostOnly: 403,
    InstanceTooLarge: 413,
    DeviceUnavailable: 503,
    RunFailed: 500,
}


def add_routes(app: FastAPI, run_service: RunService, base: str) -> None:
    """Add the routes to the FastAPI application `app` below `base`, which ends with a slash."""
    router = make_page_router(app, base, _STATUS, "runs", run_service, run_service.adopt_run)

    computations = run_service.computations

    @router.websocket("/stream")
    async def stream(socket: WebSocket) -> None:
        await Viewer(socket, run_service).serve()

    @router.get("/runs/{run}")
    def summary(run: str) -> Response:
        run_service.home.check()
        return JSONResponse(run_service.existing_summary(run))

    def compute(function: str, run: str, *arguments: Any, **options: Any) -> Response:
        run_service.home.check()
        path = run_service.path(run)
        return computations.answer(f"runs.web.{function}", str(path), *arguments, version=read_stamp(path), **options)

    @router.get("/runs/{run}/climbs/{name}")
    def climb(run: str, name: str, after: str = "0", width: str = "", theme: str = "", progress: str = "") -> Response:
        # one route for both forms, since a path parameter of Starlette includes the dot
        match = re.fullmatch(r"([0-9]{1,10})(\.gif)?", name)
        if match is None or not re.fullmatch(r"[0-9]{1,10}", after):
            raise NoSuchClimb
        climber = int(match[1])
        replay = partial(_recompute_climb, run_service, run, climber)
        if match[2]:
            return compute("downloads:gif", run, climber, width, theme, progress, fallback=replay)
        return compute("downloads:climb", run, climber, int(after), fallback=replay)

    @router.get("/runs/{run}/fields/{iteration}")
    def field(run: str, iteration: str) -> Response:
        if re.fullmatch(r"[0-9]{1,15}", iteration) is None:
            raise NoSuchField
        return compute("downloads:field", run, int(iteration))

    @router.get("/runs/{run}/fields.gif")
    def fields_gif(
        run: str, view: str = "", log: str = "", best: str = "", width: str = "", theme: str = "", progress: str = ""
    ) -> Response:
        if view not in ("pheromone", "trails"):
            raise NoSuchField
        toggle = (log if view == "pheromone" else best) != "0"
        return compute("downloads:fields_gif", run, view, toggle, width, theme, progress)

    @router.post("/runs/{run}/bound")
    def bound(run: str) -> Response:
        return JSONResponse({"state": run_service.request_bound(run)})

    @router.get("/runs/{run}/ascent")
    def ascent(run: str) -> Response:
        return compute("downloads:ascent", run, str(run_service.bounds.folder))

    @router.get("/instance")
    def instance(ref: str) -> Response:
        return instances.compute("frame", run_service, ref)

    instances.add_route(router, run_service)
    add_route(router, run_service)

    for name in downloads.BEST:
        router.add_api_route(f"/runs/{{run}}/{name}", _make_endpoint(compute, "best_file", name), methods=["GET"])
    for name, function in downloads.OTHERS.items():
        router.add_api_route(f"/runs/{{run}}/{name}", _make_endpoint(compute, function.__name__), methods=["GET"])
    app.include_router(router)


def _make_endpoint(compute: Callable[..., Response], function: str, *arguments: str) -> Callable[[str], Response]:
    def endpoint(run: str) -> Response:
        return compute(f"downloads:{function}", run, *arguments)

    return endpoint


async def _recompute_climb(run_service: RunService, run: str, climber: int) -> bytes:
    """Recompute a climb's frames, until this task is cancelled."""
    unwanted = threading.Event()
    try:
        return await REPLAYS.run(run_service.replay, run, climber, lambda: not unwanted.is_set())
    finally:
        unwanted.set()


def add_route(router: APIRouter, run_service: RunService) -> None:
    """Add the route, which answers with the reference of the stored instance."""

    @router.post("/pictures")
    async def picture(
        request: Request, name: str = "", cities: str = "", contrast: str = "1", invert: str = "0", seed: str = "1"
    ) -> Response:
        options = (_parse_integer(cities), _parse_number(contrast), invert == "1", _parse_integer(seed))

        def adopt(upload: Path) -> Instance:
            if upload.stat().st_size > MAX_PICTURE_BYTES:
                raise InvalidInstance("LIMIT", f"The picture has more than {MAX_PICTURE_BYTES // 1_000_000} MB.")
            return run_service.adopt_picture(upload, name[:200], *options)

        try:
            instance = await receive(request, run_service.home.incoming, adopt)
        except ClientDisconnect:  # the client has left
            return Response(status_code=400)
        return JSONResponse({"reference": make_reference(instance.sha256, instance.upload), "name": instance.name})


def _parse_integer(text: str) -> int:
    if not re.fullmatch("[0-9]{1,16}", text, re.ASCII):
        raise InvalidInstance("RANGE", "The number of cities and the seed must be whole numbers.")
    return int(text)


def _parse_number(text: str) -> float:
    value = float(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", text, re.ASCII) else math.nan
    if math.isnan(value):
        raise InvalidInstance("RANGE", "The contrast must be a number.")
    return value
