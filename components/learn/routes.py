"""The HTTP route of the lessons: one of them as JSON."""

from fastapi import APIRouter
from fastapi.responses import Response

from components.learn.collection import Lessons, NoSuchLesson
from components.learn.view import lesson_json
from components.shell.json_answer import json_answer
from runs.web.faults import answer_exceptions


def add_learn_routes(app, lessons: Lessons, base: str) -> None:
    """Add the route to the FastAPI application `app`, below `base` (which ends with a slash)."""
    answer_exceptions(app, {NoSuchLesson: 400})
    router = APIRouter(prefix=f"{base}learn", include_in_schema=False)

    @router.get("/lessons/{name}")
    def lesson(name: str) -> Response:
        return json_answer(lesson_json(lessons.find(name), lessons.after(name), base))

    app.include_router(router)
