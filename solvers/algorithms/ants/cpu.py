"""An ant colony on the CPU: each iteration is divided into slices shared by all threads."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from functools import partial
from time import perf_counter

import numpy as np

from solvers.algorithms.ants import heatmap
from solvers.algorithms.ants.colony import Iterations, concatenate
from solvers.algorithms.ants.explanations import EdgeTrails, Explained, explain_none
from solvers.algorithms.ants.kernels import pheromone_cpu
from solvers.algorithms.ants.memory import too_large_reason
from solvers.algorithms.ants.params import ColonyParams
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Choices, Deposits, Explanation
from solvers.core.solver import Job
from solvers.parallel.thread_team import ThreadTeam
from solvers.parallel.tour_search import DirectedTourSearch, TourSearch

#: Target duration of a call to `advance`, in seconds.
SLICE_SECONDS = 0.03
#: Maximum size of one work item, which takes a few milliseconds, in matrix entries, tour edges, or cities read.
ENTRIES, EDGES, READS = 1 << 18, 1 << 19, 1 << 22
#: Minimum numbers of matrix entries and of choices at which several threads pay off.
_FEW_ENTRIES, _FEW_CHOICES = 1 << 17, 1 << 13
_CHOICE, _CONSTRUCTION, _UPDATE, _BEST, _SHORTENING, _SPREAD, _PHASES = range(7)


class CpuColony(ABC):
    """A colony on the CPU; subclasses define weights, walks and trail updates.

    See `solvers.algorithms.ants.colony.AntColony`.

    Parameters
    ----------
    job : Job
    threads : int
    distances : ndarray, shape (n, n), int32
    own : int or None
        Number of this process's ants if several processes share the ants; None for all ants.
    seed : int or None
        Seed of the random streams; None for the job's seed.

    Attributes
    ----------
    ants : int
    finished : int
        Number of finished iterations.
    tours : ndarray, shape (own, n), int32
        The cities of each ant in visiting order, in the current or the last finished iteration.
    """

    def __init__(
        self,
        job: Job[ColonyParams],
        threads: int,
        distances: np.ndarray,
        own: int | None = None,
        seed: int | None = None,
    ) -> None:
        self._n, self._distances, self._directed = job.instance.n, distances, job.instance.directed
        self._seed, self.ants = np.uint64(job.seed if seed is None else seed), job.params.colony_size(self._n)
        self._own = self.ants if own is None else own
        self.tours = np.zeros((self._own, self._n), np.int32)
        self._flat = self.tours.reshape(-1)
        self._reached, self._lengths = np.zeros(self._own, np.int32), np.zeros(self._own, np.int64)
        self._all_lengths, self._best_order = np.zeros(self.ants, np.int64), np.zeros(self._n, np.int32)
        self._entropy, self._branching = np.zeros(self._n), np.zeros(self._n)
        self._seconds, self._built = np.zeros(_PHASES), np.nan
        self._team = ThreadTeam(threads)
        self._row_workers = threads if self._n * self._n > _FEW_ENTRIES else 1
        self._workers = threads if self._own * self._n > _FEW_CHOICES else 1
        self._search: TourSearch | None = None
        self._clock, self._has_pictures = job.stop.clock, job.pictures
        self._explained: Explained = explain_none
        self._explanations: list[Explanation] = []
        self.finished = 0
        self._steps = self._run_iteration()

    @abstractmethod
    def trails(self) -> np.ndarray | SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""

    @abstractmethod
    def _prepare(self) -> Generator[None, None, None]:
        """Compute the weights of choices from the trails; yield after each slice."""

    @abstractmethod
    def _walk(self) -> Generator[None, None, None]:
        """Let all ants walk; yield after each slice."""

    @abstractmethod
    def _change_trails(self) -> Generator[None, None, None]:
        """Update the trails once all tours are measured; yield after each slice."""

    @abstractmethod
    def _describe_all(self) -> Generator[None, None, None]:
        """Compute the entropy and branching factor of every city's trails; yield after each slice."""

    @abstractmethod
    def _explain_choices(self, ant: int) -> Choices | None:
        """Return the choices in this iteration of the ant with this index in the whole colony; None if unknown."""

    @abstractmethod
    def _edge_trails(self, order: np.ndarray) -> np.ndarray:
        """Return the current trails of a tour's edges, (n,)."""

    @abstractmethod
    def _deposits(self, edges: EdgeTrails) -> Deposits:
        """Return how the trail update changes the given edges."""

    def make_loaders(self) -> list[Callable[[], object]]:
        """Return functions that compile or load every kernel by calling it with empty ranges.

        Those of `make_walk_loaders` come first.
        """
        shown = [heatmap.load] if self._has_pictures else []
        searched = [] if self._search is None else [self._search.load]
        return [*self.make_walk_loaders(), partial(self._measure, 0, 0), *shown, *searched]

    @abstractmethod
    def make_walk_loaders(self) -> list[Callable[[], object]]:
        """Return functions that compile or load the kernels that `make_first_tour` needs."""

    @abstractmethod
    def make_first_tour(self) -> np.ndarray | None:
        """Return the first ant's tour before local search, (n,) int32; None if it depends on the other ants.

        Call it before the first iteration, which it does not affect.
        """

    def explain(self, which: Explained) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.explain`."""
        self._explained = which

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.algorithms.ants.colony.AntColony.advance`."""
        self._team.deadline = perf_counter() + SLICE_SECONDS
        done: list[Iterations] = []
        while self.finished < until and not self._team.is_over:
            for _ in self._steps:
                break
            else:
                done.append(self._build_row())
                self.finished += 1
                self._steps = self._run_iteration()
        return concatenate(done) if done else None

    def find_unfinished(self) -> np.ndarray:
        """See `solvers.algorithms.ants.colony.AntColony.find_unfinished`; only some of the finished tours are measured.

        If no ant has finished, return the longest partial tour, completed by the unvisited cities in index order.
        """
        complete = np.flatnonzero(self._reached == self._n)[: max(1, EDGES // self._n)]
        if complete.size:
            for ant in complete.tolist():
                self._measure(ant, ant + 1)
            return self.tours[complete[self._lengths[complete].argmin()]].copy()
        furthest = int(self._reached.argmax())
        visited = self.tours[furthest, : self._reached[furthest]]
        return np.concatenate((visited, np.setdiff1d(np.arange(self._n, dtype=np.int32), visited)))

    def close(self) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.close`."""
        self._steps.close()
        self._team.close()

    def _run_iteration(self) -> Generator[None, None, None]:
        """Run one iteration; yield after each slice."""
        self._seconds[:] = 0.0
        yield from self._run_timed(_CHOICE, self._prepare())
        yield from self._run_timed(_CONSTRUCTION, self._walk())
        if self._search is not None:
            yield from self._run_timed(_BEST, self._measure_all())
            self._built = float(self._all_lengths.mean())
            yield from self._run_timed(_SHORTENING, self._search.shorten(self._team))
        yield from self._run_timed(_BEST, self._measure_all())
        ant = int(self._all_lengths.argmin())
        self._best_order = self._find_ant_tour(ant)
        edges = self._explain_walk(ant) if self._explained(self.finished + 1) else None
        yield from self._run_timed(_UPDATE, self._change_trails())
        if edges is not None:
            self._explain_update(edges)
        yield from self._run_timed(_SPREAD, self._describe_all())

    def _explain_walk(self, ant: int) -> EdgeTrails:
        """Record an ant's choices and the trails of its edges while the run's clock is paused."""
        with self._clock.paused():
            if (choices := self._explain_choices(ant)) is not None:
                self._explanations.append(choices)
            return EdgeTrails(self.finished, self._best_order.copy(), self._edge_trails(self._best_order))

    def _explain_update(self, edges: EdgeTrails) -> None:
        """Record how the trail update changes these edges while the run's clock is paused."""
        with self._clock.paused():
            self._explanations.append(self._deposits(edges))

    def _for_each_row(self, work: Callable[[int, int], None]) -> Generator[None, None, None]:
        """Call `work(first, last)` for all rows of a matrix, in parallel."""
        return self._team.share(work, self._n, ENTRIES // self._n, self._row_workers)

    def _make_search(self, near: np.ndarray, moves: str) -> TourSearch:
        """Return the local search for all tours; its moves join cities to their nearest cities, `near`."""
        if self._directed:
            return DirectedTourSearch(self._distances, near, self.tours, self._workers)
        return TourSearch(self._distances, near, self.tours, self._workers, moves)

    def _run_timed(self, phase: int, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        """Run the steps and add their time, without the pauses between slices, to a phase."""
        start_time = perf_counter()
        for _ in steps:
            self._seconds[phase] += perf_counter() - start_time
            yield
            start_time = perf_counter()
        self._seconds[phase] += perf_counter() - start_time

    def _distribute(self, work: Callable[[int], None], states: Sequence[np.ndarray]) -> Generator[None, None, None]:
        """Hand threads a few ants at a time; see `solvers.parallel.thread_team.ThreadTeam.distribute`."""
        few = max(1, min(self._own // (8 * self._workers), READS // self._n**2))
        return self._team.distribute(work, self._own, few, states)

    def _measure(self, first: int, last: int) -> None:
        pheromone_cpu.measure(self._distances, self._flat, self._lengths, first, last)

    def _measure_all(self) -> Generator[None, None, None]:
        """Measure this process's tours and gather the lengths of all ants."""
        yield from self._team.share(self._measure, self._own, EDGES // self._n, self._workers)
        yield from self._wait_for_all()
        self._all_lengths = self._gather_lengths()

    def _wait_for_all(self) -> Generator[None, None, None]:
        """Wait for the other processes; yield after each slice."""
        yield from ()

    def _gather_lengths(self) -> np.ndarray:
        """Return the tour lengths of all ants, including those of other processes."""
        return self._lengths

    def _find_ant_tour(self, ant: int) -> np.ndarray:
        """Return the tour of the ant with this index in the whole colony."""
        return self.tours[ant]

    def _count_trials(self) -> np.ndarray:
        """See `solvers.core.events.Colony.trials`; (t,) int64."""
        return np.empty(0, np.int64)

    def _build_row(self) -> Iterations:
        """Return the last iteration's results as one row."""
        lengths, searched = self._all_lengths, self._search is not None
        explanations, self._explanations = tuple(self._explanations), []
        return Iterations(
            best=np.array([lengths.min()]),
            worst=np.array([lengths.max()]),
            mean=np.array([lengths.mean()]),
            entropy=np.array([self._entropy.mean()]),
            branching=np.array([self._branching.mean()]),
            order=self._best_order[None].copy(),
            seconds=np.array([self._seconds.sum()]),
            trials=self._count_trials()[None, :],
            phases=1e3 * self._seconds[None, :_SHORTENING],
            built=np.array([self._built]),
            shortening=np.array([1e3 * self._seconds[_SHORTENING] if searched else np.nan]),
            lengths=lengths.copy(),
            explanations=explanations,
        )


def check_memory(job: Job, ants: int, matrices: int, colonies: int = 1) -> None:
    """Raise an error unless all colonies fit into memory.

    Parameters
    ----------
    job : Job
    ants : int
        Number of ants in one colony.
    matrices : int
        Size of one colony in bytes, without its tours.
    colonies : int

    Raises
    ------
    InstanceTooLarge
        If the colonies take more than `solvers.algorithms.ants.memory.MEMORY`.
    """
    if reason := too_large_reason(job.instance.name, job.instance.n, ants, matrices, colonies):
        raise InstanceTooLarge(reason)
