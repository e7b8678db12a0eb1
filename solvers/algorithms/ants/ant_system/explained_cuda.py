"""Explanations of Ant System on a GPU.

Imports Numba: for use inside `solve()`.
"""

from typing import Any

import numpy as np

from solvers.algorithms.ants.ant_system.depositors import Depositors
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.explained_cuda import DenseExplainer
from solvers.algorithms.ants.explanations import EdgeTrails
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.kernels.retrace_cpu import Walk
from solvers.core.events import Deposits
from solvers.core.solver import Job


class AntSystemExplainer(DenseExplainer):
    """See `solvers.algorithms.ants.explained_cuda.Explainer`.

    Parameters
    ----------
    job : Job
    arrays : DenseBuffers
    walk : Walk
    best, length : array or None, int32 (n,) and int64 (1,)
        The best tour so far, if it deposits.
    """

    def __init__(self, job: Job[AntSystemParams], arrays: Any, walk: Walk, best: Any, length: Any) -> None:
        self._params, self._best, self._length = job.params, best, length
        super().__init__(job, arrays, walk)

    def _deposits(self, edges: EdgeTrails) -> Deposits:
        depositors = Depositors(self._params)
        if self._best is not None:
            depositors.remember(self._best.copy_to_host(), int(self._length.copy_to_host()[0]))
        groups = depositors.choose(self._all_tours(), self._lengths)
        ants = sum(count_edge_uses(edges.current, tours, weights, False) for tours, _, weights in groups)
        floor = float(self._a.bounds.copy_to_host()[0])
        evaporated = self._evaporated_trails(edges.before, floor, np.inf)
        return edges.make_event(
            evaporated, self._edge_trails(edges.current), ants, 0, (floor, 0.0), q=float(self._params.q)
        )
