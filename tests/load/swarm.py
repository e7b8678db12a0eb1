"""Many viewers in one process: ``python -m tests.load.swarm``, settings as JSON on its input, figures on its output.

It stands back (nice 10), as the server's workers do: whoever watches from elsewhere takes nothing of the machine.
"""

import asyncio
import json
import math
import os
import sys
import time
from collections import Counter
from typing import Any

import httpx

from tests.clock import PATIENCE, process_seconds, waiting_seconds
from tests.faults.visits import form, press_body
from tests.viewer import Viewer, is_over

#: Seconds between two clicks, and between two loads of the page.
CLICK_EVERY, LOAD_EVERY = 0.5, 5.0
#: Seconds between two looks at how late this process itself is.
LAG_EVERY = 0.05


class Swarm:
    """The viewers, somebody who clicks, somebody who loads the page, and in the end Cancel of each run.

    Parameters
    ----------
    url : str
    viewers, runs : int
    seconds : float
        How long, once all viewers are there.
    every : float
        Minimum time in seconds between two heads of a viewer.
    """

    def __init__(self, url: str, viewers: int, runs: int, seconds: float, every: float) -> None:
        self._url, self._seconds, self._every = url, seconds, every
        self._count, self._runs = viewers, runs
        self.samples: dict[str, list[float]] = {
            name: [] for name in ("head age", "head at", "log age", "click", "load", "cancel", "lag")
        }
        self.errors: Counter[str] = Counter()

    async def live(self) -> None:
        """Run all viewers and users."""
        async with httpx.AsyncClient(timeout=PATIENCE, limits=httpx.Limits(max_connections=20)) as client:
            self._client = client
            self._declared = (await client.get(f"{self._url}_dash-dependencies")).json()
            runs = [await self._start(seed) for seed in range(1, self._runs + 1)]
            self._viewers = [
                Viewer(self._url, runs[k % len(runs)], self._every, keep=False) for k in range(self._count)
            ]
            following = [asyncio.create_task(each.follow(is_over, self._seconds + PATIENCE)) for each in self._viewers]
            while not all(each.seen.heads for each in self._viewers):
                await asyncio.sleep(0.1)
            begun = [(len(each.seen.heads), len(each.seen.ages)) for each in self._viewers]
            await self._meanwhile(runs)
            for each, (heads, ages) in zip(self._viewers, begun, strict=True):
                new = [(age, elapsed) for age, elapsed in each.seen.heads[heads:] if not math.isnan(age)]
                self.samples["head age"] += [age for age, _ in new]
                self.samples["head at"] += [elapsed for _, elapsed in new]
                self.samples["log age"] += each.seen.ages[ages:]
            for run in runs:
                await self._cancel(run)
            await asyncio.gather(*following)
            self.errors["connections that broke"] += sum(each.seen.connections - 1 for each in self._viewers)
            self.errors["runs that were refused"] += sum(bool(each.seen.refused) for each in self._viewers)
            ended = Counter(each.seen.state for each in self._viewers)
            self.errors["runs that ended otherwise"] += self._count - ended["cancelled"]
            self.errors["numbers out of order"] += sum(
                each.seen.seqs != sorted(set(each.seen.seqs)) for each in self._viewers
            )

    async def _start(self, seed: int) -> str:
        fields = {**form("pr1002", 1_000_000, seed=seed), "seconds": None}
        answer = await self._client.post(f"{self._url}start", json=fields)
        answer.raise_for_status()
        return answer.json()["run"]

    async def _meanwhile(self, runs: list[str]) -> None:
        tasks = [
            asyncio.create_task(work)
            for work in (self._click(runs), self._load(runs), self._look_at_clock())
        ]  # fmt: skip
        before = process_seconds(os.getpid()), waiting_seconds(os.getpid())
        await asyncio.sleep(self._seconds)
        self.samples["swarm core"] = [(process_seconds(os.getpid()) - before[0]) / self._seconds]
        self.samples["swarm waited"] = [(waiting_seconds(os.getpid()) - before[1]) / self._seconds]
        for task in tasks:
            task.cancel()
        for done in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(done, asyncio.CancelledError):
                self.errors[f"{type(done).__name__}: {done}"[:200]] += 1

    async def _press(self, button: str, run: str) -> httpx.Response:
        return await self._client.post(
            f"{self._url}_dash-update-component", json=press_body(self._declared, button, run)
        )

    async def _click(self, runs: list[str]) -> None:
        """Resume a run, open a run in a few values, and search the library, with the requests of the pages."""
        number = 0
        while True:
            run, began = runs[number % len(runs)], time.perf_counter()
            if number % 3 == 0:
                answer = await self._press("run-resume", run)
            elif number % 3 == 1:
                answer = await self._client.get(f"{self._url}runs/{run}")
            else:
                answer = await self._client.get(f"{self._url}library/entries")
            self._note("click", began, answer)
            number += 1
            await asyncio.sleep(CLICK_EVERY)

    async def _load(self, runs: list[str]) -> None:
        """Reload the page, and wait until the run's complete log is back."""
        number = 0
        while True:
            began = time.perf_counter()
            for path in ("", "_dash-layout", "_dash-dependencies"):
                answer = await self._client.get(f"{self._url}{path}")
                self._check(answer)
            viewer = Viewer(self._url, runs[number % len(runs)], self._every, keep=False)
            await viewer.follow(lambda seen: bool(seen.seqs) and bool(seen.heads))
            self._note("load", began, answer)
            number += 1
            await asyncio.sleep(LOAD_EVERY)

    async def _look_at_clock(self) -> None:
        """Measure this process's own delay: a measured age is too large by at most that."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(LAG_EVERY)
            self.samples["lag"].append(time.perf_counter() - began - LAG_EVERY)

    async def _cancel(self, run: str) -> None:
        """Press Cancel and wait until its viewers know."""
        began, watching = time.perf_counter(), [each for each in self._viewers if each.run == run]
        self._check(await self._press("run-cancel", run))
        while not all(is_over(each.seen) for each in watching):
            await asyncio.sleep(0.005)
        self.samples["cancel"].append(time.perf_counter() - began)

    def _note(self, what: str, began: float, answer: httpx.Response) -> None:
        self.samples[what].append(time.perf_counter() - began)
        self._check(answer)

    def _check(self, answer: httpx.Response) -> None:
        if answer.status_code >= 400:
            self.errors[f"status {answer.status_code} of {answer.request.url.path}"] += 1


def main() -> None:
    """Run with the settings from the input."""
    if hasattr(os, "nice"):
        os.nice(10)
    settings: dict[str, Any] = json.load(sys.stdin)
    swarm = Swarm(**settings)
    asyncio.run(swarm.live())
    errors = {what: count for what, count in swarm.errors.items() if count}
    json.dump({"samples": swarm.samples, "errors": errors}, sys.stdout)


if __name__ == "__main__":
    main()
