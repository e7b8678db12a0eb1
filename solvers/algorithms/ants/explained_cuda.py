"""Explanations of an iteration on a GPU, computed on the host from copied arrays.

Only the arrays of explained iterations are copied: the weights at the start, the tours as built, and the trails before
and after the update.

Imports Numba: for use inside `solve()`.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from solvers.algorithms.ants.arrays_cuda import NEAR
from solvers.algorithms.ants.explanations import EdgeTrails, allocate_choices
from solvers.algorithms.ants.kernels.retrace_cpu import PRODUCTS, RACING, Changes, Walk, Weights
from solvers.algorithms.ants.retracing import UNCHANGED, load, trace_walk
from solvers.core.events import Choices, Deposits, Explanation
from solvers.core.solver import Job
from solvers.kernels.device_cuda import WARP
from solvers.reporting.pictures import is_explainable


def make_race_walk(near: np.ndarray, listed: bool, q0: float = -1.0, resumed: tuple[int, ...] = ()) -> Walk:
    """Return how ants of one warp each walk; `near` contains the nearest cities, (n * `NEAR`,)."""
    rows = near.reshape(-1, NEAR).astype(np.int32)
    return Walk(RACING, WARP, 1, 0.0, q0, listed, rows, np.array(resumed, np.int32))


def list_edge_weights(fitness: np.ndarray, near: np.ndarray | None, n: int) -> Weights:
    """Return the weights of all edges, given one colony's arrays.

    Parameters
    ----------
    fitness : ndarray, shape (n * stride,), float32
    near : ndarray or None, shape (n * NEAR,), uint64
        The weights that are stored separately, as in `solvers.algorithms.ants.kernels.walk_warp_cuda`; None if there
        are none.
    n : int
    """
    edges = np.ascontiguousarray(fitness.reshape(n, -1)[:, :n])
    maximum, others = edges.max(axis=1), np.zeros(n, np.float32)
    if near is None:
        return Weights(edges, others, maximum)
    rows = near.reshape(n, NEAR)
    cities = (rows & np.uint64(0xFFFFFFFF)).astype(np.int64)
    values = (rows >> np.uint64(32)).astype(np.uint32).view(np.float32)
    current, entry = np.nonzero((cities < n) & (cities != np.arange(n)[:, None]))
    edges[current, cities[current, entry]] = values[current, entry]
    stands = cities[:, -1] >= n
    others[stands] = values[stands, -1]
    return Weights(edges, others, maximum)


class Explainer(ABC):
    """Explains iterations of a colony while the run's clock is paused.

    Its four methods are called in this order: before and after the ants' walk, before and after the trail update.

    Parameters
    ----------
    job : Job
    arrays : ColonyBuffers
    walk : Walk
    """

    def __init__(self, job: Job, arrays: Any, walk: Walk) -> None:
        self._a, self._walk, self._clock = arrays, walk, job.stop.clock
        self._n, self._ants, self._seed = int(arrays.n), int(arrays.ants), np.uint64(job.seed)
        if job.pictures and is_explainable(self._n):
            load(walk)

    def begin(self) -> None:
        """Store the weights; called before the walks."""
        with self._clock.paused():
            self._weights = self._weights_now()

    def store_tours(self) -> None:
        """Store the tours; called when all tours are built."""
        with self._clock.paused():
            self._tours = self._a.tours.copy_to_host().reshape(self._ants, self._n)

    def store_trails(self, iteration: int) -> None:
        """Store the trails; called between local search and update. `iteration` is counted from 0."""
        with self._clock.paused():
            lengths = self._a.lengths.copy_to_host()
            ant = int(lengths.argmin())
            order = self._a.tours[ant * self._n : (ant + 1) * self._n].copy_to_host()
            self._ant, self._lengths = ant, lengths
            self._choices = self._find_choices(ant, iteration)
            self._edges = EdgeTrails(iteration, order, self._edge_trails(order))

    def explain_update(self) -> tuple[Explanation, ...]:
        """After the update, return the best ant's choices, if known, and how the update changed its edges."""
        with self._clock.paused():
            explanations = self._choices, self._deposits(self._edges)
            del self._weights, self._tours
        return tuple(explanation for explanation in explanations if explanation is not None)

    @abstractmethod
    def _weights_now(self) -> Weights:
        """Return the current weights of all edges."""

    @abstractmethod
    def _edge_trails(self, order: np.ndarray) -> np.ndarray:
        """Return the current trails of a tour's edges, (n,)."""

    @abstractmethod
    def _deposits(self, edges: EdgeTrails) -> Deposits:
        """Return how the trail update changes the given edges."""

    @property
    def _is_lucky(self) -> bool:
        """Whether each city draws its own random number."""
        return self._walk.kind in (RACING, PRODUCTS)

    def _find_choices(self, ant: int, iteration: int) -> Choices | None:
        """Return an ant's choices; None if they are unknown."""
        stream = iteration * self._ants + ant
        choices = allocate_choices(self._n, iteration, ant, self._is_lucky, max(0.0, self._walk.q0))
        return self._trace(choices, self._walk, self._weights, self._tours[ant], stream)

    def _trace(
        self, choices: Choices, walk: Walk, weights: Weights, order: np.ndarray, stream: int, seed: int | None = None,
        changes: Changes = UNCHANGED,
    ) -> Choices:  # fmt: skip
        word = self._seed if seed is None else np.uint64(seed)
        return trace_walk(choices, walk, weights, order, word, stream, changes)

    def _all_tours(self) -> np.ndarray:
        """Return the tours that take part in the update, (ants, n)."""
        return self._a.tours.copy_to_host().reshape(self._ants, self._n)


class DenseExplainer(Explainer):
    """Explains colonies with a trail on every edge; see `solvers.algorithms.ants.arrays_cuda.DenseBuffers`."""

    def _weights_now(self) -> Weights:
        near = self._a.near.copy_to_host() if self._walk.kind == RACING else None
        return list_edge_weights(self._a.fitness.copy_to_host(), near, self._n)

    def _edge_trails(self, order: np.ndarray) -> np.ndarray:
        return self._tau()[order, np.roll(order, -1)]

    def _tau(self) -> np.ndarray:
        return self._a.tau.copy_to_host().reshape(self._n, -1)

    def _evaporated_trails(self, before: np.ndarray, minimum: float, maximum: float) -> np.ndarray:
        """Return the trails after evaporation, within their limits."""
        return np.minimum(np.maximum(before * self._a.keep, np.float32(minimum)), np.float32(maximum))
