"""A colony of ants on the CPU: iterations cut into slices that all threads work on."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from time import perf_counter

import numpy as np

from solvers.ants.colony import Iterations, joined
from solvers.ants.kernels import pheromone_cpu
from solvers.ants.local_search_cpu import TourSearch
from solvers.ants.params import ColonyParams
from solvers.ants.sparse_trails import SparseTrails
from solvers.errors import InstanceTooLarge
from solvers.parallel.thread_team import ThreadTeam
from solvers.solver import Job

#: Seconds that an `advance` is meant to take.
SLICE_SECONDS = 0.03
#: Bytes that the matrices and tours may take.
MEMORY = 4_000_000_000
#: Entries of a matrix, edges of tours, and cities read by choices, for one piece of work: some milliseconds at most.
ENTRIES, EDGES, READS = 1 << 18, 1 << 19, 1 << 22
#: Work below which threads cost more than they bring: entries, and choices.
_FEW_ENTRIES, _FEW_CHOICES = 1 << 17, 1 << 13
_CHOICE, _CONSTRUCTION, _UPDATE, _BEST, _SHORTENING, _SPREAD, _PHASES = range(7)


class CpuColony(ABC):
    """See `solvers.ants.colony.AntColony`. A subclass says what ants go by, how they walk, and how trails change.

    Parameters
    ----------
    job : Job
    threads : int
    distances : ndarray, shape (n, n), int32
    own : int or None
        Ants that walk here, where others walk elsewhere; None for all.
    seed : int or None
        Of the random streams; None for the job's.

    Attributes
    ----------
    ants : int
    finished : int
        Iterations that have ended.
    tours : ndarray, shape (own, n), int32
        The cities of each ant in the order of the visit, in the iteration under way or the one that ended last.
    """

    def __init__(
        self, job: Job, threads: int, distances: np.ndarray, own: int | None = None, seed: int | None = None
    ) -> None:
        assert isinstance(job.params, ColonyParams)
        self._n, self._distances = job.instance.n, distances
        self._seed, self.ants = np.uint64(job.seed if seed is None else seed), job.params.colony_size(self._n)
        self._own = self.ants if own is None else own
        self.tours = np.zeros((self._own, self._n), np.int32)
        self._flat = self.tours.reshape(-1)
        self._reached, self._lengths = np.zeros(self._own, np.int32), np.zeros(self._own, np.int64)
        self._all_lengths, self._best_order = np.zeros(self.ants, np.int64), np.zeros(self._n, np.int32)
        self._entropy, self._branching = np.zeros(self._n), np.zeros(self._n)
        self._seconds, self._built = np.zeros(_PHASES), np.nan
        self._team = ThreadTeam(threads)
        self._wide = threads if self._n * self._n > _FEW_ENTRIES else 1
        self._lanes = threads if self._own * self._n > _FEW_CHOICES else 1
        self._search: TourSearch | None = None
        self.finished = 0
        self._steps = self._iteration()

    @abstractmethod
    def trails(self) -> np.ndarray:
        """See `solvers.ants.colony.AntColony.trails`."""

    @abstractmethod
    def _prepare(self) -> Generator[None, None, None]:
        """Make what ants go by out of the trails; yields where a slice ends."""

    @abstractmethod
    def _walk(self) -> Generator[None, None, None]:
        """Let all ants walk; yields where a slice ends."""

    @abstractmethod
    def _change_trails(self) -> Generator[None, None, None]:
        """What becomes of the trails, when all tours are measured; yields where a slice ends."""

    @abstractmethod
    def _describe_all(self) -> Generator[None, None, None]:
        """Entropy and branching of every city's trails; yields where a slice ends."""

    def _load(self) -> None:
        """Compile or load every kernel, by work of no extent."""
        self._measure(0, 0)
        if self._search is not None:
            self._search.load()

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.ants.colony.AntColony.advance`."""
        self._team.deadline = perf_counter() + SLICE_SECONDS
        done: list[Iterations] = []
        while self.finished < until and not self._team.late:
            for _ in self._steps:
                break
            else:
                done.append(self._finished())
                self.finished += 1
                self._steps = self._iteration()
        return joined(done) if done else None

    def pictured(self) -> np.ndarray | SparseTrails:
        """See `solvers.ants.colony.AntColony.pictured`."""
        return self.trails()

    def unfinished(self) -> np.ndarray:
        """See `solvers.ants.colony.AntColony.unfinished`; of very many finished ants the first are measured."""
        complete = np.flatnonzero(self._reached == self._n)[: max(1, EDGES // self._n)]
        if complete.size:
            for ant in complete.tolist():
                self._measure(ant, ant + 1)
            return self.tours[complete[self._lengths[complete].argmin()]].copy()
        furthest = int(self._reached.argmax())
        visited = self.tours[furthest, : self._reached[furthest]]
        return np.concatenate((visited, np.setdiff1d(np.arange(self._n, dtype=np.int32), visited)))

    def close(self) -> None:
        """See `solvers.ants.colony.AntColony.close`."""
        self._steps.close()
        self._team.close()

    def _iteration(self) -> Generator[None, None, None]:
        """The work of one iteration; yields where a slice ends."""
        self._seconds[:] = 0.0
        yield from self._timed(_CHOICE, self._prepare())
        yield from self._timed(_CONSTRUCTION, self._walk())
        if self._search is not None:
            yield from self._timed(_BEST, self._measure_all())
            self._built = float(self._all_lengths.mean())
            yield from self._timed(_SHORTENING, self._search.shorten(self._team))
        yield from self._timed(_BEST, self._measure_all())
        self._best_order = self._tour_of(int(self._all_lengths.argmin()))
        yield from self._timed(_UPDATE, self._change_trails())
        yield from self._timed(_SPREAD, self._describe_all())

    def _rows(self, work: Callable[[int, int], None]) -> Generator[None, None, None]:
        """Do `work(first, last)` for all rows of a matrix."""
        return self._team.share(work, self._n, ENTRIES // self._n, self._wide)

    def _timed(self, phase: int, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        """The same steps, their time counted for a phase; the time between slices is not."""
        began = perf_counter()
        for _ in steps:
            self._seconds[phase] += perf_counter() - began
            yield
            began = perf_counter()
        self._seconds[phase] += perf_counter() - began

    def _hand_out(self, work: Callable[[int], None], states: Sequence[np.ndarray]) -> Generator[None, None, None]:
        """Let each thread take a few ants at a time; see `solvers.parallel.thread_team.ThreadTeam.hand_out`."""
        few = max(1, min(self._own // (8 * self._lanes), READS // self._n**2))
        return self._team.hand_out(work, self._own, few, states)

    def _measure(self, first: int, last: int) -> None:
        pheromone_cpu.measure(self._distances, self._flat, self._lengths, first, last)

    def _measure_all(self) -> Generator[None, None, None]:
        """Measure the tours; all ants' lengths are known then."""
        yield from self._team.share(self._measure, self._own, EDGES // self._n, self._lanes)
        yield from self._meet()
        self._all_lengths = self._gathered()

    def _meet(self) -> Generator[None, None, None]:
        """Wait for those who walk elsewhere; yields where a slice ends."""
        yield from ()

    def _gathered(self) -> np.ndarray:
        """The lengths of all ants' tours, those that walk elsewhere among them."""
        return self._lengths

    def _tour_of(self, ant: int) -> np.ndarray:
        """The tour of one of all ants."""
        return self.tours[ant]

    def _trials(self) -> np.ndarray:
        """See `solvers.events.Colony.trials`; (t,) int64."""
        return np.empty(0, np.int64)

    def _finished(self) -> Iterations:
        """The iteration that has just ended, as one row of columns."""
        lengths, searched = self._all_lengths, self._search is not None
        return Iterations(
            best=np.array([lengths.min()]),
            worst=np.array([lengths.max()]),
            mean=np.array([lengths.mean()]),
            entropy=np.array([self._entropy.mean()]),
            branching=np.array([self._branching.mean()]),
            order=self._best_order[None].copy(),
            seconds=np.array([self._seconds.sum()]),
            trials=self._trials()[None, :],
            phases=1e3 * self._seconds[None, :_SHORTENING],
            built=np.array([self._built]),
            shortening=np.array([1e3 * self._seconds[_SHORTENING] if searched else np.nan]),
            lengths=lengths.copy(),
        )


def check_memory(job: Job, ants: int, matrices: int, colonies: int = 1) -> None:
    """See that `colonies` colonies of so many ants, with `matrices` bytes each besides their tours, fit into memory.

    Raises
    ------
    InstanceTooLarge
        If they take more than `MEMORY`.
    """
    n = job.instance.n
    needed = colonies * (matrices + 4 * ants * n)
    if needed > MEMORY:
        raise InstanceTooLarge(
            f"{job.instance.name} has {n:,} cities; with {colonies * ants:,} ants, trails, distances and tours take "
            f"{needed / 1e9:.1f} GB, and {MEMORY / 1e9:.0f} GB is the most: take fewer cities or ants."
        )
