"""A study's pool: keeps cores and GPUs busy, with workers that each execute many runs."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from statistics import median

from solvers.spec import RunSpec
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.dispatch import Dispatch, Run, build_claims
from studies.pool.process import ImpossibleRun, StartProcess, start_interpreter
from studies.pool.slot import Slot, SlotStopped
from studies.spec.matrix import Cell, make_run_spec, prepare_entries
from studies.spec.spec import StudySpec
from studies.tuning.packages import check
from studies.tuning.tuner import NOTHING_FOUND, TUNED_ENTRY, Tuner


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a study.

    Attributes
    ----------
    state : str
        ``running``, ``finished``, ``cancelled``, or ``broken`` (the file cannot be written, or no worker starts).
    total, finished, failed : int
        Numbers of runs in the study, of finished ones, and of failed ones.
    running : tuple of (Run, float)
        Runs in progress, with the seconds since their start.
    seconds_left : float or None
        Estimated time left, for a tuning study as if no trial were pruned; None until a run has ended, and after the
        study has ended.
    """

    state: str
    total: int
    finished: int
    failed: int
    running: tuple[tuple[Run, float], ...] = ()
    seconds_left: float | None = None

    @property
    def done(self) -> int:
        """Number of runs that have finished or failed."""
        return self.finished + self.failed


