"""Limits on connections: their number, the size of heads, and the duration of requests and responses.

uvicorn has none of these limits: a client could send an endless head, or nothing, and keep the connection open.
"""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Maximum size of a request's line and headers in bytes.
MAX_HEAD = 64 << 10
#: Seconds from a new connection, or from the first byte of a later request, to the end of the head.
HEAD_SECONDS = 10.0
#: Seconds allowed for a body, and the minimum rate of a longer one in bytes per second.
BODY_SECONDS, BODY_RATE = 30.0, 16 << 10
#: Seconds within which a client must read a few tens of kilobytes of a pending response.
WRITE_SECONDS = 30.0
#: Maximum number of connections, including streams, and of connections of one address that have not sent a head. Beyond
#: that, the longest silent one is closed, since visitors who share an address send their heads at once.
MAX_CONNECTIONS, MAX_SILENT = 1024, 256
_MAX_DIGITS = 13


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits; a connection that exceeds a limit is closed."""

    #: Connections of each address that have not sent a head, the oldest first.
    _silent: ClassVar[dict[str, dict["BoundedProtocol", None]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = 0
        self._timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting for a head; if there are too many connections, close a silent one."""
        super().connection_made(transport)
        self._address = (self.client or ("",))[0]
        silent = self._silent.setdefault(self._address, {})
        silent[self] = None
        self._expect(HEAD_SECONDS)
        if len(self.connections) > MAX_CONNECTIONS:
            silent = max(self._silent.values(), key=len)
        elif len(silent) <= MAX_SILENT:
            return
        oldest = next(iter(silent))
        oldest._on_head_complete()
        oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._expect(None)
        self._stop_write_timer()
        self._on_head_complete()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Close the connection if the client does not read the response in time."""
        super().pause_writing()
        self._stop_write_timer()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting, as the client has read part of the response."""
        super().resume_writing()
        self._stop_write_timer()

    def data_received(self, data: bytes) -> None:
        """Close the connection if the head is too large."""
        if self._timer is None and self._awaits_head():
            self._expect(HEAD_SECONDS)
        super().data_received(data)
        if self.transport.is_closing() or not self._awaits_head():
            return
        self._head += len(data)
        if self._head > MAX_HEAD:
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Start waiting for the body."""
        self._on_head_complete()
        self._head = 0
        lengths = (value for name, value in self.headers if name == b"content-length")
        length = next((int(value) for value in lengths if value.isdigit() and len(value) < _MAX_DIGITS), 0)
        self._expect(BODY_SECONDS + length / BODY_RATE if length else None)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop waiting, as the request is complete."""
        self._expect(None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Stop waiting, as WebSockets have their own protocol."""
        self._expect(None)
        self._stop_write_timer()
        self._on_head_complete()
        super().handle_websocket_upgrade()

    def _awaits_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _expect(self, seconds: float | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.transport.abort) if seconds is not None else None

    def _stop_write_timer(self) -> None:
        if self._write_timer:
            self._write_timer.cancel()

    def _on_head_complete(self) -> None:
        silent = self._silent.get(self._address, {})
        silent.pop(self, None)
        if not silent:
            self._silent.pop(self._address, None)
