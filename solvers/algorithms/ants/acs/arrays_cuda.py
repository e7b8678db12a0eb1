"""Arrays of an Ant Colony System colony on a GPU.

Imports Numba: for use inside `solve()`.
"""

from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.ants.acs.kernels.trails_cuda import RaisedEdges
from solvers.algorithms.ants.acs.params import AntColonySystemParams, max_raised_edges
from solvers.algorithms.ants.arrays_cuda import NEAR, RING, ColonyBuffers, check_memory, pad_near, row_stride
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.neighbours import nearest_neighbour_length
from solvers.core.solver import Job


class AcsBuffers(ColonyBuffers):
    """The weights of all edges and the raised edges, on a GPU.

    Parameters
    ----------
    job : Job
    matrix : ndarray, shape (n, n), int32
        All distances.
    lists : ndarray, shape (n, k), int32
        Each city's nearest cities, at most `NEAR` - 1, whose weights are stored separately.

    Attributes
    ----------
    edges : RaisedEdges
    first : float
        tau_0 = 1 / (n L_nn), the unit of all trails (M. Dorigo and L. M. Gambardella, 1997, section III.D).
    target : float64
        n L_nn.

    Raises
    ------
    InstanceTooLarge
        If the device's memory is too small.
    """

    def __init__(self, job: Job[AntColonySystemParams], matrix: np.ndarray, lists: np.ndarray) -> None:
        params, n = job.params, job.instance.n
        ants = params.colony_size(n)
        capacity, stride = max_raised_edges(n), row_stride(n)
        check_memory(
            job.instance.name, 4 * n * (stride + n) + n * (NEAR * 20 + 24) + 40 * capacity + 4 * n * (ants + RING)
        )
        super().__init__(n, ants, job.seed)
        up = cuda.to_device
        self.target = np.float64(n * max(1, nearest_neighbour_length(matrix)))
        self.first = 1.0 / float(self.target)
        self.q0, self.alpha, self.keep = np.float32(params.q0), np.float32(params.alpha), np.float32(1.0 - params.rho)
        self.distance, self.nearest = up(matrix.reshape(-1)), up(pad_near(lists, stride))
        # Any: the fields are device arrays, which have methods that NumPy's arrays lack.
        self.edges: Any = RaisedEdges(
            fitness=cuda.device_array(n * stride, np.float32), near=up(np.zeros(n * (NEAR + 1), np.uint64)),
            stride=self.stride, records=up(np.zeros(1, np.int32)), level=up(np.ones(capacity, np.float32)),
            ends=up(np.full(2 * capacity, -1, np.int32)), slots=up(np.full(2 * capacity, -1, np.int32)),
            eta=up(np.zeros(2 * capacity, np.float32)), raised=up(np.full(n * NEAR, -1, np.int32)),
            link=up(np.full(2 * capacity, -1, np.int32)), head=up(np.full(n, -1, np.int32)),
            visits=up(np.zeros(capacity, np.int32)), passes=up(np.zeros(n * NEAR, np.int32)),
        )  # fmt: skip
        self.arrived, self.memory = up(np.zeros(1, np.int32)), up(np.array([np.iinfo(np.int64).max], np.int64))
        self.best, self.numbers = up(np.zeros(n, np.int32)), up(np.full(n, -1, np.int32))

    def trails(self) -> SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""
        records = int(self.edges.records.copy_to_host()[0])
        # Slices of device arrays must not be empty.
        ends = self.edges.ends[: 2 * max(1, records)].copy_to_host().reshape(-1, 2)[:records]
        level = self.edges.level[: max(1, records)].copy_to_host()[:records].astype(np.float64)
        return SparseTrails(int(self.n), self.first, ends, (self.first * level).astype(np.float32))
