"""Shortest paths through a few cities with directed distances, in one call and by layers, against brute force."""

import itertools

import numpy as np

from solvers.algorithms.held_karp import reconstruct
from solvers.algorithms.held_karp.kernels.directed_path_cpu import shortest_directed_path
from solvers.algorithms.held_karp.plan import Plan, cached_plan, plan_for
from solvers.algorithms.held_karp.reconstruct import shortest_path
from tests.solver_runs import return_value
from tests.tables import each_row


def draw_distances(n: int, seed: int, most: int) -> np.ndarray:
    """Random distances, (n, n) int32, different in each direction."""
    return np.random.default_rng(seed).integers(0, most, (n, n)).astype(np.int32)


def solve_by_layers(distances: np.ndarray, first: int, through: np.ndarray, last: int) -> np.ndarray:
    return return_value(shortest_path(distances, first, through, last, directed=True))


def path_length(distances: np.ndarray, path) -> int:
    return sum(int(distances[a, b]) for a, b in itertools.pairwise(path))


@each_row("through", range(14))
@each_row("most", [2, 9, 2**31 - 1])
def test_directed_path_is_the_shortest(through, most, monkeypatch):
    distances = draw_distances(through + 4, through, most)
    first, last, *others = np.random.default_rng(through).permutation(through + 4).tolist()
    cities = np.array(others[:through], np.int64)
    path = shortest_directed_path(distances.astype(np.int64), first, cities, last)
    assert (path[0], path[-1]) == (first, last)
    assert sorted(path[1:-1].tolist()) == sorted(cities.tolist())
    if through < 8:
        orders = ([first, *order, last] for order in itertools.permutations(cities.tolist()))
        assert path_length(distances, path) == min(path_length(distances, order) for order in orders)
    assert solve_by_layers(distances, first, cities, last).tolist() == path.tolist()
    monkeypatch.setattr(reconstruct, "_MAX_DIRECT", 0)
    found = solve_by_layers(distances, first, cities, last)
    assert (found[0], found[-1]) == (first, last)
    assert sorted(found[1:-1].tolist()) == sorted(cities.tolist())
    assert path_length(distances, found) == path_length(distances, path)


def test_long_directed_paths_are_divided():
    distances = draw_distances(18, 5, 60)
    cities = np.arange(2, 18)
    assert cities.size > reconstruct._MAX_DIRECT
    found = solve_by_layers(distances, 0, cities, 1)
    assert path_length(distances, found) == path_length(
        distances, shortest_directed_path(distances.astype(np.int64), 0, cities, 1)
    )
    assert sorted(found.tolist()) == list(range(18))


def test_cached_plans_distinguish_directed_and_symmetric_instances():
    there = draw_distances(9, 1, 50)
    for _ in range(2):
        assert plan_for(there) == Plan(9, 2, directed=True)
        assert plan_for(there + there.T) == Plan(9, 2)
    assert plan_for(there) is cached_plan(9, 2, True)
    assert plan_for(there).resize(12) == Plan(12, 2, directed=True)
    assert plan_for(there + there.T).resize(12) == Plan(12, 2)
