"""A colony of ants on the CPU: iterations cut into slices that all threads work on."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from functools import partial
from time import perf_counter

import numpy as np

from data.distances import distance_matrix
from solvers.ant_choice_cpu import NEAREST, NUMBERS, choice_of, walker_of
from solvers.ant_params import AntParams
from solvers.ant_rows import TRIALS
from solvers.colony import Iterations, joined
from solvers.crew import Crew
from solvers.errors import InstanceTooLarge
from solvers.heuristics import nearness
from solvers.kernels import ants_cpu, pheromone_cpu
from solvers.kernels.trail_spread_cpu import describe
from solvers.solver import Job

#: Seconds that an `advance` is meant to take.
SLICE_SECONDS = 0.03
#: Bytes that the matrices and tours may take.
MEMORY = 4_000_000_000
#: Entries of a matrix, edges of tours, and cities read by choices, for one piece of work: some milliseconds at most.
ENTRIES, EDGES, READS = 1 << 18, 1 << 19, 1 << 22
#: Work below which threads cost more than they bring: entries, and choices.
_FEW_ENTRIES, _FEW_CHOICES = 1 << 17, 1 << 13
_CHOICE, _CONSTRUCTION, _UPDATE, _BEST, _SPREAD, _PHASES = range(6)


class CpuColony(ABC):
    """See `solvers.colony.AntColony`. A subclass says how trails begin and how they change.

    Parameters
    ----------
    job : Job
    threads : int
    selection : str
        How an ant draws its next city; of `solvers.ant_choice_cpu.NUMBERS`.
    trials : int
    switch : float
        See `solvers.ant_system.AntSystemParams`.
    seed : int or None
        Of the random streams; None for the job's.
    colonies : int
        How many such colonies there are to be at once: all must fit into memory.

    Attributes
    ----------
    ants : int
    finished : int
        Iterations that have ended.
    tours : ndarray, shape (m, n), int32
        The cities of each ant in the order of the visit, in the iteration under way or the one that ended last.

    Raises
    ------
    InstanceTooLarge
        If matrices and tours take more than `MEMORY`.
    """

    def __init__(
        self, job: Job, threads: int, selection: str, trials: int = 1, switch: float = 100.0, seed: int | None = None,
        colonies: int = 1,
    ) -> None:  # fmt: skip
        assert isinstance(job.params, AntParams)
        self._rules, self._n = job.params, job.instance.n
        self._seed, self.ants = np.uint64(job.seed if seed is None else seed), self._rules.colony_size(self._n)
        self._selection = selection
        _check_memory(job, self.ants, selection in TRIALS, colonies)
        self._distances = distance_matrix(job.instance)
        self._eta = nearness(self._distances, self._rules.beta)
        self._choice = choice_of(self._distances, selection, self._rules.candidates, trials, switch)
        self.tours = np.zeros((self.ants, self._n), np.int32)
        self._flat = self.tours.reshape(-1)
        self._reached, self._lengths = np.zeros(self.ants, np.int32), np.zeros(self.ants, np.int64)
        self._entropy, self._branching = np.zeros(self._n), np.zeros(self._n)
        self._seconds = np.zeros(_PHASES)
        self._crew = Crew(threads)
        self._wide = threads if self._n * self._n > _FEW_ENTRIES else 1
        self._lanes = threads if self.ants * self._n > _FEW_CHOICES else 1
        self._walkers = [walker_of(self._choice) for _ in range(self._lanes)]
        self.finished = 0
        trail = self._begin()
        self._usual = np.float32(1.0 if self._rules.alpha == 1.0 else self._usual_trail(trail))
        self._trails = np.full((self._n, self._n), trail, np.float32)
        np.fill_diagonal(self._trails, 0.0)
        self._load()
        self._steps = self._iteration()

    @abstractmethod
    def _begin(self) -> float:
        """Make what a subclass needs besides; returns the trail of every edge before the first iteration."""

    def _usual_trail(self, first: float) -> float:
        """What powers of trails are taken of, where alpha is not 1; see `solvers.heuristics.usual_trail`."""
        return first

    @abstractmethod
    def _change_trails(self) -> Generator[None, None, None]:
        """Evaporation and deposit, when all tours are measured; yields where a slice ends."""

    def _shorten(self) -> Generator[None, None, None]:
        """Make the ants' tours shorter before they are measured; yields where a slice ends."""
        yield from ()

    def _load(self) -> None:
        """Compile or load every kernel, by work of no extent."""
        self._walk_on(0, 0)
        for work in (self._weigh, self._measure, self._describe):
            work(0, 0)
        self._evaporate(np.float32(0.0), np.float32(1.0), 0, 0)

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.colony.AntColony.advance`."""
        self._crew.deadline = perf_counter() + SLICE_SECONDS
        told: list[Iterations] = []
        while self.finished < until and not self._crew.late:
            for _ in self._steps:
                break
            else:
                told.append(self._told())
                self.finished += 1
                self._steps = self._iteration()
        return joined(told) if told else None

    def trails(self) -> np.ndarray:
        """See `solvers.colony.AntColony.trails`."""
        return self._trails.copy()

    def unfinished(self) -> np.ndarray:
        """See `solvers.colony.AntColony.unfinished`; of very many finished ants the first are measured."""
        complete = np.flatnonzero(self._reached == self._n)[: max(1, EDGES // self._n)]
        if complete.size:
            for ant in complete.tolist():
                self._measure(ant, ant + 1)
            return self.tours[complete[self._lengths[complete].argmin()]].copy()
        furthest = int(self._reached.argmax())
        visited = self.tours[furthest, : self._reached[furthest]]
        return np.concatenate((visited, np.setdiff1d(np.arange(self._n, dtype=np.int32), visited)))

    def close(self) -> None:
        """See `solvers.colony.AntColony.close`."""
        self._steps.close()
        self._crew.close()

    def _iteration(self) -> Generator[None, None, None]:
        """The work of one iteration; yields where a slice ends."""
        self._seconds[:] = 0.0
        yield from self._timed(_CHOICE, self._rows(self._weigh))
        yield from self._timed(_CONSTRUCTION, self._walk())
        yield from self._timed(_CONSTRUCTION, self._shorten())
        yield from self._timed(_BEST, self._crew.share(self._measure, self.ants, EDGES // self._n, self._lanes))
        yield from self._timed(_UPDATE, self._change_trails())
        yield from self._timed(_SPREAD, self._rows(self._describe))

    def _rows(self, work) -> Generator[None, None, None]:
        """Do `work(first, last)` for all rows of a matrix."""
        return self._crew.share(work, self._n, ENTRIES // self._n, self._wide)

    def _timed(self, phase: int, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        """The same steps, their time counted for a phase; the time between slices is not."""
        began = perf_counter()
        for _ in steps:
            self._seconds[phase] += perf_counter() - began
            yield
            began = perf_counter()
        self._seconds[phase] += perf_counter() - began

    def _weigh(self, first: int, last: int) -> None:
        choice, alpha = self._choice, np.float32(self._rules.alpha)
        pheromone_cpu.weigh_edges(
            self._trails, self._eta, alpha, self._usual, choice.fitness, choice.stride, first, last
        )
        if self._selection in TRIALS:
            pheromone_cpu.sum_prefixes(choice.fitness, choice.prefix, choice.coarse, choice.stride, first, last)
        if self._selection in NEAREST:
            pheromone_cpu.set_candidates_apart(
                choice.fitness, choice.stride, choice.neighbours, choice.near, choice.others, choice.reach,
                min(self._rules.candidates, self._n - 1), first, last,
            )  # fmt: skip

    def _walk(self) -> Generator[None, None, None]:
        """Let all ants walk: each thread takes a few at a time."""
        self._reached[:] = 0
        for walker in self._walkers:
            walker.trials[:] = 0
        few = max(1, min(self.ants // (8 * self._lanes), READS // self._n**2))
        states = [walker.state for walker in self._walkers]
        return self._crew.hand_out(partial(self._walk_on, budget=max(1, READS // self._n)), self.ants, few, states)

    def _walk_on(self, lane: int, budget: int) -> None:
        ants_cpu.advance(
            NUMBERS[self._selection], self._choice, self._walkers[lane], self._flat, self._reached, self._seed,
            np.uint64(self.finished * self.ants), budget,
        )  # fmt: skip

    def _measure(self, first: int, last: int) -> None:
        pheromone_cpu.measure(self._distances, self._flat, self._lengths, first, last)

    def _evaporate(self, least: np.float32, most: np.float32, first: int, last: int) -> None:
        pheromone_cpu.evaporate(self._trails, np.float32(1.0 - self._rules.rho), least, most, first, last)

    def _describe(self, first: int, last: int) -> None:
        describe(self._trails, self._trails.view(np.int32), self._entropy, self._branching, first, last)

    def _told(self) -> Iterations:
        """The iteration that has just ended, as one row of columns."""
        best = int(self._lengths.argmin())
        trials = np.sum([walker.trials for walker in self._walkers], axis=0)
        return Iterations(
            best=self._lengths[best : best + 1].copy(),
            worst=np.array([self._lengths.max()]),
            mean=np.array([self._lengths.mean()]),
            entropy=np.array([self._entropy.mean()]),
            branching=np.array([self._branching.mean()]),
            order=self.tours[best : best + 1].copy(),
            seconds=np.array([self._seconds.sum()]),
            trials=trials[None, :] if self._selection in TRIALS else np.empty((1, 0), np.int64),
            phases=1e3 * self._seconds[None, :_SPREAD],
            lengths=self._lengths.copy(),
        )


def _check_memory(job: Job, ants: int, prefixes: bool, colonies: int) -> None:
    n = job.instance.n
    needed = colonies * ((20 if prefixes else 16) * n * n + 4 * ants * n)
    if needed > MEMORY:
        raise InstanceTooLarge(
            f"{job.instance.name} has {n:,} cities; with {colonies * ants:,} ants, trails, distances and tours take "
            f"{needed / 1e9:.1f} GB, and {MEMORY / 1e9:.0f} GB is the most: take fewer cities or ants."
        )
