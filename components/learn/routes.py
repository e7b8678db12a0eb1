"""HTTP route of the lessons: a lesson as JSON."""

import json
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import Response

from components.learn.collection import Lessons, NoSuchLesson
from components.learn.view import lesson_json
from runs.computing.answer import Answer
from runs.service import RunService
from runs.web.faults import answer_exceptions


def add_learn_routes(app: FastAPI, lessons: Lessons, run_service: RunService, base: str) -> None:
    """Add the route to the FastAPI application `app`, below `base` (which ends with a slash)."""
    answer_exceptions(app, {NoSuchLesson: 400})
    router = APIRouter(prefix=f"{base}learn", include_in_schema=False)

    @router.get("/lessons/{name}")
    def lesson(name: str) -> Response:
        return run_service.computations.answer(f"{__name__}:page", str(lessons.own_folder), name, base, version=None)

    app.include_router(router)


def page(folder: str, name: str, base: str) -> Answer:
    """Return a lesson as JSON, rendered in a separate process since a stranger's text may take seconds.

    Raises
    ------
    NoSuchLesson
    """
    lessons = Lessons(Path(folder))
    value = lesson_json(lessons.find(name), lessons.after(name), base)
    return Answer(json.dumps(value, allow_nan=False).encode(), "application/json")
