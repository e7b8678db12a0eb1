"""Slow, half-open and disconnected clients: F7 and F8."""

import asyncio
import base64
import json
import math
import os
import socket
import statistics

import psutil
import pytest

from tests.clock import PATIENCE
from tests.faults.counts import SHARE, count
from tests.faults.figures import store_samples
from tests.faults.nothing_lost import lost_events
from tests.faults.visits import press, ready, run_path, serving, start_run
from tests.viewer import Viewer, is_over

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(1800)]

MB = 1 << 20


def text_frame(message: dict) -> bytes:
    """A message as a browser sends it, masked."""
    raw, mask = json.dumps(message).encode(), os.urandom(4)
    assert len(raw) < 126
    return bytes([0x81, 0x80 | len(raw)]) + mask + bytes(byte ^ mask[k % 4] for k, byte in enumerate(raw))


async def slow(port: int, run: str, per_second: int) -> None:
    """A client that acknowledges everything and reads at most this many bytes per second, or none."""
    end = socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    end.setblocking(False)
    await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=end, limit=4096)
    key = base64.b64encode(os.urandom(16)).decode()
    heads = f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"
    writer.write("\r\n".join(["GET /stream HTTP/1.1", *heads, f"Sec-WebSocket-Key: {key}", "", ""]).encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    writer.write(text_frame({"op": "open", "run": run, "after": 0}))
    if not per_second:
        writer.transport.pause_reading()
    number = 0
    try:
        while True:
            if per_second:
                await reader.read(per_second)
            for _ in range(8):
                writer.write(text_frame({"op": "ack", "message": (number := number + 1)}))
            await asyncio.sleep(1)
    finally:
        writer.transport.abort()


async def ages(url: str, run: str, seconds: float) -> list[float]:
    """The ages of the heads that five viewers receive in this time."""
    viewers = [Viewer(url, run, keep=False) for _ in range(5)]
    until = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(each.follow(lambda _: asyncio.get_running_loop().time() > until) for each in viewers))
    return [age for each in viewers for age, _ in each.seen.heads if not math.isnan(age)]


def p95(samples: list[float]) -> float:
    return statistics.quantiles(samples, n=20)[-1]


def test_f7_slow_clients_take_little_memory_and_delay_nobody(tmp_path):
    clients, seconds = count(20, 100), 30.0 if SHARE else 4.0

    async def measure_memory(server, run: str):
        process = psutil.Process(server.process.pid)
        before = await ages(server.url, run, seconds)
        size = process.memory_info().rss
        tasks = [asyncio.create_task(slow(server.port, run, 1024 * (k % 2))) for k in range(clients)]
        await asyncio.sleep(2)
        during = await ages(server.url, run, seconds)
        grown = process.memory_info().rss - size
        assert not [task for task in tasks if task.done()], "a slow client was cut off"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return before, during, grown

    with serving(tmp_path / "home") as server:
        ready(server)
        run = start_run(server.url, seconds=600.0)
        before, during, grown = asyncio.run(measure_memory(server, run))
    store_samples("F7", "seconds: age of the others' heads before", before)
    store_samples("F7", "seconds: age of the others' heads beside slow clients", during, clients)
    store_samples("F7", "MB that the server grew by", [grown / MB], clients)
    assert grown <= clients * MB
    assert p95(during) <= 2 * p95(before) + 0.25
    assert len(during) > len(before) / 4


class Proxy:
    """Forwards bytes until the network is cut: connections then break, or stay open without data."""

    def __init__(self, port: int) -> None:
        self._to, self._through = port, asyncio.Event()
        self._through.set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"
        return self

    async def __aexit__(self, *_) -> None:
        self._server.close()
        self._break()

    def _break(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def cut(self, seconds: float, silent: bool) -> None:
        """Cut the network for this time."""
        self._through.clear()
        if not silent:
            self._break()
        await asyncio.sleep(seconds)
        self._break()
        self._through.set()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        await self._through.wait()
        onwards, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers.add(back)
        await asyncio.gather(self._pump(reader, back), self._pump(onwards, writer), return_exceptions=True)
        self._writers -= {writer, back}
        writer.transport.abort()
        back.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while raw := await reader.read(65536):
            await self._through.wait()
            writer.write(raw)
            await writer.drain()
        writer.transport.abort()


@pytest.mark.parametrize("silent", [False, True], ids=["broken", "silent"])
def test_f8_disconnected_viewer_catches_up_without_a_gap(tmp_path, silent):
    seconds = 60.0 if SHARE else 2.0

    async def cut_off(server, run: str):
        async with Proxy(server.port) as proxy:
            viewer = Viewer(proxy.url, run)
            following = asyncio.create_task(viewer.follow(is_over, 10 * PATIENCE))
            for _ in range(2):
                known = len(viewer.seen.seqs)
                while len(viewer.seen.seqs) < known + 5:
                    await asyncio.sleep(0.05)
                await proxy.cut(seconds, silent)
            known = len(viewer.seen.seqs)
            while len(viewer.seen.seqs) < known + 5:
                await asyncio.sleep(0.05)
            await asyncio.to_thread(press, server.url, "run-cancel", run)
            return await following

    with serving(tmp_path / "home") as server:
        ready(server)
        run = start_run(server.url, instance="kroA100", climbers=1_000_000, seconds=600.0)
        seen = asyncio.run(cut_off(server, run))
        assert (seen.state, seen.connections >= 3) == ("cancelled", True)
        assert not lost_events(run_path(server, run), seen)
    assert seen.seqs == sorted(set(seen.seqs))
    store_samples("F8", "events of a viewer that was cut off twice", [], len(seen.seqs))
