"""Inequalities that every tour satisfies: subtour and comb inequalities, as sets of cities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A lower bound on the number of edges that leave some sets; an edge counts once for each set that it leaves.

    Attributes
    ----------
    inside : ndarray, shape (k, n), bool
        One set for a subtour inequality, several for a comb, its handle first.
    minimum : int
    """

    inside: np.ndarray
    minimum: int

    @property
    def key(self) -> bytes:
        """A key that only equal cuts share."""
        return self.inside.tobytes()

    @property
    def kind(self) -> str:
        """``subtour`` or ``comb``."""
        return "subtour" if len(self.inside) == 1 else "comb"

    def row(self, ends: np.ndarray) -> np.ndarray:
        """Return the coefficient of each edge of `ends`, (m, 2) cities, float64."""
        return (self.inside[:, ends[:, 0]] != self.inside[:, ends[:, 1]]).sum(axis=0).astype(np.float64)


def make_subtour_cut(inside: np.ndarray) -> Cut | None:
    """Return the subtour inequality of a set, (n,) bool; None for the empty set or all cities."""
    n, size = inside.size, int(inside.sum())
    if not 0 < size < n:
        return None
    if 2 * size > n or (2 * size == n and not inside[0]):
        inside = ~inside
    return Cut(inside[None].copy(), 2)


def make_comb_cut(handle: np.ndarray, teeth: Sequence[np.ndarray]) -> Cut | None:
    """Return the comb inequality of a handle and its teeth, (n,) bool each; None if they form no comb.

    V. Chvátal, "Edmonds Polytopes and Weakly Hamiltonian Graphs" (1973); M. Grötschel and M. W. Padberg, "On the
    Symmetric Travelling Salesman Problem I" (1979): x(δ(H)) + Σ x(δ(Tᵢ)) ≥ 3 t + 1 for t teeth, t odd and at least 3.
    """
    if len(teeth) < 3 or len(teeth) % 2 == 0:
        return None
    stacked = np.array(teeth)
    if (stacked.sum(axis=0) > 1).any() or not ((stacked & handle).any(axis=1) & (stacked & ~handle).any(axis=1)).all():
        return None
    order = np.lexsort(stacked.T[::-1])
    return Cut(np.vstack((handle[None], stacked[order])), 3 * len(teeth) + 1)
