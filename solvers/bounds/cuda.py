"""Minimum 1-trees on a GPU, for the ascent. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
from numba import cuda

from solvers.bounds.full_tree import OneTree
from solvers.bounds.kernels import ascent_cuda, full_tree_cuda
from solvers.bounds.kernels.sparse_tree_cpu import ITERATIONS, STATE, Graph
from solvers.bounds.problem import PRICES, Problem
from solvers.core.errors import InstanceTooLarge
from solvers.core.kernel_distances import GRID_DIAGONAL
from solvers.gpu.calibration import BOUND_BLOCKS, BOUND_PAIRS, BOUND_SEGMENT
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits, free_unused_memory
from solvers.kernels.device_cuda import SIMULATED
from solvers.kernels.distance_rows_cpu import EUC_2D, GRID, MATRIX

#: Initial capacity of the arrays, in edges per city.
_INITIAL_DEGREE = 12
#: Number of bits in an edge's key, which also contains the edge's number.
_KEY = 62


class GpuTreeSolver:
    """Computes minimum 1-trees on a GPU; see `solvers.bounds.ascent.TreeSolver`.

    Only prices and the ascent's state are transferred.

    Parameters
    ----------
    problem : Problem
        The result of `coarsen`.

    Raises
    ------
    InstanceTooLarge
        If the device's memory is too small.
    """

    def __init__(self, problem: Problem) -> None:
        policy, distances = _make_distance_data(problem)
        limits = Limits.from_device()
        needed = distances.nbytes + problem.n * (100 + 32 * _INITIAL_DEGREE)
        if needed > 0.8 * limits.free:
            raise InstanceTooLarge(f"The bound needs {needed >> 20:,} MiB, more than the device's free memory.")
        self._problem, self._limits = problem, limits
        self._prices = cuda.device_array(problem.n, np.int64)
        self._reserve(_INITIAL_DEGREE * problem.n)
        self._full = _FullTrees(problem, policy, cuda.to_device(distances), self._prices, limits)

    def take(self, graph: Graph) -> None:
        """Set the candidate edges."""
        n = self._problem.n
        edges = graph.city.size // 2
        one = np.repeat(np.arange(n), np.diff(graph.start))
        key = np.minimum(one, graph.city) * np.int64(n) + np.maximum(one, graph.city)
        keys, number = np.unique(key, return_inverse=True)
        if edges > self._room:
            self._reserve(edges + 2 * n)
        self._graph.start.copy_to_device(graph.start.astype(np.int32))
        ends = np.stack((keys // n, keys % n), axis=1)
        for array, values in (
            (self._graph.city, graph.city), (self._graph.edge, number.astype(np.int32)),
            (self._graph.length, graph.length), (self._graph.ends, ends.ravel().astype(np.int32)),
        ):  # fmt: skip
            array[: values.size].copy_to_device(np.ascontiguousarray(values))

    def _reserve(self, edges: int) -> None:
        """Allocate memory for `edges` candidate edges, and prepare the kernel."""
        n, array = self._problem.n, cuda.device_array
        bits = max(edges, n).bit_length()
        if _compute_reach(self._problem) >= 1 << (_KEY - bits):
            raise InstanceTooLarge("A number of 64 bits cannot hold these distances and so many candidate edges.")
        self._room = edges
        # A named tuple of device arrays: the host uses attributes that NumPy's arrays do not have.
        self._graph: Any = ascent_cuda.Candidates(
            array(n + 1, np.int32), array(2 * edges, np.int32), array(2 * edges, np.int32), array(2 * edges, np.int64),
            array(2 * edges, np.int32), np.int64(self._problem.limit), np.int64(_compute_reach(self._problem) // 2),
            np.int64(bits),
        )  # fmt: skip
        self._best_prices, self._before = array(n, np.int64), array(n, np.int32)
        self._sums, self._state = array(2 * ascent_cuda.SUMS, np.int64), array(STATE + 1, np.int64)
        self._arrived = array(1, np.int32)
        blocks = 1 if SIMULATED else min(BOUND_BLOCKS * self._limits.multiprocessors, -(-n // ascent_cuda.THREADS))
        arguments = (
            self._graph, self._prices, self._best_prices, self._before, array((ascent_cuda.WORK, n), np.int32),
            array(n, np.int64), self._sums, self._state, self._arrived,
        )  # fmt: skip
        self._climb = Step(0, ascent_cuda.build_ascent, (), blocks, ascent_cuda.THREADS, arguments).on(0)

    def ascend(
        self, prices: np.ndarray, before: np.ndarray, best_prices: np.ndarray, state: np.ndarray, iterations: int
    ) -> int:
        """Continue the ascent; see `solvers.bounds.kernels.sparse_tree_cpu.ascend`."""
        done = int(state[ITERATIONS])
        buffers = (self._prices, prices), (self._before, before), (self._best_prices, best_prices)
        for array, values in buffers:
            array.copy_to_device(values)
        self._state.copy_to_device(np.append(state, np.int64(iterations)))
        self._sums.copy_to_device(np.zeros(self._sums.size, np.int64))
        self._arrived.copy_to_device(np.zeros(1, np.int32))
        self._climb()
        for array, values in buffers:
            array.copy_to_host(values)
        state[:] = self._state.copy_to_host()[:STATE]
        return int(state[ITERATIONS]) - done

    def full_tree(self, prices: np.ndarray) -> Generator[None, None, OneTree]:
        """Return a minimum 1-tree over all edges; yield between slices."""
        return self._full.tree(prices)

    def close(self) -> None:
        """Free the GPU's memory."""
        self.__dict__.clear()
        free_unused_memory()


