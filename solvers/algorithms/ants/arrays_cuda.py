"""Arrays of an ant colony on a GPU.

Imports Numba: for use inside `solve()`.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numba import cuda

from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.ants.heuristics import compute_eta
from solvers.algorithms.ants.params import AntParams
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import neighbours
from solvers.gpu.limits import Limits

#: Maximum number of iterations that can be reported at once.
RING = 256
#: Entries per city in the device's lists of nearest cities.
NEAR = 32
#: Sums of fixed-point deposits stay below 2 to this power.
_BITS = 61


@dataclass(frozen=True, slots=True)
class Shape:
    """Settings that determine which arrays a colony needs.

    Attributes
    ----------
    candidates : int
        Number of nearest cities whose weights are stored separately; at most `NEAR`, or one less with `others`.
    others : bool
        Whether the last entry of a city's nearest cities stands for all other cities.
    tracked : int
        Number of columns of the histogram of trials; 0 if the selection makes no trials, and so needs no prefix sums.
    sums : dtype or None
        Type of the sums of deposits; None if deposits are added directly to the trails.
    """

    candidates: int
    others: bool
    tracked: int = 0
    sums: type | None = np.uint64


def row_stride(n: int) -> int:
    """Return the padded length of a row of n weights on the GPU, a multiple of the warp size."""
    return -(-n // 32) * 32


class ColonyBuffers(ABC):
    """GPU arrays for an iteration's tours and statistics, and scalar kernel arguments.

    Parameters
    ----------
    n, ants, seed : int
        `ants` is the number of ants in all colonies together.
    tracked : int
        Number of columns of the histogram of trials.
    colonies : int
        Number of colonies, each with its own trails, that an iteration's kernels compute together.
    """

    def __init__(self, n: int, ants: int, seed: int, tracked: int = 0, colonies: int = 1) -> None:
        up = cuda.to_device
        self.n, self.ants, self.stride = np.uint32(n), np.uint32(ants), np.uint32(row_stride(n))
        self.seed, self.ring, self.colonies = np.uint64(seed), np.uint32(RING), colonies
        self.tours, self.lengths = up(np.zeros(ants * n, np.int32)), up(np.zeros(ants, np.int64))
        self.entropy, self.branching = (up(np.zeros(colonies * n, np.float32)) for _ in range(2))
        self.trials, self.counter = up(np.zeros(max(1, tracked), np.int64)), up(np.zeros(1, np.int64))
        self.ring_lengths, self.ring_trails = up(np.zeros((RING, 3), np.int64)), up(np.zeros((RING, 2), np.float64))
        self.ring_tours, self.ring_built = up(np.zeros((RING, n), np.int32)), up(np.zeros(RING, np.float64))
        self.ring_trials = up(np.zeros((RING, tracked), np.int64))

    @abstractmethod
    def trails(self) -> np.ndarray | SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""


class DenseBuffers(ColonyBuffers):
    """Arrays of a colony with a trail on every edge; `solvers.algorithms.ants.kernels` describes each array.

    Parameters
    ----------
    instance : Instance
    params : AntParams
    seed : int
    shape : Shape
    first, bounds : float and (float, float)
        The trail of every edge before the first iteration, and the limits of all trails.
    reference : float
        The trail relative to which powers are computed; see `solvers.algorithms.ants.heuristics.reference_trail`.
    colonies : int
        See `ColonyBuffers`. The colonies' trails, fitness and limits are stored one after another.

    Attributes
    ----------
    power : tuple of float
        Options of the kernels that compute fitness: alpha and, if alpha is not 1, `reference`.

    Raises
    ------
    InstanceTooLarge
        If the device's memory is too small.
    """

    def __init__(
        self, instance: Instance, params: AntParams, seed: int, shape: Shape, matrix: np.ndarray, first: float,
        bounds: tuple[float, float], reference: float, colonies: int = 1,
    ) -> None:  # fmt: skip
        n, ants = instance.n, colonies * params.colony_size(instance.n)
        stride = row_stride(n)
        check_memory(instance.name, colonies * n * stride * 24 + 4 * n * n + 4 * n * (ants + RING))
        super().__init__(n, ants, seed, shape.tracked, colonies)
        eta = compute_eta(matrix, params.beta)
        nearest, eta_near = _find_nearest(matrix, eta, shape, stride)
        trails = np.full((n, n), first, np.float32)
        np.fill_diagonal(trails, 0.0)
        up = cuda.to_device
        self.keep = np.float32(1.0 - params.rho)
        self.tau, self.eta = up(np.tile(_pad(trails, stride), colonies)), up(_pad(eta, stride))
        self.fitness = up(np.zeros(colonies * n * stride, np.float32))
        self.bounds = up(np.tile(np.array(bounds, np.float32), colonies))
        self.sums = up(np.zeros(1 if shape.sums is None else n * stride, shape.sums or np.uint64))
        self.distance, self.nearest, self.eta_near = up(matrix.reshape(-1)), up(nearest), up(eta_near)
        self.near = up(np.zeros(colonies * n * NEAR, np.uint64))
        self.prefix = up(np.zeros(n * stride if shape.tracked else 1, np.float32))
        self.power = (params.alpha,) if params.alpha == 1.0 else (params.alpha, reference)

    def trails(self) -> np.ndarray:
        """Return the trails of all edges, (n, n) float32."""
        n = int(self.n)
        return np.ascontiguousarray(self.tau.copy_to_host().reshape(n, -1)[:, :n])


def build_matrix(instance: Instance) -> np.ndarray:
    """Return all distances, (n, n) int32."""
    return np.ascontiguousarray(distance_matrix(instance), np.int32)


def _find_nearest(matrix: np.ndarray, eta: np.ndarray, shape: Shape, others: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each city's nearest cities, `NEAR` entries per city, and their heuristic values; set these to 0 in `eta`.

    Shorter lists are padded with the city itself, whose value is 0.
    """
    n = len(matrix)
    weights, lists = np.zeros((n, NEAR), np.float32), neighbours(matrix, min(shape.candidates, NEAR - shape.others))
    k, current = lists.shape[1], np.arange(n)[:, None]
    weights[:, :k] = eta[current, lists]
    eta[current, lists] = 0.0
    return pad_near(lists, others if shape.others else None), weights.reshape(-1)


