"""HTTP routes of the drawer "How it works": algorithms and documents as JSON, documents as pages."""

from fastapi import APIRouter, FastAPI
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from components.how import content, standalone
from components.shell.json_answer import json_answer
from components.shell.markdown import DOCS, NoSuchDocument
from runs.web.faults import answer_exceptions

#: The list of all documents, served at the address of their folder.
INDEX = "index.md"


def add_how_routes(server: FastAPI, base: str) -> None:
    """Add the routes to the FastAPI application `server` below `base`, which ends with a slash."""
    answer_exceptions(server, {NoSuchDocument: 404})
    router = APIRouter(prefix=base.rstrip("/"), include_in_schema=False)

    @router.get("/how")
    def algorithms() -> Response:
        return json_answer(content.algorithms())

    @router.get("/how/algorithms/{name}")
    def algorithm(name: str) -> Response:
        return json_answer(content.page(name, base))

    @router.get("/how/documents/{path:path}")
    def document(path: str) -> Response:
        return json_answer(content.document(path, base))

    @router.get("/docs")
    def folder() -> Response:
        return RedirectResponse(f"{base}docs/")

    @router.get("/docs/{path:path}")
    def page(path: str) -> Response:
        picture = (DOCS / path).resolve()
        if picture.suffix == ".png" and picture.is_relative_to(DOCS) and picture.is_file():
            return FileResponse(picture)
        return HTMLResponse(standalone.page(path or INDEX, base))

    server.include_router(router)
