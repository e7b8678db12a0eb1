"""An algorithm registered in one line is available everywhere: command line, page, races, studies."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clock import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
#: Its module; its unit has a plural of its own, and it is exact though its family is not called so.
TOY = """
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.core.events import Compiling, Event, Front, Started
from solvers.core.params import Params, param
from solvers.reporting.constructions import make_batch, make_tour_event
from solvers.reporting.statistics import RunStatistics
from solvers.core.solver import Job, Solver, Variant


@dataclass(frozen=True)
class ToyParams(Params):
    tries: int = param(3, label="Tries", help="How many tours are tried.", low=1, high=50, step=1)
    keen: bool = param(False, label="Keen", help="Nothing.")


class Toy(Solver):
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy search"
    family: ClassVar[str] = "toys"
    source: ClassVar[str] = "The tests"
    summary: ClassVar[str] = "Exchanges two cities."
    params: ClassVar[type[Params]] = ToyParams
    variants: ClassVar[tuple[Variant, ...]] = (Variant("plain", "cpu", "toy:none", "Plain Python."),)
    iteration_unit: ClassVar[str] = "try"
    evaluation_unit: ClassVar[str] = "tour"
    step_unit: ClassVar[str] = "edge"
    chance: ClassVar[bool] = False
    exact: ClassVar[bool] = True
    views: ClassVar[tuple[str, ...]] = ("layers",)
    makes_start: ClassVar[bool] = True

    def needs(self, instance, device: str, memory: int) -> str:
        return f"{instance.n} cities are toys."

    def solve(self, job: Job) -> Generator[Event, None, None]:
        yield Compiling()
        yield Started(self.name, "plain", "Python", 1, 0.0)
        statistics = RunStatistics(job, job.params.tries)
        while statistics.finished < job.params.tries and job.stop.reason is None:
            yield from self.replay(job, statistics.finished)
            batch = make_batch(job, self._order(job, statistics.finished), 1, 1e-3)
            yield from statistics.events(batch, statistics.count(batch))
            statistics.stopped()
        one = np.ones(1, np.int64)
        yield Front(one, one, one, one, np.array([job.stop.clock.seconds]), statistics.finished == job.params.tries)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        yield make_tour_event(job, climber, self._order(job, climber))

    def _order(self, job: Job, climber: int) -> np.ndarray:
        order = np.arange(job.instance.n, dtype=np.int32)
        order[[0, climber % len(order)]] = order[[climber % len(order), 0]]
        return order
"""
#: What a line of the registry does, in every process that is started.
REGISTERED = "import solvers\nfrom toy import Toy\nsolvers.SOLVERS += (Toy(),)\n"

#: Runs commands, and prints what each printed.
COMMANDS = """
import contextlib, io, json, runpy, sys
printed = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["solvers", *words]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        runpy.run_module("solvers", run_name="__main__")
    printed.append(out.getvalue())
print(json.dumps(printed))
"""
PAGE = """
import json
from types import SimpleNamespace

from components.algorithm import form, start_tour, variant_table
from components.algorithm.variants import Place
from components.shell import facts
from data.collection.resolve import resolve
from solvers import find
from solvers.spec import RunSpec

service = SimpleNamespace(instance=lambda reference: resolve(reference, None))
fields, summary = form.build_form("toy", None, Place())
most, _ = form.build_form("toy", None, Place(), has_budget=True)
spec = {"v": 1, "instance": {"name": "burma14"}, "stages": [{"algorithm": "toy", "params": {"tries": 1}}]}
print(json.dumps({
    "panel": str(form.panel(None)),
    "fields": str(fields),
    "most": str(most),
    "summary": summary,
    "hint": form.choose_hints(service, "burma14", "toy"),
    "starts": [option["value"] for option in start_tour.options(())],
    "units": facts.units(find("toy")),
    "views": facts.label_views(find("toy")),
    "choices": facts.describe_choices(RunSpec.from_json(spec)),
    "rows": str(variant_table.group_variants(find("toy"))),
}))
"""

RACE = """
import json
import sys
from pathlib import Path

from components.race.lanes import describe_lanes, lane
from data.collection.instance_reference import parse_generated
from runs.engine.process import ProcessEngine
from runs.races.service import RaceService
from runs.races.spec import RaceSpec
from runs.service import RunService
from tests.clock import wait_until

