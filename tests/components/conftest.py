"""A run service that records its calls, and a page built on it."""

from types import SimpleNamespace

import dash
import fastapi
import pytest

from components.watch.document import set_document
from components.watch.page import build
from data import recognition
from data.collection import resolve
from data.distance_kinds import adjust, refine
from data.tables import table
from data.tsplib import instances
from runs.store.open_run import NoSuchRun
from solvers.core.machine import Machine
from solvers.plan import plan, prepare
from solvers.spec import RunSpec, Stage

KNOWN = "abcdefghijkl"
CPU = {"kind": "cpu", "name": "Some CPU", "available": True, "reason": ""}
NO_GPU = {"kind": "cuda", "name": "CUDA", "available": False, "reason": "No CUDA device: none was found."}


class FakeRunService:
    """Implements the contract of `runs.service.RunService` without workers or files."""

    def __init__(self):
        self.runs = {}
        self.commands = []
        self.anticipated = []
        self.uploads = {}
        self.home, self.adopt_run = SimpleNamespace(incoming=None), None
        self.presets = SimpleNamespace(list_visible=lambda algorithm: [])

    def start(self, spec, owner=""):
        plan(prepare(spec), self.instance(spec.instance), Machine.from_report(self.status()["devices"])).check()
        return self.begin(spec)

    def begin(self, spec):
        self.instance(spec.instance)
        run = KNOWN[:-1] + str(len(self.runs))
        self.runs[run] = spec
        return run

    def anticipate(self, spec):
        self.anticipated.append(spec)

    def command(self, run, command):
        if run not in self.runs:
            raise NoSuchRun
        self.commands.append((run, command))

    def summary(self, run):
        if run not in self.runs:
            return None
        instance = {"name": "berlin52", "n": 52, "optimum": 7542, "proven": True}
        return {"id": run, "spec": self.runs[run].to_json(), "state": "finished", "instance": instance}

    def recent(self, limit=20):
        facts = {"created": 1.7e9, "n": 52, "algorithm": "two-opt", "title": "2-opt", "state": "finished"}
        numbers = {"length": 7544, "gap_percent": 0.0265}
        return [{"id": run, "instance": "berlin52", **facts, **numbers} for run in list(self.runs)[:limit]]

    def change_instance(self, reference, is_refined=False, **changes):
        instance = self.instance(reference)
        instance = refine(instance) if is_refined else adjust(instance, None, None, **changes)
        self.uploads[instance.sha256] = instance
        return instance

    def adopt_instance(self, raw, filename):
        instance = resolve.attach_optimum(recognition.read(raw, filename))
        self.uploads[instance.sha256] = instance
        return instance

    def peek_table(self, raw):
        return table.peek(raw)

    def adopt_table(self, raw, filename, x, y, kind):
        instance = table.read(raw, x, y, kind, filename)
        self.uploads[instance.sha256] = instance
        return instance

    def adopt_tour(self, raw, filename, reference, warnings, owner=""):
        order = instances.read_tour(raw, self.instance(reference)).tolist()
        warnings.append("Lengths in the file are not read.")
        return self.start(RunSpec(reference, (Stage("given", {"tour": order}),)))

    def instance(self, reference):
        sha256 = reference.get("sha256") if isinstance(reference, dict) else None
        return self.uploads.get(sha256) or resolve.resolve(reference, None)

    def status(self):
        return {"devices": [CPU, NO_GPU], "spare": "ready"}


@pytest.fixture
def run_service():
    return FakeRunService()


@pytest.fixture
def app(run_service):
    application = dash.Dash("tourscope", server=fastapi.FastAPI(), url_base_pathname="/below/", assets_folder="assets")
    set_document(application)
    build(application, run_service)
    return application
