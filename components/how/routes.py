"""HTTP routes of the drawer "How it works": algorithms and documents as JSON, documents as pages."""

from html import escape
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from components.document.plain_page import plain_page
from components.how import content
from components.how.content import untranslated_note
from components.shell import markdown
from components.shell.json_answer import json_answer
from components.shell.markdown import DOCS, NoSuchDocument
from components.shell.texts import how as text
from runs.web.faults import answer_exceptions

_BODY = Path(__file__).with_name("standalone.html").read_text("utf-8")


def document_page(path: str, base_path: str) -> str:
    """Return a document's HTML, below links to the list of documents and to the application.

    Raises
    ------
    NoSuchDocument
        If there is no such document.
    """
    doc = markdown.document(path, base_path)
    named = {base_path: text("application"), f"{base_path}docs/": text("documents")}
    ways = "".join(f'<a href="{escape(address)}">{escape(label)}</a>' for address, label in named.items())
    body = _BODY.format(
        title=escape(doc.title),
        html=doc.html,
        ways=ways,
        written=doc.language,
        note=untranslated_note(doc),
    )
    return plain_page(doc.title, body, base_path, "how", ("watch", "how"), ("how",))


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
        return HTMLResponse(document_page(path or INDEX, base))

    server.include_router(router)
