"""The only imports of the project in tests of saved things.

What is compared was written by a release and never changes; where today's code has moved, this file follows it, and
nothing else does. Each function below is one thing that a user does with what was saved.
"""

import contextlib
import io
import json
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from commands import arguments
from components.library import query as library_query
from components.race import address as race_address_module
from components.race import lanes
from components.study import address as study_address
from components.watch import address
from runs.engine.process import ProcessEngine
from runs.imports import run as imports_run
from runs.library.service import Library
from runs.races.file import pack_race as export_race
from runs.races.routes import add_race_routes
from runs.races.service import RaceService
from runs.races.spec import RaceSpec
from runs.service import RunService
from runs.store.reader import RunReader
from runs.study_jobs.routes import add_study_routes
from runs.study_jobs.service import StudyService
from runs.web.routes import add_routes
from solvers import SOLVERS
from solvers.core.devices import probe
from solvers.core.events import Edges, Moves
from solvers.run import find_versions, prepare, replay, run
from solvers.spec import VERSION, RunSpec
from solvers.worker.frames import decode, decode_instance, encode_event_frame
from solvers.worker.process import spawn
from studies.cli import arguments as study_arguments
from studies.file.reader import StudyReader
from studies.file.writer import Outcome, StudyFile
from studies.pool.pool import Pool
from studies.spec.climbers import list_climber_counts
from studies.spec.matrix import list_cells, make_run_spec
from studies.spec.spec import StudySpec
from tests.assets.node import evaluate

#: What `make` makes saved things with.
__all__ = (
    "VERSION",
    "Outcome",
    "Pool",
    "ProcessEngine",
    "RaceService",
    "RaceSpec",
    "RunService",
    "RunSpec",
    "StudyFile",
    "StudyReader",
    "StudySpec",
    "export_race",
    "find_versions",
)  # fmt: skip

ROOT = Path(__file__).resolve().parents[2]


def library_queries(searches: list[str]) -> list[dict[str, Any]]:
    """The library page's results for addresses."""
    reads = "({ read }, searches) => searches.map(read)"
    return evaluate("assets/library/query.js", reads, searches)


