"""A data folder with everything that the library needs, except workers."""

from pathlib import Path

from runs.library.search import Query
from runs.library.service import Library
from runs.races.service import Race, RaceService
from runs.races.spec import RaceSpec
from runs.service import RunService
from runs.study_jobs.folders import make_study_id
from runs.study_jobs.service import StudyService
from tests.runs.made_up_runs import CREATED, new_id, write_run
from tests.runs.scripted import ScriptedEngine
from tests.studies.made_up import write_study as made_up_study


class Place:
    """A data folder, locked until it is closed."""

    def __init__(self, home, others=(), shared=False):
        self.home = home
        self.run_service = RunService(home, ScriptedEngine, shared=shared)
        self.races, self.studies = RaceService(self.run_service), StudyService(self.run_service, home, others)
        self.library = Library(home, self.run_service, self.races, self.studies)

    def run(self, **facts):
        return write_run(self.run_service.home.new_path(new_id()), **facts).stem

    def race(self, *runs, algorithms=("two-opt", "greedy"), lanes=None):
        lanes = lanes or [{"stages": [{"algorithm": name}]} for name in algorithms]
        value = {"v": 1, "instance": {"name": "berlin52"}, "lanes": lanes, "budget": {"seconds": 1}}
        race = Race(new_id(), CREATED, RaceSpec.from_json(value), runs)
        self.races.save(race)
        return race.id

    def study(self, name="mine", folder=None, **options):
        folder = folder or self.studies.folders[0]
        path = made_up_study(folder / f"{name}.tourstudy", instances=1, seeds=2, improvements=2, **options)
        return make_study_id(path)

    def found(self, **asked):
        return [entry.key for entry in self.library.search(Query(**asked)).entries]

    def close(self):
        self.library.close()
        self.studies.close()
        self.run_service.close()


def files(folder: Path) -> dict[str, bytes]:
    """The bytes of every file below a folder, except those of the library and the folder itself."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if not name.startswith(("catalogue.sqlite", "labels.json", "trash/")) and name not in ("lock", "format.json")
    }
