"""The Held-Karp bound of an instance, step by step. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from data.distances import edge_lengths
from data.instance import Instance
from solvers.bounds.ascent import Ascent, TreeSolver
from solvers.bounds.cpu import CoreTreeSolver
from solvers.bounds.full_tree import OneTree
from solvers.bounds.problem import Problem, build_problem

#: With fewer cities there is no 1-tree, but all tours have the same edges.
_MIN_CITIES = 3


@dataclass(frozen=True, slots=True, eq=False)
class LowerBound:
    """A lower bound on the length of every tour.

    Attributes
    ----------
    length : int
        The bound, rounded up, since tour lengths are integers.
    iterations : int
        Number of 1-trees that the ascent has computed so far.
    edges : ndarray, shape (m, 2), int32
        The minimum 1-tree that proves the bound; for a directed instance, its edges between different cities.
    prices : ndarray, shape (n,), float64
        Each city's price in units of length, which is added to the lengths of its edges. Zero for a directed instance,
        where a city has two prices.
    """

    length: int
    iterations: int
    edges: np.ndarray
    prices: np.ndarray

    @property
    def degrees(self) -> np.ndarray:
        """Number of the 1-tree's edges at each city, (n,) int64; all are 2 if and only if the 1-tree is a tour."""
        return np.bincount(self.edges.ravel(), minlength=len(self.prices))


def compute_lower_bounds(
    instance: Instance, proof_every: int | None = None, device: str = "cpu"
) -> Generator[LowerBound | None, None, None]:
    """Yield the best bound so far after each slice; None before the first bound.

    Bounds never decrease, and they are reproducible. All are valid: see `solvers.bounds.ascent.Ascent`, which also
    explains `proof_every`.

    Parameters
    ----------
    instance : Instance
    proof_every : int, optional
    device : str
        ``cpu``, or ``cuda`` for the first GPU.

    Raises
    ------
    InstanceTooLarge
        See `solvers.bounds.problem.build_problem` and `solvers.bounds.cuda.GpuTreeSolver`.
    """
    if instance.n < _MIN_CITIES:
        yield _find_only_tour(instance)
        return
    problem, trees = make_tree_solver(device, build_problem(instance))
    tree: OneTree | None = None
    best: LowerBound | None = None
    try:
        for ascended in Ascent(problem, trees, proof_every).run():
            if ascended.tree is not None and ascended.tree is not tree:
                tree = ascended.tree
                best = _make_bound(problem, tree, ascended.iterations)
            yield best
    finally:
        trees.close()


def compute_lower_bound(instance: Instance, device: str = "cpu") -> LowerBound:
    """Return the last bound that `compute_lower_bounds` yields."""
    *_, last = compute_lower_bounds(instance, device=device)
    assert last is not None
    return last


def make_tree_solver(device: str, problem: Problem) -> tuple[Problem, TreeSolver]:
    """Return the problem in the device's units, and the object that computes its trees on that device."""
    if device != "cuda":
        return problem, CoreTreeSolver(problem)
    from solvers.bounds.cuda import GpuTreeSolver, coarsen  # needs a GPU or Numba's simulator

    problem = coarsen(problem)
    return problem, GpuTreeSolver(problem)


def _make_bound(problem: Problem, tree: OneTree, iterations: int) -> LowerBound:
    n = problem.instance.n
    edges, prices = tree.edges, tree.prices / problem.scale
    if problem.instance.directed:
        left, entered = edges.max(axis=1), edges.min(axis=1)
        between = (left >= n) & (entered < n) & (left - n != entered)
        edges, prices = np.stack((left - n, entered), axis=1)[between], np.zeros(n)
    # Rounded up in integers: a float could round a bound above the optimum.
    length = -(-tree.bound // problem.scale) + problem.offset
    return LowerBound(length, iterations, edges.astype(np.int32), prices)


def _find_only_tour(instance: Instance) -> LowerBound:
    n = instance.n
    order = np.arange(n)
    edges = np.stack((order, np.roll(order, -1)), axis=1).astype(np.int32)[: n if n > 1 else 0]
    return LowerBound(int(edge_lengths(instance, *edges.T).sum()), 0, edges, np.zeros(n))
