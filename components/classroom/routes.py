"""HTTP routes for classes: joining, lectures and questions; none unless the server is shared."""

import asyncio
import hashlib
import re
from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from components.classroom.page import describe_visitor_count, join_link, page, table_page
from components.classroom.results import Results, format_csv, is_reserved, result_to_json
from components.shell.json_answer import json_answer
from components.shell.paths import CLASS, PAGES
from components.types import Json
from data import plain_json
from runs.lecture import Lecture, Place
from runs.library.service import Library
from runs.nicknames import NameRefused
from runs.owners import HostOnly
from runs.question import PHASES, Question, QuestionClosed, parse_question
from runs.service import RunService
from runs.visitors import Visitor, current_visitor
from runs.web.faults import INVALID, answer_exceptions
from runs.web.guard import JOIN_CODES
from runs.web.join_codes import JoinCodes
from solvers import SOLVERS

#: These responses contain the join code or change constantly.
_NO_STORE = {"Cache-Control": "no-store"}
#: Maximum sizes in bytes: of a place's description, and of a question.
MAX_BYTES, MAX_QUESTION_BYTES = 1024, 16_384
#: Maximum number of climbs, and of moves per climb; run files store both in 32 bits.
_MAX_NUMBER = 2**31 - 1
_LECTURE = re.compile("[A-Za-z0-9_-]{8,32}")
#: Query of an address, as a browser writes it.
_QUERY = re.compile("[A-Za-z0-9%&=+.,:;~_*()!'/-]{0,600}")
_FIELDS = {"lecture", "page", "query", "run", "view", "climb", "position", "live"}
_Parsed = TypeVar("_Parsed")


def add_class_routes(server: FastAPI, run_service: RunService, library: Library, base: str) -> None:
    """Add the routes to the FastAPI application `server` below `base`, which ends with a slash."""
    answer_exceptions(server, {QuestionClosed: 409, NameRefused: 400, _Invalid: 400})
    router = APIRouter(prefix=f"{base}{CLASS}".rstrip("/"), include_in_schema=False)
    _add_class_page(router, base)
    _add_results(router, run_service, library, base)
    _add_lecture(router, run_service)
    _add_answers(router, run_service)
    server.include_router(router)


def _add_class_page(router: APIRouter, base: str) -> None:
    @router.get("")
    def without_slash(request: Request) -> Response:
        return RedirectResponse(f"{base}{CLASS}" + (f"?{request.url.query}" if request.url.query else ""))

    @router.get("/")
    def whole(request: Request) -> Response:
        codes = codes_for_host(request)
        link = join_link(request, base, codes)
        return HTMLResponse(page(link, len(codes.visitor_numbers), base), headers=_NO_STORE)

    @router.get("/joined")
    def number(request: Request) -> Response:
        answer = json_answer({"says": describe_visitor_count(len(codes_for_host(request).visitor_numbers))})
        answer.headers.update(_NO_STORE)
        return answer


def _add_results(router: APIRouter, run_service: RunService, library: Library, base: str) -> None:
    results = Results(library, run_service.owners)

    @router.get("/runs")
    def runs(request: Request) -> Response:
        viewer = current_visitor()
        name = find_lecture(request, run_service).nicknames.find(viewer.id)
        return HTMLResponse(table_page(base, viewer.host, name), headers=_NO_STORE)

    @router.get("/runs/rows")
    def rows(request: Request) -> Response:
        nicknames = find_lecture(request, run_service).nicknames
        entries = results.list_runs(shared_codes(request), current_visitor(), nicknames)
        answer = json_answer({"rows": [result_to_json(entry, base) for entry in entries]})
        tag = f'"{hashlib.sha256(answer.body).hexdigest()[:32]}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        answer.headers.update(headers)
        return answer

    @router.get("/runs.csv")
    def table(request: Request) -> Response:
        nicknames = find_lecture(request, run_service).nicknames
        entries = results.list_runs(shared_codes(request), current_visitor(), nicknames)
        saved = {"Content-Disposition": 'attachment; filename="runs.csv"'}
        return Response(format_csv(entries), media_type="text/csv", headers=_NO_STORE | saved)


