"""``python -m tests.load.downloads [--only TEXT] [--clients 45] [--seconds 6] [--silent] [--json FILE]``.

Many clients ask a server for the same answer about 100,000 cities, for each route that there is; meanwhile another
visitor loads pages, watches a run and cancels it. Those who post to a page's callbacks ask for a million cities, each
time for others. With ``--silent`` the clients read nothing of their answers.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import numpy as np
import psutil
from PIL import Image

from benchmarks.machine import describe_machine
from components.shell import ids
from components.study import ids as study_ids
from data.distances import degrees_minutes
from data.generators import GENERATORS
from data.instance import Instance
from data.tsplib import instances
from data.tsplib.normal_form import assemble
from exports.itinerary.files import GEOGRAPHIC_FILES
from runs.races.service import Race
from runs.races.spec import RaceSpec
from runs.study_jobs.folders import make_study_id
from runs.web.openapi import load_description
from tests.browser.serving import ROOT, Server, start_server, stop_server
from tests.clock import PATIENCE, process_seconds, wait_until
from tests.faults.visits import callback_body, form, press_body, ready, start_run, summary
from tests.load.measuring import MB, quantile
from tests.runs.made_up_runs import new_id, write_run
from tests.studies.made_up import write_study
from tests.viewer import Viewer

#: The limits: seconds of a request of another visitor, of Cancel, without a frame of a stream; the server's memory.
LIMITS = {"get p95": 0.25, "cancel": 0.3, "gap": 1.0, "mb": 300.0, "after": 0.1}
CITIES, MANY = 100_000, 1_000_000
STUDY = "mine.tourstudy"
#: A lesson whose text takes Markdown's parser the longest, and what it must have besides.
LESSON, BRACKETS = (
    "brackets",
    """# Brackets
minutes: 1
algorithms: greedy
afterwards: You have waited.

## Question: First
{}

- [x] One
- [ ] Two

## Run: Second
```run
?v=2&instance=burma14&algorithm=greedy&device=cpu&budget.seconds=1
```

## Check: Third

- [x] One
  > Yes
- [ ] Two
  > No
