"""Populations of tours that a GPU kicks side by side and cores cross. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator
from itertools import pairwise

import numpy as np

from solvers.gpu.calibration import MOST_KICKS, POPULATION_KICKS, POPULATION_LOOKED
from solvers.lin_kernighan.cpu import allocate
from solvers.lin_kernighan.cuda import GpuKicks, GpuSearch, none_allowed
from solvers.lin_kernighan.kernels.apply_cpu import apply_results
from solvers.lin_kernighan.kernels.chain_cpu import forget
from solvers.lin_kernighan.kernels.search_cpu import LENGTH, NO_TARGET, RECORDED, TARGET
from solvers.lin_kernighan.kernels.tour_cpu import Cities
from solvers.lin_kernighan.merged_cpu import MergedSearch
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.lin_kernighan.schedule import ALONE, Schedule
from solvers.parallel.thread_team import ThreadTeam

#: Number of results that a thread applies between two looks at the clock.
_MADE = 256
#: Capacity for the values that the exchanges of a result overwrite, in tours.
_TOURS_HELD = 8


class _Island:
    """One tour of a population, to which a core applies the GPU's results."""

    def __init__(self, order: np.ndarray, length: int, depth: int) -> None:
        tour, self._search, self._chain = allocate(order, length, depth, 0, False)
        self._tour = tour._replace(held=np.empty(_TOURS_HELD * order.size, np.int32))
        forget(self._chain)
        self._chain.state[TARGET] = NO_TARGET
        self._next = 0

    @property
    def tour(self) -> tuple[np.ndarray, int]:
        """The tour and its length."""
        return self._tour.order, int(self._chain.state[LENGTH])

    def make(self, results: np.ndarray, sequence: np.ndarray) -> bool:
        """Apply some of a batch's results in the given sequence; return whether none are left."""
        self._chain.state[RECORDED] = 0
        self._next = apply_results(self._tour, self._search, self._chain, results, sequence, self._next, _MADE)
        if self._next < sequence.size:
            return False
        self._next = 0
        return True


class GpuMergedSearch(MergedSearch):
    """Crosses populations of tours that cores improve to local optima, a GPU kicks, and cores cross.

    With few cities, cores also kick the tours of the first populations, among fewer candidates.

    A batch of kicks is divided evenly among the tours; of each tour's results, those of greatest gain are applied
    first.

    Parameters
    ----------
    cities, order, length, seed, params, target, team, schedule
        See `MergedSearch`.

    Raises
    ------
    InstanceTooLarge
        See `solvers.lin_kernighan.cuda.GpuKicks`.
    """

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, schedule: Schedule,
    ) -> None:  # fmt: skip
        super().__init__(cities, order, length, seed, params, target, team, schedule)
        self._gpu: GpuKicks | None = None
        self._kicked = 0
        if schedule.chained_batches:
            self._first.close()
            self._first = GpuSearch(cities, order, length, seed, params, target, team)
            self._extra_rounds = schedule.chained_batches

    def _kick_chains(self) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Return the tour that was kicked alone as the first one of the first population."""
        return [(self._order, self._length)] if self.schedule.chained_batches else []
        yield False

    def _tours(self, number: int) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Make the tours of a population."""
        params, n, seed = self._params, self._order.size, self._seed
        size, kicks, on_gpu = self.schedule.population(number)
        if not on_gpu:
            return (yield from super()._tours(number))
        tours = yield from self._make(self._tour_makers(number, size, 1), 0)
        islands = [_Island(order, length, params.depth) for order, length in tours]
        self._start_tours = [island.tour for island in islands]
        self._merge_shortest(islands)
        yield True
        if self._gpu is None or self._gpu.tours != size:
            self._gpu = None
            self._gpu = GpuKicks(self.cities, seed, params, size, POPULATION_LOOKED)
        each = min(MOST_KICKS // size, POPULATION_KICKS * n)
        for _ in range(max(1, round(kicks * n / each))):
            yield from self._batch(islands, each)
            self._merge_shortest(islands)
            yield True
        self._start_tours = []
        return [island.tour for island in islands]

    def _batch(self, islands: list[_Island], each: int) -> Generator[bool, None, None]:
        """Make `each` kicks of each tour on the GPU, and apply the results."""
        gpu, kicks, begin, batches = self._gpu, each * len(islands), 0, []
        assert gpu is not None
        gpu.take(np.concatenate([island.tour[0] for island in islands]), none_allowed())
        while begin < kicks:
            begin, results, evaluated = gpu.launch(self._kicked, begin, kicks)
            batches.append(results)
            self._evaluated += evaluated
            if begin < kicks:
                yield False
        self._kicked += kicks
        results = np.concatenate(batches)
        kick, change = results[:, 0], results[:, 1]
        sequence = np.lexsort((kick, np.minimum(change, 0), kick // each))
        ends = np.searchsorted(kick[sequence] // each, np.arange(len(islands) + 1))
        parts = [sequence[a:b] for a, b in pairwise(ends)]
        states = [np.zeros(2, np.int64) for _ in range(self._team.threads)]

        def work(worker: int) -> None:
            at = states[worker][0]
            if islands[at].make(results, parts[at]):
                states[worker][0] += 1

        for _ in self._team.hand_out(work, len(islands), 1, states):
            yield False

    def _merge_shortest(self, islands: list[_Island]) -> None:
        order, length = min((island.tour for island in islands), key=lambda tour: tour[1])
        self._evaluated += self._merge(order, length)

    def close(self) -> None:
        """Free the device's memory."""
        super().close()
        self._gpu = None


def gpu_search(
    cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams, target: int | None,
    team: ThreadTeam,
) -> GpuSearch | GpuMergedSearch:  # fmt: skip
    """Return the search on a GPU for this many cities."""
    schedule = Schedule.for_cities(params, order.size, gpu=True)
    if schedule.way == ALONE:
        return GpuSearch(cities, order, length, seed, params, target, team)
    return GpuMergedSearch(cities, order, length, seed, params, target, team, schedule)