lanes = [lane("toy"), lane("toy", "random")]
run_service = RunService(Path(sys.argv[1]), ProcessEngine)
races = RaceService(run_service)
spec = {"v": 1, "instance": parse_generated("uniform:20:1"), "lanes": lanes, "budget": {"iterations": 60}}
race = races.start(RaceSpec.from_json(spec))
wait_until(lambda: races.state(race.id) == "over")
found = []
for run in race.runs:
    with run_service.open_reader(run) as reader:
        found.append({**run_service.summary(run), "edges": sum(1 for _ in reader.all_frames(("edges",)))})
print(json.dumps({"lanes": describe_lanes(lanes), "found": found}, default=str))
run_service.close()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the algorithm, and the code that registers it."""
    folder = tmp_path_factory.mktemp("added")
    (folder / "toy.py").write_text(TOY)
    (folder / "sitecustomize.py").write_text(REGISTERED)
    return folder


@pytest.fixture
def python(folder, tmp_path):
    """Run Python in an empty folder with the registered algorithm; return its output and its errors."""

    def run(*arguments, **options):
        path = os.pathsep.join((str(folder), str(ROOT)))
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], cwd=tmp_path, text=True, timeout=PATIENCE,
            env={**os.environ, "PYTHONPATH": path}, **options,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    return run


def test_the_command_line_and_the_page_have_it(python):
    words = ["run", "burma14", "toy", "--tries", "4"]
    out, err = python("-c", COMMANDS + PAGE, json.dumps([["list", "--json"], words, [*words, "--json"]]))
    (listed, told, found), page = map(json.loads, out.splitlines())
    entry = json.loads(listed)[-1]
    assert (entry["name"], entry["devices"], entry["available"]) == ("toy", ["cpu"], True)
    assert [param["name"] for param in entry["params"]] == ["tries", "keen"]
    assert {*err.splitlines()} == {"14 cities are toys."}
    assert "(proven optimal)\nToy search, seed 1: 4 tours evaluated in" in told
    found = json.loads(found)
    assert (found["params"], found["evaluations"], found["proven"]) == ({"tries": 4, "keen": False}, 4, True)
    check_page(page)


def check_page(page):
    """It has the algorithm's form, and texts in its units."""
    assert "'value': 'toy'" in page["panel"]
    assert all(name in page["fields"] for name in ("Tries", "Keen"))
    assert page["summary"] == "Exchanges two cities."
    assert "value=50" in page["most"], "where a budget ends the runs, it goes on as long as it can"
    assert "Toy search will find and prove the shortest" in page["hint"]["none"]
    assert page["starts"][-1] == "toy"
    assert page["views"] == {"tour": "Tour", "layers": "Layers"}
    assert (page["units"]["iteration"], page["units"]["exact"], page["units"]["colony"]) == ("try", True, False)
    assert page["choices"].startswith("1 try")
    assert "plain" in page["rows"]


def test_progress_bar_counts_its_unit(python):
    terminal, other = pty.openpty()
    try:
        python("-m", "solvers", "run", "burma14", "toy", "--tries", 5, "--time", 100, stderr=other)
        visible = os.read(terminal, 1 << 16).decode()
    finally:
        os.close(terminal)
        os.close(other)
    assert ", 5 tries" in visible


@pytest.mark.long
def test_it_can_race(python, tmp_path):
    answer = json.loads(python("-c", RACE, tmp_path / "home")[0])
    toy, both = answer["found"]
    assert [lane["title"] for lane in answer["lanes"]] == ["Toy search", "Toy search, then Random tours"]
    assert [lane["iteration"] for lane in answer["lanes"]] == ["try", ""]
    assert [each["state"] for each in answer["found"]] == ["finished"] * 2
    assert (toy["spec"]["stages"][-1]["params"], toy["edges"], toy["proven"]) == ({"tries": 50}, 50, True)
    assert 0 < both["length"] <= toy["length"]
    assert both["edges"] < 50, "what it recorded before another algorithm went on is not told"


@pytest.mark.long
def test_it_can_be_studied(python):
    asked = ("--instances", "burma14", "--algorithms", "toy,toy:tries=2", "--iterations", 20, "--seeds", 2)
    answer = json.loads(python("-m", "solvers", "study", *asked, "--cores", 1, "--json")[0])
    assert answer["cells"]["finished"] == len(answer["runs"]) == 4
    assert [entry["label"] for entry in answer["spec"]["entries"]] == ["toy", "toy tries=2"]
    assert [(run["evaluations"], run["proven"]) for run in answer["runs"]] == [(20, False), (2, True)] * 2
    assert "toy" in python("-m", "solvers", "study", *asked, "--cores", 1)[0]
