"""Spools large responses to files, so that slow clients hold no memory."""

import tempfile
from typing import IO, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Minimum size in bytes of a response that is sent from a file, and number of bytes sent at a time.
LARGE, CHUNK = 256 << 10, 64 << 10


class SpoolingMiddleware:
    """ASGI middleware that spools large responses; streamed responses pass unchanged.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and send a large response once the application has finished and freed it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        spool: list[IO[bytes]] = []

        async def send_or_spool(message: Message) -> None:
            if len(message.get("body", b"")) < LARGE or message.get("more_body", False):
                await send(message)
                return
            try:
                spool.append(_save(message["body"]))
            except OSError:  # the disk is full
                await send(message)

        await self._app(scope, receive, send_or_spool)
        for file in spool:
            with file:
                await _send_all(file, send)


def _save(body: bytes) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is sent
    try:
        file.write(body)
        file.seek(0)
    except OSError:
        file.close()
        raise
    return file


async def _send_all(file: IO[bytes], send: Any) -> None:
    while part := file.read(CHUNK):
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
