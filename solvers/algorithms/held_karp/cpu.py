"""Held-Karp's layers on the CPU: their tables, and the threads and processes among which a layer is divided.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator, Iterator
from functools import partial
from math import comb
from time import perf_counter

import numpy as np

from solvers.algorithms.held_karp.kernels.layer_cpu import Layer, Workspace, advance
from solvers.algorithms.held_karp.kernels.simd_cpu import LANES, LOW
from solvers.algorithms.held_karp.layers import Ends, LayerProgress
from solvers.algorithms.held_karp.plan import UNREACHED, Plan, format_bytes
from solvers.core.errors import InstanceTooLarge
from solvers.core.memory import available_bytes
from solvers.mpi.communicator import Communicator
from solvers.parallel.thread_team import ThreadTeam

#: Target duration of a call to `advance`, in seconds.
SLICE_SECONDS = 0.04
#: Number of sums per work item, which takes a few milliseconds.
_PIECE = 1 << 24
#: Minimum number of a layer's sums per thread. Waking a thread takes as long as a million sums, and on a busy machine
#: all threads wait for the last one.
_SUMS_PER_THREAD = 1 << 23
#: Number of states that processes without shared memory exchange at a time.
_EXCHANGED_STATES = 1 << 22
#: Whether memory is available is checked only for at least this many bytes.
_MIN_CHECKED_BYTES = 1 << 26
_DTYPES = {2: np.uint16, 4: np.uint32, 8: np.uint64}
#: Alignment of tables in bytes: a cache line, so that each row spans as few of these as possible.
_CACHE_LINE = 64
_NO_LENGTH = np.iinfo(np.int64).max


class CpuLayers:
    """Held-Karp's layers on the CPU; see `solvers.algorithms.held_karp.layers.LayerTable`.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32 or int64
        Distances from row to column, not negative.
    threads : int
        Maximum number of threads; small layers use fewer.
    ranks : Communicator
        The processes that share the sets of each layer.
    backward : CpuLayers, optional
        For a directed instance, the layers of the paths that lead back to the first city; the last layer joins its
        paths with these. If omitted, distances are symmetric.

    Raises
    ------
    InstanceTooLarge
        If the tables do not fit into memory.
    """

    def __init__(
        self,
        plan: Plan,
        distances: np.ndarray,
        threads: int,
        ranks: Communicator | None = None,
        backward: "CpuLayers | None" = None,
    ) -> None:
        self._backward = backward
        self._plan, self._ranks = plan, ranks or Communicator()
        threads = max(min(threads, self._useful_threads(size)) for size in range(plan.layers))
        self._team = ThreadTeam(threads)
        self._kind = _DTYPES[plan.item]
        between = reorder_distances(plan, distances, self._kind)
        low = between[plan.outer_count : plan.outer_count + LOW, plan.outer_count : plan.outer_count + LOW]
        self._distances = np.ascontiguousarray(between.T).reshape(-1)
        self._low = align(np.repeat(low.reshape(-1), LANES))
        sizes = range(plan.outer_count + 3)
        self._choose = np.array([[comb(n, k) for k in sizes] for n in sizes], np.int64)
        self._workspaces = [make_workspace(plan, self._kind) for _ in range(threads)]
        self._bests = [np.zeros(4, np.int64) for _ in range(threads)]
        self._tables = [
            align_to_line(self._table(rows * plan.row + _CACHE_LINE // plan.item)) for rows in plan.table_rows
        ]
        self._tables[0][: plan.row] = UNREACHED[plan.item]
        self._tables[0][0] = 0
        self._compile()
        self._ranks.synchronise()  # no process starts until all are ready
        self._ranks.blank(self._next(0))
        self._touched = [0, 0]
        self._done: list[int] = []  # numbers of the layer's finished sets, one per work item: several threads append
        self._work = self._compute_all()

    def advance(self) -> LayerProgress:
        """See `solvers.algorithms.held_karp.layers.LayerTable.advance`."""
        self._team.deadline = perf_counter() + SLICE_SECONDS
        return next(self._work)

    def close(self) -> None:
        """See `solvers.algorithms.held_karp.layers.LayerTable.close`."""
        self._work.close()
        self._team.close()
        self._tables.clear()
        self._ranks.close()

    def _table(self, size: int) -> np.ndarray:
        try:
            return self._ranks.table(size, self._kind)
        except MemoryError:
            needed = format_bytes(self._plan.peak_bytes)
            raise InstanceTooLarge(
                f"{self._plan.n} cities need {needed} of memory, which the system did not give."
            ) from None

    def _next(self, size: int) -> np.ndarray:
        """Return the part of the other table that layer `size` fills."""
        return self._tables[(size + 1) % 2][: self._plan.rows(size + 1) * self._plan.row]

    def _compile(self) -> None:
        """Compile or load the kernel by calling it with an empty range."""
        advance(self._make_layer(0), self._workspaces[0], 0, 0, self._bests[0])

    def _make_layer(self, size: int) -> Layer:
        plan = self._plan
        joins, table = size == plan.layers - 1, self._tables[size % 2]
        back = table if self._backward is None else self._backward.table(size)
        return Layer(
            size, plan.outer_count, plan.inner_count, joins, int(joins and not plan.directed), self._distances,
            self._low, self._choose, table, self._tables[(size + 1) % 2], back,
        )  # fmt: skip

    def table(self, size: int) -> np.ndarray:
        """Return the table with a layer's states."""
        return self._tables[size % 2]

    def _compute_all(self) -> Generator[LayerProgress, None, None]:
        """Compute all layers in order."""
        yield from self._prepare_memory(0)
        for size in range(self._plan.layers):
            yield from self._compute_layer(size)

    def _count_sums(self, size: int) -> int:
        """Return the number of sums that a layer takes, per direction."""
        return self._plan.transitions(size) // self._plan.directions(size)

    def _useful_threads(self, size: int) -> int:
        """Return the number of threads beyond which this process's share of a layer gets no faster."""
        return max(1, self._count_sums(size) // self._ranks.count // _SUMS_PER_THREAD)

    def _compute_layer(self, size: int) -> Generator[LayerProgress, None, None]:
        first, last = self._ranks.split(self._plan.count_outer_sets(size))
        sums = self._count_sums(size) // max(1, self._plan.count_outer_sets(size))
        workers = min(self._team.threads, self._useful_threads(size))
        piece = max(1, min(_PIECE // max(1, sums), -(-(last - first) // (4 * workers))))
        for best in self._bests:
            best[:] = _NO_LENGTH
        self._done.clear()
        work = partial(self._compute_piece, self._make_layer(size), first)
        for _ in self._team.share(work, last - first, piece, workers):
            yield LayerProgress(size, sum(self._done) / max(1, last - first), None)
        yield from self._wait_for_all(size)
        self._ranks.synchronise()
        best_of_all = self._find_best()
        if size + 1 < self._plan.layers:
            yield from self._prepare_next(size)
        yield LayerProgress(size, 1.0, best_of_all)

    def _prepare_next(self, size: int) -> Generator[LayerProgress, None, None]:
        """Merge the results of processes without shared memory, and prepare the memory of the next layer.

        Results are merged in parts, and all processes synchronise before each part, so that none waits long for the
        others.
        """
        if self._ranks.separate_memory:
            for part in _split_parts(self._next(size)):
                yield from self._wait_for_all(size)
                self._ranks.merge(part)
            for part in _split_parts(self._next(size + 1)) if size + 2 < self._plan.layers else ():
                yield from self._wait_for_all(size)
                self._ranks.blank(part)
        yield from self._prepare_memory(size + 1)

    def _wait_for_all(self, size: int) -> Generator[LayerProgress, None, None]:
        for _ in self._ranks.wait_for_all():
            yield LayerProgress(size, 1.0, None)

    def _prepare_memory(self, size: int) -> Generator[LayerProgress, None, None]:
        """Check that the memory that a layer is the first to use is available, and touch its pages."""
        if size + 1 == self._plan.layers:
            return
        table, end = (size + 1) % 2, self._next(size).size
        new = self._tables[table][self._touched[table] : end]
        self._touched[table] = max(end, self._touched[table])
        self._check_free(new.nbytes)
        before = LayerProgress(max(0, size - 1), 1.0 if size else 0.0, None)
        for _ in self._ranks.touch(new):
            if self._team.is_over:
                yield before
        if new.size:  # to write while other processes are still touching pages would undo the gain
            for _ in self._ranks.wait_for_all():
                yield before

    def _check_free(self, more: int) -> None:
        """Raise an error unless `more` bytes are still free, since other programs may have taken them.

        Raises
        ------
        InstanceTooLarge
            In all processes, if too little memory is free.
        """
        if more < _MIN_CHECKED_BYTES:
            return
        free = int(self._ranks.minimum(np.array([available_bytes() or _NO_LENGTH], np.int64))[0])
        if more * self._ranks.copies > free:
            raise InstanceTooLarge(
                f"The next layer needs {format_bytes(more)} more of memory, and {format_bytes(free)} are left: "
                "something else has taken what was free at the start."
            )

    def _compute_piece(self, layer: Layer, start: int, first: int, last: int) -> None:
        """Compute one piece of a layer, in any free workspace."""
        workspace, best = self._workspaces.pop(), self._bests.pop()
        advance(layer, workspace, start + first, start + last, best)
        self._workspaces.append(workspace)
        self._bests.append(best)
        self._done.append(last - first)

    def _find_best(self) -> Ends:
        """Return the best result of all threads and processes: the one that comes first in lexicographic order."""
        length, outer, inner, last = min(tuple(best.tolist()) for best in self._bests)
        minimum = int(self._ranks.minimum(np.array([length], np.int64))[0])
        packed = (outer << 16 | inner << 8 | last) if length == minimum else _NO_LENGTH
        packed = int(self._ranks.minimum(np.array([packed], np.int64))[0])
        return Ends(minimum, packed >> 16, packed >> 8 & 0xFF, packed & 0xFF)


def reorder_distances(plan: Plan, distances: np.ndarray, kind: type, low: int = LOW) -> np.ndarray:
    """Return the distances in the layers' order of cities (outer, inner, first), capped at `UNREACHED`.

    If there are fewer than `low` inner cities, the missing ones have distance 0 from all others; no path leads to them.
    """
    outer, inner = plan.outer_count, plan.inner_count
    side = outer + max(inner, low) + 1
    offsets = np.r_[0:outer, outer : outer + inner, side - 1]
    cities = np.r_[1 : plan.n, 0]
    array: np.ndarray = np.zeros((side, side), kind)
    array[np.ix_(offsets, offsets)] = np.minimum(
        distances[np.ix_(cities, cities)].astype(np.int64), UNREACHED[plan.item]
    )
    return array


def make_workspace(plan: Plan, kind: type) -> Workspace:
    """Allocate a thread's workspace."""
    outer, inner = plan.outer_count, plan.inner_count
    low = np.minimum(np.arange(8), min(inner, LOW) - 1)
    cities = outer + max(inner, LOW)
    return Workspace(
        np.zeros(cities + 1, np.int64), np.zeros(outer + 3, np.int64), np.zeros(outer + 3, np.int64),
        np.zeros(outer + 1, np.int64), outer + low, low * LANES, np.zeros(8, np.int64), np.zeros(8, np.int64),
        align(np.full(LOW * LANES, UNREACHED[plan.item], kind)),
        align(np.full(plan.row * max(inner, LOW), UNREACHED[plan.item], kind)),
        align(np.zeros(outer * plan.row, kind)),
    )  # fmt: skip


def align(values: np.ndarray) -> np.ndarray:
    """Copy values to an array that starts at a cache line."""
    array = align_to_line(np.empty(values.size + _CACHE_LINE // values.itemsize, values.dtype))
    array[:] = values
    return array


def align_to_line(buffer: np.ndarray) -> np.ndarray:
    """Return the part of a buffer that starts at a cache line; it is a cache line shorter than the buffer."""
    first = -buffer.ctypes.data % _CACHE_LINE // buffer.itemsize
    return buffer[first : first + buffer.size - _CACHE_LINE // buffer.itemsize]


def _split_parts(table: np.ndarray) -> Iterator[np.ndarray]:
    """Split a table into parts that processes can exchange in about ten milliseconds each."""
    return (table[at : at + _EXCHANGED_STATES] for at in range(0, table.size, _EXCHANGED_STATES))
