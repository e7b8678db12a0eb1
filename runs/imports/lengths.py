"""Recomputes the lengths in an untrusted run file from its instance's distances.

The length of each whole tour (an event, a snapshot of a climb or a list of edges) must match the file, and the moves
between two tours must add up. Other lengths (of climbers, of ants, of a curve) belong to tours that are not in the
file: they must lie between the shortest measured tour and the upper bound on any tour.
"""

from dataclasses import dataclass, field

import numpy as np

from data.distances import edge_lengths, maximum_distance, tour_length
from data.instance import Instance
from runs.store.climb import Piece, split_pieces
from runs.store.tour_timeline import build_order
from solvers.worker.frames import Frame

#: Number of cities measured at a time.
_BLOCK = 1 << 18
#: Relative rounding error by which the mean of some lengths may be below the shortest of them.
_ROUNDING = 1e-9
#: For each kind of event, the arrays of lengths whose tours need not be in the file.
_UNVERIFIED_LENGTHS: dict[str, tuple[str, ...]] = {
    "progress": ("best", "current", "mean"), "rows": ("length",), "colony": ("best", "mean", "worst"),
    "ants": ("lengths",), "shortened": ("before", "after"), "population": ("best", "mean", "worst"),
    "individuals": ("lengths",),
}  # fmt: skip


@dataclass(slots=True, eq=False)
class _Climb:
    """The state of a climb: its last whole tour and the moves since."""

    move_count: int
    length: int
    order: np.ndarray
    moves: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)


class LengthChecker:
    """Checks a run file's lengths against the distances, event by event.

    Parameters
    ----------
    instance : Instance

    Attributes
    ----------
    shortest : int or None
        Length of the shortest measured tour.
    least : float
        The smallest length reported for a tour that is not in the file; infinite if there are none.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance, self._most = instance, max_tour_length(instance)
        self._climbs: dict[int, _Climb] = {}
        self.shortest: int | None = None
        self.least = float("inf")

    def measure_tour(self, frame: Frame) -> None:
        """Measure the tour in an event with ``order`` and ``length``.

        Raises
        ------
        ValueError
            If the tour's length differs from the file's.
        """
        exact = int(tour_lengths(self._instance, frame.arrays["order"][None])[0])
        if exact != frame.values["length"]:
            raise ValueError(f"a tour of length {exact:,} has the stored length {frame.values['length']:,}.")
        self._record_shortest(exact)

    def measure_climb(self, frame: Frame) -> None:
        """Measure the tours in climb and construction events; ignore other events.

        Raises
        ------
        ValueError
            If a tour's length differs from the file's, or the moves between two tours do not add up.
        """
        if frame.kind == "moves":
            self._check_pieces(frame)
        elif frame.kind == "edges":
            self._check_edges(frame)

    def record_lengths(self, frame: Frame) -> None:
        """Record the lengths of tours that may be missing from the file.

        Raises
        ------
        ValueError
            If a length exceeds the bound on any tour's length.
        """
        for name in _UNVERIFIED_LENGTHS.get(frame.kind, ()):
            lengths = frame.arrays[name]
            if lengths.size:
                self.least = min(self.least, float(_raise_rounded(lengths).min()))
                self._check_maximum(lengths)

    @property
    def is_plausible(self) -> bool:
        """Whether no recorded length is below the shortest measured tour."""
        return self.least >= (float("inf") if self.shortest is None else self.shortest)

    def drop_implausible(self, frame: Frame) -> Frame | None:
        """Return a frame without rows below the shortest measured length; None if no row remains."""
        if frame.kind not in _UNVERIFIED_LENGTHS:
            return frame
        shortest = float("inf") if self.shortest is None else self.shortest
        plausible = np.all(
            [_raise_rounded(frame.arrays[name]) >= shortest for name in _UNVERIFIED_LENGTHS[frame.kind]], axis=0
        )
        if plausible.all():
            return frame
        arrays = {name: array[plausible] for name, array in frame.arrays.items()}
        return Frame(frame.kind, frame.values, arrays) if plausible.any() else None

    def _record_shortest(self, length: int) -> None:
        self.shortest = length if self.shortest is None else min(self.shortest, length)

    def _check_maximum(self, lengths: np.ndarray) -> None:
        if lengths.size and lengths.max() > self._most:
            raise ValueError("a length exceeds that of any tour of its cities.")

    def _check_edges(self, frame: Frame) -> None:
        edges, delta = frame.arrays["edges"], frame.arrays["delta"]
        if not np.array_equal(edge_lengths(self._instance, edges[:, 0], edges[:, 1]), delta):
            raise ValueError("the length of an edge is wrong.")
        n, directed = self._instance.n, self._instance.directed
        if not _is_tour_in_order(edges, n) and build_order(edges, n, directed) is None:
            raise ValueError("the edges of a construction do not form a tour.")
        self._record_shortest(int(delta.sum(dtype=np.int64)))

    def _check_pieces(self, frame: Frame) -> None:
        a = frame.arrays
        has_tour, exact = a["tour"] >= 0, tour_lengths(self._instance, a["tours"])
        if (a["length"][has_tour] != exact[a["tour"][has_tour]]).any():
            raise ValueError("the length of a tour in a climb is wrong.")
        if has_tour.any():
            self._record_shortest(int(exact[a["tour"][has_tour]].min()))
        # Most pieces are whole climbs, which need not be checked move by move.
        complete = has_tour & (a["first"] == 0) & a["last"].astype(bool)
        below = self._find_shorter(a)
        for piece in split_pieces(frame, np.flatnonzero(~complete | below).tolist()):
            self._follow(piece)

    def _find_shorter(self, a: dict[str, np.ndarray]) -> np.ndarray:
        """Return a mask of the pieces that reach a length below all tours so far, (p,) bool."""
        ends = np.cumsum(a["count"], dtype=np.int64)
        sums = np.concatenate(([0], np.cumsum(a["delta"], dtype=np.int64)))
        piece = np.repeat(np.arange(ends.size), a["count"])
        lengths = a["length"][piece] + sums[1:] - sums[ends - a["count"]][piece]
        self._check_maximum(lengths)
        below = np.zeros(ends.size, bool)
        below[piece[lengths < (self._most + 1 if self.shortest is None else self.shortest)]] = True
        return below

    def _follow(self, piece: Piece) -> None:
        """Continue a climb with a piece, move by move if it reaches a length below all tours so far."""
        climb = self._climbs.get(piece.climber)
        if piece.tour is not None and not piece.i.size and (climb is None or climb.move_count != piece.first > 0):
            return  # a snapshot, which does not belong to the recorded climb
        if climb and piece.first and (climb.move_count, climb.length) != (piece.first, piece.length):
            raise ValueError("the moves of a climb do not add up.")
        if piece.tour is not None:
            climb = _Climb(piece.first, piece.length, piece.tour)
        if climb is None:
            raise ValueError("a climb has no beginning.")
        lengths = piece.length + np.cumsum(piece.delta, dtype=np.int64)
        if lengths.size and (self.shortest is None or lengths.min() < self.shortest):
            self._check_moves(climb, piece, lengths)
        else:
            climb.moves.append((piece.i, piece.j))
        climb.move_count, climb.length = piece.first + piece.i.size, int(lengths[-1]) if lengths.size else piece.length
        if piece.last:
            self._climbs.pop(piece.climber, None)
        else:
            self._climbs[piece.climber] = climb

    def _check_moves(self, climb: _Climb, piece: Piece, lengths: np.ndarray) -> None:
        """Apply a piece's moves and measure the tour after each."""
        order = climb.order.copy()
        for i, j in climb.moves:
            _apply_moves(order, i, j)
        if not np.array_equal(_apply_and_measure(self._instance, order, piece.i, piece.j), piece.delta):
            raise ValueError("the change in length by a move is wrong.")
        climb.order, climb.moves = order, []
        self._record_shortest(int(lengths.min()))


