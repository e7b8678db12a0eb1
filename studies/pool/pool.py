"""The pool of a study: keeps cores and GPUs busy with its runs, in workers that do many runs one after the other."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.dispatch import Dispatch
from studies.pool.eta import Estimate
from studies.pool.process import Refused, StartProcess, new_interpreter
from studies.pool.resources import claims
from studies.pool.slot import Slot, Stopped
from studies.spec.matrix import Cell, prepared, run_spec


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a study.

    Attributes
    ----------
    state : str
        ``running``, ``finished``, ``cancelled``, or ``broken`` if the file could not be written or no worker starts.
    total, finished, failed : int
        Runs of the study, and the numbers of those that finished and failed.
    running : tuple of (Cell, float)
        Runs in progress, and the seconds since they began.
    seconds_left : float or None
        An estimate; None until a run has ended, and after the study has.
    """

    state: str
    total: int
    finished: int
    failed: int
    running: tuple[tuple[Cell, float], ...] = ()
    seconds_left: float | None = None

    @property
    def done(self) -> int:
        """Number of runs that need no more work."""
        return self.finished + self.failed


class Pool:
    """Executes the pending runs of a study. No result depends on where and when a run is done.

    Parameters
    ----------
    file : StudyFile
        Closed by the caller, after the pool has ended.
    cores : int
        Cores that runs may use.
    gpus : int
        Number of GPUs; one run per GPU at a time. Runs on cores see no GPU, so there ``auto`` means the CPU.
    listener : callable, optional
        Called on each change of `progress`, from any thread.
    start : callable, optional
        Starts a worker's process; in a new interpreter by default. See `studies.pool.process.Worker`.

    Raises
    ------
    DeviceUnavailable
        If the study needs a GPU and there is none.
    """

    def __init__(
        self,
        file: StudyFile,
        cores: int,
        gpus: int = 0,
        listener: Callable[[], None] = lambda: None,
        start: StartProcess = new_interpreter,
    ) -> None:
        self._file, self._spec, self._listener = file, file.spec, listener
        self._guard, self._estimate = threading.RLock(), Estimate()
        self._state = "running"
        self._error: Exception | None = None
        wanted = claims(prepared(self._spec), self._spec.threads, cores, gpus)
        file.requeue()
        waiting = self._read_state()
        self._dispatch = Dispatch(waiting, wanted, cores)
        threads = self._spec.threads
        on_cores = min(max(1, cores // threads), len(self._dispatch.left(gpu=False)))
        on_gpus = min(gpus, len(self._dispatch.left(gpu=True)))
        self._slots = [Slot(threads, gpu, start) for gpu in (*[None] * on_cores, *range(on_gpus))]
        self._threads = [
            threading.Thread(target=self._run_slot, args=(slot,), name=f"study-slot-{k}", daemon=True)
            for k, slot in enumerate(self._slots)
        ]

    def start(self) -> None:
        """Start; returns immediately."""
        for thread in self._threads:
            thread.start()

    def ended(self, timeout: float = 0.0) -> bool:
        """Whether the pool has ended; waits for that up to `timeout` seconds."""
        until = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def join(self) -> Progress:
        """Wait for the end; returns the final progress.

        Raises
        ------
        sqlite3.Error, OSError
            If the file could not be written.
        NoWorker
            If no worker starts.
        """
        for thread in self._threads:
            thread.join()
        with self._guard:
            if self._error is not None:
                raise self._error
            self._state = "finished" if self._state == "running" else self._state
        self._listener()
        return self.progress()

    def cancel(self) -> None:
        """Stop within a second or two, from any thread; runs in progress are discarded, and wait again."""
        self._end("cancelled")

    def progress(self) -> Progress:
        """The current progress."""
        with self._guard:
            running = tuple(at for slot in self._slots if (at := slot.under_way) is not None)
            left = self._seconds_left() if self._state == "running" else None
            return Progress(self._state, self._total, self._finished, self._failed, running, left)

    def _read_state(self) -> list[Cell]:
        """Read the study's state from its file: the instances' hashes, the runs that are done, and the waiting runs."""
        with StudyReader(self._file.path) as reader:
            rows = list(reader.cells())
            self._shas = [instance.sha256 for instance in reader.instances]
        for row in rows:
            if row.took is not None:
                self._estimate.add(row.cell, row.took)
        waiting = [row.cell for row in rows if row.state == "waiting"]
        self._total, self._failed, self._finished = len(rows), 0, len(rows) - len(waiting)
        return waiting

    def _seconds_left(self) -> float | None:
        """The estimate for the cores or for the GPUs, whichever is longer."""
        longest = 0.0
        for gpu in (False, True):
            slots = [slot for slot in self._slots if (slot.gpu is not None) is gpu]
            seconds = self._estimate.of(self._dispatch.left(gpu))
            if seconds is None:
                return None
            for cell, since in [at for slot in slots if (at := slot.under_way) is not None]:
                seconds += max(0.0, (self._estimate.of([cell]) or 0.0) - since)
            longest = max(longest, seconds / max(1, len(slots)))
        return longest

    def _run_slot(self, slot: Slot) -> None:
        try:
            while (cell := self._dispatch.take(slot.gpu is not None)) is not None:
                with slot.at(cell):
                    self._file.begin(cell.number)
                    self._listener()
                    self._run_cell(slot, cell)
                self._dispatch.done(cell)
                self._listener()
        except Exception as error:  # noqa: BLE001 - raised again by `join`, in the thread that waits
            with self._guard:
                self._error = self._error or error
            self._end("broken")
        finally:
            slot.close()

    def _run_cell(self, slot: Slot, cell: Cell) -> None:
        """Do one run, and write its outcome to the file."""
        sha256, text = self._shas[cell.instance], partial(self._text, cell.instance)
        try:
            outcome, took = slot.run(run_spec(self._spec, cell), sha256, text)
        except Stopped:
            self._file.wait([cell.number])
        except Refused as refused:
            self._file.fail(cell.number, str(refused))
            with self._guard:
                self._failed += 1
        else:
            self._file.finish(cell.number, outcome, took)
            with self._guard:
                self._finished += 1
                self._estimate.add(cell, took)

    def _text(self, instance: int) -> bytes:
        with StudyReader(self._file.path) as reader:
            return reader.instance_text(instance)

    def _end(self, state: str) -> None:
        with self._guard:
            if self._state == "running":
                self._state = state
        self._dispatch.stop()
        for slot in self._slots:
            slot.stop()