def pad_near(lists: np.ndarray, others: int | None) -> np.ndarray:
    """Pad each city's list of nearest cities with the city itself, to `NEAR` entries.

    Parameters
    ----------
    lists : ndarray, shape (n, k), int32
    others : int or None
        The last entry of each list, which stands for all other cities; None if there is no such entry.

    Returns
    -------
    ndarray, shape (n * NEAR,), int32
    """
    n, k = lists.shape
    rows = np.repeat(np.arange(n, dtype=np.int32)[:, None], NEAR, axis=1)
    rows[:, :k] = lists
    if others is not None:
        rows[:, -1] = others
    return rows.reshape(-1)


def _pad(values: np.ndarray, stride: int) -> np.ndarray:
    """Pad rows with zeros to `stride` entries each, and flatten them."""
    out = np.zeros((len(values), stride), np.float32)
    out[:, : len(values)] = values
    return out.reshape(-1)


def choose_deposit_scale(matrix: np.ndarray, ants: int, q: float) -> tuple[np.float64, np.float32]:
    """Return Q as a fixed-point deposit, and the fixed-point unit.

    No tour is shorter than the sum of each city's shortest distance. So no trail receives more than ants * Q divided by
    that sum.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
    ants : int
    q : float

    Returns
    -------
    float64
        Q divided by the unit.
    float32
        The unit.
    """
    n = len(matrix)
    others = np.where(np.eye(n, dtype=bool), np.iinfo(np.int32).max - matrix, 0)
    shortest = np.min(matrix + others, axis=1) if n > 1 else 0
    bound = max(1.0, float(np.sum(shortest, dtype=np.int64)))
    power = math.floor(_BITS - math.log2(ants * q / bound))
    return np.float64(q * 2.0**power), np.float32(2.0**-power)


def check_memory(name: str, needed: int) -> None:
    """Raise an error unless `needed` bytes fit into the GPU's memory.

    Raises
    ------
    InstanceTooLarge
        If there is less memory.
    """
    needed += 64 << 20
    allowed = 0.8 * Limits.from_device().free
    if needed > allowed:
        raise InstanceTooLarge(
            f"{name} needs {needed / 1e9:,.1f} GB of device memory for its trails and tours, and "
            f"{allowed / 1e9:,.1f} GB may be used; use fewer ants or a smaller instance."
        )
