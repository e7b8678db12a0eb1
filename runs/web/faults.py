"""What becomes of a request that fails: a sentence for the person at the page, and for the log what happened."""

import errno
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from dash.exceptions import DependencyException, PreventUpdate
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger(__name__)
_FAULT = "This could not be done, for a fault of the program; the server's log says more."
_FULL = "This could not be done: the disk is full."
_NOTHING = "There is nothing at this address."
_WRONG = "The server does not understand this request."
_STATUS = {404: _NOTHING, 405: "Nothing at this address can be asked for in this way."}
_MOST = 500  # characters of a sentence: some quote what was sent

Handler = Callable[[Request, Exception], Awaitable[Response]]


class Faults:
    """ASGI middleware inside Dash's own, which answers whatever is raised by a callback and logs nothing of it.

    A fault is logged once, with its traceback. If the answer has begun already, the connection is cut, so that what
    came of it does not look whole.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer if it fails."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except PreventUpdate:  # how a callback says that nothing changes; Dash answers
            raise
        except ClientDisconnect:  # nobody is there to read an answer
            return
        except Exception as error:  # whatever it is, no request ends in silence
            if scope["type"] == "lifespan":
                raise
            _log.error("%s failed", _named(scope), exc_info=error)
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1011})
            elif not begun:
                await _told(_FULL if _is_full(error) else _FAULT, 500)(scope, receive, send)


def answer_faults(server: FastAPI) -> None:
    """Have every failure of `server` answered as JSON ``{sentence}``; to be called before Dash adds its middleware."""
    server.add_middleware(Faults)
    server.add_exception_handler(HTTPException, _refused)
    server.add_exception_handler(RequestValidationError, _misunderstood)
    server.add_exception_handler(DependencyException, _missing)  # of Dash, for a script that it does not have


def tell(server: Any, statuses: Mapping[type[Exception], int]) -> None:
    """Have these errors answered by their own sentence; one that means a fault is logged too.

    Parameters
    ----------
    server : FastAPI
    statuses : mapping of exception type to int
        The status for each; for errors derived from one of them as well.
    """
    for kind, status in statuses.items():
        server.add_exception_handler(kind, _teller(status))


def _teller(status: int) -> Handler:
    async def told(request: Request, error: Exception) -> Response:
        if status == 500:
            _log.error("%s failed", _named(request.scope), exc_info=error)
        return _told(str(error), status)

    return told


async def _refused(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _told(_STATUS.get(status, _WRONG), status)


async def _misunderstood(_: Request, __: Exception) -> Response:
    return _told(_WRONG, 400)


async def _missing(_: Request, __: Exception) -> Response:
    return _told(_NOTHING, 404)


def _told(sentence: str, status: int) -> JSONResponse:
    # what was sent may hold halves of characters, which cannot be written down
    return JSONResponse({"sentence": sentence.encode(errors="replace").decode()[:_MOST]}, status)


def _named(scope: Scope) -> str:
    """The request for the log: never its query, which may hold the join code."""
    return f"{scope.get('method', scope['type'])} {scope['path']!r:.200}"


def _is_full(error: Exception) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
