"""Missing edges: how a file marks them, and the length that they get.

An instance stays a whole matrix, in which a missing edge is longer than any tour of the others: a tour with fewer
missing edges is always the shorter one, and a tour's length says how many it uses.
"""

import numpy as np

from data.errors import InvalidInstance

#: A move adds two distances and subtracts two, in 32 bits.
_MAX_WEIGHT = 2**30 - 1


def find_missing(weights: np.ndarray) -> np.ndarray | None:
    """The edges that a matrix marks as missing, (n, n) bool; None if there are none.

    Files write the number that stands for "no edge" on the whole diagonal, from each city to itself: 9999 or
    100000000. Where the same number stands elsewhere, and is at least twice every other one, the edge is missing.

    Parameters
    ----------
    weights : ndarray, shape (n, n), int32
        With the file's diagonal.
    """
    mark, n = int(weights[0, 0]), len(weights)
    off_diagonal = ~np.eye(n, dtype=bool)
    missing = (weights == mark) & off_diagonal
    if mark <= 0 or (np.diagonal(weights) != mark).any() or not missing.any():
        return None
    others = weights[off_diagonal & ~missing]
    return missing if others.size and 2 * int(others.max()) <= mark else None


def lengthen(weights: np.ndarray, missing: np.ndarray) -> int:
    """Give missing edges their length, in place: one more than n times the longest other edge.

    Parameters
    ----------
    weights : ndarray, shape (n, n), int32
    missing : ndarray, shape (n, n), bool
        At least one edge is missing, and none from a city to itself.

    Returns
    -------
    int
        That length.

    Raises
    ------
    InvalidInstance
        ``RANGE``, if there are no other edges, if one is negative, or if the length would not fit the sums of moves.
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


def sentence(count: int, edges: int) -> str:
    """A sentence for the page, such as "7 of 66 edges are missing"; empty if none are."""
    if not count:
        return ""
    return f"{count:,} of {edges:,} edges {'is' if count == 1 else 'are'} missing"