class Pool:
    """Executes a study's pending runs; the results do not depend on where and when they run.

    Parameters
    ----------
    file : StudyFile
        The study's file, closed by the caller after the pool has ended.
    cores : int
        Number of cores for the runs.
    gpus : int
        Number of GPUs, with one run per GPU at a time. Runs on cores see no GPU, so ``auto`` means the CPU for them.
    listener : callable, optional
        Called on each change of `progress`, from any thread.
    start : callable, optional
        Starts a worker process, by default in a new interpreter. See `studies.pool.process.Worker`.

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
        start: StartProcess = start_interpreter,
    ) -> None:
        self._file, self._spec, self._listener = file, file.spec, listener
        self._lock, self._estimate = threading.RLock(), Estimate()
        self._state = "running"
        self._error: Exception | None = None
        check(self._spec)
        run_claims = build_claims(prepare_entries(self._spec), self._spec.threads, cores, gpus)
        file.requeue()
        waiting = self._read_state()
        tuning = self._spec.tune is not None
        self._held_runs = [cell for cell in waiting if tuning and cell.entry == TUNED_ENTRY]
        self._dispatch = Dispatch(
            [cell for cell in waiting if cell not in self._held_runs], run_claims, cores, more=tuning
        )
        enqueue = partial(self._dispatch.add, first=True)
        self._tuner = Tuner(file, self._enqueue_comparison, enqueue, self._dispatch.drop) if tuning else None
        threads, trial_runs = self._spec.threads, self._count_trials()["waiting"]
        for_gpus = sum(run_claims[cell.entry].gpu for cell in waiting) + trial_runs * run_claims[-1].gpu
        on_cores = min(max(1, cores // threads), len(waiting) + trial_runs - for_gpus)
        on_gpus = min(gpus, for_gpus)
        self._slots = [Slot(threads, gpu, start) for gpu in (*[None] * on_cores, *range(on_gpus))]
        self._threads = [
            threading.Thread(target=self._run_slot, args=(slot,), name=f"study-slot-{k}", daemon=True)
            for k, slot in enumerate(self._slots)
        ]

    def start(self) -> None:
        """Start the pool, without waiting."""
        for thread in self._threads:
            thread.start()

    def wait(self, timeout: float = 0.0) -> bool:
        """Wait up to `timeout` seconds; return whether the pool has ended."""
        until = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def join(self) -> Progress:
        """Wait for the end; return the final progress.

        Raises
        ------
        sqlite3.Error, OSError
            If the file could not be written.
        NoWorker
            If no worker starts.
        """
        for thread in self._threads:
            thread.join()
        with self._lock:
            if self._error is not None:
                raise self._error
            self._state = "finished" if self._state == "running" else self._state
        self._listener()
        return self.progress()

    def cancel(self) -> None:
        """Stop within two seconds, from any thread; runs in progress are discarded and wait again."""
        self._end("cancelled")

    def progress(self) -> Progress:
        """Return the current progress."""
        with self._lock:
            running = tuple(at for slot in self._slots if (at := slot.current_run) is not None)
            seconds_left = self._estimate_seconds_left() if self._state == "running" else None
            trial_runs = self._count_trials()
            total, finished = self._total + sum(trial_runs.values()), self._finished + trial_runs["finished"]
            return Progress(self._state, total, finished, self._failed, running, seconds_left)

    def _count_trials(self) -> dict[str, int]:
        return {"finished": 0, "waiting": 0} if self._tuner is None else self._tuner.counts()

    def _read_state(self) -> list[Cell]:
        """Read the study's state from its file: instance hashes, completed runs and waiting runs."""
        with StudyReader(self._file.path) as reader:
            rows = list(reader.cells())
            self._hashes = [instance.sha256 for instance in reader.all_instances]
        for row in rows:
            if row.seconds is not None:
                self._estimate.add(row.cell, row.seconds)
        waiting = [row.cell for row in rows if row.state == "waiting"]
        self._total, self._failed, self._finished = len(rows), 0, len(rows) - len(waiting)
        return waiting

    def _estimate_seconds_left(self) -> float | None:
        """Estimate the seconds left until the cores and the GPUs are done, whichever takes longer."""
        longest = 0.0
        for gpu in (False, True):
            slots = [slot for slot in self._slots if (slot.gpu is not None) is gpu]
            pending: list[Run] = (
                [*self._held_runs, *self._tuner.pending_runs()] if self._tuner is not None and slots else []
            )
            seconds = self._estimate.estimate_seconds([*self._dispatch.waiting(gpu), *pending])
            if seconds is None:
                return None
            for cell, since in [at for slot in slots if (at := slot.current_run) is not None]:
                seconds += max(0.0, (self._estimate.estimate_seconds([cell]) or 0.0) - since)
            longest = max(longest, seconds / max(1, len(slots)))
        return longest

    def _run_slot(self, slot: Slot) -> None:
        try:
            if self._tuner is not None:
                self._tuner.begin()
            while (cell := self._dispatch.take(slot.gpu is not None)) is not None:
                with slot.track(cell):
                    if isinstance(cell, Cell):
                        self._file.begin(cell.number)
                    self._listener()
                    self._run_cell(slot, cell)
                self._dispatch.release(cell)
                self._listener()
        except Exception as error:  # noqa: BLE001 - raised again by `join`, in the thread that waits
            with self._lock:
                if self._state != "cancelled":  # a cancelled slot's process has ended, which causes errors
                    self._error = self._error or error
            self._end("broken")
        finally:
            slot.close()

    def _run_cell(self, slot: Slot, cell: Run) -> None:
        """Execute a run and write its outcome to the file."""
        sha256, text = self._hashes[cell.instance], partial(self._read_text, cell.instance)
        try:
            outcome, seconds = slot.run(self._run_spec(cell), sha256, text)
        except SlotStopped:
            if isinstance(cell, Cell):
                self._file.wait([cell.number])
        except ImpossibleRun as refused:
            self._fail(cell, str(refused))
        else:
            with self._lock:
                self._estimate.add(cell, seconds)
            if isinstance(cell, Cell):
                self._file.finish(cell.number, outcome, seconds)
                with self._lock:
                    self._finished += 1
            elif self._tuner is not None:
                self._tuner.record(cell, outcome, seconds)

    def _run_spec(self, run: Run) -> RunSpec:
        if isinstance(run, Cell):
            return make_run_spec(self._spec, run)
        spec = self._spec
        instance = spec.all_instances[run.instance]
        return RunSpec(instance, spec.stages_with(run.params), run.seed, spec.budget, spec.device)

    def _fail(self, run: Run, sentence: str) -> None:
        if isinstance(run, Cell):
            self._file.fail(run.number, sentence)
            with self._lock:
                self._failed += 1
        elif self._tuner is not None:
            self._tuner.record_failure(run, sentence)

    def _enqueue_comparison(self, tuned_spec: StudySpec | None) -> None:
        """Enqueue the tuned entry's runs once the trials are over."""
        with self._lock:
            held_runs, self._held_runs = self._held_runs, []
            self._spec = tuned_spec or self._spec
        if tuned_spec is None:
            for cell in held_runs:
                self._fail(cell, NOTHING_FOUND)
        else:
            self._dispatch.add(held_runs)
        self._dispatch.finish_adding()

    def _read_text(self, instance: int) -> bytes:
        with StudyReader(self._file.path) as reader:
            return reader.instance_text(instance)

    def _end(self, state: str) -> None:
        with self._lock:
            if self._state == "running":
                self._state = state
        self._dispatch.stop()
        if self._tuner is not None:
            self._tuner.close()
        for slot in self._slots:
            slot.stop()


class Estimate:
    """Predicts runs' durations without compilation: the median of the same entry and instance, the entry, or all."""

    def __init__(self) -> None:
        self._durations: dict[tuple[int, ...], list[float]] = defaultdict(list)

    def add(self, cell: Run, seconds: float) -> None:
        """Record a run's duration."""
        for key in self._list_keys(cell):
            self._durations[key].append(seconds)

    def estimate_seconds(self, cells: Iterable[Run]) -> float | None:
        """Return the total seconds of these runs in sequence; None until a duration is known."""
        if not self._durations:
            return None
        medians: dict[tuple[int, ...], float] = {}
        total = 0.0
        for cell in cells:
            key = next(key for key in self._list_keys(cell) if self._durations.get(key))
            if key not in medians:
                medians[key] = median(self._durations[key])
            total += medians[key]
        return total

    @staticmethod
    def _list_keys(cell: Run) -> tuple[tuple[int, ...], ...]:
        return (cell.entry, cell.instance), (cell.entry,), ()
