"""The bound on CUDA matches a CPU core in each iteration, and never exceeds the shortest tour.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest

from data.distances import distance_matrix
from data.generators import directed, uniform
from data.instance import Instance
from solvers.bounds import ascent, candidates, cuda
from solvers.bounds.candidates import build_graph, list_nearest_pairs
from solvers.bounds.cpu import CoreTreeSolver
from solvers.bounds.cuda import GpuTreeSolver, coarsen
from solvers.bounds.full_tree import find_full_tree
from solvers.bounds.kernels import sparse_tree_cpu as kernel
from solvers.bounds.lower_bound import compute_lower_bound
from solvers.bounds.problem import build_problem
from solvers.core.errors import InstanceTooLarge
from solvers.gpu.limits import Limits
from solvers.kernels.device_cuda import SIMULATED
from tests.matrices import from_weights
from tests.solver_runs import KINDS, return_value
from tests.solvers.bounds.test_lower_bound import CASES, draw_instance, shortest
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
CARD = pytest.mark.skipif(SIMULATED, reason="takes too long without a card")
EACH = cases(KINDS, ("grid", "explicit").__contains__)
#: Seeds of random cases, and the periods of their ascents.
SEEDS = range(24) if SIMULATED else range(400)


def draw_prices(problem, seed):
    """Random prices whose reduced lengths are unlikely to be equal."""
    return np.random.default_rng(seed).integers(-13 * problem.scale, 13 * problem.scale, problem.n)


def connected_graph(problem):
    """A graph of near cities that contains a spanning tree."""
    pairs = return_value(list_nearest_pairs(problem))
    return build_graph(
        problem, np.vstack((pairs, return_value(find_full_tree(problem, np.zeros(problem.n, np.int64))).edges))
    )


def ascent_state(trees, problem, graph, prices, slices):
    """The state of an ascent after slices of this many iterations: prices, degrees, best prices, state."""
    state = np.zeros(kernel.STATE, np.int64)
    state[kernel.STEP], state[kernel.BEST], state[kernel.DOUBLING] = problem.scale, -kernel.FAR, 1
    state[[kernel.PERIOD, kernel.LEFT]] = 6
    before, best, prices = np.zeros(problem.n, np.int32), np.zeros(problem.n, np.int64), prices.copy()
    trees.take(graph)
    for iterations in slices:
        done = trees.ascend(prices, before, best, state, iterations)
        assert 0 < done <= iterations
    trees.close()
    return prices.tolist(), before.tolist(), best.tolist(), state.tolist()


@pytest.mark.parametrize("kind", EACH)
def test_ascent_matches_a_core(kind):
    problem = coarsen(build_problem(KINDS[kind]()))
    graph, prices = connected_graph(problem), draw_prices(problem, 1)
    slices = (1, 4, 9, 9) if SIMULATED else (1, 40, 300, 300, 300)
    of_a_core = ascent_state(CoreTreeSolver(problem), problem, graph, prices, slices)
    assert ascent_state(GpuTreeSolver(problem), problem, graph, prices, slices) == of_a_core


@CARD
@pytest.mark.parametrize("n", [1000, 60_000])
def test_ascent_of_many_blocks_matches_a_core(n):
    problem = coarsen(build_problem(uniform(n, 1)))
    graph, prices = connected_graph(problem), draw_prices(problem, 1)
    of_a_core = ascent_state(CoreTreeSolver(problem), problem, graph, prices, (3, 40))
    assert ascent_state(GpuTreeSolver(problem), problem, graph, prices, (3, 40)) == of_a_core


@pytest.mark.parametrize("kind", EACH)
def test_1_tree_over_all_edges_is_as_long_as_a_cores(kind):
    problem = coarsen(build_problem(KINDS[kind]()))
    for prices in (np.zeros(problem.n, np.int64), draw_prices(problem, 2)):
        trees = GpuTreeSolver(problem)
        found, wanted = return_value(trees.full_tree(prices)), return_value(find_full_tree(problem, prices))
        trees.close()
        d = distance_matrix(problem.instance).astype(np.int64) * problem.scale + prices[:, None] + prices
        assert (d[found.edges[:, 0], found.edges[:, 1]] == found.weight).all()
        assert sorted(found.weight[:-1]) == sorted(wanted.weight[:-1])
        assert found.weight[-1] >= wanted.weight[-1]  # a core tries some of the leaves
        assert found.bound >= wanted.bound
        special, to = found.edges[-1]
        assert found.degrees[special] == 2
        others = np.delete(np.arange(problem.n), special)
        assert np.sort(d[special, others])[1] == d[special, to] == found.weight[-1]


def test_no_bound_exceeds_a_shortest_tour(monkeypatch):
    """Instances with every kind of distance, including coincident cities, whose edges are equal."""
    if SIMULATED:
        monkeypatch.setattr(ascent, "_PERIODS", (8, 8))
    below = 0
    for seed in SEEDS:
        kind, places = CASES[seed % len(CASES)]
        instance = draw_instance(kind, places, 5 + seed * 7 % 8, seed)
        found, optimum = compute_lower_bound(instance, "cuda").length, shortest(instance)
        assert found <= optimum, (kind, places, instance.n, seed)
        below += found < optimum
    assert below < len(SEEDS) * (0.8 if SIMULATED else 0.5), "with few cities many bounds are the optimum"


@pytest.mark.parametrize("pairs", [1, 200])
def test_divided_searches_find_the_same(monkeypatch, pairs):
    problem = coarsen(build_problem(uniform(31, 3)))
    prices, found = draw_prices(problem, 3), []
    for most, segment in ((1 << 32, (16, 32)), (pairs, (64, 5))):
        monkeypatch.setattr(cuda, "BOUND_PAIRS", most)
        monkeypatch.setattr(cuda, "BOUND_SEGMENT", segment)
        trees = GpuTreeSolver(problem)
        found.append(return_value(trees.full_tree(prices)))
        trees.close()
    assert found[0].edges.tolist() == found[1].edges.tolist()
    assert found[0].weight.tolist() == found[1].weight.tolist()


def test_proof_finds_edges_outside_the_candidates(monkeypatch):
    monkeypatch.setattr(candidates, "NEAREST", 2)
    monkeypatch.setattr(ascent, "_PERIODS", (8, 8) if SIMULATED else (300, 1000))
    for seed in range(2):
        instance = draw_instance("EUC_2D", "clusters", 12, seed)
        assert compute_lower_bound(instance, "cuda").length <= shortest(instance)


def test_excess_edges_are_still_considered(monkeypatch):
    monkeypatch.setattr(cuda, "_INITIAL_DEGREE", 1)
    problem = coarsen(build_problem(uniform(12, 4)))
    every = np.argwhere(np.triu(np.ones((12, 12), bool), 1))
    prices, trees = draw_prices(problem, 4), GpuTreeSolver(problem)
    trees.take(connected_graph(problem))
    graph = build_graph(problem, every)
    assert ascent_state(trees, problem, graph, prices, (5,)) == ascent_state(
        CoreTreeSolver(problem), problem, graph, prices, (5,)
    )


def test_directed_bound_does_not_exceed_a_tour(monkeypatch):
    monkeypatch.setattr(ascent, "_PERIODS", (8, 8) if SIMULATED else (300, 1000))
    instance = directed(8, 1)
    assert compute_lower_bound(instance, "cuda").length <= shortest(instance)


def test_units_are_coarser_if_keys_would_overflow():
    weights = np.full((6, 6), 2**30, np.int32)
    np.fill_diagonal(weights, 0)
    exact = build_problem(from_weights(weights, "far"))
    coarse = coarsen(exact)
    assert coarse.limit * exact.scale == exact.limit * coarse.scale
    assert coarsen(build_problem(KINDS["grid"]())).scale == 1024
    assert compute_lower_bound(coarse.instance, "cuda").length == 6 * 2**30
    far: Instance = from_weights(weights, "far")
    assert build_problem(far).scale >= coarse.scale


def test_missing_device_memory_is_refused_with_a_message(monkeypatch):
    monkeypatch.setattr(
        Limits, "from_device", classmethod(lambda cls: Limits(1, 64, 2, 65_536, 1 << 16, 1 << 16, 1000))
    )
    with pytest.raises(InstanceTooLarge, match="free memory"):
        GpuTreeSolver(coarsen(build_problem(KINDS["grid"]())))
