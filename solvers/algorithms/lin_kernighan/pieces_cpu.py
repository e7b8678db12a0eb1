"""A large tour, cut by position into pieces that threads improve in parallel. Imports Numba.

Each piece is a path from its first to its last city. The edge that closes it stays, since both ends are never queued
and are no candidates. The result does not depend on the number of threads.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from solvers.algorithms.lin_kernighan.cpu import allocate
from solvers.algorithms.lin_kernighan.kernels.pieces_cpu import cut_out, mark_border_cities, put_back
from solvers.algorithms.lin_kernighan.kernels.search_cpu import EVALUATED, HEAD, MADE, QUEUED, RECORDED, descend
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import ENDS, Cities, Tour
from solvers.parallel.thread_team import ThreadTeam

#: Number of exchanges that a thread evaluates between two checks of the clock: a few milliseconds.
_WORK = 100_000


class Piece:
    """A piece of a tour, and the search in it.

    Parameters
    ----------
    cities : Cities
    tour : Tour
    first, count : int
        First position and number of positions of the piece.
    local : ndarray, shape (n,), int32
        Written in place: the numbers of the piece's cities.
    depth : int
    """

    def __init__(self, cities: Cities, tour: Tour, first: int, count: int, local: np.ndarray, depth: int) -> None:
        path = tour.order[np.arange(first, first + count) % tour.order.size]
        self.names, self.first, self.change = np.sort(path), first, 0
        local[self.names] = np.arange(count, dtype=np.int32)
        near, far = np.empty((2, count, cities.near.shape[1]), np.int32)
        ends = path[[0, -1]]
        cut_out(cities.near, cities.near_distance, tour.position, local, self.names, first, count, ends, near, far)
        self._cities = Cities(cities.policy, cities.matrix, cities.points[self.names], near, far)
        inside = local[path]
        self.tour, self._search, self._chain = allocate(inside, 0, depth, 0, False)
        self.start, self.end = int(inside[0]), int(inside[-1])
        self._chain.queue[: count - 2], self.state = inside[1:-1], self._chain.state
        self.state[QUEUED], self.state[HEAD] = count - 2, 0
        self.parts: list[np.ndarray] = []

    def step(self) -> bool:
        """Work for a few milliseconds; return whether the queue is empty."""
        self.state[RECORDED] = 0
        self.change += int(descend(self._cities, self.tour, self._search, self._chain, False, _WORK))
        rows = self._chain.record[: self.state[RECORDED]].copy()
        rows[:, ENDS:] = np.take(self.names, rows[:, ENDS:], mode="clip")
        self.parts.append(rows)
        return not self.state[QUEUED]


@dataclass(slots=True)
class PiecesResult:
    """The result of improving all pieces: change of length, numbers of evaluated and made exchanges, their rows."""

    change: int
    evaluated: int
    move_count: int
    record: list[np.ndarray]


def improve_pieces(
    cities: Cities, tour: Tour, first: int, size: int, depth: int, team: ThreadTeam
) -> Generator[None, None, PiecesResult]:
    """Improve each piece of `size` positions, from position `first` on, until its queue is empty; yield after slices.

    Parameters
    ----------
    cities : Cities
        Cities in the plane.
    tour : Tour
        Changed in place at the end.
    first, size, depth : int
    team : ThreadTeam
    """
    n = tour.order.size
    begins, local = range(0, n, size), np.empty(n, np.int32)
    pieces: list[Piece | None] = [None] * len(begins)
    states = [np.zeros(2, np.int64) for _ in range(team.threads)]

    def work(worker: int) -> None:
        at = int(states[worker][0])
        piece = pieces[at]
        if piece is None:
            begin = begins[at]
            pieces[at] = Piece(cities, tour, (first + begin) % n, min(size, n - begin), local, depth)
        elif piece.step():
            states[worker][0] += 1

    yield from team.distribute(work, len(begins), 1, states)
    total = PiecesResult(0, 0, 0, [])
    for piece in pieces:
        assert piece is not None
        whole = put_back(piece.tour.order, piece.names, piece.start, piece.end, tour.order, tour.position, piece.first)
        assert whole
        total.change += piece.change
        total.evaluated += int(piece.state[EVALUATED])
        total.move_count += int(piece.state[MADE])
        total.record += piece.parts
    return total


def enqueue(cities: Cities, tour: Tour, first: int, size: int) -> np.ndarray:
    """Return the cities with candidates in other pieces, in the order of the tour, (m,) int32."""
    waits = np.empty(tour.order.size, np.bool_)
    mark_border_cities(cities.near, tour.position, first, size, waits)
    return tour.order[waits[tour.order]]
