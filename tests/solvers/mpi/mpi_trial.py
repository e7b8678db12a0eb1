"""A test algorithm in several processes that uses all operations on shared tables."""

import shutil
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from data.distances import tour_length
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Compiling, Event, Started, Tour
from solvers.core.params import Params, param
from solvers.core.solver import Job, Solver, Variant
from solvers.mpi.communicator import Communicator
from solvers.mpi.remote_run import MpiRun
from solvers.mpi.world import create_in_processes
from solvers.worker.frames import Frame

#: Entries of a table, and how many of them are exchanged at a time.
COUNT, PIECE = 4003, 1000
DTYPES = ("uint16", "uint32", "int64")
#: Seconds by which each process is slower than the one before.
SLOWER = 0.03
#: Ants whose lengths are gathered, however tables are split.
ANTS = 7


def make_values(dtype: str) -> np.ndarray:
    return np.random.default_rng(1).integers(0, np.iinfo(dtype).max, COUNT).astype(dtype)


@dataclass(frozen=True)
class TrialParams(Params):
    ranks: int = param(0, label="Communicator", help="Processes.", low=0, high=8)
    machine: int = param(8, label="Machine", help="How many of them are said to be of one machine.", low=1, high=8)
    scarce: bool = param(False, label="Scarce", help="Whether there is little memory to share.")
    variant: str = param("mpi", label="Variant", help="The only one.", choices=("mpi",))


class Trial(Solver):
    name: ClassVar[str] = "trial"
    title: ClassVar[str] = "Trial"
    family: ClassVar[str] = "trial"
    source: ClassVar[str] = "The tests"
    summary: ClassVar[str] = "Tries what processes can do."
    params: ClassVar[type[Params]] = TrialParams
    variants: ClassVar[tuple[Variant, ...]] = (Variant("mpi", "cpu", "tests:none", "In processes."),)
    iteration_unit: ClassVar[str] = "step"
    evaluation_unit: ClassVar[str] = "step"
    step_unit: ClassVar[str] = "edge"
    listed: ClassVar[bool] = False

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """The cities in file order, after all operations."""
        assert isinstance(job.params, TrialParams)
        yield Compiling()
        result, device, count = create_in_processes(
            job.params.ranks, partial(TrialPart, job), partial(MpiRun, self.name, job)
        )
        assert isinstance(result, TrialPart), "it was started by mpiexec"
        with closing(result):
            yield Started(self.name, "mpi", device, count, 0.0)
            while not result.finished:
                result.advance()
            assert result.found["wrong"] == [0] * len(DTYPES)
            order = np.arange(job.instance.n, dtype=np.int32)
            yield Tour(order, int(tour_length(job.instance, order)), 0)

    def part(self, job: Job, ranks: Communicator) -> "TrialPart":
        return TrialPart(job, ranks)


class TrialPart:
    """See `solvers.mpi.rank_task.RankTask`."""

    def __init__(self, job: Job, ranks: Any) -> None:
        from solvers.mpi import shared_tables

        assert isinstance(job.params, TrialParams)
        shared_tables.PIECE = PIECE
        self._ranks, self._seed, self._scarce = ranks, job.seed, job.params.scarce
        self._tables = split_machines(job.params.machine) if job.params.machine < ranks.count else ranks
        self._steps, self.finished = self._all(), False
        self.found: dict[str, Any] = {"wrong": []}
        self._table = np.empty(0)

    def advance(self) -> None:
        self.finished = next(self._steps, self) is self

    def answer(self, order: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        if order.kind == "twice":
            return {"seed": self._seed, "word": order.values["word"]}, {"twice": 2 * order.arrays["once"]}
        assert order.kind == "advance"
        self.advance()
        return {"finished": self.finished, **self.found}, {"table": self._table.astype(np.int64)}

    def close(self) -> None:
        self._ranks.close()

    def _all(self) -> Generator[None, None, None]:
        if self._scarce:
            yield from self._ranks.wait_for_all()
            self._refused()
            return
        self._ranks.share(ANTS)
        for dtype in DTYPES:
            yield from self._ranks.wait_for_all()
            yield from self._filled(dtype)
        yield from self._ranks.wait_for_all()
        self._agreed()

    def _filled(self, dtype: str) -> Generator[None, None, None]:
        """Fill a table together twice, as alternating layers do, and compare its contents in each process."""
        values, wrong = make_values(dtype), 0
        table = self._tables.table(COUNT, dtype)
        assert table.shape == (COUNT,)
        assert table.dtype == dtype
        for expected in (values, values[::-1]):
            yield from self._ranks.wait_for_all()
            self._tables.blank(table)
            first, last = self._ranks.split(COUNT)
            time.sleep(SLOWER * self._ranks.rank)
            table[first:last] = expected[first:last]
            self._tables.synchronise()
            for part in (table[: COUNT // 3], table[COUNT // 3 :]):
                self._tables.merge(part)
            wrong -= int(self._ranks.minimum(np.array([-np.count_nonzero(table != expected)]))[0])
        self.found["wrong"] = [*self.found["wrong"], wrong]
        self._table = table.copy()

    def _agreed(self) -> None:
        first, last = self._ranks.split(COUNT)
        sizes = np.array([last - first], np.int32)
        self._ranks.sum_visits(sizes)
        ants = np.arange(*self._ranks.share(ANTS))
        self._ranks.split(COUNT)
        own = np.array([10 - self._ranks.rank, self._ranks.rank, -5])
        self.found |= {
            "sizes": int(sizes[0]),
            "lengths": self._ranks.gather_lengths(ants).tolist(),
            "least": self._ranks.minimum(own).tolist(),
            "own": own.tolist(),
        }

    def _refused(self) -> None:
        """Request more memory than available, in addition to an unused table."""
        answer, usage = "", shutil.disk_usage
        shutil.disk_usage = lambda path: usage(path)._replace(free=2100)  # type: ignore[assignment]
        self._tables.table(1500, "uint8")
        try:
            self._tables.table(1000, "uint8")
        except InstanceTooLarge as error:
            answer = str(error)
        count = np.array([bool(answer), -bool(answer)])
        assert np.abs(self._ranks.minimum(count)).tolist() == [bool(answer)] * 2, "all are told alike"
        self.found["refused"] = answer


def split_machines(count: int) -> Any:
    """Tables on simulated machines of `count` processes each, which share memory."""
    from mpi4py import MPI

    from solvers.mpi import shared_memory
    from solvers.mpi.shared_tables import SharedTables

    shared_memory.split_by_machine = lambda comm: comm.Split(comm.Get_rank() // count)
    comm = MPI.COMM_WORLD.Dup()
    return SharedTables(comm, shared_memory.SharedMemory(comm, used=True))
