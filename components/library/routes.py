"""HTTP routes of the library page: list, actions and thumbnails."""

import asyncio

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response

from components.library import actions, table, thumbnails
from components.shell.json_answer import json_answer, read_json
from runs.library.service import BadName, Library
from runs.races.service import RaceService
from runs.service import RunService
from runs.translation import translate
from runs.web.faults import answer_exceptions


def add_library_routes(app: FastAPI, library: Library, run_service: RunService, races: RaceService, base: str) -> None:
    """Add the routes to the FastAPI application `app` below `base`, which ends with a slash."""
    answer_exceptions(app, {BadName: 400, actions.InvalidAction: 400})
    router = APIRouter(prefix=f"{base}library", include_in_schema=False)

    @router.get("/entries")
    def entries(request: Request) -> Response:
        return json_answer(table.search_result(library, request.url.query, base))

    @router.post("/actions")
    async def act(request: Request) -> Response:
        action = await read_json(request)
        try:
            return json_answer((await asyncio.to_thread(actions.do_action, library, action))._asdict())
        except actions.EntriesGone as refusal:
            return json_answer({"sentence": translate(str(refusal)), "gone": refusal.keys}, 404)

    @router.get("/thumbnails")
    def pictures(request: Request) -> Response:
        return thumbnails.answer_pictures(library, run_service, races, request.query_params.getlist("key"))

    app.include_router(router)
