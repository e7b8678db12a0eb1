"""The first view of a study: progress and matrix, for the script that requests them before the page is loaded."""

from typing import Any

from dash import no_update


def first(studies, study: str) -> dict[str, Any]:
    """Data shown by `assets/study/first_view.js` until the page's own callbacks have answered.

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


def add_first_view_route(server, studies, path: str) -> None:
    """Answer ``GET first/{id}`` below the page's own path, on the FastAPI application `server`."""

    def answer(study: str) -> dict[str, Any]:
        return first(studies, study)

    server.add_api_route(f"{path}first/{{study}}", answer, methods=["GET"], include_in_schema=False)
