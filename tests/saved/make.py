"""Make the saved things of a release: ``python tests/saved/make.py FOLDER`` in a checkout of that release.

The checkout's own packages do the work, so what comes out is what its users have in their folders. With the tests of
another checkout (``house.py`` has to fit the release)::

    cd RELEASE && PYTHONPATH=. python OTHER/tests/saved/make.py OTHER/tests/saved/files/NAME NAME

The folder takes the run files (gzipped, each with what the release answered beside it as packed JSON), a data folder
as zip, a race file, study files, and tables of links and command lines with what they mean. Seeds are fixed; only times
differ from one making to the next.
"""

import gzip
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, os.getcwd())
sys.path.append(str(Path(__file__).resolve().parents[2]))

from tests.saved import cases, house
from tests.saved.answers import animation, collect_answers, differences, story
from tests.saved.house import (
    Outcome,
    Pool,
    ProcessEngine,
    RaceService,
    RaceSpec,
    RunService,
    RunSpec,
    StudyFile,
    StudyReader,
    StudySpec,
    find_versions,
)
from tests.saved.releases import write
from tests.saved.told import (
    entry_facts,
    find_facts,
    own_result,
    parameter_cases,
    study_answers,
    study_id,
    without_times,
)

PATIENCE = 300.0


def main() -> None:
    target, name = Path(sys.argv[1]).resolve(), sys.argv[2]
    shutil.rmtree(target, ignore_errors=True)
    (target / "runs").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOURSCOPE_HOME"] = folder  # where nothing of this user's own lies
        result = _Made(target, Path(folder), name)
        result.runs()
        result.race_and_studies()
        result.home()
        result.links()
        result.commands()
        result.note()


def until(true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "this took too long"
        time.sleep(0.02)


def packed(source: Path, target: Path) -> None:
    target.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))


