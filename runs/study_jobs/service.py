"""Studies as the page has them: begun, gone on with, cancelled, found again; wherever they were begun."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runs.imports import launch
from runs.service import RunService
from runs.study_jobs.folders import StudyFolders, id_of
from runs.study_jobs.queue import StudyQueue
from runs.study_jobs.snapshots import StudySnapshot, StudySnapshots
from solvers.devices import cpu_threads
from studies.errors import InvalidStudy
from studies.file.lock import is_locked
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.pool import Progress
from studies.spec.spec import StudySpec

#: Seconds within which the spare worker has told what devices there are; after that there is no card.
_DEVICES_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """How far a study is.

    Attributes
    ----------
    id : str
    path : Path
    title : str
    created : float
        Seconds since 1970.
    state : str
        ``finished`` (every run is finished or has failed), ``stopped``, or while somebody works on it ``queued``,
        ``starting``, ``running``, ``elsewhere`` (another process), and ``broken`` if the server could not go on.
    total, finished, failed : int
        Runs.
    progress : Progress or None
        Of one that is running.
    sentence : str
        Why it is broken.
    before : int
        How many studies have their turn before one that is queued.
    """

    id: str
    path: Path
    title: str
    created: float
    state: str
    total: int
    finished: int
    failed: int
    progress: Progress | None = None
    sentence: str = ""
    before: int = 0

    @property
    def active(self) -> bool:
        """Whether more is to come by itself."""
        return self.state in ("queued", "starting", "running", "elsewhere")


class StudyService:
    """Begins studies and finds them again.

    Parameters
    ----------
    run_service : RunService
    home : Path
        The data folder, whose ``studies`` is for those that are begun here, and whose ``instances`` has the uploads.
    others : sequence of Path
        Folders of studies that were begun elsewhere.
    """

    def __init__(self, run_service: RunService, home: Path, others: Sequence[Path] = ()) -> None:
        self.run_service = run_service
        self._uploads = home / "instances"
        self._folders, self._sights = StudyFolders(home / "studies", others), StudySnapshots()
        self._work = StudyQueue(cpu_threads(), self._cards)

    @property
    def cores(self) -> int:
        """Cores that a study keeps busy."""
        return self._work.cores

    def start(self, spec: StudySpec) -> str:
        """Make a study's file, and have its runs done as soon as no other study is at work; its id.

        Raises
        ------
        InvalidParams, InvalidInstance, DeviceUnavailable, InvalidStudy
            In one sentence for the person who pressed the button; then nothing is made.
        """
        path = self._folders.new_path()
        StudyFile(path, spec, self._uploads).close()
        self._work.add(path)
        return id_of(path)

    def resume(self, study: str) -> None:
        """Go on with a study; runs that failed are tried again.

        Raises
        ------
        NoSuchStudy
        """
        self._work.add(self._folders.path(study))

    def cancel(self, study: str) -> None:
        """End a study that is done here; finished runs stay.

        Raises
        ------
        NoSuchStudy
        """
        self._work.cancel(self._folders.path(study))

    def path(self, study: str) -> Path:
        """Where a study is.

        Raises
        ------
        NoSuchStudy
        """
        return self._folders.path(study)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where study files are looked for, the page's own folder first."""
        return self._folders.folders

    def files(self) -> list[Path]:
        """All study files, whether or not they can be read."""
        return self._folders.files()

    def adopt(self, source: Path) -> str:
        """Take an uploaded study file in, and return the id that it gets here; nothing of it is run.

        Parameters
        ----------
        source : Path
            The upload, alone in a folder in `RunService.incoming` that the caller removes.

        Raises
        ------
        runs.imports.launch.Refused
        """
        path = self._folders.new_path()
        launch.adopt_study(source, path)
        return id_of(path)

    def deleted(self, path: Path) -> None:
        """Keep nothing of a study whose file has gone."""
        self._sights.forget(path)
        self._work.forget(path)

    def seen(self, study: str) -> StudySnapshot:
        """A study's runs, read again when more of them are finished.

        Raises
        ------
        NoSuchStudy, InvalidStudy
        """
        return self._sights.of(self._folders.path(study))

    def standing(self, study: str) -> StudyStatus:
        """How far a study is.

        Raises
        ------
        NoSuchStudy, InvalidStudy
        """
        return self._standing(self._folders.path(study))

    def recent(self, limit: int) -> list[StudyStatus]:
        """The studies that were written to last, newest first; files that are none are left out."""
        found = []
        for path in self._folders.newest()[:limit]:
            try:
                found.append(self._standing(path))
            except InvalidStudy:
                continue
        return found

    def _standing(self, path: Path) -> StudyStatus:
        work = self._work.of(path)
        with StudyReader(path) as reader:
            counts, created, title = reader.counts(), reader.created, reader.spec.title
            elsewhere = work is None and reader.at_work()
        total, finished, failed = sum(counts.values()), counts["finished"], counts["failed"]
        told = (id_of(path), path, title, created)
        if work is not None:
            return StudyStatus(*told, work.state, total, finished, failed, work.progress, work.sentence, work.before)
        state = "elsewhere" if elsewhere else "finished" if finished + failed == total else "stopped"
        return StudyStatus(*told, state, total, finished, failed)

    def at_work(self, path: Path) -> str:
        """What `StudyStatus.state` is of a study that somebody works on or could not go on with; else empty."""
        work = self._work.of(path)
        if work is not None:
            return work.state
        with contextlib.suppress(OSError):  # of somebody else's lock nothing can be told
            return "elsewhere" if is_locked(path) else ""
        return ""

    def _cards(self) -> int:
        """How many cards there are, once the spare worker has told."""
        until = time.monotonic() + _DEVICES_SECONDS
        while (devices := self.run_service.status()["devices"]) is None and time.monotonic() < until:
            time.sleep(0.1)
        return sum(device["kind"] == "cuda" and device["available"] for device in devices or ())

    def close(self) -> None:
        """End what is at work: it can be gone on with later."""
        self._work.close()
