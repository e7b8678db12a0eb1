"""Trails on one core, by ranges of rows or ants: fitness, prefix sums, lengths, evaporation, deposits.

Equations are numbered as in A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony
Optimization for the Traveling Salesman Problem" (2012).
"""

import numpy as np

from solvers.algorithms.ants.kernels.draw_cpu import SEGMENT
from solvers.kernels.compiler import njit

#: Bounds of the fitness, such that sums of rows stay finite and every city can be chosen.
_MIN_FITNESS, _MAX_FITNESS = np.float32(1e-37), np.float32(1e30)
_ZERO = np.float32(0.0)


@njit(cache=True, nogil=True)
def weigh_edges(trails, eta, alpha, reference, fitness, stride, first, last):
    """Compute the fitness of rows `first` to `last` - 1: trail**alpha * eta (equation 3), 0 on the diagonal.

    If alpha is not 1, the base of the power is trail / `reference`, since only ratios within a row affect choices.

    Parameters
    ----------
    trails, eta : ndarray, shape (n, n), float32
    alpha, reference : float32
    fitness : ndarray, shape (n * stride,), float32
        Written in place; entries past n do not change.
    stride : int
    first, last : int
    """
    n = trails.shape[0]
    for i in range(first, last):
        trail, near, row = trails[i], eta[i], fitness[i * stride : i * stride + n]
        if alpha == np.float32(1.0):
            for j in range(np.uint64(n)):
                row[j] = min(max(trail[j] * near[j], _MIN_FITNESS), _MAX_FITNESS)
        else:
            for j in range(np.uint64(n)):
                row[j] = min(max((trail[j] / reference) ** alpha * near[j], _MIN_FITNESS), _MAX_FITNESS)
        row[i] = _ZERO


@njit(cache=True, nogil=True)
def separate_candidates(fitness, stride, neighbours, near, others, reach, count, first, last):
    """Move the fitness of each city's `count` candidates out of its row, and add up what remains in the row.

    Parameters
    ----------
    fitness : ndarray, shape (n * stride,), float32
    stride : int
    neighbours : ndarray, shape (n * reach,), int32
    near : ndarray, shape (n * reach,), float32
        Written in place.
    others : ndarray, shape (n,), float32
        Written in place.
    reach, count, first, last : int
    """
    for i in range(first, last):
        row = fitness[i * stride : (i + 1) * stride]
        for k in range(i * reach, i * reach + count):
            near[k] = row[neighbours[k]]
            row[neighbours[k]] = _ZERO
        rest = 0.0
        for value in row:
            rest += value
        others[i] = rest


@njit(cache=True, nogil=True)
def sum_prefixes(fitness, prefix, coarse, stride, first, last):
    """Compute prefix sums of rows `first` to `last` - 1 in float64, and copy every `SEGMENT`-th sum to `coarse`.

    Parameters
    ----------
    fitness, prefix : ndarray, shape (n * stride,), float32
    coarse : ndarray, shape (n * stride / SEGMENT,), float32
    stride, first, last : int
    """
    for i in range(first, last):
        total = 0.0
        for at in range(i * stride, (i + 1) * stride):
            total += fitness[at]
            prefix[at] = total
        for segment in range(i * stride // SEGMENT, (i + 1) * stride // SEGMENT):
            coarse[segment] = prefix[(segment + 1) * SEGMENT - 1]


@njit(cache=True, nogil=True)
def measure(distances, tours, lengths, first, last):
    """Compute the exact lengths of tours `first` to `last` - 1.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    tours : ndarray, shape (m * n,), int32
    lengths : ndarray, shape (m,), int64
        Written in place.
    first, last : int
    """
    n = np.uint64(distances.shape[0])
    for ant in range(np.uint64(first), np.uint64(last)):
        tour = ant * n
        length, current = np.int64(0), np.uint32(tours[tour + n - np.uint64(1)])
        for at in range(tour, tour + n):
            city = np.uint32(tours[at])
            length += distances[current, city]
            current = city
        lengths[ant] = length


@njit(cache=True, nogil=True)
def evaporate(trails, keep, minimum, maximum, first, last):
    """Multiply the trails in rows `first` to `last` - 1 by `keep` = 1 - rho (equation 4), within limits.

    Parameters
    ----------
    trails : ndarray, shape (n, n), float32
        Changed in place; the diagonal stays 0.
    keep, minimum, maximum : float32
    first, last : int
    """
    n = trails.shape[0]
    for i in range(first, last):
        row = trails[i]
        for j in range(np.uint64(n)):
            row[j] = min(max(row[j] * keep, minimum), maximum)
        row[i] = _ZERO


@njit(cache=True, nogil=True)
def deposit(trails, tours, amounts, first_ant, last_ant, first, last, directed):
    """Add ants' deposits to their tours' edges (equations 5 and 6) in rows `first` to `last` - 1.

    Each row belongs to one thread, and an edge receives its deposits in the order of the ants, so sums do not depend on
    the number of threads.

    Parameters
    ----------
    trails : ndarray, shape (n, n), float32
        Changed in place.
    tours : ndarray, shape (m * n,), int32
    amounts : ndarray, shape (m,), float32
        How much each ant deposits on each of its edges.
    first_ant, last_ant, first, last : int
        There must be at least two cities.
    directed : bool
        Whether ants deposit only in the direction in which they walked.
    """
    n = np.uint64(trails.shape[0])
    low, rows = np.uint32(first), np.uint32(last - first)
    for ant in range(np.uint64(first_ant), np.uint64(last_ant)):
        tour, amount = ant * n, amounts[ant]
        current = np.uint32(tours[tour + n - np.uint64(1)])
        for at in range(tour, tour + n):
            city = np.uint32(tours[at])
            if np.uint32(current - low) < rows:
                trails[current, city] += amount
            if np.uint32(city - low) < rows and not directed:
                trails[city, current] += amount
            current = city
