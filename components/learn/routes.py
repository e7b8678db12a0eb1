"""HTTP routes of lessons: a lesson as JSON, and uploads."""

import asyncio
import json
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, Response

from components.learn.collection import Lessons, NoSuchLesson, RefusedLesson
from components.learn.view import lesson_to_json
from runs.computing.answer import Answer
from runs.owners import HostOnly
from runs.service import RunService
from runs.visitors import current_visitor
from runs.web.faults import answer_exceptions


def add_learn_routes(app: FastAPI, lessons: Lessons, run_service: RunService, base: str) -> None:
    """Add the routes to the FastAPI application `app` below `base`, which ends with a slash."""
    answer_exceptions(app, {NoSuchLesson: 400, RefusedLesson: 400, HostOnly: 403})
    router = APIRouter(prefix=f"{base}learn", include_in_schema=False)

    @router.get("/lessons/{name}")
    def lesson(name: str) -> Response:
        return run_service.computations.answer(f"{__name__}:page", str(lessons.own_folder), name, base, version=None)

    @router.post("/lessons/{file}")
    async def save(file: str, request: Request) -> Response:
        if not current_visitor().host:
            raise HostOnly
        return JSONResponse({"id": await asyncio.to_thread(lessons.save, file, await request.body())})

    app.include_router(router)


def page(folder: str, name: str, base: str) -> Answer:
    """Return a lesson as JSON, rendered in a separate process, as a stranger's text may take seconds.

    Raises
    ------
    NoSuchLesson
    """
    lessons = Lessons(Path(folder))
    value = lesson_to_json(lessons.find(name), lessons.find_next(name), base)
    return Answer(json.dumps(value, allow_nan=False).encode(), "application/json")
