"""Studies that the server does in the background: one at a time, in a thread of its own; others wait for their turn."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from data.errors import InvalidInstance
from solvers.errors import DeviceUnavailable, InvalidParams
from studies.errors import InvalidStudy, StudyLocked
from studies.file.writer import StudyFile
from studies.pool.pool import Pool, Progress
from studies.pool.process import NoWorker

_log = logging.getLogger(__name__)
_TOLD = (InvalidStudy, StudyLocked, InvalidParams, InvalidInstance, DeviceUnavailable, NoWorker)
#: Seconds that the end of the server waits for a study to be put away.
_PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class JobStatus:
    """How it stands with a study that was given to the server.

    Attributes
    ----------
    state : str
        ``queued``, ``starting``, ``running``, or ``broken`` if it could not go on.
    progress : Progress or None
        Of one that is running.
    sentence : str
        Why it is broken.
    before : int
        How many studies have their turn before it.
    """

    state: str
    progress: Progress | None = None
    sentence: str = ""
    before: int = 0


class StudyQueue:
    """Has studies done, one after the other.

    Parameters
    ----------
    cores : int
        That runs may keep busy.
    cards : callable
        Tells how many cards there are, once that is known.
    """

    def __init__(self, cores: int, cards: Callable[[], int]) -> None:
        self.cores, self._cards = cores, cards
        self._changed = threading.Condition()
        self._waiting: list[Path] = []
        self._at: Path | None = None
        self._pool: Pool | None = None
        self._cancelled = self._closed = False
        self._broken: dict[Path, str] = {}
        self._thread: threading.Thread | None = None

    def add(self, path: Path) -> None:
        """Have a study done when its turn comes; one that waits or is done already stays where it is."""
        with self._changed:
            self._broken.pop(path, None)
            if path not in self._waiting and (path != self._at or self._cancelled):
                self._waiting.append(path)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="studies", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def cancel(self, path: Path) -> None:
        """End a study, within a second or two; runs that are finished stay. One that waits gives up its turn."""
        with self._changed:
            if path in self._waiting:
                self._waiting.remove(path)
            if path != self._at:
                return
            self._cancelled, pool = True, self._pool
        if pool is not None:
            pool.cancel()
        with self._changed:
            self._changed.wait_for(lambda: self._at != path, _PATIENCE)

    def of(self, path: Path) -> JobStatus | None:
        """How it stands with a study; None if nobody gave it to the server, or it is over."""
        with self._changed:
            if path == self._at:
                return JobStatus("starting") if self._pool is None else JobStatus("running", self._pool.progress())
            if path in self._waiting:
                return JobStatus("queued", before=self._waiting.index(path) + (self._at is not None))
            return JobStatus("broken", sentence=self._broken[path]) if path in self._broken else None

    def forget(self, path: Path) -> None:
        """Keep nothing of a study that was deleted."""
        with self._changed:
            self._broken.pop(path, None)

    def close(self) -> None:
        """End what is being done, and do nothing more."""
        with self._changed:
            self._closed = self._cancelled = True
            self._waiting.clear()
            self._changed.notify_all()
            pool, thread = self._pool, self._thread
        if pool is not None:
            pool.cancel()
        if thread is not None:
            thread.join(_PATIENCE)

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                self._at, self._cancelled = self._waiting.pop(0), False
                path = self._at
            sentence = self._do(path)
            with self._changed:
                self._at = self._pool = None
                if sentence:
                    self._broken[path] = sentence
                self._changed.notify_all()

    def _do(self, path: Path) -> str:
        """Do what is left of a study; why it cannot go on, if so."""
        try:
            with StudyFile(path) as file:
                cards = 0 if file.spec.device == "cpu" else self._cards()  # which may take a while to be known
                pool = Pool(file, self.cores, cards)
                with self._changed:
                    if self._cancelled:
                        return ""
                    self._pool = pool
                    pool.start()
                pool.join()
        except _TOLD as error:
            return str(error)
        except (OSError, sqlite3.Error):
            _log.exception("A study could not be written.")
            return "The study could not be written; is the disk full?"
        except Exception:  # noqa: BLE001 - told in one sentence, logged in full; the next study must not suffer
            _log.exception("A study has failed.")
            return "The study stopped because of an error in the program; the server's log says more."
        return ""
