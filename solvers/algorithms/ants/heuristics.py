"""Heuristic values (eta) and initial trails. NumPy only."""

from collections.abc import Generator

import numpy as np

from solvers.core.neighbours import _MIN_DISTANCE, nearest_neighbour_length, row_blocks

#: No trail falls below this share of the initial trail (S. Bitner, "ACOTSP", 2025, bounds trails in this way).
FLOOR = 1e-10
#: Minimum of eta outside the diagonal; the maximum of each row is 1.
_MIN_ETA = 1e-30


def compute_eta(distances: np.ndarray, beta: float) -> np.ndarray:
    """Return (d_max / d)**beta, each row divided by its maximum, with 0 on the diagonal.

    Choices depend only on ratios within a row, so dividing rows does not affect them; it keeps products within float32.
    Dividing the longest distance by each follows S. Bitner, "ACOTSP" (2025).

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    beta : float

    Returns
    -------
    ndarray, shape (n, n), float32
        At least 1e-30 off the diagonal.
    """
    eta = np.empty(distances.shape, np.float32)
    for rows, block in compute_eta_blocks(distances, beta):
        eta[rows] = block
    return eta


def compute_eta_blocks(distances: np.ndarray, beta: float) -> Generator[tuple[slice, np.ndarray], None, None]:
    """Yield the rows of `compute_eta` in blocks, as a slice and a new (rows, n) float32 array."""
    longest = max(float(distances.max(initial=0)), _MIN_DISTANCE)
    for rows in row_blocks(len(distances)):
        block = (longest / np.maximum(distances[rows], _MIN_DISTANCE)) ** beta
        block_cities = np.arange(rows.start, rows.stop)
        block[block_cities - rows.start, block_cities] = 0.0
        greatest = block.max(axis=1, keepdims=True)
        block /= np.where(greatest > 0.0, greatest, 1.0)
        eta = np.maximum(block, _MIN_ETA).astype(np.float32)
        eta[block_cities - rows.start, block_cities] = 0.0
        yield rows, eta


def reference_trail(distances: np.ndarray, first: float, deposit: float, rho: float) -> float:
    """Return the geometric mean of the initial trail and the trail of an edge that all ants always take.

    Powers of trails are computed relative to this mean, since the fifth power of 1e-8 would underflow in float32.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    first : float
        tau_0.
    deposit : float
        What all ants together deposit on an edge in an iteration, times the length of a tour.
    rho : float
    """
    settled = deposit / max(1, nearest_neighbour_length(distances)) / rho
    return float(np.sqrt(first * max(first, settled)))


def first_trail(distances: np.ndarray, initial: str) -> float:
    """Return the initial trail of every edge, tau_0.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    initial : str
        ``one``, or ``nearest-neighbour`` for n / C_nn, where C_nn, the length of the nearest-neighbour tour, is at
        least 1 (A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the
        Traveling Salesman Problem", 2012, equation 1).
    """
    return 1.0 if initial == "one" else len(distances) / max(1, nearest_neighbour_length(distances))
