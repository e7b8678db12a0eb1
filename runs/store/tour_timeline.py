"""A run's timeline: its current tours at selected times of its clock, for scrubbing."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from runs.store.live_tour import Follower, Head
from runs.store.reader import RunReader
from solvers.worker.frames import decode, encode

#: Limits on a timeline: number of tours, and their size in bytes.
MAX_TOURS, MAX_BYTES = 1000, 16 << 20
#: Kinds of events that carry the current tour or the clock.
_KINDS = ("moves", "edges", "tour", "progress", "compiling", "started", "finished", "state")


def build_film(path: Path) -> bytes:
    """Return a run's ``film`` frame up to its current state.

    Returns
    -------
    bytes
        A frame with the value ``seconds``, the end of the timeline, and the arrays ``at`` (k,) float64, ascending
        seconds on the run's clock, ``length`` (k,) int64, and ``orders`` (k, n) uint16 or int32: tours.
    """
    end = _find_end(path)
    with RunReader(path) as reader:
        values = decode(reader.instance()).values
        n = int(values["n"])
        max_tours = max(2, min(MAX_TOURS, MAX_BYTES // (_choose_dtype(n)(0).nbytes * n)))
        tours = _FilmTours(n, end / max_tours, bool(values.get("directed")))
        for head in _iterate_heads(reader):
            tours.add(head)
    return tours.frame(end)


def _iterate_heads(reader: RunReader) -> Iterator[Head]:
    """Yield all heads of a run and their times."""
    follower, times = Follower(), Spread()
    burst: list[Head] = []
    for raw in reader.all_frames(_KINDS):
        heads = follower.follow(decode(raw))
        if burst and heads and heads[-1].elapsed - burst[0].elapsed > Spread.BURST:
            yield from times.spread(burst)
            burst = []
        burst += heads
    yield from times.spread(burst)


def _find_end(path: Path) -> float:
    """Return a run's seconds at its last event with a time."""
    follower = Follower()
    with RunReader(path) as reader:
        for raw in reader.all_frames(("progress", "compiling", "started", "finished", "state")):
            follower.follow(decode(raw))
    return follower.seconds


def _choose_dtype(n: int) -> type[np.uint16] | type[np.int32]:
    return np.uint16 if n <= 1 << 16 else np.int32


class _FilmTours:
    """Keeps the last head in each interval of `every` seconds.

    Parameters
    ----------
    n : int
    every : float
    directed : bool
        Whether the edges of constructions have directions.
    """

    def __init__(self, n: int, every: float, directed: bool) -> None:
        self._n, self._every, self._directed = n, every, directed
        self._tours: dict[int, Head] = {}

    def add(self, head: Head) -> None:
        """Keep a head, replacing an earlier one of the same interval."""
        self._tours[int(head.elapsed / self._every) if self._every else 0] = head

    def frame(self, end: float) -> bytes:
        """Encode the ``film`` frame."""
        rows = [(head, _find_order(head, self._n, self._directed)) for _, head in sorted(self._tours.items())]
        rows = [(head, order) for head, order in rows if order is not None]
        orders = np.array([order for _, order in rows], _choose_dtype(self._n)).reshape(-1, self._n)
        at, length = np.array([head.elapsed for head, _ in rows]), np.array([head.length for head, _ in rows], np.int64)
        return encode("film", {"seconds": end}, {"at": at.astype(float), "length": length, "orders": orders})


def _find_order(head: Head, n: int, directed: bool) -> np.ndarray | None:
    return head.order if head.walk == "moves" else build_order(head.order, n, directed)


def build_order(edges: np.ndarray, n: int, directed: bool = False) -> np.ndarray | None:
    """Return a tour's visiting order, given its edges (n, 2) in any order; None if they form no single tour.

    With `directed`, each edge leads from its first city to its second, and so does the tour.
    """
    if directed:
        return _follow_edges(edges, n)
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges.tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    if len(edges) != n or any(len(neighbour) != 2 for neighbour in neighbours):
        return None
    order = [0, neighbours[0][0]] if n > 1 else [0]
    while len(order) < n:
        left, right = neighbours[order[-1]]
        order.append(right if left == order[-2] else left)
    closed = len(set(order)) == n and all(b in neighbours[a] for a, b in pairwise([*order, order[0]]))
    return np.array(order, np.int32) if closed else None


def _follow_edges(edges: np.ndarray, n: int) -> np.ndarray | None:
    following = dict(edges.tolist())
    order = [0]
    while len(order) < n and (city := following.get(order[-1])) is not None:
        order.append(city)
    closed = len(edges) == len(following) == len(set(order)) == n and following[order[-1]] == 0
    return np.array(order, np.int32) if closed else None


class Spread:
    """Spreads heads that arrive together evenly over the time since the previous heads.

    An algorithm reports many iterations at once, so their heads share a time stamp although they were found one after
    another.
    """

    #: Maximum seconds between the heads of one burst, and maximum seconds over which a burst is spread.
    BURST, MAX_PAUSE = 0.004, 0.06

    def __init__(self) -> None:
        self._last = 0.0

    def spread(self, heads: list[Head]) -> list[Head]:
        """Adjust the times of these heads, which follow the last call's; return the same list."""
        first = 0
        for k, head in enumerate(heads):
            if k + 1 == len(heads) or heads[k + 1].elapsed - heads[first].elapsed > self.BURST:
                begin = max(self._last, head.elapsed - self.MAX_PAUSE)
                for number, each in enumerate(heads[first : k + 1], 1):
                    each.elapsed = begin + number / (k + 1 - first) * (head.elapsed - begin)
                first, self._last = k + 1, head.elapsed
        return heads
