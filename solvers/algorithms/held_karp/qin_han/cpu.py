"""Qin and Han's Held-Karp (2022) on cores: by threads (section 2.3), or by processes that exchange states (2.5).

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from time import perf_counter

import numpy as np

from solvers.algorithms.held_karp.layers import LayerProgress, Path
from solvers.algorithms.held_karp.plan import UNREACHED, format_bytes
from solvers.algorithms.held_karp.qin_han.kernels.maps_cpu import (
    Maps,
    combine,
    insert_keys,
    list_sets,
    set_key,
    trace,
    update,
    updates,
)
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan, capacity
from solvers.core.errors import InstanceTooLarge
from solvers.mpi.communicator import Communicator
from solvers.parallel.thread_team import ThreadTeam

#: Target duration of a call to `advance`, in seconds.
SLICE_SECONDS = 0.04
#: Number of look-ups in maps, and number of bytes, per work item, which takes a few milliseconds.
_PIECE, _BYTES = 1 << 16, 1 << 24
#: Number of states that each process sends at a time.
_EXCHANGED_STATES = 1 << 16
_NO_LENGTH = np.iinfo(np.int64).max
_FREE = 0xFFFFFFFF


class QinHanLayers:
    """Qin and Han's layers on cores; see `solvers.algorithms.held_karp.layers.LayerTable`.

    Parameters
    ----------
    plan : QinHanPlan
    distances : ndarray, shape (n, n), int32
        Symmetric distances, not negative.
    threads : int
    ranks : Communicator
        The processes that share the sets of each layer; each has its own lists and maps.

    Raises
    ------
    InstanceTooLarge
        If the maps do not fit into memory.
    """

    def __init__(
        self, plan: QinHanPlan, distances: np.ndarray, threads: int, ranks: Communicator | None = None
    ) -> None:
        self._plan, self._ranks, self._team = plan, ranks or Communicator(), ThreadTeam(threads)
        self._states = [np.zeros(2, np.int64) for _ in range(threads)]
        self._bests = [np.zeros(3, np.int64) for _ in range(threads)]
        try:
            self._maps, self._sets = allocate_maps(plan, distances), allocate_lists(plan)
        except MemoryError:
            needed = format_bytes(plan.peak_bytes)
            raise InstanceTooLarge(f"{plan.n} cities need {needed} of memory, which the system did not give.") from None
        self._compile()
        self._ranks.synchronise()  # no process starts until all are ready
        self._work = self._compute_all()

    def advance(self) -> LayerProgress:
        """See `solvers.algorithms.held_karp.layers.LayerTable.advance`."""
        self._team.deadline = perf_counter() + SLICE_SECONDS
        return next(self._work)

    def close(self) -> None:
        """See `solvers.algorithms.held_karp.layers.LayerTable.close`."""
        self._work.close()
        self._team.close()
        self._sets.clear()
        self._ranks.close()

    def _compile(self) -> None:
        """Compile or load the kernels by calling them with empty ranges."""
        few, one = self._sets[0], np.zeros(0, np.uint32)
        list_sets(few, 0, 0, 0)
        insert_keys(self._maps, few, 0, 0)
        combine(self._maps, few, 0, 0, self._bests[0])
        updates(self._maps, few, 0, 0, np.zeros((4, 0), np.uint32))
        update(self._maps, one, one, one, one)
        trace(self._maps, 0, np.uint32(set_key(few[0])), np.zeros(0, np.int64))

    def _compute_all(self) -> Generator[LayerProgress, None, None]:
        """List all sets and insert all keys, then compute all layers in order."""
        yield from self._initialise()
        outer = self._plan.outer_count
        for size in range(outer):
            yield from self._compute_layer(size)
        whole = np.uint32((1 << outer) - 1)
        yield LayerProgress(outer, 1.0, self._find_path(outer, whole, outer))

    def _initialise(self) -> Generator[LayerProgress, None, None]:
        """List all sets and insert all keys, before the parallel part (section 2.3.1)."""
        before = LayerProgress(0, 0.0, None)
        for first in range(0, self._maps.keys.size, _BYTES):
            self._maps.keys[first : first + _BYTES] = _FREE
            if self._team.is_over:
                yield before
        for size, sets in enumerate(self._sets):
            piece = max(1, _PIECE // (self._plan.outer_count - size))
            for first in range(0, len(sets), piece):
                last = min(first + piece, len(sets))
                list_sets(sets, self._plan.outer_count, first, last)
                insert_keys(self._maps, sets, first, last)
                if self._team.is_over:
                    yield before

    def _compute_layer(self, size: int) -> Generator[LayerProgress, None, None]:
        """Compute a layer (section 2.3.2): each core gets an equal range of sets, and all cores wait for each other."""
        sets = self._sets[size]
        first, last = self._ranks.split(len(sets))
        piece = max(1, _PIECE // (max(1, size) * (self._plan.outer_count - size)))
        for best in self._bests:
            best[:] = _NO_LENGTH

        done: list[int] = []  # numbers of finished sets, one per work item: several threads append

        def work(worker: int) -> None:
            state, best = self._states[worker], self._bests[worker]
            until = min(int(state[0]) + piece, int(state[1]))
            combine(self._maps, sets, first + int(state[0]), first + until, best)
            done.append(until - int(state[0]))
            state[0] = until

        share = -(-(last - first) // self._team.threads)
        for _ in self._team.distribute(work, last - first, max(1, share), self._states):
            yield LayerProgress(size, sum(done) / max(1, last - first), None)
        yield from self._exchange(size, first, last)
        yield LayerProgress(size, 1.0, self._find_best(size))

    def _exchange(self, size: int, first: int, last: int) -> Generator[LayerProgress, None, None]:
        """Gather the new states of all processes in one of them, and broadcast them (section 2.5)."""
        sets, each = self._sets[size], self._plan.outer_count - size
        piece = max(1, _EXCHANGED_STATES // each)
        maximum = -(-len(sets) // self._ranks.count)
        waiting = LayerProgress(size, 1.0, None)
        for at in range(0, maximum if self._ranks.count > 1 else 0, piece):
            begin, end = (min(first + base, last) for base in (at, at + piece))
            vectors = np.empty((4, (end - begin) * each), np.uint32)
            updates(self._maps, sets, begin, end, vectors)
            for _ in self._ranks.wait_for_all():
                yield waiting
            update(self._maps, *map(self._ranks.gather_and_broadcast, vectors))
            if self._team.is_over:
                yield waiting
        for _ in self._ranks.wait_for_all():
            yield waiting

    def _find_best(self, size: int) -> Path:
        """Return a layer's shortest path, out of all threads and processes."""
        length, target, key = min(tuple(best.tolist()) for best in self._bests)
        minimum = int(self._ranks.minimum(np.array([length], np.int64))[0])
        state = target << 32 | key if length == minimum else _NO_LENGTH
        state = int(self._ranks.minimum(np.array([state], np.int64))[0])
        return self._find_path(state >> 32, np.uint32(state & _FREE), size)

    def _find_path(self, target: int, key: np.uint32, size: int) -> Path:
        """Return the path from the root through a set to a target; if the target is the root, this is the tour."""
        cities = np.zeros(size + 1, np.int64)
        length = int(trace(self._maps, target, key, cities))
        order = (np.append(cities, self._plan.outer_count)[::-1] + 1) % self._plan.n
        return Path(length, tuple(order.tolist()[: self._plan.n]))


def allocate_maps(plan: QinHanPlan, distances: np.ndarray) -> Maps:
    """Allocate maps for all states; they contain no keys yet."""
    slots = np.array([capacity(plan.sets(size)) for size in range(plan.outer_count)], np.int64)
    starts = np.cumsum(np.tile(slots, plan.outer_count)).reshape(plan.outer_count, plan.outer_count) - slots
    order = np.roll(np.arange(plan.n), -1)
    between = np.minimum(distances[np.ix_(order, order)].astype(np.int64), UNREACHED[plan.item])
    count = int(slots.sum()) * plan.outer_count
    logs = np.array([int(count).bit_length() - 1 for count in slots], np.int64)
    return Maps(np.empty(count, np.uint32), np.empty(count, np.uint32), starts, logs, between)


def allocate_lists(plan: QinHanPlan) -> list[np.ndarray]:
    """Allocate the lists of sets, (count, size) uint8, for each layer except the last."""
    return [np.empty((plan.subsets(size), size), np.uint8) for size in range(plan.outer_count)]
