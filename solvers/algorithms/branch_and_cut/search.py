"""The branch-and-cut tree, which is processed in small steps. Imports Numba and HiGHS: for use inside `solve()`.

M. Padberg and G. Rinaldi, "A Branch-and-Cut Algorithm for the Resolution of Large-Scale Symmetric Traveling Salesman
Problems" (1991); D. L. Applegate, R. E. Bixby, V. Chvátal and W. J. Cook, "The Traveling Salesman Problem" (2006).
"""

import heapq
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from data.distances import tour_length
from data.instance import Instance
from solvers.algorithms.branch_and_cut.branching import Branching
from solvers.algorithms.branch_and_cut.graph import Graph
from solvers.algorithms.branch_and_cut.nodes import FREE, Node, find_fixed_edges
from solvers.algorithms.branch_and_cut.proof import SafeBound
from solvers.algorithms.branch_and_cut.relaxation import Relaxation, Solution
from solvers.algorithms.branch_and_cut.separation import TINY, find_violated
from solvers.algorithms.branch_and_cut.tours import TourFinder
from solvers.bounds.lower_bound import compute_lower_bounds
from solvers.core.errors import InstanceTooLarge

#: Number of slices of kicks for the first tour.
_KICKS = 10
#: Number of rounds of cuts, and the fraction by which the gap between bound and best tour must shrink in them.
_PATIENCE_AT_ROOT, _PATIENCE = (12, 0.03), (4, 0.1)
#: Reduced cost, in units of length, below which an edge becomes a column; maximum number of columns added per city at a
#: time.
_PRICING_THRESHOLD, _MAX_PRICED = -1e-4, 3
#: Powers of ten by which a ray that proves infeasibility is scaled.
_RAYS = range(-1, 4)


@dataclass(frozen=True, slots=True, eq=False)
class NodeResult:
    """A finished node, or the first tour.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The tour made from the relaxation.
    value : ndarray, shape (n,), float64
        The value of each of its edges in the relaxation, along the tour.
    """

    order: np.ndarray
    value: np.ndarray


