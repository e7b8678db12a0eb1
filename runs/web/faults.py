"""Answers failed requests with a sentence, and logs unexpected errors."""

import logging
from collections.abc import Mapping
from typing import Any

from dash.exceptions import DependencyException, PreventUpdate
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data.sqlite_files import is_full, is_read_only
from runs.computing.answer import PoolFull, class_name
from runs.translation import translate

_log = logging.getLogger(__name__)
_FAULT = "This could not be done because of an error in the program; see the server's log."
_FULL = "This could not be done: the disk is full."
_READ_ONLY = "This could not be done: the data folder cannot be written."
_NOT_FOUND = "There is nothing at this address."
#: Response to requests that no page sends.
INVALID = "The server does not understand this request."
_STATUS = {404: _NOT_FOUND, 405: "This address does not support this request."}
_MAX_SENTENCE = 500  # in characters, since some sentences quote the request


class Faults:
    """ASGI middleware inside Dash's own, which would answer callbacks' exceptions without logging them.

    An unexpected exception is logged once, with its traceback. If the response has already started, the connection is
    closed, so that the client does not take it for complete.

    Parameters
    ----------
    app : ASGI application
    statuses : mapping of exception type to int
        See `answer_exceptions`. It may grow, since routes are added while the server runs.
    """

    def __init__(self, app: ASGIApp, statuses: Mapping[type[Exception], int]) -> None:
        self._app = app
        self._get_statuses = statuses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer it if it fails."""
        started = False

        async def send_and_record(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_and_record)
        except PreventUpdate:  # a callback that changes nothing, which Dash answers
            raise
        except ClientDisconnect:  # the client has left
            return
        except Exception as error:  # every request gets a response
            if scope["type"] == "lifespan":
                raise
            disk = _FULL if is_full(error) else _READ_ONLY if is_read_only(error) else ""
            statuses = {class_name(kind): status for kind, status in self._get_statuses.items()}
            kinds = getattr(error, "kinds", [class_name(kind) for kind in type(error).__mro__])
            status = next((statuses[kind] for kind in kinds if kind in statuses), None)
            if status in (None, 500) or started:
                _log.error("%s failed", _request_line(scope), exc_info=error)
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1011})
            elif not started:
                sentence = str(error) if status else disk or _FAULT
                await _make_response(sentence, 503 if disk else status or 500)(scope, receive, send)


def answer_faults(server: FastAPI) -> None:
    """Answer every failure of `server` with JSON ``{sentence}``. Call this before Dash adds its middleware."""
    _get_statuses(server)
    server.add_exception_handler(HTTPException, _on_http_error)
    server.add_exception_handler(RequestValidationError, _on_invalid_request)
    server.add_exception_handler(PoolFull, _on_pool_full)
    server.add_exception_handler(DependencyException, _on_missing_script)  # raised by Dash for an unknown script


def answer_exceptions(server: Any, statuses: Mapping[type[Exception], int]) -> None:
    """Answer these exceptions with their messages; those with status 500 are logged too.

    Parameters
    ----------
    server : FastAPI
    statuses : mapping of exception type to int
        HTTP status of each exception class and its subclasses.
    """
    # Not as Starlette's handlers, which cannot be added to a running server.
    _get_statuses(server).update(statuses)


def _get_statuses(server: Any) -> dict[type[Exception], int]:
    """Return a server's mapping of exceptions to statuses; the first call installs the middleware that uses it."""
    if not hasattr(server.state, "statuses"):
        server.state.statuses = {}
        server.add_middleware(Faults, statuses=server.state.statuses)
    statuses: dict[type[Exception], int] = server.state.statuses
    return statuses


async def _on_http_error(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _make_response(_STATUS.get(status, INVALID), status)


async def _on_invalid_request(_: Request, __: Exception) -> Response:
    return _make_response(INVALID, 400)


async def _on_pool_full(_: Request, __: Exception) -> Response:
    return make_pool_full_answer()


def make_pool_full_answer() -> Response:
    """Make the response to a client who must try again later."""
    answer = _make_response(str(PoolFull()), 503)
    answer.headers["Retry-After"] = str(PoolFull.RETRY_AFTER)
    return answer


async def _on_missing_script(_: Request, __: Exception) -> Response:
    return _make_response(_NOT_FOUND, 404)


def _make_response(sentence: str, status: int) -> JSONResponse:
    # a quoted request may hold unpaired surrogates, which cannot be encoded
    return JSONResponse({"sentence": translate(sentence).encode(errors="replace").decode()[:_MAX_SENTENCE]}, status)


def _request_line(scope: Scope) -> str:
    """Return the request for the log, without its query, which may contain the join code."""
    return f"{scope.get('method', scope['type'])} {scope['path']!r:.200}"
