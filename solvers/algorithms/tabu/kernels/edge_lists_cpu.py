"""A search's two tabu lists: edges in order of entry, with one hash table per list.

F. Glover, "Tabu Search, Part I" (ORSA Journal on Computing 1, 1989): the list contains attributes of the latest moves;
when new ones enter, old ones leave it.
"""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit

#: Lists of removed edges, which may not be added again, and of added edges, which may not be removed.
REMOVED, ADDED = 0, 1
#: Indices of a row of `EdgeLists.span`: the slot of the oldest edge, and the number of edges.
OLDEST, SIZE = 0, 1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class EdgeLists(NamedTuple):
    """The lists `REMOVED` and `ADDED`: ring buffers. Edges with the same hash value form a chain, newest first.

    Attributes
    ----------
    edge : ndarray, shape (2, slots), uint64
        The lower city times 2**32 plus the higher; for a directed edge, the city that it leaves comes first instead.
    successor : ndarray, shape (2, slots), int32
        The slot of the next older edge with the same hash value; -1 if there is none.
    newest : ndarray, shape (2, buckets), int32
        The slot of the newest edge with each hash value; -1 if there is none.
    span : ndarray, shape (2, 2), int64
    """

    edge: np.ndarray
    successor: np.ndarray
    newest: np.ndarray
    span: np.ndarray


def allocate_lists(moves: int, edges: int = 2) -> EdgeLists:
    """Allocate empty lists for a number of moves, with `edges` edges each."""
    slots = edges * (moves + 1)
    buckets = 1 << int(2 * slots - 1).bit_length()
    return EdgeLists(
        np.zeros((2, slots), np.uint64), np.full((2, slots), -1, np.int32), np.full((2, buckets), -1, np.int32),
        np.zeros((2, 2), np.int64),
    )  # fmt: skip


@njit(forceinline=True)
def edge_between(a, b):
    """Return an edge's number, uint64."""
    return arc_between(min(a, b), max(a, b))


@njit(forceinline=True)
def arc_between(a, b):
    """Return a directed edge's number, uint64."""
    return (np.uint64(a) << np.uint64(32)) | np.uint64(b)


@njit(forceinline=True)
def hash_edge(lists, edge):
    """Return an edge's hash value, int64, by multiplicative hashing."""
    mixed = (edge * _GOLDEN) ^ ((edge * _GOLDEN) >> np.uint64(29))
    return np.int64((mixed * _GOLDEN) >> np.uint64(32)) & (lists.newest.shape[1] - 1)


@njit(cache=True, nogil=True)
def clear(lists):
    """Empty both lists."""
    lists.newest[:] = -1
    lists.span[:] = 0


@njit(cache=True, nogil=True)
def holds(lists, which, a, b):
    """Return whether a list contains the edge between two cities."""
    return holds_edge(lists, which, edge_between(a, b))


@njit(cache=True, nogil=True)
def holds_edge(lists, which, edge):
    """Return whether a list contains the edge with this number."""
    slot = lists.newest[which, hash_edge(lists, edge)]
    while slot >= 0:
        if lists.edge[which, slot] == edge:
            return True
        slot = lists.successor[which, slot]
    return False


@njit(cache=True, nogil=True)
def enter(lists, which, a, b):
    """Append the edge between two cities."""
    enter_edge(lists, which, edge_between(a, b))


@njit(cache=True, nogil=True)
def enter_edge(lists, which, edge):
    """Append the edge with this number; a list may contain an edge several times."""
    slots, bucket, span = lists.edge.shape[1], hash_edge(lists, edge), lists.span[which]
    slot = (span[OLDEST] + span[SIZE]) % slots
    lists.edge[which, slot] = edge
    lists.successor[which, slot] = lists.newest[which, bucket]
    lists.newest[which, bucket] = slot
    span[SIZE] += 1


@njit(cache=True, nogil=True)
def shrink(lists, which, size):
    """Remove the oldest edges until at most `size` remain."""
    span, slots = lists.span[which], lists.edge.shape[1]
    while span[SIZE] > size:
        oldest = span[OLDEST]
        bucket = hash_edge(lists, lists.edge[which, oldest])
        slot = lists.newest[which, bucket]
        if slot == oldest:
            lists.newest[which, bucket] = -1
        else:
            # The oldest edge is the last of its chain.
            while lists.successor[which, slot] != oldest:
                slot = lists.successor[which, slot]
            lists.successor[which, slot] = -1
        span[OLDEST] = oldest + 1 if oldest + 1 < slots else 0
        span[SIZE] -= 1