class _Made:
    def __init__(self, target: Path, folder: Path, name: str) -> None:
        self.target, self.folder, self.name = target, folder, name
        self.upload = ""
        self.ids: dict[str, str] = {}
        self.workplace = folder / "workplace"

    def spec(self, value: Any) -> Any:
        """A case that contains the hash of the uploaded instance."""
        return json.loads(json.dumps(value).replace(cases.UPLOAD_SHA256, self.upload))

    # Runs --------------------------------------------------------------------------------------------------------

    def runs(self) -> None:
        run_service = RunService(self.workplace, ProcessEngine)
        try:
            self.upload = run_service.adopt_instance(cases.UPLOAD, "dozen.tsp").sha256
            for name, value in cases.RUNS.items():
                self.ids[name] = self._finished(run_service, self.spec(value))
                print(name, run_service.summary(self.ids[name])["state"], flush=True)
            self.ids["failed"] = self._finished(run_service, cases.FAILED)
            self.ids["cancelled"] = self._cancelled(run_service)
            self.ids["interrupted"] = self._killed(run_service)
        finally:
            run_service.close()
        shutil.copyfile(self.target / "interrupted", self.workplace / "runs" / f"{self.ids['interrupted']}.tourscope")
        (self.target / "interrupted").unlink()
        for name, run in self.ids.items():
            packed(self.workplace / "runs" / f"{run}.tourscope", self.target / "runs" / f"{name}.tourscope.gz")
        self._answers()

    def _finished(self, run_service: RunService, value: dict[str, Any]) -> str:
        run = run_service.start(RunSpec.from_json(value))
        until(lambda: run not in run_service.active_runs())
        return run

    def _stepped(self, run_service: RunService, seed: int) -> str:
        """A run that pauses after some iterations."""
        run = run_service.start(RunSpec.from_json({**cases.LONG, "seed": seed}))
        run_service.command(run, "pause")
        until(lambda: run_service.channel(run).state[0] == "paused")
        while len(self._pictured(run_service, run)) < 4:
            run_service.command(run, "step")
            time.sleep(0.5)
        time.sleep(1.0)
        return run

    @staticmethod
    def _pictured(run_service: RunService, run: str) -> list[int]:
        with run_service.open_reader(run) as reader:
            return reader.field_iterations(0, 1 << 40)

    def _cancelled(self, run_service: RunService) -> str:
        run = self._stepped(run_service, 1)
        run_service.command(run, "cancel")
        until(lambda: run not in run_service.active_runs())
        return run

    def _killed(self, run_service: RunService) -> str:
        """A run whose server was killed while it was paused: its log is not merged yet."""
        run = self._stepped(run_service, 2)
        path = run_service.path(run)
        shutil.copyfile(path, self.target / "interrupted")
        packed(path.with_name(f"{path.name}-wal"), self.target / "runs" / "interrupted.tourscope-wal.gz")
        run_service.command(run, "cancel")
        until(lambda: run not in run_service.active_runs())
        return run

    def _answers(self) -> None:
        home = self.folder / "answering"
        (home / "runs").mkdir(parents=True)
        for name, run in self.ids.items():
            for ending in ("tourscope", "tourscope-wal"):
                if (source := self.target / "runs" / f"{name}.{ending}.gz").exists():
                    (home / "runs" / f"{run}.{ending}").write_bytes(gzip.decompress(source.read_bytes()))
        with house.opened(home) as opened:
            for name, run in self.ids.items():
                answers = collect_answers(opened.client, run, name in cases.PICTURED)
                if name == "interrupted":  # what a start makes of it has the moment of that start
                    answers["log"].pop("state")
                path = home / "runs" / f"{run}.tourscope"
                means = house.meaning(answers["opened_with"])
                repeats = self._repeats(answers, path, name)
                write(self.target / "runs" / f"{name}.json", {"id": run, "means": means, "repeats": repeats, **answers})

    def _repeats(self, answers: dict[str, Any], path: Path, name: str) -> bool:
        """Whether the run can be repeated exactly; runs that claim so must be repeatable."""
        answer = story(house.frames_of_file(path))
        last = answer["started"][-1] if answer["started"] else [None, None, False]
        if answers["summary"]["state"] != "finished" or not last[2]:
            return False
        differ = differences(answer, story(house.frames_of_repeat(path)))
        assert not differ, (name, differ)
        return True

    # Races and studies -------------------------------------------------------------------------------------------

    def race_and_studies(self) -> None:
        run_service = RunService(self.workplace, ProcessEngine)
        try:
            until(lambda: run_service.status()["spare"] == "ready")
            races = RaceService(run_service)
            race = races.start(RaceSpec.from_json(cases.RACE))
            until(lambda: not races.active_races())
            runs = [str(run_service.path(run)) for run in race.runs]
            house.export_race(race.to_json(), runs).content(self.target / "race.tourrace")
            self.race = race
        finally:
            run_service.close()
        (self.target / "studies").mkdir()
        uploads = self.workplace / "instances"
        whole, half = self.folder / "finished.tourstudy", self.folder / "half.tourstudy"
        spec = StudySpec.from_json(self.spec(cases.STUDY))
        with StudyFile(whole, spec, uploads) as file:
            pool = Pool(file, 1)
            pool.start()
            assert pool.join().state == "finished"
        self._half(whole, half, StudySpec.from_json({**spec.to_json(), "title": "Half of it"}), uploads)
        for path in (whole, half):
            packed(path, self.target / "studies" / f"{path.name}.gz")
            write(self.target / "studies" / f"{path.stem}.json", study_answers(path))
        write(self.target / "studies" / "means.json", house.study_meaning(spec.to_json()))

    def _half(self, whole: Path, half: Path, spec: StudySpec, uploads: Path) -> None:
        """A killed study: some runs are finished, one failed, one was running."""
        with StudyReader(whole) as reader, closing(sqlite3.connect(whole)) as connection, StudyFile(
            half, spec, uploads
        ) as file:  # fmt: skip
            rows = connection.execute("SELECT number, result, tour, log, took FROM cells ORDER BY number").fetchall()
            assert len(rows) == reader.total
            for number, result, tour, log, took in rows[:5]:
                file.begin(number)
                file.finish(number, Outcome(json.loads(result), tour, log), took)
            file.begin(5)
            file.fail(5, "The worker process was ended by SIGKILL.")
            file.begin(6)

    # A data folder -----------------------------------------------------------------------------------------------

    def home(self) -> None:
        home = self.folder / "home"
        saved = ("two-opt-cpu", "greedy", "held-karp-cpu", "failed", "uploaded", "nearest-then-annealing")
        for name in ("runs", "races", "studies", "instances"):
            (home / name).mkdir(parents=True)
        for run in (*(self.ids[name] for name in saved), *self.race.runs):
            shutil.copyfile(self.workplace / "runs" / f"{run}.tourscope", home / "runs" / f"{run}.tourscope")
        shutil.copyfile(self.workplace / "races" / f"{self.race.id}.json", home / "races" / f"{self.race.id}.json")
        for path in (self.workplace / "instances").iterdir():
            shutil.copyfile(path, home / "instances" / path.name)
        for name in ("finished", "half"):
            shutil.copyfile(self.folder / f"{name}.tourstudy", home / "studies" / f"study-{name}.tourstudy")
        with house.opened(home) as opened:
            library = opened.library
            keys = {entry["key"]: entry for entry in house.listed(opened, "?lanes=1&limit=500")}
            studies = {entry["name"]: key for key, entry in keys.items() if entry["kind"] == "study"}
            library.rename(f"run:{self.ids['two-opt-cpu']}", "The best one – so far")
            library.tag([f"run:{self.ids['two-opt-cpu']}", f"race:{self.race.id}"], ["good", "Étude"])
            library.tag([studies["Half of it"]], ["unfinished"])
            library.rename(f"run:{self.ids['nearest-then-annealing']}", "Thrown away")
            library.tag([f"run:{self.ids['nearest-then-annealing']}"], ["good"])
            deleted = library.delete([f"run:{self.ids['nearest-then-annealing']}"])
            found = {
                search: [entry["key"] for entry in house.listed(opened, search)]
                for search in cases.LIBRARY
            }  # fmt: skip
            entries = house.listed(opened, "?lanes=1&limit=500")
            gif = opened.client.get(f"/races/{self.race.id}/race.gif").content
            compared = opened.client.get(f"/compared.gif?runs={','.join(self.race.runs)}").content
            self.answers = {
                "entries": {entry["key"]: entry_facts(entry) for entry in entries},
                "found": found,
                "studies": {path.name: study_id(path) for path in sorted((home / "studies").glob("*.tourstudy"))},
                "thrown": {"token": deleted.token, "key": deleted.keys[0]},
                "race": opened.client.get(f"/races/{self.race.id}").json(),
                "gif": animation(gif),
                "compared": animation(compared),
                "runs": {name: self.ids[name] for name in saved},
            }
            self.answers["race"].pop("state")
            self._forms(opened)
        self._pack(home)
        write(self.target / "home.json", self.answers)

    def _pack(self, home: Path) -> None:
        """The folder as a ZIP, without machine-specific parts such as file locations in the cache."""
        with closing(sqlite3.connect(home / "catalogue.sqlite")) as cache:
            for key, path in cache.execute("SELECT key, path FROM files").fetchall():
                moved = f"/home/somebody/.tourscope/{Path(path).parent.name}/{Path(path).name}"
                cache.execute("UPDATE files SET path = ? WHERE key = ?", (moved, key))
            cache.commit()
            cache.execute("VACUUM")
        with zipfile.ZipFile(self.target / "home.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(home.rglob("*")):
                if path.is_file() and path.name != "lock":
                    archive.write(path, path.relative_to(home))

    # Links -------------------------------------------------------------------------------------------------------

    def _forms(self, opened: house.House) -> None:
        """The forms for links into this data folder, which has its own ids."""
        run, race = self.ids["two-opt-cpu"], self.race
        spelt = house.link_of_spec(self.spec(cases.RUNS["two-opt-cpu"]))
        watch = [*self.spec(cases.WATCH), f"?run={run}", f"?{spelt}&run={run}", f"?{spelt}&run=AAAAAAAAAAAA",
                 f"?run={self.ids['uploaded']}", "?run=AAAAAAAAAAAA"]  # fmt: skip
        whole = cases.query(race=json.dumps(cases.RACE))
        races = [
            whole, f"?id={race.id}", f"{whole}&id={race.id}", f"{whole}&id=AAAAAAAAAAAA", "?id=AAAAAAAAAAAA",
            f"?runs={','.join(race.runs)}", f"?runs={self.ids['greedy']},{run}", f"?runs={run}", "?race=nothing",
            cases.query(race=json.dumps({**cases.RACE, "budget": {"seconds": 5}})),
        ]  # fmt: skip
        study = self.spec(cases.STUDY)
        studies = [
            cases.query(study=json.dumps(study)), cases.query(study=json.dumps({**study, "budget": {"seconds": 2}})),
            "?id=FINISHED", "?id=HALF", cases.query(study=json.dumps(study)) + "&id=HALF",
            cases.query(study=json.dumps(study)) + "&id=AAAAAAAAAAAA", "?id=AAAAAAAAAAAA", "?study=nothing",
            cases.query(study=json.dumps({**study, "instances": [{"sha256": "0" * 64}, {"name": "gr17"}]})),
        ]  # fmt: skip
        ids = {name.split("-")[1].split(".")[0].upper(): found for name, found in self.answers["studies"].items()}
        filled = {search: re.sub("FINISHED|HALF", lambda found: ids[found[0]], search) for search in studies}
        self.forms = {
            "watch": [
                {"search": search, **_spelt(search), "form": house.watch_form(opened, search)} for search in watch
            ],
            "race": [{"search": search, "form": house.race_form(opened, search)} for search in races],
            "study": [
                {"search": search, "form": _named(house.study_form(opened, filled[search]), ids)} for search in studies
            ],
        }  # fmt: skip

    def links(self) -> None:
        queries = zip(cases.LIBRARY, house.library_queries(cases.LIBRARY), strict=True)
        library = [{"search": search, "query": query} for search, query in queries]
        write(self.target / "links.json", {**self.forms, "library": library})

    # Command lines -----------------------------------------------------------------------------------------------

    def commands(self) -> None:
        os.chdir(self.folder)
        (self.folder / "dozen.tsp").write_bytes(cases.UPLOAD)
        write(
            self.target / "commands.json",
            {
                "read": [{"words": words, **house.option_spec(words)} for words in cases.READ],
                "read studies": [{"words": words, **house.study_option_spec(words)} for words in cases.READ_STUDIES],
                "run": [{"words": words, "told": without_times(json.loads(_printed([*words, "--json"])))}
                        for words in cases.RUN],
                "refused": [{"words": words, "status": house.program(words)[0]} for words in cases.REFUSED],
                "facts": [{"words": words, "facts": find_facts(_printed(_with_file(words)))} for words in cases.FACTS],
                "own": {name: own_result(name, words) for name, words in cases.OWN.items()},
            },
        )  # fmt: skip
        write(self.target / "parameters.json", parameter_cases())

    def note(self) -> None:
        """Store the release's name, without anything machine-specific."""
        write(self.target / "release.json", {"name": self.name, "versions": find_versions()})
        places = (self.folder, Path.home(), Path.cwd(), house.ROOT, self.target, tempfile.gettempdir())
        words = [rf"\b{re.escape(os.uname().nodename)}\b", *(re.escape(str(place)) for place in places)]
        telling = re.compile("|".join(words).encode())
        for path in sorted(self.target.rglob("*")):
            for content in _contents(path):
                assert not telling.search(content), path
        size = sum(path.stat().st_size for path in self.target.rglob("*") if path.is_file())
        print(f"{size / 1e6:.2f} MB")


def _contents(path: Path) -> list[bytes]:
    if path.is_dir():
        return []
    if path.suffix == ".gz":
        return [gzip.decompress(path.read_bytes())]
    if path.suffix in (".zip", ".tourrace"):
        with zipfile.ZipFile(path) as archive:
            return [archive.read(name) for name in archive.namelist()]
    return [path.read_bytes()]


def _printed(words: list[str]) -> str:
    status, printed = house.program(words)
    assert status == 0, words
    return printed


def _with_file(words: list[str]) -> list[str]:
    return ["dozen.tsp" if word == "UPLOAD" else word for word in words]


def _spelt(search: str) -> dict[str, Any]:
    """The meaning of a link without a data folder; None if it is refused."""
    try:
        spec = house.spec_of_link(search)
        return {"spec": spec, "means": house.meaning(spec)}
    except (ValueError, RuntimeError):
        return {"spec": None, "means": None}


def _named(form: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """A form with the names of studies in place of their ids, which depend on the folder."""
    if form["open"]:
        form["open"] = next(name for name, found in ids.items() if found == form["open"]["study"])
    return form


if __name__ == "__main__":
    main()
