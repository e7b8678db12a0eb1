"""Safe lower bounds, computed in integers from rounded duals over all edges. Imports Numba."""

from collections.abc import Sequence

import numpy as np

from solvers.algorithms.branch_and_cut.cuts import Cut
from solvers.algorithms.branch_and_cut.kernels.bound_cpu import min_sum, reduce_costs

#: Maximum number of dual units in a unit of length, a power of two; limit for sums of reduced costs.
_MAX_SCALE, _SUM_LIMIT = 2**20, 2**60


class SafeBound:
    """Converts any duals, optimal or not, to a valid lower bound on the tours of a subproblem.

    For prices of cities p and duals z >= 0 of cuts with minimum l, every tour's length is at least
    2 Σ p + Σ z l + Σ min(0, r), where r are the reduced costs. This weak duality holds for any duals. So they are
    rounded to integers, and everything else is exact.

    Parameters
    ----------
    lengths : ndarray, shape (n, n), int64
        A symmetric matrix.

    Attributes
    ----------
    scale : int
    reduced : ndarray, shape (n, n), int64
        Scaled reduced costs of the last call.
    """

    def __init__(self, lengths: np.ndarray) -> None:
        self._n, self._longest = len(lengths), max(1, int(np.abs(lengths).max()))
        self.scale = _MAX_SCALE
        while self.scale > 1 and self._n**2 * self._longest * 64 * self.scale >= _SUM_LIMIT:
            self.scale //= 2
        self._lengths = lengths * self.scale
        self.reduced = np.zeros(lengths.shape, np.int64)

    def compute_bound(
        self, prices: np.ndarray, cuts: Sequence[Cut], duals: np.ndarray, fixed: np.ndarray
    ) -> int | None:
        """Compute the scaled bound of a subproblem; None if sums could overflow 64 bits.

        Parameters
        ----------
        prices : ndarray, shape (n,), float64
        cuts : sequence of Cut
        duals : ndarray, shape (k,), float64
            Negative duals count as 0.
        fixed : ndarray, shape (n, n), int8
            1 for an edge that must be in the tour, 0 for one that must not, -1 for a free edge.
        """
        sets = sum(len(cut.inside) * dual for cut, dual in zip(cuts, np.maximum(duals, 0), strict=True))
        largest = self._longest + 2 * float(np.abs(prices).max(initial=0)) + 2 * float(sets)
        if not np.isfinite(largest) or largest * self.scale * 2 * self._n**2 >= _SUM_LIMIT:
            return None
        rounded = np.rint(prices * self.scale).astype(np.int64)
        z = np.maximum(np.rint(duals * self.scale), 0).astype(np.int64)
        used = [(cut, dual) for cut, dual in zip(cuts, z.tolist(), strict=True) if dual]
        members = [np.flatnonzero(inside).astype(np.int32) for cut, _ in used for inside in cut.inside]
        start = np.concatenate(([0], np.cumsum([member.size for member in members]))).astype(np.int64)
        of_sets = np.array([dual for cut, dual in used for _ in cut.inside], np.int64)
        flat = np.concatenate(members) if members else np.empty(0, np.int32)
        reduce_costs(self._lengths, rounded, start, flat, of_sets, self.reduced)
        rows = 2 * int(rounded.sum()) + sum(dual * cut.minimum for cut, dual in used)
        return rows + int(min_sum(self.reduced, fixed))

    def length(self, bound: int | None) -> int | None:
        """Convert a scaled bound to a tour length, rounded up since lengths are integers."""
        return None if bound is None else -(-bound // self.scale)