def _add_lecture(router: APIRouter, run_service: RunService) -> None:
    """Add the host's routes: leading, asking and removing names."""

    @router.post("/lead")
    async def lead(request: Request) -> Response:
        lecture = lecture_for_host(request, run_service)
        place = parse(parse_place, await request.body())
        if place.run:
            await asyncio.to_thread(run_service.path, place.run)
        lecture.lead(place)
        return json_answer({})

    @router.post("/stop")
    async def stop(request: Request) -> Response:
        lecture_for_host(request, run_service).stop()
        return json_answer({})

    @router.post("/ask")
    async def ask(request: Request) -> Response:
        lecture = lecture_for_host(request, run_service)
        question = parse(parse_new_question, await request.body(), MAX_QUESTION_BYTES)
        await asyncio.to_thread(lecture.question.ask, question)
        return json_answer({})

    @router.post("/question")
    async def move_on(request: Request) -> Response:
        question = lecture_for_host(request, run_service).question
        name, phase = parse(parse_phase, await request.body())
        await asyncio.to_thread(*((question.drop, name) if phase == "over" else (question.move_on, name, phase)))
        return json_answer({})

    @router.post("/unname")
    async def remove_name(request: Request) -> Response:
        nicknames = lecture_for_host(request, run_service).nicknames
        number = parse(parse_visitor_number, await request.body())
        ids = [visitor_id for visitor_id, other in shared_codes(request).visitor_numbers.items() if other == number]
        for visitor_id in ids:
            nicknames.remove(visitor_id)
        return json_answer({})


def _add_answers(router: APIRouter, run_service: RunService) -> None:
    """Add the visitors' routes: answers and names."""

    @router.post("/answer")
    async def answer(request: Request) -> Response:
        viewer, question = require_visitor(), find_lecture(request, run_service).question
        name, chosen = parse(parse_answer, await request.body())
        try:
            await asyncio.to_thread(question.answer, name, viewer.id, chosen)
        except ValueError:
            raise _Invalid from None
        return json_answer({"own": chosen})

    @router.post("/name")
    async def choose_name(request: Request) -> Response:
        viewer, nicknames = require_visitor(), find_lecture(request, run_service).nicknames
        name = parse(parse_nickname, await request.body())
        return json_answer({"name": nicknames.choose(viewer, name, is_reserved)})


class _Invalid(ValueError):
    """A request that no page sends."""

    def __init__(self) -> None:
        super().__init__(INVALID)


def parse(parser: Callable[[Json], _Parsed | None], body: bytes, most: int = MAX_BYTES) -> _Parsed:
    """Parse a request body of at most `most` bytes as JSON.

    Raises
    ------
    _Invalid
        If the body is too long, not JSON, or refused by `parser`, which then returns None.
    """
    try:
        found = parser(plain_json.loads(body)) if len(body) <= most else None
    except ValueError:
        found = None
    if found is None:
        raise _Invalid
    return found


def require_visitor() -> Visitor:
    """Return the current visitor, who must not be the host.

    Raises
    ------
    HTTPException
        403 for the host, and for visitors whom the server cannot tell apart.
    """
    viewer = current_visitor()
    if viewer.host or not viewer.id:
        raise HTTPException(403)
    return viewer


def parse_place(values: Json) -> Place | None:
    """Return the place in a request; None if invalid."""
    if not isinstance(values, dict) or set(values) != _FIELDS:
        return None
    named = all(isinstance(values[name], str) for name in ("lecture", "page", "query", "run", "view"))
    counted = all(type(values[name]) is int and 0 <= values[name] <= _MAX_NUMBER for name in ("climb", "position"))
    if not (named and counted and isinstance(values["live"], bool) and _LECTURE.fullmatch(values["lecture"])):
        return None
    addressed = values["page"] in PAGES and _QUERY.fullmatch(values["query"])
    if not addressed or (values["page"] == "watch") != bool(values["run"]):
        return None
    return Place(**values) if values["view"] in list_views() else None


def list_views() -> set[str]:
    """Return the names of the views that runs can have."""
    return {"tour", *(view for solver in SOLVERS for view in solver.views)}


