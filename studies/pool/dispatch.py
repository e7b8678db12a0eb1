"""Assigns runs in order as soon as the cores or GPU they need are free."""

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solvers.core.errors import DeviceUnavailable
from solvers.plan import Prepared, may_use_gpu, select_variants
from studies.spec.matrix import Cell
from studies.tuning.tuner import TrialRun

#: A run of the matrix, or of a tuning study's trial.
Run = Cell | TrialRun


@dataclass(frozen=True, slots=True)
class Claim:
    """The resources of an entry's run: a GPU, or a number of cores."""

    gpu: bool
    cores: int


def build_claims(entries: Sequence[Prepared], threads: int, cores: int, gpus: int) -> tuple[Claim, ...]:
    """Return the resources that each entry's runs use.

    Parameters
    ----------
    entries : sequence of Prepared
    threads : int
        Maximum number of threads per run.
    cores, gpus : int
        Numbers of available cores and GPUs.

    Raises
    ------
    DeviceUnavailable
        If an entry requires a missing GPU or package.
    """
    return tuple(_build_claim(entry, threads, cores, gpus) for entry in entries)


def _build_claim(entry: Prepared, threads: int, cores: int, gpus: int) -> Claim:
    widest = threads
    for solver, params in entry.stages:
        if refusal := solver.missing():
            raise DeviceUnavailable(refusal)
        variants = select_variants(solver, params, entry.spec.device)
        if not gpus and all(variant.device == "cuda" for variant in variants):
            raise DeviceUnavailable(f"{solver.name} needs a CUDA GPU, and there is none here.")
        if variants[0].needs == "mpi":
            widest = max(widest, solver.processes(params) or cores)
    return Claim(gpus > 0 and may_use_gpu(entry.spec), widest)


class Dispatch:
    """Assigns each waiting run to a slot, once.

    Parameters
    ----------
    waiting : iterable of Cell
        Waiting runs in order.
    claims : sequence of Claim
        Claim of each entry.
    cores : int
        Cores shared by all runs. A run that needs more gets all of them.
    more : bool
        Whether more runs will be added, until `finish_adding`.
    """

    def __init__(self, waiting: Iterable[Cell], claims: Sequence[Claim], cores: int, more: bool = False) -> None:
        self._claims, self._cores, self._free = claims, cores, cores
        self._condition = threading.Condition()
        self._more = more
        self._queues: dict[bool, deque[Run]] = {True: deque(), False: deque()}
        for cell in waiting:
            self._queues[claims[cell.entry].gpu].append(cell)

    def add(self, runs: Sequence[Run], *, first: bool = False) -> None:
        """Add runs; with `first`, ahead of all others."""
        with self._condition:
            for run in reversed(runs) if first else runs:
                queue = self._queues[self._claims[run.entry].gpu]
                queue.appendleft(run) if first else queue.append(run)
            self._condition.notify_all()

    def drop(self, trial: int) -> None:
        """Drop a trial's remaining runs."""
        with self._condition:
            for gpu, queue in self._queues.items():
                remaining = [run for run in queue if not (isinstance(run, TrialRun) and run.trial == trial)]
                if len(remaining) < len(queue):
                    self._queues[gpu].clear()
                    self._queues[gpu].extend(remaining)
            self._condition.notify_all()

    def finish_adding(self) -> None:
        """Announce that no more runs follow."""
        with self._condition:
            self._more = False
            self._condition.notify_all()

    def take(self, gpu: bool) -> Run | None:
        """Return the next run for a slot on a GPU (`gpu`) or cores, once there is room; None if none is left."""
        queue = self._queues[gpu]
        with self._condition:
            self._condition.wait_for(lambda: self._fits(gpu) if queue else not self._more)
            if not queue:
                return None
            cell = queue.popleft()
            if not gpu:
                self._free -= self._count_cores(cell)
            return cell

    def _fits(self, gpu: bool) -> bool:
        """Return whether there is room for the next run."""
        return gpu or self._count_cores(self._queues[gpu][0]) <= self._free

    def release(self, cell: Run) -> None:
        """Release a run's resources."""
        if not self._claims[cell.entry].gpu:
            with self._condition:
                self._free += self._count_cores(cell)
                self._condition.notify_all()

    def stop(self) -> None:
        """Assign no further runs."""
        with self._condition:
            self._more = False
            for queue in self._queues.values():
                queue.clear()
            self._condition.notify_all()

    def waiting(self, gpu: bool) -> tuple[Run, ...]:
        """Return the runs waiting for a GPU (`gpu`) or for cores."""
        with self._condition:
            return tuple(self._queues[gpu])

    def _count_cores(self, cell: Run) -> int:
        return min(self._cores, self._claims[cell.entry].cores)