class _FullTrees:
    """Computes minimum 1-trees over all edges: the arrays, and the launches of each round."""

    def __init__(self, problem: Problem, policy: int, distances: Any, prices: Any, limits: Limits) -> None:
        n, array = problem.n, cuda.device_array
        self._n, self._prices = n, prices
        threads = full_tree_cuda.THREADS
        rows = min(n, max(threads, BOUND_PAIRS // n))
        wide = -(-rows // threads)
        segments = max(1, min(BOUND_SEGMENT[0] * limits.multiprocessors // wide, n // BOUND_SEGMENT[1]))
        each = -(-n // segments)
        self._rows, self._used = array(rows, np.int32), array(n, np.int32)
        self._component, self._parent, self._count = array(n, np.int32), array(n, np.int32), array(1, np.int32)
        self._best, self._city = array(n, np.int64), array(n, np.int32)
        self._least, self._code = array(n, np.int64), array(n, np.int64)
        self._ends, self._length = array((n, 2), np.int32), array(n, np.int64)
        weight, near = array((segments, rows), np.int64), array((segments, rows), np.int32)
        blocks = -(-n // threads)
        search = (
            distances, prices, np.int64(problem.scale), self._rows, self._component, self._used, np.int32(each), weight,
            near,
        )  # fmt: skip
        lightest = self._rows, weight, near, self._component, self._best, self._city, self._least
        choose = self._best, self._city, self._component, self._least, self._code
        join = self._least, self._code, self._component, self._parent, self._ends, self._length, self._count
        flatten = self._component, self._parent, self._least, self._code
        steps = (
            Step(0, full_tree_cuda.build_search, (policy,), (wide, segments), threads, search),
            Step(1, full_tree_cuda.build_lightest, (), wide, threads, lightest),
            Step(2, full_tree_cuda.build_choice, (), blocks, threads, choose),
            Step(3, full_tree_cuda.build_join, (), blocks, threads, join),
            Step(4, full_tree_cuda.build_flatten, (), blocks, threads, flatten),
        )
        self._search, self._lightest, self._choose, self._join, self._flatten = (step.on(0) for step in steps)

    def tree(self, prices: np.ndarray) -> Generator[None, None, OneTree]:
        """See `GpuTreeSolver.full_tree`."""
        n = self._n
        self._prices.copy_to_device(prices)
        yield from self._span()
        length, rows = self._length.copy_to_host(), self._ends.copy_to_host()
        joined = rows[:, 0] >= 0
        rows, length = rows[joined], length[joined]
        degree = np.bincount(rows.ravel(), minlength=n)
        used = np.full(n, -1, np.int32)
        used[rows[:, 0]], used[rows[:, 1]] = rows[:, 1], rows[:, 0]
        leaves = np.flatnonzero(degree == 1).astype(np.int32)
        self._separate_cities()
        self._used.copy_to_device(used)
        yield from self._nearest(leaves)
        second = self._best.copy_to_host()[leaves]
        k = int(second.argmax())
        last = [[leaves[k], self._city.copy_to_host()[leaves[k]]]]
        return OneTree(np.vstack((rows, last)).astype(np.int32), np.append(length, second[k]), prices.copy())

    def _separate_cities(self) -> None:
        """Make each city a component by itself."""
        n = self._n
        for array in (self._component, self._parent):
            array.copy_to_device(np.arange(n, dtype=np.int32))
        self._least.copy_to_device(np.full(n, full_tree_cuda.FAR))
        self._code.copy_to_device(np.full(n, full_tree_cuda.NONE))
        self._city.copy_to_device(np.full(n, -1, np.int32))

    def _span(self) -> Generator[None, None, None]:
        """Join all cities into a minimum spanning tree."""
        n = self._n
        self._separate_cities()
        self._used.copy_to_device(np.full(n, -1, np.int32))
        self._ends.copy_to_device(np.full((n, 2), -1, np.int32))
        self._length.copy_to_device(np.zeros(n, np.int64))
        self._count.copy_to_device(np.zeros(1, np.int32))
        every = np.arange(n, dtype=np.int32)
        while self._count.copy_to_host()[0] < n - 1:
            yield from self._nearest(every)
            for launch in (self._choose, self._join, self._flatten):
                launch()

    def _nearest(self, cities: np.ndarray) -> Generator[None, None, None]:
        """Find the shortest edge from each of these cities to another component."""
        size = self._rows.size
        for first in range(0, cities.size, size):
            rows = np.full(size, -1, np.int32)
            some = cities[first : first + size]
            rows[: some.size] = some
            self._rows.copy_to_device(rows)
            self._search()
            self._lightest()
            if not SIMULATED:
                cuda.synchronize()
            yield


def coarsen(problem: Problem) -> Problem:
    """Convert the problem to coarser units, so that 64-bit keys have room for an edge's number."""
    scale = problem.scale
    bits = max(_INITIAL_DEGREE * 2 * problem.n, 2).bit_length()
    while scale > 1 and _compute_reach(problem) * scale // problem.scale >= 1 << (_KEY - bits):
        scale //= 2
    return replace(problem, scale=scale, limit=problem.limit // problem.scale * scale)


def _compute_reach(problem: Problem) -> int:
    """Return the width of the range of reduced lengths, which is symmetric around 0."""
    return 2 * (2 * PRICES + 1) * (problem.limit // PRICES)


def _make_distance_data(problem: Problem) -> tuple[int, np.ndarray]:
    """Return the distance policy and its data; see `solvers.kernels.distances_cuda.build_metric`."""
    if problem.policy == MATRIX:
        return MATRIX, problem.matrix.reshape(-1)
    points = problem.points - problem.points.min(axis=1, keepdims=True)
    is_integral = np.array_equal(problem.points, np.rint(problem.points))
    if problem.policy == EUC_2D and is_integral and np.hypot(*points.max(axis=1)) <= GRID_DIAGONAL:
        x, y = points.astype(np.uint32)
        return GRID, x | y << np.uint32(16)
    return problem.policy, np.ascontiguousarray(problem.points.T).reshape(-1)
