"""The trails of all edges, from those of the edges that differ."""

import numpy as np

from solvers.algorithms.ants.sparse_trails import SparseTrails


def dense(sparse: SparseTrails) -> np.ndarray:
    """The matrix, (n, n) float32, symmetric, 0 on the diagonal."""
    trails = np.full((sparse.n, sparse.n), sparse.default, np.float32)
    np.fill_diagonal(trails, 0.0)
    here, there = sparse.ends.T
    trails[here, there] = trails[there, here] = sparse.trail
    return trails
