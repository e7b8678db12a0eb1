"""A queue of studies, which a background thread runs one at a time."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from data.errors import InvalidInstance
from solvers.core.errors import DeviceUnavailable, InvalidParams
from studies.errors import InvalidStudy, StudyLocked
from studies.file.writer import StudyFile
from studies.pool.pool import Pool, Progress
from studies.pool.process import NoWorker, StartProcess, start_interpreter

_log = logging.getLogger(__name__)
_REPORTED = (InvalidStudy, StudyLocked, InvalidParams, InvalidInstance, DeviceUnavailable, NoWorker)
#: Maximum number of waiting studies, in total and per owner.
MAX_WAITING, MAX_WAITING_EACH = 100, 10
#: Timeout in seconds for a study to stop.
_STOP_SECONDS = 2.0


class TooManyStudies(DeviceUnavailable):
    """The queue of studies is full."""

    def __init__(self) -> None:
        super().__init__("Too many studies are waiting already: cancel one of them, or try again later.")


@dataclass(frozen=True, slots=True)
class JobStatus:
    """The state of a study in the queue.

    Attributes
    ----------
    state : str
        ``queued``, ``starting``, ``running``, or ``broken`` if it stopped with an error.
    progress : Progress or None
        Progress of a running study.
    sentence : str
        The error of a broken study.
    before : int
        Number of studies ahead of it in the queue.
    """

    state: str
    progress: Progress | None = None
    sentence: str = ""
    before: int = 0


class StudyQueue:
    """Runs studies one after another in a background thread.

    Parameters
    ----------
    cores : callable
        Returns the number of CPU cores that runs may use.
    gpus : callable
        Returns the number of GPUs; may block until the number is known.
    start : callable
        Starts a worker process; see `studies.pool.process.Worker`.
    """

    def __init__(
        self, cores: Callable[[], int], gpus: Callable[[], int], start: StartProcess = start_interpreter
    ) -> None:
        self.cores, self._gpus, self._start = cores, gpus, start
        self._condition = threading.Condition()
        self._waiting: list[Path] = []
        self._owners: dict[Path, str] = {}  # owners of waiting studies
        self._current: Path | None = None
        self._pool: Pool | None = None
        self._cancelled = self._closed = False
        self._broken: dict[Path, str] = {}
        self._thread: threading.Thread | None = None

    def admit(self, owner: str) -> None:
        """Raise an error if too many studies wait, in total or for this owner (empty if none).

        Raises
        ------
        TooManyStudies
        """
        with self._condition:
            each = sum(self._owners.get(path) == owner for path in self._waiting)
            if len(self._waiting) >= MAX_WAITING or (owner and each >= MAX_WAITING_EACH):
                raise TooManyStudies

    def add(self, path: Path, owner: str = "") -> None:
        """Add a study to the queue, unless it is waiting or running."""
        with self._condition:
            self._owners[path] = owner
            self._broken.pop(path, None)
            if path not in self._waiting and (path != self._current or self._cancelled):
                self._waiting.append(path)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="studies", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def cancel(self, path: Path) -> None:
        """Stop a study within two seconds, or remove it from the queue; finished runs remain."""
        with self._condition:
            if path in self._waiting:
                self._waiting.remove(path)
            if path != self._current:
                return
            self._cancelled, pool = True, self._pool
        if pool is not None:
            pool.cancel()
        with self._condition:
            self._condition.wait_for(lambda: self._current != path, _STOP_SECONDS)

    @property
    def busy(self) -> bool:
        """Whether any study is running or waiting."""
        with self._condition:
            return self._current is not None or bool(self._waiting)

    def find(self, path: Path) -> JobStatus | None:
        """Return a study's state; None if it is not queued or is over."""
        with self._condition:
            if path == self._current:
                return JobStatus("starting") if self._pool is None else JobStatus("running", self._pool.progress())
            if path in self._waiting:
                return JobStatus("queued", before=self._waiting.index(path) + (self._current is not None))
            return JobStatus("broken", sentence=self._broken[path]) if path in self._broken else None

    def forget(self, path: Path) -> None:
        """Clear a deleted study's error."""
        with self._condition:
            self._broken.pop(path, None)

    def close(self) -> None:
        """Stop the running study and clear the queue."""
        with self._condition:
            self._closed = self._cancelled = True
            self._waiting.clear()
            self._condition.notify_all()
            pool, thread = self._pool, self._thread
        if pool is not None:
            pool.cancel()
        if thread is not None:
            thread.join(_STOP_SECONDS)

    def _serve(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                self._current, self._cancelled = self._waiting.pop(0), False
                path = self._current
                self._owners.pop(path, None)
            sentence = self._run(path)
            with self._condition:
                self._current = self._pool = None
                if sentence:
                    self._broken[path] = sentence
                self._condition.notify_all()

    def _run(self, path: Path) -> str:
        """Run a study's remaining runs; return the error in one sentence, or ""."""
        try:
            with StudyFile(path) as file:
                gpus = 0 if file.spec.device == "cpu" else self._gpus()  # may block
                pool = Pool(file, self.cores(), gpus, start=self._start)
                with self._condition:
                    if self._cancelled:
                        return ""
                    self._pool = pool
                    pool.start()
                pool.join()
        except _REPORTED as error:
            return str(error)
        except (OSError, sqlite3.Error):
            _log.exception("A study could not be written.")
            return "The study could not be written; is the disk full?"
        except Exception:  # noqa: BLE001 - reported in one sentence, logged in full; the next study must still run
            _log.exception("A study has failed.")
            return "The study stopped because of an error in the program; see the server's log."
        return ""
