"""All five pages in this process, over a folder with a run, a race and a study; nothing is computed."""

import asyncio
import json
import sys
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import unquote

from components.document.services import create
from data.collection import resolve
from runs.races.service import Race, RaceService
from runs.races.spec import RaceSpec
from runs.study_jobs import service
from runs.study_jobs.folders import make_study_id
from tests.runs.made_up_runs import CREATED, new_id, write_run
from tests.runs.scripted import ScriptedEngine
from tests.studies.made_up import write_study

BASE = "/base/"
HERE = {"devices": [{"kind": "cpu", "name": "Some CPU", "available": True, "reason": ""}], "spare": "ready"}


class Answer(NamedTuple):
    """The server's answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def sentence(self) -> str:
        """The message to the user; empty if there is none."""
        if self.headers.get("content-type") != "application/json":
            return ""
        answer = json.loads(self.body)
        return answer.get("sentence", "") if isinstance(answer, dict) else ""


class EndedRun:
    """A worker that exits as soon as it starts."""

    loss_reason = ""

    def frames(self):
        return iter(())

    def send(self, command):
        return None

    def kill(self):
        return None

    def wait(self):
        return 0

    def error_tail(self):
        return ""


class IdleEngine(ScriptedEngine):
    """Workers that never work."""

    def start(self, spec, instance, pictures=True):
        return EndedRun()

    def status(self):
        return dict(HERE)


class IdleStudies:
    """Studies that wait forever."""

    cores = 2

    def __init__(self, cores, cards, start):
        return None

    def admit(self, owner):
        return None

    def add(self, path, owner=""):
        return None

    def cancel(self, path):
        return None

    def find(self, path):
        return None

    @property
    def busy(self):
        return False

    def forget(self, path):
        return None

    def close(self):
        return None


class Served:
    """The application, and the contents of its data folder."""

    def __init__(self, home, shared=False):
        self.home = home
        self.pages, self.behind = create(home, BASE, shared=shared, engine=IdleEngine)
        self.server = self.pages[0].server
        *_, late, run_service = self.behind
        studies = late()
        for name in ("adopt_instance", "adopt_table", "adopt_picture"):  # which take a process each
            setattr(run_service, name, lambda *_: resolve.load("burma14"))
        self.run = write_run(run_service.home.new_path(new_id())).stem
        self.study = make_study_id(
            write_study(studies.folders[0] / "mine.tourstudy", instances=1, seeds=2, improvements=2)
        )
        self.race = self._race(run_service)
        for page in self.pages:
            page.make()
            page._setup_server()
        self.pages[0].backend._setup_catchall()  # as Dash does when a server begins

    def _race(self, run_service):
        lanes = [{"stages": [{"algorithm": name}]} for name in ("two-opt", "greedy")]
        spec = {"v": 1, "instance": {"name": "berlin52"}, "lanes": lanes, "budget": {"seconds": 1}}
        race = Race(new_id(), CREATED, RaceSpec.from_json(spec), (self.run, self.run))
        RaceService(run_service).save(race)
        return race.id

    async def ask(
        self, method: str, path: str, body: bytes = b"", query: str = "", receive: Any = None, **headers: str
    ) -> Answer:
        """The server's answers."""
        first, *parts = await self.messages(method, path, body, query, receive, **headers)
        head = {name.decode(): value.decode("latin-1") for name, value in first["headers"]}
        return Answer(first["status"], head, b"".join(part.get("body", b"") for part in parts))

    async def messages(
        self, method: str, path: str, body: bytes = b"", query: str = "", receive: Any = None, **headers: str
    ) -> list[dict[str, Any]]:
        """The server's messages to uvicorn; raises uncaught exceptions, as uvicorn would see them.

        The body is sent at once, unless the server gets it by `receive`.
        """
        values = {"host": "127.0.0.1", "content-length": str(len(body)), **headers}
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": unquote(path), "raw_path": path.encode("ascii", "replace"),
            "query_string": query.encode("ascii", "replace"), "root_path": "", "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8050), "state": {},
            "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in values.items()],
        }  # fmt: skip
        answer: list[dict[str, Any]] = []

        sent = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def whole():
            return next(sent, None) or await asyncio.Event().wait()  # nobody leaves

        async def send(message):
            answer.append(message)

        await self.server(scope, receive or whole, send)
        return answer

    async def post(self, page, body: Any) -> Answer:
        """Send a request to the callbacks of a page; `body` is JSON or bytes."""
        sent = body if isinstance(body, bytes) else encode_json(body)
        path = page.config.requests_pathname_prefix + "_dash-update-component"
        return await self.ask("POST", path, sent, content_type="application/json")


def encode_json(body: Any) -> bytes:
    """JSON of any depth; does not change the server's own recursion limit."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        return json.dumps(body).encode()
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def serving(home, patch, shared=False):
    """The application without any services that compute."""
    patch.setattr(service, "StudyQueue", IdleStudies)
    patch.chdir(home)
    served = Served(home, shared)
    try:
        yield served
    finally:
        for each in served.behind:
            each.close()
