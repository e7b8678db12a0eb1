"""MAX-MIN Ant System on the CPU: tours made shorter, and only one of them leaves pheromone.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from functools import partial

import numpy as np

from solvers.ant_colony_cpu import CpuColony
from solvers.election import Election
from solvers.heuristics import nearest_neighbour_length, neighbours
from solvers.kernels.ants_two_opt_cpu import search_of
from solvers.kernels.ants_two_opt_moves import FEWEST
from solvers.kernels.tours_two_opt_cpu import SPAN, shorten
from solvers.max_min_ant_system import APART, SEARCHED, MaxMinParams
from solvers.solver import Job

#: Work of local search until a thread looks at the time, as `ants_two_opt_cpu.improve` has it: some 10 ms at most.
WORK = 1 << 21
#: Cities of the tours that a thread takes at a time.
_CITIES = 1 << 12


class MaxMinColony(CpuColony):
    """One colony; see `solvers.ant_colony_cpu.CpuColony`.

    Parameters
    ----------
    job : Job
    threads : int
    stream : int
        Which of several colonies: they differ in their random numbers.
    """

    def __init__(self, job: Job, threads: int, stream: int = 0) -> None:
        params = job.params
        assert isinstance(params, MaxMinParams)
        self._params = params
        selection = "lists" if params.lists else "nearest-first"
        super().__init__(job, threads, selection, seed=job.seed + stream * APART, colonies=params.colonies)

    def _begin(self) -> float:
        near = neighbours(self._distances, SEARCHED)
        self._near = near.reshape(-1)
        self._near_distance = np.take_along_axis(self._distances, near, axis=1).reshape(-1)
        self._searches = [search_of(self._n) for _ in range(self._lanes)]
        self._spans = [np.zeros(SPAN, np.int64) for _ in range(self._lanes)]
        self._election = Election(self._params, self._n)
        return float(self._election.most(nearest_neighbour_length(self._distances)))

    def _load(self) -> None:
        super()._load()
        self._shorten_on(0)

    def _shorten(self) -> Generator[None, None, None]:
        if self._params.local_search == "none" or self._n < FEWEST:
            return
        few = max(1, min(self.ants // (8 * self._lanes), _CITIES // self._n))
        yield from self._crew.hand_out(self._shorten_on, self.ants, few, self._spans)

    def _shorten_on(self, lane: int) -> None:
        shorten(
            self._flat, self._n, self._distances.reshape(-1), self._near, self._near_distance, self._searches[lane],
            self._spans[lane], WORK,
        )  # fmt: skip

    def _change_trails(self) -> Generator[None, None, None]:
        ant = int(self._lengths.argmin())
        elected = self._election.elect(
            self.finished + 1, self.tours[ant], int(self._lengths[ant]), float(self._branching.sum())
        )
        yield from self._rows(partial(self._evaporate, elected.least, elected.most))
        self._reinforce(elected.order, np.float32(1.0 / max(1, elected.length)), elected.most)

    def _reinforce(self, order: np.ndarray, added: np.float32, most: np.float32) -> None:
        """Add a tour's pheromone to both directions of its edges, up to the upper limit."""
        if self._n < 2:
            return
        ends = np.roll(order, -1)
        trail = np.minimum(self._trails[order, ends] + added, most)
        self._trails[order, ends] = trail
        self._trails[ends, order] = trail
