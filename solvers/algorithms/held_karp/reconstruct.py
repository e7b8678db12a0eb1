"""Reconstructs paths from their ends, by solving each half of the tour again.

Only lengths are stored, and only for two layers at a time. But each half of a tour has only half of the cities, so
finding the order of these takes a small fraction of the transitions that finding the tour's length took. All functions
yield after each slice of work.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from contextlib import closing
from functools import cache, partial

import numpy as np

from solvers.algorithms.held_karp.cpu import CpuLayers
from solvers.algorithms.held_karp.directed import build_cpu_layers
from solvers.algorithms.held_karp.kernels import directed_path_cpu, path_cpu
from solvers.algorithms.held_karp.kernels.layer_cpu import encode_set
from solvers.algorithms.held_karp.layers import Ends, LayerPlan
from solvers.algorithms.held_karp.plan import MIN_CITIES, UNREACHED, Plan
from solvers.worker.kernel_loading import load_kernels

#: Number of bytes per state when a half is solved, for all problems, so that only one more kernel is needed.
_ITEM = 8
#: Maximum number of cities between the ends of a path that is found in one call, within a millisecond.
_MAX_DIRECT = 13


def load(plan: LayerPlan) -> None:
    """Compile or load a plan's kernels, once per process: those of its layers, and those that find paths."""
    if isinstance(plan, Plan):  # layers of other plans return whole paths
        longest = plan.outer_count // 2 + plan.inner_count
        items = {plan.item} | ({_ITEM} if longest > _MAX_DIRECT else set())
        _load(tuple(sorted(items)), (plan.directed,))


def load_all() -> None:
    """Compile or load the kernels for all plans."""
    _load(tuple(UNREACHED), (True, False))


@cache
def _load(items: tuple[int, ...], directed: tuple[bool, ...]) -> None:
    nothing = np.zeros(0, np.int64)
    finders = {True: directed_path_cpu.shortest_directed_path, False: path_cpu.shortest_path}
    load_kernels([
        partial(encode_set, nothing, 0),  # compiles at once; then two processes divide the work between them
        *(partial(_load_layers, item) for item in items),
        *(partial(finders[each], np.zeros((2, 2), np.int64), 0, nothing, 1) for each in directed),
    ])  # fmt: skip


def _load_layers(item: int) -> None:
    CpuLayers(Plan(MIN_CITIES, item), np.zeros((MIN_CITIES, MIN_CITIES), np.int64), 1).close()


def list_members(plan: Plan, ends: Ends) -> np.ndarray:
    """Return the cities of a path's two sets in ascending order, int64, numbered as in the instance."""
    counted = [k for k in range(plan.outer_count) if ends.outer >> k & 1]
    counted += [plan.outer_count + k for k in range(plan.inner_count) if ends.inner >> k & 1]
    return np.array(counted, np.int64) + 1


def rebuild_path(plan: Plan, distances: np.ndarray, ends: Ends) -> Generator[None, None, np.ndarray]:
    """Return the path from city 0 that a layer found, unless it is the last layer.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32
    ends : Ends

    Returns
    -------
    ndarray, shape (k,), int64
        The path, starting at city 0.
    """
    through, last = list_members(plan, ends), ends.last + 1
    return (yield from shortest_path(distances, 0, through[through != last], last, plan.directed))


def rebuild_tour(plan: Plan, distances: np.ndarray, ends: Ends) -> Generator[None, None, np.ndarray]:
    """Return the tour that the last layer found, (n,) int32, from city 0."""
    inside, middle = list_members(plan, ends), ends.last + 1
    outside = np.setdiff1d(np.arange(1, plan.n), np.append(inside, middle))
    outward = yield from shortest_path(distances, 0, inside, middle, plan.directed)
    # Against the direction of the edges.
    homeward = yield from shortest_path(distances.T, 0, outside, middle, plan.directed)
    return np.concatenate((outward, homeward[:0:-1][1:])).astype(np.int32)


def shortest_path(
    distances: np.ndarray, first: int, through: np.ndarray, last: int, directed: bool = False
) -> Generator[None, None, np.ndarray]:
    """Find the shortest path from `first` to `last` that visits all cities of `through`.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32 or int64
    first, last : int
    through : ndarray, shape (k,), int64
    directed : bool
        Whether the distances are directed.

    Returns
    -------
    ndarray, shape (k + 2,), int64
        The path, with both ends.
    """
    if through.size <= max(_MAX_DIRECT, path_cpu.MAX_PERMUTED):
        find = directed_path_cpu.shortest_directed_path if directed else path_cpu.shortest_path
        return find(distances.astype(np.int64, order="C"), first, through, last)
    cities = np.array([first, *through.tolist(), last])
    between = distances[np.ix_(cities, cities)]
    tour = yield from solve_tour(_close_directed(between) if directed else _close(between), directed)
    order = cities[tour]
    order = np.roll(order, -int(np.flatnonzero(order == first)[0]))
    return order if order[-1] == last else np.roll(order[::-1], 1)


def solve_tour(distances: np.ndarray, directed: bool = False) -> Generator[None, None, np.ndarray]:
    """Find a shortest tour, (n,) int32, on one thread; there must be at least `plan.MIN_CITIES` cities."""
    plan = Plan(len(distances), _ITEM, directed)
    with closing(build_cpu_layers(plan, distances, 1)) as layers:
        while not (done := layers.advance()).is_last(plan):
            yield
    assert isinstance(done.best, Ends)
    return (yield from rebuild_tour(plan, distances, done.best))


def _close_directed(distances: np.ndarray) -> np.ndarray:
    """Like `_close` for directed distances: all other edges from the last city and to the first are too long."""
    closed = distances.astype(np.int64)
    more = int(closed.max(axis=1).sum()) + 1
    closed[-1] += more
    closed[:, 0] += more
    closed[-1, 0] = 0
    return closed


def _close(distances: np.ndarray) -> np.ndarray:
    """Return distances whose shortest tour contains the edge from the last city to the first.

    All other edges of these two cities become so long that no shortest tour contains four of them.
    """
    closed = distances.astype(np.int64)
    more = int(closed.max(axis=1).sum()) // 2 + 1
    closed[[0, -1]] += more
    closed[:, [0, -1]] += more
    closed[[0, -1, 0, -1], [0, -1, -1, 0]] = 0
    return closed
