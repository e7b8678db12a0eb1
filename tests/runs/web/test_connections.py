"""Connections are limited in number, size and time, even before a code is required."""

import asyncio
import contextlib

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from runs.web import connections
from runs.web.connections import BoundedProtocol
from tests.clock import PATIENCE

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


async def page(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def stream(socket: WebSocket) -> None:
    await socket.accept()
    while True:
        await socket.send_text(await socket.receive_text())


@contextlib.asynccontextmanager
async def serve_protocol(app=None):
    """The port of a server with the protocol."""
    app = app or Starlette(routes=[Route("/", page, methods=["GET", "POST"]), WebSocketRoute("/stream", stream)])
    config = uvicorn.Config(app, port=0, http=BoundedProtocol, log_config=None, log_level="critical")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await task


async def answer(port, *parts, pause=0.0):
    """The response to parts sent one after the other, until the server closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.suppress(ConnectionError):
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), PATIENCE)
    return b""


@pytest.fixture
def limits(monkeypatch):
    def limit(**values):
        for name, value in values.items():
            monkeypatch.setattr(connections, name, value)

    return limit


async def test_endless_head_is_not_stored(limits):
    async with serve_protocol() as port:
        endless = await answer(port, HEAD, b"X: ", *[b"a" * 4096] * 40)
        many = await answer(port, HEAD, *(b"X%d: %s\r\n" % (k, b"a" * 1000) for k in range(200)))
        large = await answer(port, HEAD + b"Connection: close\r\nX: " + b"a" * 9000 + b"\r\n\r\n")
    assert endless == many == b""
    assert large.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("parts", [(), (b"GET",), (HEAD, b"X: y\r\n")])
async def test_slow_head_is_disconnected(limits, parts):
    limits(HEAD_SECONDS=0.2)

    async with serve_protocol() as port:
        assert await answer(port, *parts) == b""


async def test_trickling_body_is_disconnected_and_a_steady_one_is_read(limits):
    limits(BODY_SECONDS=0.3, BODY_RATE=1000)
    post = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"

    async with serve_protocol() as port:
        trickle = await answer(port, post % 10, b"12345")
        steady = await answer(port, post % 5000, *[bytes(1000)] * 5, pause=0.1)
    assert trickle == b""
    assert steady.endswith(b"5000")


async def test_reused_connection_is_limited_again(limits):
    async with (
        serve_protocol() as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client,
    ):
        lengths = [(await client.post("/", content=bytes(size))).text for size in (1, 300_000, 0, 70_000)]
        limits(HEAD_SECONDS=2.0)
        close = await answer(port, HEAD + b"\r\n", b"GET / HT")
    assert lengths == ["1", "300000", "0", "70000"]
    assert close.startswith(b"HTTP/1.1 200")


async def test_stream_outlives_request_limits(limits):
    limits(HEAD_SECONDS=0.1, BODY_SECONDS=0.1)

    async with serve_protocol() as port, connect(f"ws://127.0.0.1:{port}/stream") as socket:
        await asyncio.sleep(0.4)
        await socket.send("still here")
        assert await socket.recv() == "still here"


def test_client_that_reads_nothing_is_disconnected_and_a_slow_one_is_not(limits):
    limits(WRITE_SECONDS=0.3)
    size = 16 << 20  # more than the system takes for a client

    async def large(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(size >> 16):
            await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def asked():
        async with serve_protocol(large) as port:
            streams = [await asyncio.open_connection("127.0.0.1", port, limit=1 << 12) for _ in range(2)]
            for _, writer in streams:
                writer.write(HEAD + b"Connection: close\r\n\r\n")
            (silent, _), (slow, _) = streams
            whole = 0
            while part := await slow.read(1 << 19):
                whole += len(part)
                await asyncio.sleep(0.01)
            with contextlib.suppress(ConnectionError):
                return whole, len(await asyncio.wait_for(silent.read(), PATIENCE))
            return whole, 0

    slow, silent = asyncio.run(asked())
    assert slow > size > silent


async def test_oldest_silent_connections_are_closed_for_active_clients(limits):
    limits(MAX_SILENT=5, HEAD_SECONDS=PATIENCE)

    async with serve_protocol() as port:
        reader, use_language = await asyncio.open_connection("127.0.0.1", port)
        use_language.write(HEAD + b"\r\n")
        before = await reader.read(8)
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(12)]
        answered = await answer(port, HEAD + b"Connection: close\r\n\r\n")
        while len(BoundedProtocol._silent["127.0.0.1"]) > 5:
            await asyncio.sleep(0.01)
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(silent[0][0].read(), PATIENCE) == b""
        use_language.write(HEAD + b"Connection: close\r\n\r\n")
        rest = await asyncio.wait_for(reader.read(), PATIENCE)
        for _, writer in silent:
            writer.close()
        while BoundedProtocol._silent:
            await asyncio.sleep(0.01)
        both = before + rest
    assert both.count(b"HTTP/1.1 200") == 2, "a connection that has spoken is not closed for others that are silent"
    assert answered.startswith(b"HTTP/1.1 200")
    assert not BoundedProtocol._silent


async def test_total_connections_are_limited(limits):
    limits(MAX_CONNECTIONS=3)

    async with serve_protocol() as port:
        stored = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for reader, writer in stored[:2]:
            writer.write(HEAD + b"\r\n")
            await reader.read(8)
        answered = await answer(port, HEAD + b"Connection: close\r\n\r\n")
        for _, writer in stored:
            writer.close()
        assert answered.startswith(b"HTTP/1.1 200"), "the one that is silent has made room"


async def test_full_server_of_active_connections_refuses_another(limits):
    limits(MAX_CONNECTIONS=2)

    async with serve_protocol() as port:
        url = f"ws://127.0.0.1:{port}/stream"
        async with connect(url) as first, connect(url) as second:
            refused = await answer(port, HEAD + b"\r\n")
            for socket in (first, second):
                await socket.send("still here")
                assert await socket.recv() == "still here"
            assert refused == b""
