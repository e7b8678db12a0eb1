"""A study's first view (progress and matrix), for the script that requests it before the page is loaded."""

from dash import no_update
from fastapi import FastAPI
from fastapi.responses import Response

from components.shell.json_answer import json_answer
from components.types import Payload
from runs.study_jobs.service import StudyService


def make_first_view(studies: StudyService, study: str) -> dict[str, Payload]:
    """Return the data that `assets/study/first_view.js` shows until the page's callbacks have answered.

    Parameters
    ----------
    studies : runs.study_jobs.service.StudyService
    study : str
        Untrusted id.
    """
    from components.study.status import build_view  # these modules of the page are imported on demand

    view = build_view(studies, {"study": study}, None)
    fields = ("heading", "state", "style", "matrix", "matrix_note")
    return {name: value for name in fields if (value := getattr(view, name)) is not no_update}


def add_first_view_route(server: FastAPI, studies: StudyService, path: str) -> None:
    """Answer ``GET first/{id}`` below the page's path, on the FastAPI application `server`."""

    def answer(study: str) -> Response:
        return json_answer(make_first_view(studies, study))

    server.add_api_route(f"{path}first/{{study}}", answer, methods=["GET"], include_in_schema=False)