class Search:
    """The search tree of an instance.

    Parameters
    ----------
    instance : Instance
        An instance of at least four cities.
    seed : int
    start : ndarray, shape (n,), int32, or None

    Attributes
    ----------
    length : int or None
        Length of the best tour.
    bound : int
        No tour of the instance is shorter.
    open : list of Node
    depth : int
        Depth of the current node.
    cuts : int
        Number of cuts found so far.
    proven : bool
    """

    def __init__(self, instance: Instance, seed: int, start: np.ndarray | None) -> None:
        self._instance, self._start = instance, start
        self._graph = Graph(instance)
        self.n, lengths = self._graph.n, self._graph.lengths
        self._tours = TourFinder(instance, self._graph, seed)
        self._proof = SafeBound(lengths)
        self._branching = Branching()
        self._lp = Relaxation(lengths)
        self._solved = 0
        self._everywhere = self._graph.fixed.copy()
        self._root: tuple[int, np.ndarray] | None = None
        self.length: int | None = None
        self.order = np.empty(0, np.int32)
        #: Less than the length of every tour, even if distances are negative.
        self.bound = self._low = instance.n * min(0, int(lengths.min()))
        self.depth, self.cuts, self.proven = 0, 0, False
        self.open: list[tuple[int, int, Node]] = []
        self._node_count = 0

    def close(self) -> None:
        """Stop the tour finder's thread."""
        self._tours.close()

    @property
    def relaxations(self) -> int:
        """Number of relaxations solved so far."""
        return self._solved + self._lp.solved

    @property
    def columns(self) -> int:
        """Number of edges in the relaxation."""
        return len(self._lp.ends)

    def start_tour(self) -> np.ndarray:
        """Return the given start tour, or a greedy one, (n,) int32."""
        if self._start is None:
            self._start = self._tours.greedy_tour()
        return self._start

    def steps(self) -> Generator[NodeResult | None, None, None]:
        """Yield None after each step, and a `NodeResult` after each node; the proof is complete when the steps end."""
        yield from self._report_first_tour()
        yield from self._compute_first_bound()
        node: Node | None = Node(self.bound, 0, ())
        while node is not None:
            self.depth = node.depth
            children = yield from self._process(node)
            node = self._choose_next(children)
        self.bound, self.proven = self._best_length, True
        yield None

    @property
    def _best_length(self) -> int:
        assert self.length is not None
        return self.length

    def _report_first_tour(self) -> Generator[NodeResult | None, None, None]:
        self._tours.begin(self.start_tour())
        for _ in range(_KICKS):
            self._offer(self._tours.kick())
            yield None
        yield NodeResult(self.order, np.ones(self.order.size))

    def _compute_first_bound(self) -> Generator[None, None, None]:
        """Compute the Held-Karp bound; the first columns are its edges, the tour's edges and edges to near cities."""
        columns = [self._graph.edges(self.order), self._graph.list_near_edges()]
        with suppress(InstanceTooLarge):  # if distances are too large, the first relaxation gives the first bound
            for best in compute_lower_bounds(self._instance):
                if best is not None:
                    self.bound = self._low = best.length
                yield None
            assert best is not None
            columns.append(best.edges + np.array([self._graph.exit, 0], np.int32))
        self._lp.add_edges(np.vstack(columns))

    def _offer(self, order: np.ndarray) -> None:
        """Store a tour if it is the shortest so far."""
        length = tour_length(self._instance, order)
        if self.length is None or length < self.length:
            self.length, self.order = length, order.copy()
            self._fix_everywhere()

    def _choose_next(self, children: list[Node]) -> Node | None:
        """Return the child with the lowest bound; without children, the open node with the lowest bound, or None."""
        best = self._best_length
        for child in children[1:]:
            self._node_count += 1
            heapq.heappush(self.open, (child.bound, self._node_count, child))
        self.open = [entry for entry in self.open if entry[0] < best]
        heapq.heapify(self.open)
        node = children[0] if children and children[0].bound < best else None
        if node is None and self.open:
            node = heapq.heappop(self.open)[2]
        if node is not None:
            self.bound = max(self.bound, min(best, node.bound, *(entry[0] for entry in self.open[:1])))
        return node

    def _process(self, node: Node) -> Generator[NodeResult | None, None, list[Node]]:
        """Solve a node's relaxation with cuts and return its children; none if it has no shorter tour."""
        fixed = find_fixed_edges(node, self._everywhere)
        if node.bound >= self._best_length or fixed is None:
            yield self._make_result(None)
            return []
        self._lp.fix(fixed)
        values: list[float] = []
        while True:
            solution = self._lp.solve()
            yield None
            if not solution.feasible:
                bound = self._compute_ray_bound(solution, fixed)
                if bound < self._best_length and self._add_priced_edges(fixed):
                    continue
                break
            values.append(solution.value)
            if solution.value > self._best_length - 1 or self._is_over(values, node) or not self._add_cuts(solution):
                bound = self._compute_bound(solution, fixed)
                if bound < self._best_length and (
                    self._add_priced_edges(fixed) or self._add_more_cuts(solution, values, node)
                ):
                    continue
                break
        bound = max(bound, node.bound)
        yield self._make_result(solution if solution.feasible else None)
        if bound >= self._best_length:
            return []
        if node.depth == 0:
            self._end_root(solution, fixed)
            fixed = find_fixed_edges(node, self._everywhere)
            if fixed is None:
                return []
            self._lp.fix(fixed)
            solution = self._lp.solve()
            yield None
        self._lp.drop_slack()
        return (yield from self._branch(node, bound, solution, fixed))

    def _make_result(self, solution: Solution | None) -> NodeResult:
        """Return the result of a node; without a solution, return the result of the previous node again."""
        ends = self._lp.ends
        x = np.zeros(len(ends)) if solution is None else solution.x
        order = self._tours.round_solution(ends[x > TINY], x[x > TINY]) if solution is not None else self.order
        self._offer(order)
        value = np.zeros((self.n, self.n))
        value[ends[:, 0], ends[:, 1]] = value[ends[:, 1], ends[:, 0]] = x
        return NodeResult(order, value[tuple(self._graph.edges(order).T)])

    def _is_over(self, values: list[float], node: Node) -> bool:
        """Return whether recent rounds of cuts have gained little."""
        rounds, minimum = _PATIENCE if node.depth else _PATIENCE_AT_ROOT
        if len(values) <= rounds:
            return False
        before = values[-1 - rounds]
        return values[-1] - before < minimum * max(1.0, self._best_length - 1 - before)

    def _add_cuts(self, solution: Solution) -> bool:
        """Add cuts that the solution violates; return whether there were any."""
        used = solution.x > TINY
        cuts = find_violated(self.n, self._lp.ends[used], solution.x[used], self._lp.tight(solution))
        added = self._lp.add_cuts(cuts)
        self.cuts += added
        return added > 0

    def _add_more_cuts(self, solution: Solution, values: list[float], node: Node) -> bool:
        """Add cuts for an integral solution that is not a tour, when there is no edge to branch on."""
        is_integral = (np.abs(solution.x - np.rint(solution.x)) < TINY).all()
        return bool(is_integral) and self._is_over(values, node) and self._add_cuts(solution)

    def _compute_bound(self, solution: Solution, fixed: np.ndarray) -> int:
        """Return the safe bound of a solution; `_add_priced_edges` uses its reduced costs."""
        scaled = self._proof.compute_bound(solution.prices, self._lp.cuts, solution.duals, fixed)
        bound = self._proof.length(scaled)
        if scaled is None or bound is None:
            return self._low
        if self.depth == 0 and (self._root is None or scaled > self._root[0]):
            self._root = scaled, self._proof.reduced.copy()
            self.bound = max(self.bound, min(bound, self._best_length))
        return bound

    def _compute_ray_bound(self, ray: Solution, fixed: np.ndarray) -> int:
        """Return the best safe bound along a dual ray; it is greater than all lengths if the node is infeasible."""
        best, largest = self._low, max(np.abs(ray.prices).max(initial=0), np.abs(ray.duals).max(initial=0))
        for sign in (1, -1) if largest > 0 else ():
            for power in _RAYS:
                by = sign * 10.0**power * max(1, abs(self._best_length)) / largest
                bound = self._proof.length(
                    self._proof.compute_bound(by * ray.prices, self._lp.cuts, by * ray.duals, fixed)
                )
                best = best if bound is None else max(best, bound)
                if best >= self._best_length:
                    return best
        return best

    def _add_priced_edges(self, fixed: np.ndarray) -> bool:
        """Add edges with negative reduced costs; return whether there were any."""
        reduced = np.triu(self._proof.reduced, 1)
        candidates = np.argwhere((reduced < _PRICING_THRESHOLD * self._proof.scale) & ~self._lp.has & (fixed != 0))
        if not len(candidates):
            return False
        maximum = np.argsort(reduced[candidates[:, 0], candidates[:, 1]], kind="stable")[: _MAX_PRICED * self.n]
        self._lp.add_edges(candidates[maximum])
        self._lp.fix(fixed)
        return True

    def _fix_everywhere(self) -> None:
        """Use the root's reduced costs to fix edges that every shorter tour must contain or cannot contain."""
        if self._root is None:
            return
        scaled, reduced = self._root
        room = (self._best_length - 1) * self._proof.scale - scaled
        free = self._everywhere == FREE
        np.fill_diagonal(free, False)
        self._everywhere[free & (reduced > room)] = 0
        self._everywhere[free & (-reduced > room)] = 1

    def _end_root(self, solution: Solution, fixed: np.ndarray) -> None:
        """Keep cuts with positive duals, and edges that shorter tours may contain; if these are many, only columns."""
        self._fix_everywhere()
        old, cuts = self._lp, [cut for cut, dual in zip(self._lp.cuts, solution.duals, strict=True) if dual > TINY]
        free_edges = np.argwhere(np.triu(self._everywhere != 0, 1))
        if len(free_edges) > 10 * self.n:
            free_edges = old.ends[self._everywhere[old.ends[:, 0], old.ends[:, 1]] != 0]
        self._solved += old.solved
        self._lp = Relaxation(self._graph.lengths)
        self._lp.add_edges(free_edges)
        self._lp.add_cuts(cuts)

    def _branch(
        self, node: Node, bound: int, solution: Solution, fixed: np.ndarray
    ) -> Generator[None, None, list[Node]]:
        """Branch on an edge; return both subproblems, the more promising one first."""
        chosen = None
        if solution.feasible:
            chosen = yield from self._branching.choose(self._lp, solution, node.depth, float(self._best_length))
        if chosen is None:
            chosen = self._find_any_edge(fixed)
        if chosen is None:  # the remaining edges form at most one tour, which `_offer` has got
            return []
        a, b, first = chosen
        return [node.child(bound, a, b, first), node.child(bound, a, b, 1 - first)]

    def _find_any_edge(self, fixed: np.ndarray) -> tuple[int, int, int] | None:
        """Return any free edge, if the relaxation gives none; without free edges, offer the tour of the fixed ones."""
        free = np.argwhere(np.triu(fixed == FREE, 1))
        if len(free):
            return int(free[0, 0]), int(free[0, 1]), 1
        order = _find_cycle(fixed == 1)
        if len(order) == self.n:
            self._offer(self._graph.order(order))
        return None


def _find_cycle(adjacent: np.ndarray) -> np.ndarray:
    """Return the cities of the cycle through city 0, given adjacency (n, n) bool."""
    order, before, here = [0], -1, 0
    while True:
        ahead = [city for city in np.flatnonzero(adjacent[here]).tolist() if city != before]
        if not ahead or ahead[0] == 0:
            return np.array(order, np.int32)
        before, here = here, ahead[0]
        order.append(here)
