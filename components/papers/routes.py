"""HTTP routes of the papers' page: papers and entries as JSON, files, and measuring."""

import asyncio
from dataclasses import asdict

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response

from components.papers import export
from components.papers.entry import entry_to_json, paper_to_json
from components.papers.sources import list_sources
from components.shell.json_answer import json_answer, read_json
from components.shell.texts import papers as text
from components.types import Json, JsonObject
from papers.catalogue import NoSuchEntry, find
from papers.shipped import load_shipped
from runs.computing.answer import download_headers
from runs.language import DEFAULT, use_language
from runs.paper_jobs.service import CannotMeasure, PaperJobs
from runs.visitors import current_visitor
from runs.web.faults import answer_exceptions


class InvalidRequest(ValueError):
    """A request that the page's own scripts never send."""

    def __init__(self) -> None:
        super().__init__(text("request.invalid"))


def add_papers_routes(app: FastAPI, jobs: PaperJobs, base: str) -> None:
    """Add the routes to the FastAPI application `app` below `base`, which ends with a slash."""
    answer_exceptions(app, {NoSuchEntry: 400, CannotMeasure: 400, InvalidRequest: 400})
    router = APIRouter(prefix=f"{base}papers", include_in_schema=False)

    @router.get("/paper")
    def paper(name: str = "") -> Response:
        return json_answer(paper_to_json(jobs, name))

    @router.get("/entries/{paper}/{name}")
    def entry(paper: str, name: str) -> Response:
        stem, _, kind = name.partition(".")
        if kind == "":
            return json_answer(entry_to_json(jobs, *find(f"{paper}/{name}")))
        if kind not in ("csv", "tex"):
            raise NoSuchEntry(text("address.unknown-entry"))
        return _make_file(jobs, f"{paper}/{stem}", kind)

    @router.get("/jobs")
    def states() -> Response:
        return json_answer(_list_jobs(jobs))

    @router.post("/jobs")
    async def act(request: Request) -> Response:
        command = await read_json(request)
        await asyncio.to_thread(_act, jobs, command)
        return json_answer(_list_jobs(jobs))

    app.include_router(router)


def _make_file(jobs: PaperJobs, name: str, kind: str) -> Response:
    paper, entry = find(name)
    if not list_sources(entry, load_shipped(name), jobs.results(name)):
        raise NoSuchEntry(text("address.no-figures"))
    headers = download_headers(paper.id, entry.id, suffix=f".{kind}")
    with use_language(DEFAULT):  # files are in English, whatever the language of the page
        sources = list_sources(entry, load_shipped(name), jobs.results(name))
        if kind == "csv":
            return Response(export.format_csv(entry, sources), media_type="text/csv", headers=headers)
        return Response(export.format_latex(paper, entry, sources), media_type="application/x-tex", headers=headers)


def _list_jobs(jobs: PaperJobs) -> JsonObject:
    return {name: asdict(job) for name, job in jobs.jobs().items()}


def _act(jobs: PaperJobs, command: Json) -> None:
    """Measure an entry, or cancel its measurement: ``{"entry": ..., "do": "measure" | "quick" | "cancel"}``."""
    if not isinstance(command, dict) or set(command) != {"entry", "do"}:
        raise InvalidRequest
    entry, action = command["entry"], command["do"]
    if not isinstance(entry, str) or action not in ("measure", "quick", "cancel"):
        raise InvalidRequest
    if action == "cancel":
        find(entry)
        jobs.cancel(entry)
    else:
        jobs.add(entry, action == "quick", current_visitor().id)
