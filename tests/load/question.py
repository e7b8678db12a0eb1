"""``python -m tests.load.question [--visitors 100] [--seconds 2] [--json FILE]``: a class that answers a question.

Everybody is told the question over their sockets, and answers at a random moment within the time; each fifth visitor
then changes their answer. The host is told how many chose which. The processor time of the server is measured, which a
machine with other work does not change.
"""

import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from solvers.worker.frames import decode, split
from tests.browser.serving import Server, start_server, stop_server
from tests.clock import process_seconds
from tests.load.lecture import join_cookies, open_stream
from tests.load.measuring import main, quantile

ANSWERS = ("A", "B", "C", "D")
QUESTION = {"id": "abcdefgh", "text": "Which?", "answers": ANSWERS, "right": 2, "marks": None, "source": ""}
#: Each of so many visitors answers again.
CHANGES = 5


@dataclass(frozen=True)
class Class:
    """The size of the class, and the time in seconds for all answers."""

    visitors: int = 100
    seconds: float = 2.0


class Poll:
    """One question from start to end.

    Parameters
    ----------
    server : Server
        A shared one.
    settings : Class
    """

    def __init__(self, server: Server, settings: Class) -> None:
        self._server, self._settings = server, settings
        self.asked = 0.0
        self.told: list[float] = []
        self.answers: list[float] = []
        self.given: dict[int, int] = {}
        self.early = 0
        self.wrong = 0
        self.counts: list[int] = []
        self.counted_after = 0.0
        self.processor_seconds = 0.0

    async def hold(self) -> None:
        """Ask, let everybody answer, and reveal; returns once everybody has received the right answer."""
        url = self._server.url
        host = await join_cookies(url, self._server.host)
        cookies = [await join_cookies(url, self._server.join) for _ in range(self._settings.visitors)]
        visitors = [asyncio.create_task(self._follow(k, cookie)) for k, cookie in enumerate(cookies)]
        counting = asyncio.create_task(self._count(host))
        async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as client:
            self.asked = time.perf_counter()
            own = {"cookie": host}
            (await client.post(f"{url}class/ask", json=QUESTION, headers=own)).raise_for_status()
            while len(self.told) < self._settings.visitors:
                await asyncio.sleep(0.02)
            before, begun = process_seconds(self._server.process.pid), time.perf_counter()
            await asyncio.gather(*(self._answer(client, k, cookie) for k, cookie in enumerate(cookies)))
            wanted = Counter(self.given.values())
            while self.counts != [wanted[k] for k in range(len(ANSWERS))] and time.perf_counter() < begun + 60:
                await asyncio.sleep(0.02)
            self.counted_after = time.perf_counter() - begun
            self.processor_seconds = process_seconds(self._server.process.pid) - before
            reveal = {"id": QUESTION["id"], "phase": "revealed"}
            (await client.post(f"{url}class/question", json=reveal, headers=own)).raise_for_status()
        await asyncio.wait_for(asyncio.gather(*visitors), 60)
        counting.cancel()

    async def _answer(self, client: httpx.AsyncClient, number: int, cookie: str) -> None:
        chosen = [random.randrange(len(ANSWERS)) for _ in range(2 if number % CHANGES == 0 else 1)]
        for each in chosen:
            await asyncio.sleep(random.random() * self._settings.seconds / len(chosen))
            sent = time.perf_counter()
            body = {"id": QUESTION["id"], "answer": each}
            address = f"{self._server.url}class/answer"
            (await client.post(address, json=body, headers={"cookie": cookie})).raise_for_status()
            self.answers.append(time.perf_counter() - sent)
            self.given[number] = each

    async def _follow(self, number: int, cookie: str) -> None:
        """A visitor's page, which receives the question, then the visitor's own answer and the right one, and no counts
        before."""
        async with open_stream(self._server, cookie) as stream:
            async for raw in stream:
                frame = decode(next(split(raw)))
                question = frame.values["question"] if frame.kind == "class" else None
                if question is None:
                    continue
                if question["phase"] == "revealed":
                    right = question["right"] == QUESTION["right"] and question["counts"] == self.counts
                    self.wrong += not (right and question["own"] == self.given[number])
                    return
                self.early += question["counts"] is not None or question["right"] is not None
                if question["own"] is None:
                    self.told.append(time.perf_counter() - self.asked)

    async def _count(self, cookie: str) -> None:
        async with open_stream(self._server, cookie) as stream:
            async for raw in stream:
                frame = decode(next(split(raw)))
                if frame.kind == "class" and frame.values["question"]:
                    self.counts = frame.values["question"]["counts"]


def measure(home: Path, settings: Class) -> dict[str, Any]:
    """Start a server, ask the class once, and return what everybody was told.

    Returns
    -------
    dict
        ``settings``, ``figures``, ``answers`` in seconds, and ``faults``: visitors who were told something before it
        was revealed, or something wrong afterwards, and answers that the host was not told.
    """
    server = start_server(home, 0, ["--share"])
    try:
        poll = Poll(server, settings)
        asyncio.run(poll.hold())
    finally:
        stop_server(server)
    figures = {
        "told max": round(max(poll.told), 3), "answer p50": round(quantile(poll.answers, 0.5), 4),
        "answer p95": round(quantile(poll.answers, 0.95), 4), "counted after": round(poll.counted_after, 3),
        "server processor seconds": round(poll.processor_seconds, 3),
    }  # fmt: skip
    faults = {"told early": poll.early, "told wrong": poll.wrong, "not counted": settings.visitors - sum(poll.counts)}
    return {
        "settings": asdict(settings), "figures": figures, "faults": faults,
        "answers": [round(each, 4) for each in poll.answers],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main("question", Class, measure, "Measure a class that answers."))