def tour_lengths(instance: Instance, tours: np.ndarray) -> np.ndarray:
    """Return the exact lengths of closed tours.

    Parameters
    ----------
    instance : Instance
    tours : ndarray, shape (t, n), int
        Each a permutation of the cities.

    Returns
    -------
    ndarray, shape (t,), int64
    """
    lengths, rows = np.zeros(len(tours), np.int64), max(1, _BLOCK // max(1, instance.n))
    for first in range(0, len(tours), rows):
        block = tours[first : first + rows]
        lengths[first : first + rows] = edge_lengths(instance, block, np.roll(block, -1, axis=1)).sum(axis=1)
    return lengths


def _apply_and_measure(instance: Instance, order: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return each move's change in length, (m,) int64, applying the moves to `order` (n,) in place."""
    if not instance.directed:
        return _compute_changes(instance, _apply_moves(order, i, j))
    lengths = [tour_length(instance, order)]
    for k in range(i.size):
        _apply_moves(order, i[k : k + 1], j[k : k + 1])
        lengths.append(tour_length(instance, order))  # on directed instances a reversal changes every edge inside it
    return np.diff(np.array(lengths, np.int64))


def _apply_moves(order: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Apply moves to `order` (n,) in place; return the four cities whose edges each changes, (4, m)."""
    ends, n = np.empty((4, i.size), order.dtype), order.size
    for k, (a, b) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
        ends[:, k] = order[a], order[a + 1], order[b], order[(b + 1) % n]
        order[a + 1 : b + 1] = order[a + 1 : b + 1][::-1].copy()
    return ends


def _compute_changes(instance: Instance, ends: np.ndarray) -> np.ndarray:
    """Return each move's change in length for `_apply_moves`, (m,) int64, given symmetric distances."""
    first, second, third, last = ends
    leave = edge_lengths(instance, first, second) + edge_lengths(instance, third, last)
    return edge_lengths(instance, first, third) + edge_lengths(instance, second, last) - leave


def _is_tour_in_order(edges: np.ndarray, n: int) -> bool:
    """Return whether edges form a tour in visiting order, as most algorithms send them."""
    follows = np.array_equal(edges[:, 1], np.roll(edges[:, 0], -1))
    return len(edges) == n and follows and np.array_equal(np.sort(edges[:, 0]), np.arange(n))


def max_tour_length(instance: Instance) -> int:
    """Return an upper bound on tour lengths: n edges as long as the instance's extent."""
    return instance.n * maximum_distance(instance)


def _raise_rounded(lengths: np.ndarray) -> np.ndarray:
    """Return an upper bound on the shortest tour behind each length, which may be a rounded mean."""
    return lengths + np.abs(lengths) * _ROUNDING if lengths.dtype.kind == "f" else lengths
