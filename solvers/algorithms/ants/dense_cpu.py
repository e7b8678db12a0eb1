"""An ant colony on the CPU whose trails are a matrix; each iteration changes the whole matrix."""

from abc import abstractmethod
from collections.abc import Callable, Generator
from functools import partial

import numpy as np

from data.distances import distance_matrix
from solvers.algorithms.ants import cpu
from solvers.algorithms.ants.arrays_cpu import NEAREST, NUMBERS, allocate_choice, allocate_walker
from solvers.algorithms.ants.cpu import CpuColony, check_memory
from solvers.algorithms.ants.explanations import allocate_choices
from solvers.algorithms.ants.heuristics import compute_eta
from solvers.algorithms.ants.kernels import pheromone_cpu, walk_cpu
from solvers.algorithms.ants.kernels.trail_statistics_cpu import describe
from solvers.algorithms.ants.kernels.walk_cpu import LAST
from solvers.algorithms.ants.memory import matrices_size
from solvers.algorithms.ants.params import AntParams
from solvers.algorithms.ants.retracing import load, make_core_walk, make_core_weights, trace_walk
from solvers.algorithms.ants.variants import TRIALS
from solvers.core.events import Choices
from solvers.core.solver import Job


class DenseColony(CpuColony):
    """A colony with a trail matrix; subclasses define initial trails and updates.

    See `solvers.algorithms.ants.cpu.CpuColony`.

    Parameters
    ----------
    job : Job
    threads : int
    selection : str
        How an ant draws its next city; one of `solvers.algorithms.ants.arrays_cpu.NUMBERS`.
    trials : int
    switch : float
        See `solvers.algorithms.ants.ant_system.params.AntSystemParams`.
    seed : int or None
        Seed of the random streams; None for the job's seed.
    colonies : int
        Number of such colonies that exist at the same time; all must fit into memory.

    Raises
    ------
    InstanceTooLarge
        If matrices and tours take more than `solvers.algorithms.ants.memory.MEMORY`.
    """

    def __init__(
        self, job: Job[AntParams], threads: int, selection: str, trials: int = 1, switch: float = 100.0,
        seed: int | None = None, colonies: int = 1,
    ) -> None:  # fmt: skip
        self._rules, self._selection, n = job.params, selection, job.instance.n
        matrices = matrices_size(n, selection) + self._rules.search_bytes(n)
        check_memory(job, self._rules.colony_size(n), matrices, colonies)
        super().__init__(job, threads, distance_matrix(job.instance), seed=seed)
        self._eta = compute_eta(self._distances, self._rules.beta)
        self._choice = allocate_choice(self._distances, selection, self._rules.candidates, trials, switch)
        self._walkers = [allocate_walker(n, self._choice.stride, trials) for _ in range(self._workers)]
        near = self._choice.neighbours.reshape(n, -1)
        self._explained_walk = make_core_walk(selection, near, trials, float(switch))
        trail = self._begin()
        self._reference = np.float32(1.0 if self._rules.alpha == 1.0 else self._reference_trail(trail))
        self._trails = np.full((n, n), trail, np.float32)
        np.fill_diagonal(self._trails, 0.0)

    @abstractmethod
    def _begin(self) -> float:
        """Initialise the subclass's state; return the initial trail of every edge."""

    def _reference_trail(self, first: float) -> float:
        """Return the reference trail for powers if alpha is not 1.

        See `solvers.algorithms.ants.heuristics.reference_trail`.
        """
        return first

    def trails(self) -> np.ndarray:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""
        return np.maximum(self._trails, self._trails.T) if self._directed else self._trails.copy()

    def make_walk_loaders(self) -> list[Callable[[], object]]:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_walk_loaders`."""
        return [partial(self._weigh, 0, 0), partial(self._walk_on, 0, 0)]

    def make_first_tour(self) -> np.ndarray:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_first_tour`."""
        self._weigh(0, self._n)
        return self._walk_again(np.uint64(0))

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `solvers.algorithms.ants.cpu.CpuColony.make_loaders`."""
        return [
            *super().make_loaders(),
            partial(self._describe, 0, 0),
            partial(self._evaporate, np.float32(0.0), np.float32(1.0), 0, 0),
            *([partial(load, self._explained_walk, None)] if self._has_pictures else []),
        ]

    def _prepare(self) -> Generator[None, None, None]:
        return self._for_each_row(self._weigh)

    def _weigh(self, first: int, last: int) -> None:
        choice, alpha = self._choice, np.float32(self._rules.alpha)
        pheromone_cpu.weigh_edges(
            self._trails, self._eta, alpha, self._reference, choice.fitness, choice.stride, first, last
        )
        self._raise_weights(choice.fitness.reshape(self._n, choice.stride), first, last)
        if self._selection in TRIALS:
            pheromone_cpu.sum_prefixes(choice.fitness, choice.prefix, choice.coarse, choice.stride, first, last)
        if self._selection in NEAREST:
            pheromone_cpu.separate_candidates(
                choice.fitness, choice.stride, choice.neighbours, choice.near, choice.others, choice.reach,
                min(self._rules.candidates, self._n - 1), first, last,
            )  # fmt: skip

    def _raise_weights(self, fitness: np.ndarray, first: int, last: int) -> None:
        """Raise the weights in rows `first` to `last` - 1 of ``fitness`` (n, stride) to a minimum, if there is one."""

    def _walk(self) -> Generator[None, None, None]:
        self._reached[:] = 0
        for walker in self._walkers:
            walker.trials[:] = 0
        budget = max(1, cpu.READS // self._n)
        return self._distribute(partial(self._walk_on, budget=budget), [walker.state for walker in self._walkers])

    def _walk_on(self, worker: int, budget: int) -> None:
        walk_cpu.advance(
            NUMBERS[self._selection], self._choice, self._walkers[worker], self._flat, self._reached, self._seed,
            np.uint64(self.finished * self.ants), budget,
        )  # fmt: skip

    def _evaporate(self, minimum: np.float32, maximum: np.float32, first: int, last: int) -> None:
        pheromone_cpu.evaporate(self._trails, np.float32(1.0 - self._rules.rho), minimum, maximum, first, last)

    @property
    def _is_lucky(self) -> bool:
        """Whether each city draws its own random number."""
        return self._selection == "i-roulette"

    def _explain_choices(self, ant: int) -> Choices:
        choice, stream = self._choice, np.uint64(self.finished * self.ants + ant)
        choices = allocate_choices(self._n, self.finished, ant, self._is_lucky)
        weights = make_core_weights(choice.fitness, self._explained_walk.near, choice.near, choice.others)
        order = self._walk_again(stream)
        return trace_walk(choices, self._explained_walk, weights, order, self._seed, int(stream), changes=None)

    def _walk_again(self, stream: np.uint64) -> np.ndarray:
        """Return the tour of the ant with this random stream, before local search."""
        order, walker = np.zeros(self._n, np.int32), allocate_walker(self._n, self._choice.stride, self._choice.trials)
        walker.state[LAST] = 1
        walk_cpu.advance(
            NUMBERS[self._selection], self._choice, walker, order, np.zeros(1, np.int32), self._seed, stream, self._n
        )
        return order

    def _edge_trails(self, order: np.ndarray) -> np.ndarray:
        return self._trails[order, np.roll(order, -1)]

    def _evaporated_trails(self, before: np.ndarray, minimum: np.float32, maximum: np.float32) -> np.ndarray:
        """Return the trails after evaporation, computed like `pheromone_cpu.evaporate`."""
        return np.minimum(np.maximum(before * np.float32(1.0 - self._rules.rho), minimum), maximum)

    def _describe_all(self) -> Generator[None, None, None]:
        return self._for_each_row(self._describe)

    def _describe(self, first: int, last: int) -> None:
        describe(self._trails, self._trails.view(np.int32), self._entropy, self._branching, first, last)

    def _count_trials(self) -> np.ndarray:
        if self._selection not in TRIALS:
            return super()._count_trials()
        return np.sum([walker.trials for walker in self._walkers], axis=0)