""",
)
#: Seconds after the last client has left until nothing may be computed any more, and for which that is looked at.
LEFT, LOOKED = 2.0, 1.0
#: Other visitors' requests, and the seconds between two.
_OTHERS, _EVERY = ("runs/{run}", "library/entries", ""), 0.1
#: In a body, the seed of a generated instance, which each request replaces by one of its own.
SEED = 7_654_321
#: Folder of bodies for callbacks, and the route below a page's path.
CALLBACKS, CALLBACK = "callbacks", "_dash-update-component"
#: Files of the folder that are uploaded, by their routes.
UPLOADS = {"runs": "large.tourscope", "studies": f"studies/{STUDY}", "pictures": "large.png"}
#: What stands for a part of a path, `make_home` makes the rest.
_PARTS = {"name": "0", "iteration": "1", "paper": "x", "path": "index.md", "release": "x"}


class Crowd:
    """Clients that ask for one answer over and over until they are ended.

    Parameters
    ----------
    url, path, method : str
    clients : int
    body : str
        File that they send; empty for none.
    silent : bool
        Whether they read nothing of the answer.
    """

    def __init__(self, url: str, path: str, method: str, clients: int, body: str, silent: bool) -> None:
        address, sent = urlsplit(url), Path(body).read_bytes() if body else b""
        self._where = address.hostname, address.port
        line = f"{method} {address.path}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(sent)}\r\n"
        line += "Content-Type: application/json\r\n" if body.endswith(".json") else ""
        self._request = f"{line}Connection: close\r\n\r\n".encode() + sent
        self._clients, self._silent = clients, silent
        self.statuses: Counter[str] = Counter()
        self.largest = 0

    async def live(self, seconds: float) -> None:
        """Send requests for this time."""
        tasks = [asyncio.create_task(self._ask()) for _ in range(self._clients)]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(*self._where, limit=1 << 12 if self._silent else 1 << 16)
                try:
                    seed = str(random.randrange(10**6, 10**7))
                    writer.write(self._request.replace(str(SEED).encode(), seed.encode()))
                    await writer.drain()
                    status = (await reader.readline()).split(b" ")
                    self.statuses[status[1].decode() if len(status) > 1 else "broken"] += 1
                    if self._silent:
                        writer.transport.pause_reading()
                        await asyncio.sleep(PATIENCE)
                    size = 0
                    while part := await reader.read(1 << 16):
                        size += len(part)
                    self.largest = max(self.largest, size)
                    if status[1:2] == [b"503"]:
                        await asyncio.sleep(0.5)
                finally:
                    writer.transport.abort()


class Other:
    """Another visitor, who loads pages while watching a run."""

    def __init__(self, url: str, run: str) -> None:
        self._url, self._run = url, run
        self.gets: list[float] = []
        self.gaps: list[float] = []
        self.cancel = float("nan")
        self._watching = Viewer(url, run, every=0.1, keep=False)

    async def live(self, seconds: float) -> None:
        """Load pages and watch a run for this time, then press Cancel."""
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            declared = (await client.get(f"{self._url}_dash-dependencies")).json()
            watching = asyncio.create_task(self._watching.follow(lambda seen: False))
            noting = asyncio.create_task(self._note_gaps())
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                for path in _OTHERS:
                    began = time.monotonic()
                    answer = await client.get(f"{self._url}{path.format(run=self._run)}")
                    self.gets.append(time.monotonic() - began)
                    assert answer.status_code == 200, answer.text
                    await asyncio.sleep(_EVERY)
            began = time.monotonic()
            await client.post(f"{self._url}_dash-update-component", json=press_body(declared, "run-cancel", self._run))
            self.cancel = time.monotonic() - began
            for task in (watching, noting):
                task.cancel()
            await asyncio.gather(watching, noting, return_exceptions=True)

    async def _note_gaps(self) -> None:
        last, known = time.monotonic(), 0
        while True:
            await asyncio.sleep(0.01)
            if (count := len(self._watching.seen.heads)) != known:
                if known:
                    self.gaps.append(time.monotonic() - last)
                last, known = time.monotonic(), count
            elif known and time.monotonic() - last > max(self.gaps, default=0):
                self.gaps.append(time.monotonic() - last)


class Meter:
    """The maximum memory of a server and of its other processes except runs, sampled ten times per second."""

    def __init__(self, server: Server) -> None:
        self._process = psutil.Process(server.process.pid)
        self.most = self.others = 0.0

    async def live(self) -> None:
        """Sample until cancelled."""
        known = {each.pid for each in self._process.children(recursive=True)}
        while True:
            self.most = max(self.most, self._process.memory_info().rss / MB)
            with contextlib.suppress(psutil.Error):
                new = [each for each in self._process.children(recursive=True) if each.pid not in known]
                self.others = max(self.others, sum(each.memory_full_info().pss for each in new) / MB)
            await asyncio.sleep(0.1)


def processor_seconds(server: Server) -> dict[int, float]:
    """Processor seconds of a server and each of its processes."""
    pids = [server.process.pid, *(each.pid for each in psutil.Process(server.process.pid).children(recursive=True))]
    found = {}
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            found[pid] = process_seconds(pid)
    return found


def attack(server: Server, method: str, path: str, settings: argparse.Namespace) -> dict[str, Any]:
    """Let the clients request an answer; return measurements of another visitor's experience."""
    run = start_run(server.url, climbers=1_000_000)
    wait_until(lambda: summary(server, run)["length"] is not None)

    async def both() -> tuple[Other, Meter]:
        other, meter = Other(server.url, run), Meter(server)
        measuring = asyncio.create_task(meter.live())
        await asyncio.sleep(0.2)
        asked = {"url": server.url, "path": path, "method": method, "clients": settings.clients}
        asked["body"] = str(body_file(server.home, path) or "")
        told = json.dumps({**asked, "silent": settings.silent}), str(settings.seconds)
        crowd = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.load.downloads", "--crowd", *told, cwd=ROOT, stdout=subprocess.PIPE
        )
        await crowd.stdout.readline()
        await other.live(settings.seconds * 0.8)
        found.update(json.loads((await crowd.communicate())[0]))
        measuring.cancel()
        return other, meter

    found: dict[str, Any] = {}
    other, meter = asyncio.run(both())
    time.sleep(LEFT)
    before = processor_seconds(server)
    time.sleep(LOOKED)
    after = processor_seconds(server)
    return {
        "route": f"{method} {path if CALLBACK in path else path.partition('?')[0]}",
        **found,
        "gets": len(other.gets),
        "get p95": quantile(other.gets, 0.95),
        "get max": max(other.gets),
        "cancel": other.cancel,
        "gap": max(other.gaps, default=float("inf")),
        "mb": meter.most,
        "workers mb": meter.others,
        "after": sum(seconds - before.get(pid, 0.0) for pid, seconds in after.items()),
    }


