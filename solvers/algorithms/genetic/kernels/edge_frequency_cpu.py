"""Edge frequencies of a population, and the entropy lost when a tour is replaced.

Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman
Problem" (INFORMS Journal on Computing 25, 2013): the selection that preserves entropy.
"""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit


class Frequencies(NamedTuple):
    """The edges of a population of m tours, stored by lower city.

    Attributes
    ----------
    start, end : ndarray, shape (n,), int32
        Start and end of the edges of each city.
    city, tours : ndarray, shape (2 * m * n,), int32
        The higher city of each edge, and the number of tours with that edge.
    """

    start: np.ndarray
    end: np.ndarray
    city: np.ndarray
    tours: np.ndarray


def allocate_frequencies(m: int, n: int) -> Frequencies:
    """Allocate the edge frequencies of m tours of n cities; m is 0 if they are not needed."""
    return Frequencies(*np.zeros((2, n), np.int32), *np.empty((2, 2 * m * n), np.int32))


def entropy_terms(m: int) -> np.ndarray:
    """Return the entropy term of each frequency: -F / m log(F / m) for F = 0, ..., m + 1, in nats."""
    share = np.arange(m + 2) / m
    share[0] = 1.0  # an edge in no tour adds nothing
    return -share * np.log(share)


@njit(cache=True, nogil=True)
def count_frequencies(links, first, last, frequencies):
    """Count the edges from cities `first` to `last` - 1 to higher cities; threads may count ranges at the same time.

    Parameters
    ----------
    links : ndarray, shape (m, n, 2), int32
        The two neighbours of each city in each tour.
    first, last : int
        The range of cities, `first` to `last` - 1.
    frequencies : Frequencies
        Changed in place.
    """
    m, n, _ = links.shape
    filled, mark = 2 * m * first, np.full(n, -1, np.int32)
    for city in range(first, last):
        begin = filled
        for k in range(m):
            for side in range(2):
                to = links[k, city, side]
                if to <= city:
                    continue
                if mark[to] >= begin:
                    frequencies.tours[mark[to]] += 1
                else:
                    mark[to] = filled
                    frequencies.city[filled] = to
                    frequencies.tours[filled] = 1
                    filled += 1
        frequencies.start[city], frequencies.end[city] = begin, filled


@njit(cache=True, nogil=True)
def frequency(frequencies, one, other):
    """Return how many tours contain the edge between two cities."""
    low, high = min(one, other), max(one, other)
    for k in range(frequencies.start[low], frequencies.end[low]):
        if frequencies.city[k] == high:
            return frequencies.tours[k]
    return np.int32(0)


@njit(cache=True, nogil=True)
def entropy_loss(frequencies, terms, before, links, touched, count):
    """Return the entropy lost if a child replaces a tour.

    Parameters
    ----------
    frequencies : Frequencies
        Before the replacement.
    terms : ndarray, shape (m + 2,), float64
        See `entropy_terms`.
    before, links : ndarray, shape (n, 2), int32
        The neighbours of each city in the replaced tour (only those of touched cities are valid), and in the child.
    touched : ndarray, shape (n,), int32
        The cities whose neighbours differ, in its first `count` entries.
    count : int

    Returns
    -------
    float
        Negative if the entropy grows.
    """
    loss = 0.0
    for k in range(count):
        city = touched[k]
        for side in range(2):
            old, new = before[city, side], links[city, side]
            if old > city and old not in (links[city, 0], links[city, 1]):
                often = frequency(frequencies, city, old)
                loss += terms[often] - terms[often - 1]
            if new > city and new not in (before[city, 0], before[city, 1]):
                often = frequency(frequencies, city, new)
                loss += terms[often] - terms[often + 1]
    return loss
