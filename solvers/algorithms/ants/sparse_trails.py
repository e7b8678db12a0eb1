"""Trails that are equal on most edges, as in Ant Colony System, stored without a matrix. NumPy only."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class SparseTrails:
    """All trails of n cities.

    Attributes
    ----------
    n : int
    default : float
        The trail of every edge that is not among `ends`.
    ends : ndarray, shape (k, 2), int32
        Distinct edges.
    trail : ndarray, shape (k,), float32
        The trails of these edges, at least `default`.
    """

    n: int
    default: float
    ends: np.ndarray
    trail: np.ndarray

    def strongest(self, maximum: int) -> tuple[np.ndarray, np.ndarray]:
        """Return at most `maximum` edges with more than the default trail, the strongest first; ties by city.

        Returns
        -------
        ndarray, shape (e, 2), int32
            The edges, each with its lower city first.
        ndarray, shape (e,), float32
            Their trails.
        """
        above = self.trail > np.float32(self.default)
        edges, trail = np.sort(self.ends[above], axis=1), self.trail[above]
        order = np.lexsort((edges[:, 1], edges[:, 0], -trail))[:maximum]
        return np.ascontiguousarray(edges[order]), trail[order]

    def minimum(self) -> float:
        """Return the weakest trail; 0 if there are no edges at all."""
        if len(self.ends) < self.n * (self.n - 1) // 2:
            return float(np.float32(self.default))
        return float(self.trail.min(initial=np.inf)) if self.trail.size else 0.0

    def block_means(self, block: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Compute the mean trail between each two blocks of cities, (b, b) float64.

        See `solvers.algorithms.ants.kernels.heatmap_cpu.block_means`.

        Parameters
        ----------
        block : ndarray, shape (n,), int32
            The block to which each city belongs.
        counts : ndarray, shape (b,), int64
            Number of cities in each block.
        """
        pairs = np.outer(counts, counts).astype(np.float64)
        np.fill_diagonal(pairs, counts * (counts - 1) / 2)
        extra = np.zeros(pairs.shape)
        lower, higher = np.sort(block[self.ends], axis=1).T
        np.add.at(extra, (lower, higher), self.trail.astype(np.float64) - np.float64(np.float32(self.default)))
        upper = np.triu(extra, 1)
        extra = np.diag(np.diag(extra)) + upper + upper.T
        return np.where(pairs > 0, np.float64(np.float32(self.default)) + extra / np.maximum(pairs, 1), 0.0)