def make_home(home: Path) -> None:
    """Make a folder with two runs and a race of 100,000 cities, a study and a lesson, unless it exists."""
    home.mkdir(parents=True, exist_ok=True)
    if (home / "asked.json").exists():
        return
    reference = {"generate": "uniform", "n": CITIES, "seed": 1}
    server = start_server(home, 0, ["--max-runs", "4"])
    try:
        fields = {**form(), "instance": json.dumps(reference), "algorithm": "greedy", "params": {}}
        answer = httpx.post(f"{server.url}start", json=fields, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        run = answer.json()["run"]
        wait_until(lambda: summary(server, run)["state"] == "finished")
        write_callbacks(server)
    finally:
        stop_server(server)
    lanes = [{"stages": [{"algorithm": "greedy"}]}] * 2
    spec = {"v": 1, "instance": reference, "lanes": lanes, "budget": {"seconds": 1}}
    race = Race("abcdefghijkl", 1.7e9, RaceSpec.from_json(spec), (run, run))
    (home / "races" / f"{race.id}.json").write_text(json.dumps(race.to_json()))
    globe = write_run(home / "runs" / f"{new_id()}.tourscope", make_globe()).stem
    write_study(home / "studies" / STUDY, instances=4, seeds=50, improvements=20, measured=True)
    shutil.copy(home / "runs" / f"{run}.tourscope", home / "runs" / f"{run[::-1]}.tourscope")  # to be compared
    shutil.copy(home / "runs" / f"{run}.tourscope", home / UPLOADS["runs"])
    dots = np.random.default_rng(1).integers(0, 255, (1500, 1500), np.uint8)
    Image.fromarray(dots).save(home / UPLOADS["pictures"])
    (home / "lessons").mkdir()
    (home / "lessons" / f"{LESSON}.md").write_text(BRACKETS.format("![" * 32_000))
    (home / "asked.json").write_text(json.dumps([run, race.id, reference, globe]))


def write_callbacks(server: Server) -> None:
    """Write a body for every callback that depends on an instance, one of a million cities, or on an uploaded file."""
    reference = {"generate": "uniform", "n": MANY, "seed": SEED}
    chosen = json.dumps(reference, separators=(",", ":"))
    file = base64.b64encode(instances.write(GENERATORS["uniform"](CITIES, 1)).encode()).decode()
    values = {
        f"{ids.INSTANCE}.value": chosen, f"{ids.CHOICE}.data": {"value": chosen}, f"{ids.LACKING}.data": [chosen],
        f"{ids.FILE}.data": {"contents": f"data:text/plain;base64,{file}", "filename": "x.tsp"},
        f"{ids.WHICH_QUESTION}.data": {"instance": chosen}, f"{study_ids.INSTANCES}.value": [chosen],
        f"{ids.ADDRESS}.data": {"search": f"?v=2&instance=uniform:{MANY}:{SEED}&algorithm=two-opt", "at": 1},
    }  # fmt: skip
    status = {"devices": [], "spare": "ready"}
    others = {f"{ids.ALGORITHM}.value": "two-opt", f"{ids.DEVICE}.value": "auto", f"{ids.STATUS}.data": status}
    folder = server.home / CALLBACKS
    folder.mkdir()
    for page in ("", "race/", "study/"):
        for declared in httpx.get(f"{server.url}{page}_dash-dependencies", timeout=PATIENCE).json():
            elements = [f"{each['id']}.{each['property']}" for each in (*declared["inputs"], *declared["state"])]
            if not declared.get("clientside_function") and not values.keys().isdisjoint(elements):
                output, mark, number = declared["output"].strip(".").partition("...")[0].partition("@")
                name = f"{page.strip('/') or 'watch'}-{output}{mark}{number[:4]}"
                (folder / f"{name}.json").write_text(json.dumps(callback_body(declared, values | others)))


def body_file(home: Path, path: str) -> Path | None:
    """The file that a request to this path sends."""
    name, _, query = path.partition("?")
    if name.endswith(CALLBACK):
        return home / CALLBACKS / f"{query}.json"
    return home / UPLOADS[name] if name in UPLOADS else None


def make_globe() -> Instance:
    """Make an instance of named places all over the globe."""
    degrees = np.random.default_rng(1).uniform((-80, -180), (80, 180), (CITIES, 2))
    names = tuple(f"Place {k}" for k in range(CITIES))
    return assemble("globe", "GEO", "uploaded", coordinates=degrees_minutes(degrees, 6), names=names)


def routes(home: Path, run: str, race: str, reference: dict[str, Any], globe: str) -> Iterator[tuple[str, str]]:
    """Method and path of every described route about an instance, run, race, study or lesson, of uploads, and of
    callbacks.
    """
    for body in sorted((home / CALLBACKS).glob("*.json")):
        page = body.stem.partition("-")[0]
        yield "POST", f"{'' if page == 'watch' else f'{page}/'}{CALLBACK}?{body.stem}"
    ref, study = quote(json.dumps(reference)), make_study_id(home / "studies" / STUDY)
    for path, methods in load_description()["paths"].items():
        name = path.lstrip("/")
        if name == "studies/{study}/{name}":
            for file in ("runs.csv", "runs.parquet", "table.tex", "iohprofiler.zip", "study.tourstudy"):
                yield "GET", f"studies/{study}/{file}"
        elif name in ("instance", "instances"):
            yield "GET", f"{name}?ref={ref}"
            yield "GET", f"{name}?ref={quote(json.dumps({**reference, 'n': MANY}))}"
        elif name == "compared.gif":
            yield "GET", f"{name}?runs={run},{run[::-1]}&progress=1"
        elif name == "library/thumbnails":
            yield "GET", f"{name}?key=run:{run}"
        elif name in UPLOADS:
            yield "POST", f"{name}?cities=20000" if name == "pictures" else name
        elif name == "prove":
            yield "GET", f"{name}?run={run}"
        elif name == "learn/lessons/{name}":
            yield "GET", name.format(name=LESSON)
        elif "{run}" in name or "{race}" in name or "{study}" in name:
            for method in methods:
                shown = globe if name.endswith(GEOGRAPHIC_FILES) else run
                filled = name.format(run=shown, race=race, study=study, **_PARTS)
                yield method.upper(), filled
                if name.endswith("climbs/{name}"):
                    yield method.upper(), f"{filled}.gif"


def show(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Print the table; return the exceeded limits."""
    for row in rows:
        over = [name for name, most in LIMITS.items() if not row[name] <= most]
        told = " ".join(f"{name} {row[name]:8.3f}" for name in ("get p95", "get max", "cancel", "gap", "after"))
        sizes = f"{row['mb']:5.0f} MB, workers {row['workers mb']:5.0f}"
        answers = f"{row['gets']} gets, {row['statuses']} {row['largest']:,}"
        yield f"{row['route']:44} {told} {sizes}, {answers} {'! ' if over else ''}{', '.join(over)}"


def main() -> int:
    """Attack each route; the exit status is 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.load.downloads", description="Ask for the same, all at once."
    )
    parser.add_argument("--only", default="", help="routes that contain this, several separated by commas")
    parser.add_argument("--from", dest="first", type=int, default=0, help="leave out as many routes")
    parser.add_argument("--count", type=int, help="attack as many routes at most")
    parser.add_argument("--clients", type=int, default=45)
    parser.add_argument("--seconds", type=float, default=6.0, help="for each route (default: %(default)s)")
    parser.add_argument("--silent", action="store_true", help="read nothing of the answers")
    parser.add_argument("--home", type=Path, metavar="FOLDER", help="what the server has, made if it is missing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append all figures there")
    parser.add_argument("--crowd", nargs=2, help=argparse.SUPPRESS)
    settings = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # its server ends with it
    if settings.crowd:
        return _crowd(json.loads(settings.crowd[0]), float(settings.crowd[1]))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        home = settings.home or Path(name)
        make_home(home)
        asked = list(routes(home, *json.loads((home / "asked.json").read_text())))
        server = start_server(home, 0, ["--max-runs", "4"])
        try:
            ready(server)
            chosen = [each for each in asked if any(text in each[1] for text in settings.only.split(","))]
            for method, path in chosen[settings.first :][: settings.count]:
                rows.append(attack(server, method, path, settings))
                print(*show(rows[-1:]), flush=True)
        finally:
            stop_server(server)
        print(f"{(home / 'server.log').read_text().count('Traceback')} tracebacks")
    if settings.json:
        old = json.loads(settings.json.read_text()) if settings.json.exists() else []
        settings.json.write_text(json.dumps([*old, {"machine": describe_machine(), "rows": rows}]) + "\n")
    return any(row[name] > most for row in rows for name, most in LIMITS.items())


def _crowd(asked: dict[str, Any], seconds: float) -> int:
    os.nice(10)
    crowd = Crowd(**asked)
    print(flush=True)
    asyncio.run(crowd.live(seconds))
    print(json.dumps({"statuses": dict(crowd.statuses), "largest": crowd.largest}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
