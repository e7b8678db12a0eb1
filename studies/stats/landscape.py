"""The landscape of tours: how far good tours are from the best, and the autocorrelation of a random walk.

T. Jones and S. Forrest, "Fitness distance correlation as a measure of problem difficulty for genetic algorithms"
(1995); K. D. Boese, "Cost versus distance in the traveling salesman problem" (1995), which found the local optima of
2-opt in a "big valley" around the optimum; E. Weinberger, "Correlated and uncorrelated fitness landscapes and how to
tell the difference" (1990); P. F. Stadler and W. Schnabl, "The landscape of the traveling salesman problem" (1992).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.distances import edge_lengths, tour_length
from data.instance import Instance
from data.tour_edges import shared_edges

#: Minimum number of cities; smaller instances have hardly any moves.
MIN_CITIES = 5
#: Number of steps of a walk: per city, minimum, and maximum. A walk forgets its length within about n / 2 steps.
_STEPS = 200, 20_000, 400_000
#: Maximum number of lags, and the greatest lag as a multiple of n / 2.
_POINTS, _LAGS = 100, 4


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """Distances of tours from a reference tour.

    Attributes
    ----------
    length : ndarray, shape (r,), int64
    distance : ndarray, shape (r,), int64
        Number of edges that are not in the reference, 0 to n.
    reference : int
        Length of the reference.
    known : bool
        Whether the reference is the optimal or best known tour; otherwise it is the shortest of the tours.
    """

    length: np.ndarray
    distance: np.ndarray
    reference: int
    known: bool

    def take(self, rows: np.ndarray) -> "Distances":
        """Select tours by mask or indices."""
        return Distances(self.length[rows], self.distance[rows], self.reference, self.known)

    @property
    def correlation(self) -> float:
        """Correlation of length and distance, -1 to 1; NaN if either is constant.

        If the reference is one of the tours, that tour does not count.
        """
        others = slice(None) if self.known else self.distance > 0
        length, distance = self.length[others].astype(float), self.distance[others].astype(float)
        if length.size < 2 or not np.ptp(length) or not np.ptp(distance):
            return float("nan")
        return float(np.corrcoef(length, distance)[0, 1])


def measure_distances(instance: Instance, orders: Sequence[np.ndarray]) -> Distances:
    """Return tours' lengths, and their distances from the optimal or best known tour, or else from the shortest one.

    Parameters
    ----------
    instance : Instance
    orders : sequence of ndarray, shape (n,), int32
        Tours, at least one.
    """
    lengths = np.array([tour_length(instance, order) for order in orders], np.int64)
    known = instance.optimal_tour is not None
    reference = orders[int(lengths.argmin())] if instance.optimal_tour is None else instance.optimal_tour
    shared = [shared_edges(order, reference, instance.directed) for order in orders]
    edges = 1 if instance.n == 2 and not instance.directed else instance.n
    return Distances(lengths, edges - np.array(shared, np.int64), tour_length(instance, reference), known)


def has_walk(instance: Instance) -> bool:
    """Return whether a random walk is defined; in directed instances, reversing a segment changes its length."""
    return instance.n >= MIN_CITIES and not instance.directed and not instance.missing


def count_steps(n: int) -> int:
    """Return how many steps of a walk on n cities suffice to measure its autocorrelation."""
    each, least, most = _STEPS
    return min(most, max(least, each * n))


def random_walk(instance: Instance, steps: int, seed: int) -> np.ndarray:
    """Return the lengths along a uniformly random walk of 2-opt moves.

    Parameters
    ----------
    instance : Instance
        See `has_walk`.
    steps : int
    seed : int

    Returns
    -------
    ndarray, shape (steps + 1,), int64
    """
    n, random = instance.n, np.random.default_rng(seed)
    order = random.permutation(n)
    start = tour_length(instance, order)
    first = random.integers(n, size=steps)
    second = (first + random.integers(2, n - 1, size=steps)) % n  # two edges without a common city
    ends = np.empty((steps, 4), np.int64)
    for step, (i, j) in enumerate(
        zip(np.minimum(first, second).tolist(), np.maximum(first, second).tolist(), strict=True)
    ):
        ends[step] = order[i], order[i + 1], order[j], order[(j + 1) % n]
        order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1].copy()
    a, b, c, d = ends.T
    added = edge_lengths(instance, a, c) + edge_lengths(instance, b, d)
    removed = edge_lengths(instance, a, b) + edge_lengths(instance, c, d)
    return np.concatenate([[start], start + np.cumsum(added - removed)])


@dataclass(frozen=True, slots=True, eq=False)
class Autocorrelation:
    """Autocorrelation of lengths along a random walk, by lag.

    Attributes
    ----------
    lag : ndarray, shape (k,), int64
        Number of steps, from 0.
    measured : ndarray, shape (k,), float64
        Measured autocorrelation, 1 at lag 0.
    expected : ndarray, shape (k,), float64
        Mean over all walks, see `expected_decay`.
    steps : int
        Number of steps of the walk.
    """

    lag: np.ndarray
    measured: np.ndarray
    expected: np.ndarray
    steps: int

    @property
    def length(self) -> float:
        """Correlation length of the measured walk in steps, -1 / ln r(1); NaN if undefined."""
        one = float(self.measured[1])
        return float(-1.0 / np.log(one)) if 0.0 < one < 1.0 else float("nan")


def expected_decay(n: int) -> float:
    """Return the lag-1 autocorrelation of random 2-opt walks on any symmetric instance of n cities.

    A move removes two of the n edges of the tour with equal probabilities, and adds two of the n (n - 3) / 2 others. So
    the mean length after a move is a linear function of the length before, with this slope; after s moves, the slope is
    its s-th power. With these moves, tours form an elementary landscape (Stadler and Schnabl, 1992).
    """
    return 1.0 - 2.0 * (n - 1) / (n * (n - 3))


def compute_autocorrelation(lengths: np.ndarray, n: int) -> Autocorrelation:
    """Return the autocorrelation of a walk's lengths.

    Parameters
    ----------
    lengths : ndarray, shape (s + 1,), int64
    n : int
        Number of cities.
    """
    longest = max(2, min(_LAGS * n // 2, len(lengths) // 10))
    lag = np.unique(np.concatenate([[0, 1], np.linspace(0, longest, _POINTS).astype(np.int64)]))
    centred = lengths - lengths.mean()
    variance = float((centred**2).mean())
    if not variance:
        return Autocorrelation(lag, np.full(lag.size, np.nan), expected_decay(n) ** lag, len(lengths) - 1)
    measured = [float((centred[: centred.size - k] * centred[k:]).mean()) / variance for k in lag.tolist()]
    return Autocorrelation(lag, np.array(measured), expected_decay(n) ** lag, len(lengths) - 1)
