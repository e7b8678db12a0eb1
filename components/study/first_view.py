"""The first view of a study: its progress and its matrix, for the script that asks before the page is loaded."""

from typing import Any

from dash import no_update


def first(studies, study: str) -> dict[str, Any]:
    """The data that `assets/study/first_view.js` shows until the page's own callbacks have answered.

    Parameters
    ----------
    studies : runs.study_jobs.service.StudyService
    study : str
        An id, which may be any text that a client sends.
    """
    from components.study.status import build_view  # with the page's modules, which the server imports at need

    view = build_view(studies, {"study": study}, None)
    fields = ("heading", "state", "style", "matrix", "matrix_note")
    return {name: value for name in fields if (value := getattr(view, name)) is not no_update}


def add_first_view_route(server, studies, path: str) -> None:
    """Answer ``GET first/{id}`` below the page's own path, on the FastAPI application `server`."""

    def answer(study: str) -> dict[str, Any]:
        return first(studies, study)

    server.add_api_route(f"{path}first/{{study}}", answer, methods=["GET"], include_in_schema=False)
