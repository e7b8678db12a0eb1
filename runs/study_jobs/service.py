"""Starts, resumes, cancels and finds the page's studies, including those started on the command line."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from runs.imports import untrusted_files
from runs.service import RunService
from runs.study_jobs.folders import StudyFolders, make_study_id
from runs.study_jobs.queue import StudyQueue
from runs.study_jobs.snapshots import StudySnapshot, StudySnapshots
from runs.visitors import current_visitor
from solvers.presets.preset_file import OwnPreset
from studies.errors import InvalidStudy
from studies.file.lock import is_locked
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.pool import Progress
from studies.pool.process import WORKER
from studies.spec.spec import StudySpec
from studies.spec.title import make_study_title
from studies.tuning.best_preset import make_best_preset
from studies.tuning.packages import check

#: Timeout in seconds for the spare worker to report the devices, after which no GPU is used.
_DEVICES_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """The status of a study.

    Attributes
    ----------
    id : str
    path : Path
    title : str
        See `studies.spec.title.make_study_title`.
    created : float
        Seconds since 1970.
    state : str
        ``queued``, ``starting``, ``running``, ``elsewhere`` (running in another process), ``finished`` (every run has
        finished or failed), ``stopped``, or ``broken`` (stopped with an error).
    total, finished, failed : int
        Numbers of runs.
    progress : Progress or None
        Progress of a running study.
    sentence : str
        The error of a broken study.
    before : int
        Number of studies ahead of a queued one.
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
        """Whether the study is running or waiting."""
        return self.state in ("queued", "starting", "running", "elsewhere")


class StudyService(StudyFolders):
    """Starts and finds studies.

    Parameters
    ----------
    run_service : RunService
    home : Path
        The data folder; new studies are stored in its subfolder ``studies``, uploads in ``instances``.
    others : sequence of Path
        Other folders with study files.
    """

    def __init__(self, run_service: RunService, home: Path, others: Sequence[Path] = ()) -> None:
        self.run_service = run_service
        self._uploads = home / "instances"
        super().__init__(home / "studies", others)
        self._snapshots = StudySnapshots()
        self._queue = StudyQueue(
            lambda: run_service.cores, self._count_gpus, partial(run_service.start_process, WORKER)
        )

    @property
    def cores(self) -> int:
        """Number of CPU cores used by a study."""
        return self.run_service.cores

    @property
    def busy(self) -> bool:
        """Whether any study of this server is running or waiting."""
        return self._queue.busy

    def start(self, spec: StudySpec, owner: str = "") -> str:
        """Create a study's file, queue the study, and return its id.

        Parameters
        ----------
        spec : StudySpec
        owner : str
            The visitor who starts the study; empty for none.

        Raises
        ------
        InvalidParams, InvalidInstance, DeviceUnavailable, InvalidStudy
            With one sentence for the user; no file is created in that case.
        """
        self.run_service.check_storage(owner)
        self._queue.admit(owner)
        check(spec)
        path = self.new_path()
        StudyFile(path, spec, self._uploads).close()
        self.run_service.owners.claim([f"study:{make_study_id(path)}"], owner)
        self._queue.add(path, owner)
        return make_study_id(path)

    def resume(self, study: str) -> None:
        """Resume a study, repeating failed runs.

        Raises
        ------
        NoSuchStudy, NotOwner, TooManyStudies
        """
        path, owner = self.path(study), current_visitor().id
        self.run_service.owners.require(f"study:{study}")
        self._queue.admit(owner)
        self._queue.add(path, owner)

    def cancel(self, study: str) -> None:
        """Cancel a study of this server, keeping finished runs.

        Raises
        ------
        NoSuchStudy, NotOwner
        """
        path = self.path(study)
        self.run_service.owners.require(f"study:{study}")
        self._queue.cancel(path)

    def adopt(self, source: Path, owner: str = "") -> str:
        """Import an uploaded study file and return its new id; no run is started.

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
        self.run_service.check_storage(owner)
        path = self.new_path()
        untrusted_files.adopt_study(source, path)
        self.run_service.owners.claim([f"study:{make_study_id(path)}"], owner)
        return make_study_id(path)

    def forget(self, path: Path) -> None:
        """Drop a deleted study's cached data and errors."""
        self._snapshots.forget(path)
        self._queue.forget(path)

    def snapshot(self, study: str) -> StudySnapshot:
        """Return a study's newest snapshot.

        Raises
        ------
        NoSuchStudy, InvalidStudy
        """
        return self._snapshots.load_newest(self.path(study))

    def reader(self, study: str) -> StudyReader:
        """Return a reader of a study's file, which the caller closes.

        Raises
        ------
        NoSuchStudy, InvalidStudy
        """
        return StudyReader(self.path(study))

    def preset(self, study: str, name: str) -> OwnPreset:
        """Return a preset of this name from a tuning study's best trial, without saving it.

        Raises
        ------
        NoSuchStudy, InvalidStudy, InvalidParams
        """
        with self.reader(study) as reader:
            return make_best_preset(reader, name)

    def may_change(self, study: str) -> bool:
        """Return whether the current visitor may change the study."""
        return self.run_service.owners.may_change(f"study:{study}")

    def status(self, study: str) -> StudyStatus:
        """Return a study's status.

        Raises
        ------
        NoSuchStudy, InvalidStudy
        """
        return self._read_status(self.path(study))

    def recent(self, limit: int) -> list[StudyStatus]:
        """Return the status of the most recently written studies, newest first, without unreadable ones."""
        statuses = []
        for path in self.newest()[:limit]:
            try:
                statuses.append(self._read_status(path))
            except InvalidStudy:
                continue
        return statuses

    def _read_status(self, path: Path) -> StudyStatus:
        job = self._queue.find(path)
        with StudyReader(path) as reader:
            counts, created = reader.counts(), reader.created
            title = make_study_title(
                reader.spec, *([row.name for row in rows] for rows in (reader.instances, reader.training))
            )
            runs_elsewhere = job is None and reader.is_being_worked_on()
        total, finished, failed = sum(counts.values()), counts["finished"], counts["failed"]
        study = (make_study_id(path), path, title, created)
        if job is not None:
            return StudyStatus(*study, job.state, total, finished, failed, job.progress, job.sentence, job.before)
        state = "elsewhere" if runs_elsewhere else "finished" if finished + failed == total else "stopped"
        return StudyStatus(*study, state, total, finished, failed)

    def active_state(self, path: Path) -> str:
        """Return the `StudyStatus.state` of a queued, running or broken study; otherwise empty."""
        job = self._queue.find(path)
        if job is not None:
            return job.state
        with contextlib.suppress(OSError):  # the lock of another system user cannot be checked
            return "elsewhere" if is_locked(path) else ""
        return ""

    def _count_gpus(self) -> int:
        """Return the number of GPUs; blocks until the spare worker reports them."""
        until = time.monotonic() + _DEVICES_SECONDS
        while (devices := self.run_service.status()["devices"]) is None and time.monotonic() < until:
            time.sleep(0.1)
        return sum(device["kind"] == "cuda" and device["available"] for device in devices or ())

    def close(self) -> None:
        """Stop the running study, which can be resumed later."""
        self._queue.close()
