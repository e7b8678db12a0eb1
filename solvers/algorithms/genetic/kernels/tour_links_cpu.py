"""A tour as a doubly linked list with an undo log."""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit

#: Indices of `Changes.state`: how many cities are touched, and the number of this set of changes.
TOUCHED, STAMP, STATE = range(3)


class Changes(NamedTuple):
    """The changed cities and their previous neighbours.

    Attributes
    ----------
    touched : ndarray, shape (n,), int32
    before : ndarray, shape (n, 2), int32
        The neighbours of touched cities before the changes.
    stamp : ndarray, shape (n,), int64
        The last set of changes that touched each city.
    state : ndarray, shape (STATE,), int64
    """

    touched: np.ndarray
    before: np.ndarray
    stamp: np.ndarray
    state: np.ndarray


def allocate_changes(n: int) -> Changes:
    """Allocate the changes of a tour of n cities."""
    return Changes(np.zeros(n, np.int32), np.zeros((n, 2), np.int32), np.zeros(n, np.int64), np.zeros(STATE, np.int64))


@njit(cache=True, nogil=True)
def begin(changes):
    """Start a new set of changes."""
    changes.state[TOUCHED] = 0
    changes.state[STAMP] += 1


@njit(cache=True, nogil=True)
def join(links, changes, city, old, new):
    """Replace a city's neighbour `old` by `new`."""
    if changes.stamp[city] != changes.state[STAMP]:
        changes.stamp[city] = changes.state[STAMP]
        changes.touched[changes.state[TOUCHED]] = city
        changes.before[city, 0], changes.before[city, 1] = links[city, 0], links[city, 1]
        changes.state[TOUCHED] += 1
    if links[city, 0] == old:
        links[city, 0] = new
    else:
        links[city, 1] = new


@njit(cache=True, nogil=True)
def undo(links, changes):
    """Undo all changes since `begin`."""
    for k in range(changes.state[TOUCHED]):
        city = changes.touched[k]
        links[city, 0], links[city, 1] = changes.before[city, 0], changes.before[city, 1]


@njit(cache=True, nogil=True)
def walk(links, order, position):
    """Write the tour of `links` (n, 2) int32 to ``order`` (n,) int32 from city 0 on, and each city's position."""
    n, city, before = links.shape[0], 0, links[0, 1]
    for at in range(n):
        order[at], position[city] = city, at
        city, before = (links[city, 0] if links[city, 0] != before else links[city, 1]), city
