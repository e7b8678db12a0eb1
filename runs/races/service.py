"""Races: runs started together, stored as a small file beside their run files."""

import json
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.files import write_whole
from data.moments import read_moment
from runs.imports.untrusted_files import InvalidUpload
from runs.races import file
from runs.races.errors import NoSuchRace
from runs.races.scheduler import RaceScheduler
from runs.races.spec import RaceSpec
from runs.service import RunService
from runs.store.home import ID
from solvers.core.errors import DeviceUnavailable
from solvers.spec import RunSpec

FORMAT = 1
#: Commands to a race.
COMMANDS = ("pause", "resume", "cancel")


@dataclass(frozen=True, slots=True)
class Race:
    """A race as stored.

    Attributes
    ----------
    id : str
    created : float
        Seconds since 1970.
    spec : RaceSpec
    runs : tuple of str
        Ids of its lanes' runs.
    machine_was_idle : bool
        Whether the machine was otherwise idle when the race started.
    """

    id: str
    created: float
    spec: RaceSpec
    runs: tuple[str, ...]
    machine_was_idle: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return the race as a JSON value."""
        value = {"format": FORMAT, "id": self.id, "created": self.created, "alone": self.machine_was_idle}
        return {**value, "spec": self.spec.to_json(), "runs": list(self.runs)}


class RaceService:
    """Starts races, passes on commands, and finds stored races.

    Parameters
    ----------
    run_service : RunService
    """

    def __init__(self, run_service: RunService) -> None:
        self.run_service = run_service
        self._lock = threading.Lock()
        self._schedulers: dict[str, RaceScheduler] = {}

    def start(self, spec: RaceSpec, owner: str = "") -> Race:
        """Start a race.

        Parameters
        ----------
        spec : RaceSpec
        owner : str
            The visitor who starts the race; empty for none.

        Raises
        ------
        InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed
            As `RunService.start`; no lane has started in that case.
        """
        with self._lock:
            if not all(scheduler.is_over for scheduler in self._schedulers.values()):
                raise DeviceUnavailable("Another race is running: open it under Recent races and cancel it, or wait.")
            alone = self.run_service.status()["runs"] == 0
            lanes = tuple(self.run_service.start_lanes(spec.runs(), owner))
            race = Race(secrets.token_urlsafe(9), time.time(), spec, lanes, alone)
            self.save(race)
            self.run_service.owners.claim([f"race:{race.id}"], owner)
            scheduler = RaceScheduler(self.run_service, race.runs, lambda: self._on_race_end(race.id))
            self._schedulers[race.id] = scheduler
        scheduler.start()
        return race

    def adopt(self, source: Path, owner: str = "") -> Race:
        """Import an uploaded race file and its runs; a refused file leaves nothing behind.

        Parameters
        ----------
        source : Path
            The upload, alone in a folder in `Home.incoming` that the caller removes.
        owner : str
            As in `start`.

        Raises
        ------
        runs.imports.untrusted_files.InvalidUpload
        StorageFull
        """
        runs: list[str] = []
        try:
            spec, alone = file.read(source, lambda path: runs.append(self.run_service.adopt_run(path, owner)))
            self._check(spec, runs)
        except BaseException:
            for run in runs:
                self.run_service.path(run).unlink()
            raise
        race = Race(secrets.token_urlsafe(9), time.time(), spec, tuple(runs), alone)
        self.save(race)
        self.run_service.owners.claim([f"race:{race.id}"], owner)
        return race

    def _check(self, spec: RaceSpec, runs: list[str]) -> None:
        """Raise an error if the runs do not belong to the race."""
        openings = [self.run_service.opening(run) for run in runs]
        expected = [run.to_json() for run in spec.runs()]
        if [RunSpec.from_json(meta.spec).to_json() for meta, _ in openings] != expected:
            raise InvalidUpload("This race file cannot be imported: its runs are not those of its race.")
        if len({instance for _, instance in openings}) != 1:
            raise InvalidUpload("This race file cannot be imported: its runs are of different instances.")

    def save(self, race: Race) -> None:
        """Write a race's file atomically."""
        write_whole(self._make_path(race.id), json.dumps(race.to_json()).encode())

    def _on_race_end(self, race: str) -> None:
        with self._lock:
            del self._schedulers[race]

    def find(self, race: str) -> Race:
        """Return a race by id.

        Raises
        ------
        NoSuchRace
        """
        match = self._read(race) if ID.fullmatch(race) else None
        if match is None:
            raise NoSuchRace
        return match

    def _read(self, race: str) -> Race | None:
        try:
            return read_race(self._make_path(race))
        except (OSError, ValueError, DeviceUnavailable):
            return None

    def command(self, race: str, command: str) -> None:
        """Send a race one of `COMMANDS`; do nothing if the race is over.

        Raises
        ------
        NoSuchRace, NotOwner
        """
        if command not in COMMANDS:
            raise ValueError(f"{command!r} is not one of {', '.join(COMMANDS)}")
        self.find(race)
        self.run_service.owners.require(f"race:{race}")
        scheduler = self._schedulers.get(race)
        if scheduler:
            scheduler.command(command)

    def may_change(self, race: str) -> bool:
        """Return whether the current visitor may change the race."""
        return self.run_service.owners.may_change(f"race:{race}")

    def state(self, race: str) -> str:
        """Return a race's state: ``running``, ``paused`` or ``over``."""
        scheduler = self._schedulers.get(race)
        return "over" if scheduler is None else "paused" if scheduler.paused else "running"

    def active_races(self) -> tuple[str, ...]:
        """Return the ids of races in progress."""
        return tuple(self._schedulers)

    def recent(self, limit: int) -> list[Race]:
        """Return the most recently stored races, newest first."""
        paths = sorted(self.run_service.home.races.glob("*.json"), key=_find_write_time, reverse=True)
        races = (self._read(path.stem) for path in paths[:limit] if ID.fullmatch(path.stem))
        return [race for race in races if race]

    def _make_path(self, race: str) -> Path:
        return self.run_service.home.races / f"{race}.json"


def read_race(path: Path) -> Race:
    """Read a race's file; its modification time replaces an invalid time.

    Raises
    ------
    OSError, ValueError, DeviceUnavailable
        If the file cannot be read, or is not a race file.
    """
    try:
        value = json.loads(path.read_text())
        runs, alone = value["runs"], value["alone"]
        if (
            not isinstance(runs, list)
            or not runs
            or not all(isinstance(run, str) and ID.fullmatch(run) for run in runs)
        ):
            raise ValueError("its runs are invalid")
        return Race(
            path.stem,
            read_moment(value.get("created"), path),
            RaceSpec.from_json(value["spec"], stored=True),
            tuple(runs),
            alone is True,
        )
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("it is not a race") from error


def _find_write_time(path: Path) -> float:
    """Return the modification time of a race's file, seconds since 1970; 0 if just deleted."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
