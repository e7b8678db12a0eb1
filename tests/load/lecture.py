"""``python -m tests.load.lecture [--followers 100] [--places 20] [--seconds 30] [--json FILE]``: a class that follows.

One lecturer scrubs on a shared server, and all others follow over their sockets. Of each place that a follower is told
the age is measured, from the lecturer's request to its arrival. Above ten places a second some are left out.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets

from solvers.worker.frames import decode, split
from tests.browser.serving import Server, start_server, stop_server
from tests.faults.visits import start_run
from tests.load.measuring import Meter, main, quantile
from tests.viewer import watch

#: A browser that asks for a page.
_HTML = {"accept": "text/html"}


@dataclass(frozen=True)
class Class:
    """The size of the class, and the pace of its lecturer: positions per second."""

    followers: int = 100
    places: float = 20.0
    seconds: float = 30.0


@dataclass
class Told:
    """The messages to one follower: each position and its age in seconds."""

    ages: list[float] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)


class Lesson:
    """One lecture from start to end.

    Parameters
    ----------
    server : Server
        A shared one.
    settings : Class
    """

    def __init__(self, server: Server, settings: Class) -> None:
        self._server, self._settings = server, settings
        self._sent: dict[int, float] = {}
        self.answers: list[float] = []
        self.followers = [Told() for _ in range(settings.followers)]
        self.counted: set[int] = set()

    async def hold(self, run: str, cookie: str) -> None:
        """Lead while all others follow; returns once every follower knows that the lecture has ended."""
        here = [asyncio.create_task(self._follow(entry)) for entry in self.followers]
        host = asyncio.create_task(self._count(cookie))
        while self._settings.followers not in self.counted:
            await asyncio.sleep(0.05)
        async with httpx.AsyncClient(headers={"cookie": cookie}, timeout=60) as client:
            await self._lead(client, run)
            await asyncio.sleep(0.5)  # the last place is told, and then the end
            (await client.post(f"{self._server.url}class/stop", json={})).raise_for_status()
        await asyncio.gather(*here)
        host.cancel()

    async def _lead(self, client: httpx.AsyncClient, run: str) -> None:
        begun = time.perf_counter()
        known = {"lecture": "abcdefgh", "page": "watch", "query": "", "run": run, "view": "tour", "live": False}
        for position in range(1, int(self._settings.places * self._settings.seconds) + 1):
            await asyncio.sleep(max(0.0, begun + position / self._settings.places - time.perf_counter()))
            self._sent[position] = time.perf_counter()
            place = {**known, "climb": 0, "position": position}
            (await client.post(f"{self._server.url}class/lead", json=place)).raise_for_status()
            self.answers.append(time.perf_counter() - self._sent[position])

    async def _follow(self, answer: Told) -> None:
        async with open_stream(self._server, await join_cookies(self._server.url, self._server.join)) as stream:
            await stream.send(json.dumps({"op": "follow", "on": True}))
            async for raw in stream:
                frame = decode(next(split(raw)))
                if frame.kind == "lecture" and frame.values["on"]:
                    position = frame.values["position"]
                    answer.ages.append(time.perf_counter() - self._sent[position])
                    answer.positions.append(position)
                elif frame.kind == "lecture" and answer.positions:
                    return

    async def _count(self, cookie: str) -> None:
        """The host's page, which receives the number of followers."""
        async with open_stream(self._server, cookie) as stream:
            async for raw in stream:
                frame = decode(next(split(raw)))
                if frame.kind == "lecture":
                    self.counted.add(frame.values["following"])


def open_stream(server: Server, cookie: str) -> Any:
    """Connect to a server's stream as a visitor who has joined."""
    address = server.url.replace("http", "ws", 1) + "stream"
    return websockets.connect(address, additional_headers={"cookie": cookie}, compression=None, open_timeout=60)


async def join_cookies(url: str, query: str) -> str:
    """The cookies of a visitor who has just joined."""
    async with httpx.AsyncClient(headers=_HTML, timeout=60, follow_redirects=True) as client:
        await client.get(url + query)
        return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


def measure(home: Path, settings: Class) -> dict[str, Any]:
    """Start a server, hold a lecture, and return the followers' messages.

    Returns
    -------
    dict
        ``settings``, ``figures``, ``ages`` and ``answers`` in seconds, ``mb`` of the server each second, and
        ``faults``: followers whose places were out of order, or who were not told the last one.
    """
    server = start_server(home, 0, ["--share"])
    try:
        cookie = asyncio.run(join_cookies(server.url, server.host))
        run = start_run(server.url, httpx.Client(headers={"cookie": cookie}), instance="berlin52", climbers=5)
        watch(server.url, run, headers={"cookie": cookie})
        lesson = Lesson(server, settings)
        with Meter(server.process.pid) as meter:
            asyncio.run(lesson.hold(run, cookie))
    finally:
        stop_server(server)
    last = int(settings.places * settings.seconds)
    ages = [age for entry in lesson.followers for age in entry.ages]
    seen = [len(entry.positions) / last for entry in lesson.followers]
    wrong = sum(entry.positions != sorted(set(entry.positions)) for entry in lesson.followers)
    figures = {
        **{f"age p{percent}": round(quantile(ages, percent / 100), 4) for percent in (50, 95, 99)},
        "age max": round(max(ages), 4), "answer p95": round(quantile(lesson.answers, 0.95), 4),
        "least share of places": round(min(seen), 3), "places told": len(ages),
        "server core": round(sum(meter.samples["server core"]) / max(1, len(meter.samples["server core"])), 3),
    }  # fmt: skip
    faults = {"out of order": wrong, "without the last": sum(entry.positions[-1] != last for entry in lesson.followers)}
    return {
        "settings": asdict(settings), "figures": figures, "faults": faults,
        "ages": [round(age, 4) for age in ages], "answers": [round(each, 4) for each in lesson.answers],
        "mb": [round(each, 1) for each in meter.samples["mb"]],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main("lecture", Class, measure, "Measure a class that follows."))
