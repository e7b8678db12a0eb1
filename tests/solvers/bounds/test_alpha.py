"""Alpha-nearness against its definition: minimum 1-trees that contain an edge."""

import numpy as np

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.bounds.alpha import alpha_nearness
from solvers.bounds.candidates import build_graph
from solvers.bounds.full_tree import find_full_tree
from solvers.bounds.problem import build_problem
from tests.solver_runs import return_value
from tests.solvers.bounds.one_trees import kruskal
from tests.tables import each_row

#: Below every reduced length when negated, so that Kruskal's takes it first.
_FIRST = 10**12


@each_row(("name", "seed"), [("burma14", 1), ("gr17", 2), ("ulysses16", 3), ("gr21", 4)])
def test_alpha_is_the_increase_of_the_minimum_1_tree(name, seed):
    problem = build_problem(load(name))
    n = problem.n
    prices = np.random.default_rng(seed).integers(-40, 40, n) * problem.scale
    graph = build_graph(problem, np.argwhere(np.triu(np.ones((n, n)), 1)))
    d = distance_matrix(problem.instance).astype(np.int64) * problem.scale + prices[:, None] + prices
    special = int(return_value(find_full_tree(problem, prices)).edges[-1, 0])
    others = np.delete(np.arange(n), special)
    least = kruskal(d[np.ix_(others, others)])
    two = np.sort(d[special, others])[:2]
    values = alpha_nearness(graph, prices)
    for a in range(n):
        for e in range(graph.start[a], graph.start[a + 1]):
            b = graph.city[e]
            if special in (a, b):
                expected = max(0, d[a, b] - two[1])
            else:
                forced = d.copy()
                forced[a, b] = forced[b, a] = -_FIRST
                expected = kruskal(forced[np.ix_(others, others)]) + _FIRST + d[a, b] - least
            assert values[e] == expected, (a, b)
    assert (values == 0).sum() >= 2 * n, "the edges of the 1-tree itself"