def lecture_for_host(request: Request, run_service: RunService) -> Lecture:
    """Return a shared server's lecture, for its host.

    Raises
    ------
    HTTPException
        404 if the server is not shared.
    HostOnly
    """
    codes_for_host(request)
    return find_lecture(request, run_service)


def find_lecture(request: Request, run_service: RunService) -> Lecture:
    """Return a shared server's lecture.

    Raises
    ------
    HTTPException
        404 if the server is not shared.
    """
    shared_codes(request)
    if run_service.lecture is None:
        raise HTTPException(404)
    return run_service.lecture


def codes_for_host(request: Request) -> JoinCodes:
    """Return a shared server's join codes, for its host.

    Raises
    ------
    HTTPException
        404 if the server is not shared.
    HostOnly
    """
    codes = shared_codes(request)
    if not current_visitor().host:
        raise HostOnly
    return codes


def shared_codes(request: Request) -> JoinCodes:
    """Return a shared server's join codes.

    Raises
    ------
    HTTPException
        404 if the server is not shared.
    """
    codes: JoinCodes | None = request.scope.get(JOIN_CODES)
    if codes is None or not codes.shared:
        raise HTTPException(404)
    return codes


#: Maximum length of a question and of an answer, and maximum number of cities that mark an answer on the map.
_TEXT, _ANSWER, _CITIES = 3000, 600, 8
#: Minimum and maximum number of answers.
_ANSWERS = (2, 8)
#: Maximum length of a nickname as typed, before it is cleaned.
_TYPED = 200
_MAX_ANSWER = 2**31 - 1
_ID = re.compile("[A-Za-z0-9_-]{8,32}")


def parse_new_question(values: Any) -> Question | None:
    """Return the question that the host asks."""
    if not _has(values, id=str, text=str, answers=list, right=int, marks=(dict, type(None)), source=str):
        return None
    answers, marks = values["answers"], values["marks"]
    if not (_ID.fullmatch(values["id"]) and _is_text(values["text"], _TEXT) and len(values["source"]) <= _TEXT):
        return None
    if not (_ANSWERS[0] <= len(answers) <= _ANSWERS[1] and all(_is_text(answer, _ANSWER) for answer in answers)):
        return None
    if not 0 <= values["right"] < len(answers) or (marks is not None and not _are_marks(marks, len(answers))):
        return None
    return parse_question(values)


def parse_phase(values: Any) -> tuple[str, str] | None:
    """Return a question's id and its next phase; ``over`` removes it."""
    valid = _has(values, id=str, phase=str) and values["phase"] in (*PHASES, "over")
    return (values["id"], values["phase"]) if valid else None


def parse_answer(values: Any) -> tuple[str, int] | None:
    """Return a question's id and a visitor's answer."""
    return (values["id"], values["answer"]) if _has(values, id=str, answer=int) else None


def parse_nickname(values: Any) -> str | None:
    """Return a visitor's nickname as typed."""
    return values["name"] if _has(values, name=str) and len(values["name"]) <= _TYPED else None


def parse_visitor_number(values: Any) -> int | None:
    """Return a visitor's number."""
    return values["visitor"] if _has(values, visitor=int) else None


def _has(values: Any, **kinds: type | tuple[type, ...]) -> bool:
    """Return whether this is an object with exactly these values; booleans do not count as numbers."""
    return (
        isinstance(values, dict)
        and set(values) == set(kinds)
        and all(isinstance(values[name], kind) and not isinstance(values[name], bool) for name, kind in kinds.items())
    )


def _is_text(text: Any, most: int) -> bool:
    return isinstance(text, str) and bool(text.strip()) and len(text) <= most


def _are_marks(marks: dict[str, Any], answers: int) -> bool:
    if not (_has(marks, run=str, climb=int, position=int, cities=list) and _ID.fullmatch(marks["run"])):
        return False
    groups = marks["cities"]
    if len(groups) != answers or not all(isinstance(group, list) and 1 <= len(group) <= _CITIES for group in groups):
        return False
    numbers = [marks["climb"], marks["position"], *(city for group in groups for city in group)]
    return all(type(number) is int and 0 <= number <= _MAX_ANSWER for number in numbers)
