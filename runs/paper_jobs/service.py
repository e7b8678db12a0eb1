"""The queue of measurements: one at a time, none while a run, race or study uses the machine."""

import json
import logging
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers import results
from papers.catalogue import find
from papers.model import Entry
from papers.results import Result
from runs.owners import NotOwner
from runs.paper_jobs.process import Measurement, format_command
from runs.service import RunService
from runs.study_jobs.service import StudyService

_log = logging.getLogger(__name__)
#: Seconds between two checks of the machine and the process.
_POLL_SECONDS = 0.2
#: Maximum wait in seconds for workers and kernels that are prepared after the server's start.
_PREPARING_SECONDS = 120.0
#: Timeout in seconds for the queue to end with the server.
_CLOSE_SECONDS = 5.0


class CannotMeasure(ValueError):
    """An entry cannot be measured here; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """The state of a requested measurement.

    Attributes
    ----------
    state : str
        ``queued`` (behind others), ``waiting`` (for the machine), ``measuring``, or ``failed``.
    quick : bool
        Whether this is the short form of the measurement.
    seconds : float
        Time since the measurement began; 0 before that.
    before : int
        Number of measurements ahead of it.
    sentence : str
        Reason for a failure.
    own : bool
        Whether the current visitor may cancel the measurement.
    """

    state: str
    quick: bool
    seconds: float = 0.0
    before: int = 0
    sentence: str = ""
    own: bool = True


@dataclass(eq=False, slots=True)
class _Job:
    entry: str
    quick: bool
    owner: str
    began: float | None = None
    cancelled: bool = False


class PaperJobs:
    """Measures entries one after another and stores the results in a folder.

    Runs have priority: if a run starts during a measurement, the measurement stops and starts again once the machine is
    free. So no result is disturbed, and no run is slowed down.

    Parameters
    ----------
    machine : RunService
    studies : StudyService
    folder : Path
        Folder of the results; created with the first one.
    start : callable
        Starts a process from its arguments; see `runs.paper_jobs.process.Measurement`.
    is_owner : callable
        Returns whether the current visitor may cancel an owner's request; see `runs.owners.Owners.is_owner`.
    """

    def __init__(
        self, machine: RunService, studies: StudyService, folder: Path,
        start: Callable[[list[str]], Measurement] = Measurement, is_owner: Callable[[str], bool] = lambda _: True,
    ) -> None:  # fmt: skip
        self._is_owner = is_owner
        self._machine, self._studies, self._folder, self._start = machine, studies, folder, start
        self._condition = threading.Condition()
        self._jobs: list[_Job] = []  # the first one is waiting for the machine or being measured
        self._failures: dict[str, JobStatus] = {}
        self._closed = False
        self._began = time.monotonic()
        self._thread: threading.Thread | None = None

    def add(self, name: str, quick: bool, owner: str = "") -> None:
        """Queue an entry; do nothing if it is already waiting or being measured.

        Parameters
        ----------
        name : str
        quick : bool
            Whether the short form is wanted.
        owner : str
            The visitor; empty for none.

        Raises
        ------
        papers.catalogue.NoSuchEntry
        CannotMeasure
        """
        _, entry = find(name)
        self.device(entry)
        if quick and any(not result.quick for result in self.results(name).values()):
            raise CannotMeasure("This entry was measured in full here: the short form would say less.")
        with self._condition:
            if self._closed or any(job.entry == name and not job.cancelled for job in self._jobs):
                return
            self._failures.pop(name, None)
            self._jobs.append(_Job(name, quick, owner))
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="papers", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def device(self, entry: Entry) -> str | None:
        """Return the device for an entry: a GPU if present and supported by the recipe.

        Return None in a server's first seconds, before it knows its GPUs.

        Raises
        ------
        CannotMeasure
            If there is no suitable device.
        """
        status = self._machine.status()
        devices = status.get("here", status["devices"])  # measurements are taken on this machine
        gpu: Mapping[str, Any] = next((device for device in devices or () if device["kind"] == "cuda"), {})
        if "cuda" in entry.recipe.devices and gpu.get("available"):
            return "cuda"
        if devices is None and "cuda" in entry.recipe.devices:
            return None
        if "cpu" in entry.recipe.devices:
            return "cpu"
        raise CannotMeasure(f"Only a GPU can measure this. {gpu.get('reason') or 'This machine has none.'}")

    def cancel(self, name: str) -> None:
        """Stop a measurement or remove it from the queue; clear a failed one.

        Raises
        ------
        NotOwner
        """
        with self._condition:
            if any(job.entry == name and not self._is_owner(job.owner) for job in self._jobs):
                raise NotOwner("measurement")
            self._failures.pop(name, None)
            for job in self._jobs:
                job.cancelled = job.cancelled or job.entry == name
            self._jobs[1:] = [job for job in self._jobs[1:] if not job.cancelled]
            self._condition.notify_all()

    def jobs(self) -> dict[str, JobStatus]:
        """Return waiting, running and failed measurements by entry."""
        with self._condition:
            now, statuses = time.monotonic(), dict(self._failures)
            active = [job for job in self._jobs if not job.cancelled]
            for before, job in enumerate(active):
                own = self._is_owner(job.owner)
                if job.began is not None:
                    statuses[job.entry] = JobStatus("measuring", job.quick, now - job.began, own=own)
                else:
                    statuses[job.entry] = JobStatus(
                        "queued" if before else "waiting", job.quick, before=before, own=own
                    )
            return statuses

    def results(self, name: str) -> dict[str, Result]:
        """Return this machine's results for an entry by device."""
        return results.load(name, self._folder)

    def close(self) -> None:
        """Stop measuring and clear the queue."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_SECONDS)

    def _serve(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._jobs or self._closed)
                if self._closed:
                    return
                job = self._jobs[0]
            sentence = self._measure(job)
            with self._condition:
                self._jobs.remove(job)
                if sentence and not job.cancelled:
                    self._failures[job.entry] = JobStatus("failed", job.quick, sentence=sentence)

    def _measure(self, job: _Job) -> str:
        """Measure an entry, repeating after interruptions by runs; return the error in one sentence, or ""."""
        try:
            while self._await_machine(job):
                sentence = self._try_to_measure(job)
                if sentence is not None:
                    return sentence
        except CannotMeasure as refusal:
            return str(refusal)
        except OSError:
            _log.exception("An entry could not be measured.")
            return "The result could not be written; is the disk full?"
        except Exception:  # noqa: BLE001 - reported in one sentence, logged in full; the next entry must be measured
            _log.exception("A measurement has failed.")
            return "The measurement stopped because of an error in the program; see the server's log."
        return ""

    def _await_machine(self, job: _Job) -> bool:
        """Wait until the machine is free; return False if the measurement was cancelled."""
        with self._condition:
            while not (job.cancelled or self._closed):
                if not self._take_next() and not self._is_preparing():
                    return True
                self._condition.wait(_POLL_SECONDS)
        return False

    def _try_to_measure(self, job: _Job) -> str | None:
        """Try to measure; return None if interrupted by a run, else the error or ""."""
        device = self.device(find(job.entry)[1])
        if device is None:
            raise CannotMeasure("The server does not know yet which GPUs there are: try again.")
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "result.json"
            process = self._start(format_command(job.entry, device, job.quick, output))
            try:
                with self._condition:
                    job.began = time.monotonic()
                    while process.status is None and not (job.cancelled or self._closed):
                        if self._take_next():
                            return None
                        self._condition.wait(_POLL_SECONDS)
                return "" if job.cancelled or self._closed else self._read_outcome(process, output)
            finally:
                job.began = None
                process.close()

    def _read_outcome(self, process: Measurement, output: Path) -> str:
        if process.status == 0:
            results.save(Result.from_json(json.loads(output.read_text())), self._folder)
            return ""
        if refusal := process.refusal():
            return refusal
        _log.error("A measurement ended with status %s: %s", process.status, process.error_tail())
        return "The measurement stopped because of an error in the program; see the server's log."

    def _take_next(self) -> bool:
        return bool(self._machine.status()["runs"]) or self._studies.busy

    def _is_preparing(self) -> bool:
        """Return whether workers are starting or kernels compiling, as right after the server's start."""
        status = self._machine.status()
        kernels = status.get("kernels") or {"done": 0, "of": 0}
        prepared = status["spare"] == "ready" and kernels["done"] >= kernels["of"]
        return not prepared and time.monotonic() - self._began < _PREPARING_SECONDS
