"""What a colony of ants keeps on a CUDA device.

Imports Numba: for use inside `solve()`.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import cuda

from data.distances import distance_matrix
from data.instance import Instance
from solvers.ant_params import AntParams
from solvers.errors import InstanceTooLarge
from solvers.heuristics import nearness, neighbours
from solvers.layout_cuda import Limits

#: Iterations that can be told at once.
RING = 64
#: Nearest cities in a row of the device's lists.
NEAR = 32
#: Sums of deposits stay below two to this power.
_BITS = 61


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides which arrays a colony needs.

    Attributes
    ----------
    candidates : int
        Nearest cities that are weighed apart from the others; at most `NEAR`, or one less with `others`.
    others : bool
        Whether the last place of a row of nearest cities stands for all others.
    tracked : int
        Columns of the histogram of trials; 0 where the selection makes none, and needs no prefix sums.
    sums : dtype or None
        Of the sums of deposits; None where they are added to the trails at once.
    """

    candidates: int
    others: bool
    tracked: int = 0
    sums: type | None = np.uint64


class Arrays:
    """Device arrays and the scalars of every launch, by name; kernels of `solvers.kernels` say what each is.

    Parameters
    ----------
    instance : Instance
    params : AntParams
    seed : int
    shape : Shape
    first, bounds : float and (float, float)
        The trail of every edge before the first iteration, and the limits of all trails.
    usual : float
        What powers of trails are taken of; see `solvers.heuristics.usual_trail`.

    Attributes
    ----------
    power : tuple of float
        Options of the kernels that make fitness: alpha and, where it is not 1, `usual`.

    Raises
    ------
    InstanceTooLarge
        If the device's memory is too small.
    """

    def __init__(
        self, instance: Instance, params: AntParams, seed: int, shape: Shape, matrix: np.ndarray, first: float,
        bounds: tuple[float, float], usual: float,
    ) -> None:  # fmt: skip
        n, ants = instance.n, params.colony_size(instance.n)
        stride = -(-n // 32) * 32
        _check_memory(instance.name, n, stride, ants)
        eta = nearness(matrix, params.beta)
        nearest, eta_near = _nearest(matrix, eta, shape, stride)
        trails = np.full((n, n), first, np.float32)
        np.fill_diagonal(trails, 0.0)
        up = cuda.to_device
        self.n, self.ants, self.stride = np.uint32(n), np.uint32(ants), np.uint32(stride)
        self.seed, self.ring, self.keep = np.uint64(seed), np.uint32(RING), np.float32(1.0 - params.rho)
        self.tau, self.eta = up(_padded(trails, stride)), up(_padded(eta, stride))
        self.fitness, self.bounds = up(np.zeros(n * stride, np.float32)), up(np.array(bounds, np.float32))
        self.sums = up(np.zeros(1 if shape.sums is None else n * stride, shape.sums or np.uint64))
        self.distance, self.nearest, self.eta_near = up(matrix.reshape(-1)), up(nearest), up(eta_near)
        self.near = up(np.zeros(n * NEAR, np.uint64))
        self.entropy, self.branching = up(np.zeros(n, np.float32)), up(np.zeros(n, np.float32))
        self.prefix = up(np.zeros(n * stride if shape.tracked else 1, np.float32))
        self.tours, self.lengths = up(np.zeros(ants * n, np.int32)), up(np.zeros(ants, np.int64))
        self.trials, self.counter = up(np.zeros(max(1, shape.tracked), np.int64)), up(np.zeros(1, np.int64))
        self.told_lengths, self.told_trails = up(np.zeros((RING, 3), np.int64)), up(np.zeros((RING, 2), np.float64))
        self.told_tours = up(np.zeros((RING, n), np.int32))
        self.told_trials = up(np.zeros((RING, shape.tracked), np.int64))
        self.power = (params.alpha,) if params.alpha == 1.0 else (params.alpha, usual)


def matrix_of(instance: Instance) -> np.ndarray:
    """All distances, (n, n) int32."""
    return np.ascontiguousarray(distance_matrix(instance), np.int32)


def _nearest(matrix: np.ndarray, eta: np.ndarray, shape: Shape, others: int) -> tuple[np.ndarray, np.ndarray]:
    """The lists of nearest cities, `NEAR` in a row, and their heuristic values, which are taken out of `eta`.

    Rows with fewer are filled up with the city itself, of no weight.
    """
    n = len(matrix)
    nearest = np.repeat(np.arange(n, dtype=np.int32)[:, None], NEAR, axis=1)
    weights = np.zeros((n, NEAR), np.float32)
    lists = neighbours(matrix, min(shape.candidates, NEAR - shape.others))
    k, here = lists.shape[1], np.arange(n)[:, None]
    nearest[:, :k] = lists
    weights[:, :k] = eta[here, lists]
    eta[here, lists] = 0.0
    if shape.others:
        nearest[:, -1] = others
    return nearest.reshape(-1), weights.reshape(-1)


def _padded(values: np.ndarray, stride: int) -> np.ndarray:
    """Rows of `stride` numbers, zeros past the end; flat."""
    out = np.zeros((len(values), stride), np.float32)
    out[:, : len(values)] = values
    return out.reshape(-1)


def deposit_scale(matrix: np.ndarray, ants: int, q: float) -> tuple[np.float64, np.float32]:
    """Q in units of the whole numbers that deposits are added in, and such a unit.

    No tour is shorter than the sum of each city's least distance, so no sum exceeds ants * Q over that.
    """
    n = len(matrix)
    least = np.min(matrix + np.where(np.eye(n, dtype=bool), np.iinfo(np.int32).max - matrix, 0), axis=1) if n > 1 else 0
    bound = max(1.0, float(np.sum(least, dtype=np.int64)))
    power = math.floor(_BITS - math.log2(ants * q / bound))
    return np.float64(q * 2.0**power), np.float32(2.0**-power)


def _check_memory(name: str, n: int, stride: int, ants: int) -> None:
    needed = n * stride * 24 + 4 * n * n + 4 * n * (ants + RING) + (64 << 20)
    allowed = 0.8 * Limits.of_device().free
    if needed > allowed:
        raise InstanceTooLarge(
            f"{name} needs {needed / 1e9:,.1f} GB of device memory for its trails and tours, and "
            f"{allowed / 1e9:,.1f} GB may be used; take fewer ants or a smaller instance."
        )
