"""MAX-MIN Ant System on the CPU: a single tour deposits pheromone; local search is optional.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from functools import partial

import numpy as np

from solvers.algorithms.ants.dense_cpu import DenseColony
from solvers.algorithms.ants.explanations import EdgeTrails
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.max_min.deposit_schedule import DepositSchedule
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.events import Deposits
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job


class MaxMinColony(DenseColony):
    """A MAX-MIN Ant System colony on the CPU; see `solvers.algorithms.ants.dense_cpu.DenseColony`.

    Parameters
    ----------
    job : Job
    threads : int
    stream : int
        Index of the colony; each has its own random numbers.
    """

    def __init__(self, job: Job[MaxMinParams], threads: int, stream: int = 0) -> None:
        params = job.params
        self._params = params
        selection = "lists" if params.lists else "nearest-first"
        super().__init__(job, threads, selection, seed=job.seed + stream * COLONY_SEED_STEP, colonies=params.colonies)

    def _begin(self) -> float:
        if self._params.shortens_every_tour:
            near = neighbours(self._distances, self._params.search_neighbours(self._n))
            self._search = self._make_search(near, self._params.moves)
        self._schedule = DepositSchedule(self._params, self._n)
        return float(self._schedule.find_limit(nearest_neighbour_length(self._distances)))

    def _change_trails(self) -> Generator[None, None, None]:
        ant = int(self._lengths.argmin())
        self._deposit = deposit = self._schedule.choose(
            self.finished + 1, self.tours[ant], int(self._lengths[ant]), float(self._branching.sum())
        )
        yield from self._for_each_row(partial(self._evaporate, deposit.minimum, deposit.maximum))
        self._reinforce(deposit.order, np.float32(1.0 / max(1, deposit.length)), deposit.maximum)

    def _reinforce(self, order: np.ndarray, added: np.float32, maximum: np.float32) -> None:
        """Add a tour's pheromone to its edges up to the limit, in both directions unless directed."""
        if self._n < 2:
            return
        ends = np.roll(order, -1)
        trail = np.minimum(self._trails[order, ends] + added, maximum)
        self._trails[order, ends] = trail
        if not self._directed:
            self._trails[ends, order] = trail

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        deposit = self._deposit
        use_counts = count_edge_uses(edges.current, deposit.order[None], np.ones(1, np.int64), self._directed)
        evaporated = self._evaporated_trails(edges.before, deposit.minimum, deposit.maximum)
        limits = float(deposit.minimum), float(deposit.maximum)
        return edges.make_event(evaporated, self._edge_trails(edges.current), use_counts, deposit.length, limits)
