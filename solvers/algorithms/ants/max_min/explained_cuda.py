"""Explanations of MAX-MIN Ant System on a GPU.

Imports Numba: for use inside `solve()`.
"""

from typing import Any

import numpy as np

from solvers.algorithms.ants.explained_cuda import DenseExplainer, list_edge_weights
from solvers.algorithms.ants.explanations import EdgeTrails, allocate_choices
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.kernels.retrace_cpu import RACING, Walk, Weights
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.events import Choices, Deposits
from solvers.core.solver import Job


class MaxMinExplainer(DenseExplainer):
    """Explains the best ant's colony; see `solvers.algorithms.ants.explained_cuda.Explainer`.

    Parameters
    ----------
    job : Job
    arrays : DenseBuffers
    walk : Walk
    chosen, length : array, int32 (colonies * n,) and int64 (colonies,)
        The tour that deposits in each colony, and its length.
    stream : int
        Index of the first colony.
    """

    def __init__(self, job: Job, arrays: Any, walk: Walk, chosen: Any, length: Any, stream: int = 0) -> None:
        self._chosen, self._length, self._first_seed = chosen, length, job.seed + stream * COLONY_SEED_STEP
        self._colony = 0
        super().__init__(job, arrays, walk)

    def _weights_now(self) -> Weights:
        # The weights of all colonies, since it is not yet known which colony will have the best ant.
        fitness = self._a.fitness.copy_to_host().reshape(self._a.colonies, -1)
        near = self._a.near.copy_to_host().reshape(self._a.colonies, -1)
        racing = self._walk.kind == RACING
        self._each = [(row, near[k] if racing else None) for k, row in enumerate(fitness)]
        return list_edge_weights(*self._each[0], self._n)

    def _find_choices(self, ant: int, iteration: int) -> Choices:
        ants = self._ants // self._a.colonies
        self._colony, own = divmod(ant, ants)
        weights = list_edge_weights(*self._each[self._colony], self._n) if self._colony else self._weights
        choices = allocate_choices(self._n, iteration, ant, self._is_lucky)
        seed = self._first_seed + self._colony * COLONY_SEED_STEP
        return self._trace(choices, self._walk, weights, self._tours[ant], iteration * ants + own, seed)

    def _tau(self) -> np.ndarray:
        return self._a.tau.copy_to_host().reshape(self._a.colonies, self._n, -1)[self._colony]

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        chosen = self._chosen.copy_to_host().reshape(-1, self._n)[self._colony]
        length = int(self._length.copy_to_host()[self._colony])
        use_counts = count_edge_uses(edges.current, chosen[None], np.ones(1, np.int64), False)
        minimum, maximum = (float(each) for each in self._a.bounds.copy_to_host().reshape(-1, 2)[self._colony])
        evaporated = self._evaporated_trails(edges.before, minimum, maximum)
        return edges.make_event(evaporated, self._edge_trails(edges.current), use_counts, length, (minimum, maximum))