class Idle:
    """An engine without workers: climbs that were not recorded are computed here."""

    def listen(self, listener: Callable[[], None]) -> None:
        """Do nothing, because nothing changes."""

    def places(self) -> int:
        """The places of a machine with two cores."""
        return 2

    def status(self) -> dict[str, Any]:
        """The status of a machine without a GPU."""
        return {"devices": [], "spare": "ready"}

    def replay(
        self, spec: RunSpec, instance: Any, climber: int, wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[bytes]:
        """The frames of a climb."""
        answer = (each for each in replay(prepare(spec), instance, climber) if isinstance(each, Moves | Edges))
        return (encode_event_frame(event, 0.0) for event in answer)

    def start_local_process(self, module: str) -> Any:
        """A process that computes answers."""
        return spawn([sys.executable, "-m", module])

    def close(self) -> None:
        """Do nothing, because nothing is running."""


@dataclass(frozen=True)
class House:
    """A data folder with the server's routes, except those that need workers."""

    client: TestClient
    run_service: Any
    races: Any
    studies: Any
    library: Any


@contextlib.contextmanager
def opened(home: Path, engine: Callable[[], Any] = Idle) -> Iterator[House]:
    """Open a data folder as the server does."""
    run_service = RunService(home, engine)
    races, studies = RaceService(run_service), StudyService(run_service, home, ())
    library = Library(home, run_service, races, studies)
    app = FastAPI()
    add_routes(app, run_service, "/")
    add_race_routes(app, races, "/", lanes.series_style, "components.race.ending:describe_result")
    add_study_routes(app, studies, "/")
    try:
        yield House(TestClient(app, base_url="http://127.0.0.1"), run_service, races, studies, library)
    finally:
        library.close()
        studies.close()
        run_service.close()


def adopted(source: Path, target: Path, run_id: str) -> None:
    """Import a run file in this process, as an upload would be."""
    imports_run.import_run(source, target, run_id)


def frames_of_file(path: Path) -> Iterator[bytes]:
    """All events of a run file, in order."""
    kinds = (
        "compiling", "started", "progress", "tour", "moves", "edges", "rows", "colony", "ants", "field", "phases",
        "shortened", "population", "individuals", "tabu", "layers", "front", "finished", "state",
    )  # fmt: skip
    with RunReader(path) as reader:
        yield from reader.all_frames(kinds)


def instance_frame(path: Path) -> bytes:
    """The instance of a run file."""
    with RunReader(path) as reader:
        return reader.instance()


def frames_of_repeat(path: Path) -> Iterator[bytes]:
    """The events of a new run with the spec of a run file."""
    with RunReader(path) as reader:
        spec, instance = RunSpec.from_json(reader.meta().spec), decode_instance(decode(reader.instance()))
    for event in run(prepare(spec), instance):
        yield encode_event_frame(event, 0.0)


def meaning(spec: dict[str, Any]) -> dict[str, Any]:
    """The current meaning of a run's spec: every parameter with its value, including defaults."""
    read = RunSpec.from_json(spec)
    value, prepared = read.to_json(), prepare(read)
    value["stages"] = [{"algorithm": solver.name, "params": _plain(params)} for solver, params in prepared.stages]
    return value


def complete(algorithm: str, params: dict[str, Any], version: int) -> dict[str, Any]:
    """All parameters of an algorithm, from values under the names of any release and a spec version."""
    own = next((solver for solver in SOLVERS if solver.name == algorithm), None)
    return params if own is None else _plain(own.params.from_mapping(own.params.renamed(params, version)))


def race_meaning(spec: dict[str, Any]) -> dict[str, Any]:
    """The current meaning of a race's spec."""
    read = RaceSpec.from_json(spec)
    return {**read.to_json(), "lanes": [meaning(lane.to_json()) for lane in read.runs()]}


def study_meaning(spec: dict[str, Any]) -> dict[str, Any]:
    """The current meaning of a study's spec."""
    read = StudySpec.from_json(spec)
    value = read.to_json()
    for entry in value["entries"]:
        lone = {"v": value["v"], "instance": value["instances"][0], "stages": entry["stages"]}
        entry["stages"] = meaning(lone)["stages"]
    return value


def _plain(params: Any) -> dict[str, Any]:
    return json.loads(json.dumps(asdict(params)))


def spec_of_link(search: str) -> dict[str, Any]:
    """The run described by an address of the Watch page."""
    return RunSpec.from_query(search).to_json()


def link_of_spec(spec: dict[str, Any]) -> str:
    """The address of the current page for a spec."""
    return RunSpec.from_json(spec).to_query()


def watch_form(house: House, search: str) -> dict[str, Any]:
    """The form of the Watch page for an address."""
    filled = address.BAR.read(house.run_service, search, None, [])
    names = ("instance", "algorithm", "seed", "seconds", "device", "run")
    return {**_form_changes(filled, names), "params": filled.get("permalink", {}).get("params")}


def race_form(house: House, search: str) -> dict[str, Any]:
    """The setup of the race page for an address."""
    filled = race_address_module.BAR.read(house.races, search, None, [])
    race = filled.get("race")
    answer = _form_changes(filled, ("instance", "lanes", "seconds", "seed"))
    return {**answer, "race": race and race["race"], "runs": race and list(race["runs"])}


def study_form(house: House, search: str) -> dict[str, Any]:
    """The setup of the study page for an address."""
    filled = study_address.BAR.read(house.studies, search, None, [])
    names = ("instances", "entries", "seeds", "first", "limit", "amount", "device", "threads", "title", "open")
    return _form_changes(filled, names)


def _form_changes(filled: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The changes by an address, and whether the page shows a sentence beside them."""
    return {**{name: _changed(filled.get(name)) for name in names}, "noted": bool(filled.get("note"))}


def _changed(value: Any) -> Any:
    """A value of the page as JSON."""
    return json.loads(json.dumps(value))


def listed(house: House, search: str) -> list[dict[str, Any]]:
    """The library entries for the query of an address."""
    while house.library.search().pending:
        time.sleep(0.01)
    page = house.library.search(library_query.parse_query(search.removeprefix("?")))
    return [json.loads(json.dumps(entry._asdict())) for entry in page.entries]


def option_spec(words: list[str]) -> dict[str, Any]:
    """The spec for a command line of ``python -m solvers``, without running it."""
    if words[0] == "study":
        return _climbers_spec(words)
    command = arguments.parse_command(words)
    assert command.spec is not None
    return {"spec": command.spec.to_json(), "climbers": [], "seeds": 0}


def _climbers_spec(words: list[str]) -> dict[str, Any]:
    """Like `option_spec`, for ``study INSTANCE``: the common part of its runs."""
    command = study_arguments.parse_command(words)
    assert command.spec is not None
    spec = make_run_spec(command.spec, list_cells(command.spec)[0]).to_json()
    del spec["stages"][0]["params"]["climbers"]
    return {"spec": spec, "climbers": list(list_climber_counts(command.spec)), "seeds": command.spec.seeds.count}


def study_option_spec(words: list[str]) -> dict[str, Any]:
    """The spec for a command line of ``python -m solvers study``, without running it."""
    command = study_arguments.parse_command(words)
    assert command.spec is not None
    return {"spec": command.spec.to_json(), "file": command.path.name, "exports": sorted(command.exports)}


def program(words: list[str]) -> tuple[int, str]:
    """Run ``python -m WORDS`` in this process; return its exit status and output."""
    printed, before = io.StringIO(), sys.argv
    sys.argv = list(words)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return int(end.code or 0), printed.getvalue()
    finally:
        sys.argv = before
    return 0, printed.getvalue()


def declared() -> list[dict[str, Any]]:
    """Every parameter of every algorithm, from which a release's table of parameters is made."""
    return [
        {"algorithm": solver.name, **{name: getattr(each, name) for name in ("name", "kind", "default", "low", "high")},
         "choices": list(each.choices)}
        for solver in SOLVERS for each in solver.params.schema()
    ]  # fmt: skip


def algorithms() -> list[str]:
    """The names of all algorithms."""
    return [solver.name for solver in SOLVERS]


def lacks(name: str) -> str:
    """Why runs from a file of this name cannot be repeated here; empty if they can."""
    return next(device.reason for device in probe() if device.kind == "mpi") if "mpi" in name else ""


def presets() -> list[tuple[str, str]]:
    """Every algorithm with each of its presets."""
    return [(solver.name, preset.name) for solver in SOLVERS for preset in solver.presets]
