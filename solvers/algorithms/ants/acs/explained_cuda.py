"""Explanations of Ant Colony System on a GPU.

Imports Numba: for use inside `solve()`.
"""

from typing import Any

import numpy as np

from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.arrays_cuda import NEAR
from solvers.algorithms.ants.explained_cuda import Explainer, list_edge_weights
from solvers.algorithms.ants.explanations import EdgeTrails, allocate_choices
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.kernels.retrace_cpu import RACING, Changes, Walk, Weights
from solvers.algorithms.ants.retracing import UNCHANGED, list_raised_keys
from solvers.core.events import Choices, Deposits
from solvers.core.solver import Job


class AntColonySystemExplainer(Explainer):
    """See `solvers.algorithms.ants.explained_cuda.Explainer`.

    Parameters
    ----------
    job : Job
    arrays : AcsBuffers
    walk : Walk
    """

    def __init__(self, job: Job[AntColonySystemParams], arrays: Any, walk: Walk) -> None:
        self._params = job.params
        super().__init__(job, arrays, walk)

    def _weights_now(self) -> Weights:
        edges = self._a.edges
        self._keys, self._records, self._levels = self._raised_edges()
        near = edges.near.copy_to_host()
        if self._walk.kind != RACING:
            return list_edge_weights(edges.fitness.copy_to_host(), None, self._n)
        rows, maximum = near[: self._n * NEAR], near[self._n * NEAR :]
        weights = list_edge_weights(edges.fitness.copy_to_host(), rows, self._n)
        return weights._replace(maximum=(maximum >> np.uint64(32)).astype(np.uint32).view(np.float32))

    def _raised_edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the raised edges; see `solvers.algorithms.ants.kernels.retrace_cpu.Changes`."""
        edges = self._a.edges
        count = int(edges.records.copy_to_host()[0])
        ends = edges.ends.copy_to_host()[: 2 * count].reshape(-1, 2)
        return *list_raised_keys(ends, self._n), edges.level.copy_to_host()[:count].astype(float)

    def _find_records(self, order: np.ndarray) -> np.ndarray:
        """Find the number of each tour edge among the raised edges; -1 if it is not raised."""
        edge_keys = order.astype(np.int64) * self._n + np.roll(order, -1)
        if not self._keys.size:
            return np.full(self._n, -1)
        place = np.minimum(np.searchsorted(self._keys, edge_keys), self._keys.size - 1)
        return np.where(self._keys[place] == edge_keys, self._records[place], -1)

    def _find_choices(self, ant: int, iteration: int) -> Choices | None:
        """Return the choices of an ant; None if it saw concurrent changes by other ants."""
        update = self._params.local_update
        if update not in ("deferred", "lockstep"):
            return None
        changes = UNCHANGED
        if update == "lockstep":
            keep = float(np.float32(1.0 - self._params.rho))
            changes = Changes(self._tours, self._keys, self._records, self._levels, keep)
        choices = allocate_choices(self._n, iteration, ant, self._is_lucky, float(self._params.q0))
        stream = iteration * self._ants + ant
        return self._trace(choices, self._walk, self._weights, self._tours[ant], stream, changes=changes)

    def _edge_trails(self, order: np.ndarray) -> np.ndarray:
        return self._trail_levels(order) * self._a.first

    def _trail_levels(self, order: np.ndarray) -> np.ndarray:
        records = self._find_records(order)
        return np.where(records >= 0, self._levels[records] if self._levels.size else 1.0, 1.0)

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        order, one = edges.current, np.ones(1, np.int64)
        is_raised = self._find_records(order) >= 0
        use_counts = count_edge_uses(order, self._tours, np.ones(self._ants, np.int64), False)
        local = 1.0 + (self._trail_levels(order) - 1.0) * (1.0 - self._params.rho) ** use_counts
        self._keys, self._records, self._levels = self._raised_edges()
        rewarded = count_edge_uses(order, self._a.best.copy_to_host()[None], one, False) > 0
        length, first = int(self._a.memory.copy_to_host()[0]), self._a.first
        ants = np.where(is_raised, use_counts, -1)
        return edges.make_event(local * first, self._edge_trails(order), ants, length, (first, 0.0), rewarded)
