"""The subtour bound as a picture: zones around cities, moats around sets of cities. Imports Numba and HiGHS."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.branch_and_cut.cuts import Cut
from solvers.algorithms.branch_and_cut.nodes import FREE
from solvers.algorithms.branch_and_cut.proof import SafeBound
from solvers.algorithms.branch_and_cut.relaxation import Relaxation
from solvers.algorithms.branch_and_cut.separation import TINY, find_subtours
from solvers.bounds.laminar import uncross
from solvers.core.errors import NoPicture

#: Minimum and maximum number of cities in a picture. With more, zones would be too small to see, and the linear program
#: too large, since every edge is a column.
CITIES = 3, 200
#: Number of map units per unit of length, for distances that are Euclidean up to rounding.
PLANE = {"EUC_2D": 1.0, "CEIL_2D": 1.0, "ATT": 10**0.5}


@dataclass(frozen=True, slots=True, eq=False)
class Moats:
    """Disjoint zones and moats. Every tour crosses each of these twice, on its way in and on its way out.

    Attributes
    ----------
    bound : int
        No tour is shorter than this: `zones` plus `moats`, proven in integers, and rounded up since tour lengths are
        integers.
    radii : ndarray, shape (n,), float64
        Radius of each city's zone.
    widths : ndarray, shape (k,), float64
    inside : ndarray, shape (k, n), bool
        The cities inside each moat. Any two such sets are nested or disjoint, and larger sets come first.
    """

    bound: int
    radii: np.ndarray
    widths: np.ndarray
    inside: np.ndarray

    @property
    def zones(self) -> float:
        """How much of every tour's length is within zones: twice the sum of the radii."""
        return 2 * float(self.radii.sum())

    @property
    def moats(self) -> float:
        """How much of any tour's length is at least within moats: twice the sum of the widths."""
        return 2 * float(self.widths.sum())


def find_moats(instance: Instance) -> Iterator[Moats]:
    """Yield a picture of the zones alone, and then one each time that more moats raise the bound.

    M. Jünger and W. R. Pulleyblank, "Geometric Duality and Combinatorial Optimization" (1993): zones and moats are a
    dual solution of the subtour relaxation. Here cities may have more than two edges, so that no radius is negative.
    The value is the same if distances obey the triangle inequality (M. X. Goemans and D. J. Bertsimas, "Survivable
    Networks, Linear Programming Relaxations and the Parsimonious Property", 1993), as rounded ones do up to rounding.

    Raises
    ------
    NoPicture
        If the distances are not Euclidean, or there are too many or too few cities.
    """
    minimum, maximum = CITIES
    if instance.kind not in PLANE or instance.directed:
        raise NoPicture(
            "Moats can be drawn only if distances are straight lines in the plane, of round trips without fixed edges."
        )
    if not minimum <= instance.n <= maximum:
        raise NoPicture(f"Moats are drawn for {minimum} to {maximum} cities; {instance.name} has {instance.n:,}.")
    lengths = distance_matrix(instance).astype(np.int64)
    proof, lp = SafeBound(lengths), Relaxation(lengths, is_loose=True)
    lp.add_edges(np.argwhere(np.triu(np.ones_like(lengths), 1)))
    highest = -np.inf
    while True:
        solution = lp.solve()
        if solution.value > highest + TINY:
            highest = solution.value
            yield _make_picture(proof, solution.prices, lp.cuts, solution.duals)
        used = solution.x > TINY
        if not lp.add_cuts(find_subtours(instance.n, lp.ends[used], solution.x[used])):
            return


def _make_picture(proof: SafeBound, prices: np.ndarray, cuts: list[Cut], duals: np.ndarray) -> Moats:
    """Return the picture of a dual solution, rounded to the proof's units."""
    n, scale = len(prices), proof.scale
    radii, duals = (np.maximum(np.rint(values * scale), 0).astype(np.int64) for values in (prices, duals))
    sets = [sum(1 << city for city in np.flatnonzero(cut.inside[0]).tolist()) for cut in cuts]
    weights = {one: dual for one, dual in zip(sets, duals.tolist(), strict=True) if dual}
    laminar = sorted(uncross(n, weights).items(), key=lambda each: -each[0].bit_count())
    inside = np.array([[members >> city & 1 for city in range(n)] for members, _ in laminar], bool).reshape(-1, n)
    widths = np.array([weight for _, weight in laminar], np.int64)
    single = inside.sum(axis=1) == 1
    radii += widths[single] @ inside[single]  # a moat around one city is part of its zone
    widths, inside = widths[~single], inside[~single]
    moats = [Cut(mask[None], 2) for mask in inside]
    bound = proof.length(proof.compute_bound(radii / scale, moats, widths / scale, np.full((n, n), FREE, np.int8)))
    assert bound is not None  # in the plane, all duals together are at most a few times the longest distance
    return Moats(bound, radii / scale, widths / scale, inside)
