"""Missing edges: how files mark them, and what length they get.

An instance remains a full matrix, in which a missing edge is longer than any tour of the other edges. So a tour with
fewer missing edges is always shorter, and its length reveals the number of missing edges.
"""

import numpy as np

from data.errors import InvalidInstance

#: A move adds two distances and subtracts two, in 32 bits.
_MAX_WEIGHT = 2**30 - 1


def find_missing(weights: np.ndarray) -> np.ndarray | None:
    """Return a mask of the edges that a matrix marks as missing, (n, n) bool; None if there are none.

    Files put their number for "no edge", such as 9999 or 100000000, on the whole diagonal. If the same number occurs
    elsewhere, and is at least twice every other number, the edges with this number are missing.

    Parameters
    ----------
    weights : ndarray, shape (n, n), int32
        Matrix with the diagonal of the file.
    """
    mark, n = int(weights[0, 0]), len(weights)
    off_diagonal = ~np.eye(n, dtype=bool)
    missing = (weights == mark) & off_diagonal
    if mark <= 0 or (np.diagonal(weights) != mark).any() or not missing.any():
        return None
    others = weights[off_diagonal & ~missing]
    return missing if others.size and 2 * int(others.max()) <= mark else None


def set_missing_lengths(weights: np.ndarray, missing: np.ndarray) -> int:
    """Set missing edges' length in place: one more than n times the longest other edge.

    Parameters
    ----------
    weights : ndarray, shape (n, n), int32
    missing : ndarray, shape (n, n), bool
        Missing edges: at least one, and none on the diagonal.

    Returns
    -------
    int
        The length of a missing edge.

    Raises
    ------
    InvalidInstance
        ``RANGE`` if there are no other edges, if one of them is negative, or if sums in moves would overflow.
    """
    others = weights[~missing & ~np.eye(len(weights), dtype=bool)]
    if not others.size:
        raise InvalidInstance("RANGE", "All edges are missing: a graph needs edges.")
    if others.min() < 0:
        raise InvalidInstance("RANGE", "With missing edges no weight may be negative: add the same to all of them.")
    length = len(weights) * int(others.max()) + 1
    if length > _MAX_WEIGHT:
        most = f"{_MAX_WEIGHT // len(weights):,}"
        raise InvalidInstance(
            "RANGE", f"With missing edges no weight may be above {most} here: scale the weights down."
        )
    weights[missing] = length
    return length


def describe_missing(count: int, edges: int) -> str:
    """Return how many edges are missing, such as "7 of 66 edges are missing"; empty if none are."""
    if not count:
        return ""
    return f"{count:,} of {edges:,} edges {'is' if count == 1 else 'are'} missing"
