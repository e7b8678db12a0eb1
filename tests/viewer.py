"""A test client of the stream, like `assets/common/stream.js`, that stores everything received about a run."""

import asyncio
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import websockets

from solvers.worker.frames import decode, split
from tests.clock import PATIENCE

#: Seconds before a connection that broke is tried again.
RETRY = 0.1


@dataclass
class Seen:
    """The messages of one viewer about one run.

    Attributes
    ----------
    seqs : list of int
        Sequence numbers of the log in the order in which they came.
    frames : dict of int to bytes
        The events by their numbers.
    states : list of (float, str, str)
        When each state with its reason came, on the monotonic clock.
    heads : list of (float, float)
        The age of each head in seconds when it came, and the run's seconds at that moment. The age is NaN if the head
        is older than the connection.
    tours : list of (int, ndarray)
        The lengths and orders of the heads that were whole tours, if they are kept.
    ages : list of float
        Seconds from each event of the log to its arrival; of those that are older than the connection none.
    refused : str
        Why the run cannot be watched.
    status : dict
        The server's newest status.
    connections : int
        How often the viewer has connected.
    """

    seqs: list[int] = field(default_factory=list)
    frames: dict[int, bytes] = field(default_factory=dict)
    states: list[tuple[float, str, str]] = field(default_factory=list)
    heads: list[tuple[float, float]] = field(default_factory=list)
    tours: list[tuple[int, Any]] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    refused: str = ""
    connections: int = 0
    status: dict[str, Any] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """The newest state; empty before the first."""
        return self.states[-1][1] if self.states else ""

    @property
    def reason(self) -> str:
        """The newest reason."""
        return self.states[-1][2] if self.states else ""


class Viewer:
    """Follows a run until a condition holds, and connects again whenever the connection breaks.

    Parameters
    ----------
    url : str
        The server's address, with a slash at the end.
    run : str
    every : float
        Minimum time in seconds between two heads.
    keep : bool
        Whether the events and the tours are kept, or their numbers alone.
    headers : mapping of str to str
        As a cookie.
    """

    def __init__(
        self, url: str, run: str, every: float = 1 / 30, keep: bool = True, headers: Mapping[str, str] | None = None
    ) -> None:
        self._address = url.replace("http", "ws", 1) + "stream"
        self.run, self._every, self._keep, self._headers = run, every, keep, dict(headers or {})
        self.seen = Seen()
        self._since = 0.0

    async def follow(self, until: Callable[[Seen], bool], seconds: float = PATIENCE) -> Seen:
        """All messages until then.

        Raises
        ------
        TimeoutError
            If the condition does not hold in time.
        """
        async with asyncio.timeout(seconds):
            while not until(self.seen):
                try:
                    await self._connected(until)
                except (OSError, websockets.WebSocketException):
                    await asyncio.sleep(RETRY)
        return self.seen

    async def _connected(self, until: Callable[[Seen], bool]) -> None:
        options: dict[str, Any] = {"max_size": None, "compression": None, "open_timeout": 30}
        async with websockets.connect(self._address, additional_headers=self._headers, **options) as stream:
            self.seen.connections += 1
            self._since = time.time()
            after = self.seen.seqs[-1] if self.seen.seqs else 0
            await stream.send(json.dumps({"op": "open", "run": self.run, "after": after}))
            await stream.send(json.dumps({"op": "head", "run": self.run, "on": True, "every": self._every}))
            async for raw in stream:
                if number := self._receive(raw):
                    await stream.send(json.dumps({"op": "ack", "message": number}))
                if until(self.seen):
                    return

    def _receive(self, raw: bytes) -> int:
        """Store a message; return its number, or 0 if it has none."""
        now = time.time()
        parts = split(raw)
        answer = decode(next(parts))
        values = answer.values
        if answer.kind == "refused":
            self.seen.refused = values["sentence"]
        if answer.kind == "status":
            self.seen.status = values
        if answer.kind != "message":
            return 0
        self._note_state(values)
        if values["what"] == "log":
            self.seen.ages += [now - at for at in values["ats"] if at > self._since]
            self.seen.seqs += values["seqs"]
            if self._keep:
                self.seen.frames |= zip(values["seqs"], map(bytes, parts), strict=True)
        elif values["what"] == "head":
            self._note_head(next(parts), now)
        return values["message"]

    def _note_state(self, values: dict[str, Any]) -> None:
        answer = values["state"], values["reason"]
        if values["what"] == "log" and (not self.seen.states or self.seen.states[-1][1:] != answer):
            self.seen.states.append((time.monotonic(), *answer))

    def _note_head(self, part: memoryview, now: float) -> None:
        head = decode(part)
        at = head.values["at"]
        self.seen.heads.append((now - at if at > self._since else math.nan, head.values["elapsed"]))
        if self._keep and head.values["walk"] == "moves":
            self.seen.tours.append((head.values["length"], head.arrays["order"].copy()))


def watch(
    url: str, run: str, until: Callable[[Seen], bool] | None = None, seconds: float = PATIENCE, **settings: Any
) -> Seen:
    """All messages to one viewer about a run until the condition holds, by default until the run has ended."""
    return asyncio.run(Viewer(url, run, **settings).follow(until or is_over, seconds))


def is_over(seen: Seen) -> bool:
    """Whether the run has ended or cannot be watched."""
    return bool(seen.refused) or seen.state in ("finished", "cancelled", "failed", "interrupted")
