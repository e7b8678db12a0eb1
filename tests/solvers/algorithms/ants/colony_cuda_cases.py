"""Ant colonies on CUDA, in every variant, from the launches to the events.

Not collected with the other tests: see `simulated.run_cases`.
"""

from importlib import import_module

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from solvers.algorithms.ants import cuda
from solvers.algorithms.ants.ant_system.kernels import depositors_cuda
from solvers.algorithms.ants.ant_system.params import DEPOSITS, AntSystemParams
from solvers.algorithms.ants.ant_system.solver import AntSystem
from solvers.algorithms.ants.ant_system.variants import CUDA_VARIANTS as AS_CUDA_VARIANTS
from solvers.algorithms.ants.heuristics import FLOOR, compute_eta, first_trail
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
from solvers.algorithms.ants.max_min.variants import CUDA_VARIANTS as MMAS_CUDA_VARIANTS
from solvers.algorithms.ants.variants import MAX_CITIES
from solvers.core.errors import InstanceTooLarge, InvalidParams
from solvers.core.neighbours import nearest_neighbour_length
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.gpu.limits import Limits
from solvers.kernels.device_cuda import SIMULATED
from solvers.kernels.device_cuda import cuda as device
from tests import naive
from tests.solvers.algorithms.ants.choice_shares import choice_shares
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
INSTANCE = uniform(11, 3) if SIMULATED else load("kroA100")
ANTS = 2 if SIMULATED else 64
ITERATIONS = 2 if SIMULATED else 40
WAYS = [(row, selection) for row in AS_CUDA_VARIANTS for selection in row.selections]
IDS = [f"{row.name}-{selection}" for row, selection in WAYS]


def make_colony(row=AS_CUDA_VARIANTS[0], instance=INSTANCE, seed: int = 1, **params):
    if row in MMAS_CUDA_VARIANTS:
        solver, chosen = MaxMinAntSystem(), MaxMinParams(variant=row.name, **params)
    else:
        solver, chosen = AntSystem(), AntSystemParams(variant=row.name, **params)
    job = Job(instance, chosen, seed, "cuda", Budget().start())
    return solver._colony(job, row)[0]


def run_iterations(colony, iterations: int):
    """All iterations one by one, each with the resulting trails."""
    found = []
    for k in range(iterations):
        answer = colony.advance(k + 1)
        found.append((answer, colony.trails()))
    colony.close()
    return found


@pytest.mark.smoke
@pytest.mark.parametrize(("row", "selection"), WAYS, ids=IDS)
def test_reported_values_are_correct(row, selection):
    n = INSTANCE.n
    for entry, trails in run_iterations(make_colony(row, selection=selection, ants=ANTS), ITERATIONS):
        lengths = entry.lengths
        assert lengths.shape == (ANTS,)
        assert (entry.best[0], entry.worst[0], entry.mean[0]) == (lengths.min(), lengths.max(), lengths.mean())
        assert np.array_equal(np.sort(entry.order[0]), np.arange(n))
        assert tour_length(INSTANCE, entry.order[0]) == entry.best[0]
        off = ~np.eye(n, dtype=bool)
        assert np.array_equal(trails, trails.T)
        assert np.isfinite(trails).all()
        assert (trails[off] > 0).all()
        rows = [trails[city][off[city]].astype(float).tolist() for city in range(n)]
        assert entry.entropy[0] == pytest.approx(np.mean([naive.entropy(row) for row in rows]), abs=1e-3)
        assert entry.branching[0] == pytest.approx(np.mean([naive.branching(row) for row in rows]), abs=2.5 / n)
        if entry.trials.shape[1]:
            assert 0 < entry.trials[0].sum() <= ANTS * (n - 1)


@pytest.mark.smoke
@pytest.mark.parametrize("deposit", DEPOSITS)
def test_trails_follow_equations_4_to_6(deposit):
    colony = make_colony(deposit=deposit, ants=ANTS, rho=0.3, q=2.0)
    matrix, before = distance_matrix(INSTANCE).tolist(), colony.trails()
    for k in range(2):
        colony.advance(k + 1)
        tours = colony.arrays.tours.copy_to_host().reshape(ANTS, -1).tolist()
        after = naive.trails_after(before.tolist(), tours, matrix, 0.3, 2.0)
        before = colony.trails()
        assert np.allclose(before, np.array(after), rtol=1e-5)
    colony.close()


@pytest.mark.parametrize("deposit", ["fixed-point", "float-atomic"])
@pytest.mark.parametrize(
    ("rule", "weight"),
    cases(
        [("elitist", 9), ("rank-based", 1), ("rank-based", 2), ("rank-based", 6)],
        lambda case: case[1] in (9, 2),
    ),
)
def test_trails_come_from_the_depositing_tours(rule, weight, deposit):
    weights = {"elitists": weight} if rule == "elitist" else {"rank_weights": weight}
    colony = make_colony(deposit=deposit, ants=ANTS, rho=0.3, q=2.0, depositors=rule, **weights)
    matrix, trails, best = distance_matrix(INSTANCE).tolist(), colony.trails().tolist(), None
    for k in range(ITERATIONS):
        colony.advance(k + 1)
        tours = colony.arrays.tours.copy_to_host().reshape(ANTS, -1).tolist()
        weighted, best = naive.weighted_tours(rule, tours, best, matrix, weight)
        trails = naive.trails_after_some(trails, weighted, matrix, 0.3, 2.0)
        assert np.allclose(colony.trails(), np.array(trails), rtol=1e-5)
        trails = colony.trails().tolist()
    colony.close()


def test_ants_of_equal_length_rank_by_their_index():
    lengths = np.array([5, 3, 3, 9, 3, 4], np.int64)
    for places in (2, 4, 6, 8):
        order = device.to_device(np.full(places, -1, np.int32))
        depositors_cuda.build_rank(4)[2, 4](device.to_device(lengths), np.uint32(6), np.uint32(places), order)
        assert order.copy_to_host().tolist() == [1, 2, 4, 5, 0, 3, -1, -1][:places]


@pytest.mark.parametrize("deposit", ["rows", "histogram"])
def test_deposit_by_rows_needs_all_ants(deposit):
    with pytest.raises(InvalidParams, match="rank-based"):
        make_colony(deposit=deposit, depositors="rank-based")


@pytest.mark.smoke
@pytest.mark.parametrize(("n", "ants"), [(5, 13), (2, 1)] if SIMULATED else [(5, 4000), (198, 198), (9, 8000)])
def test_sorted_histogram_sums_like_atomic_additions(n, ants):
    trails = []
    for deposit in ("fixed-point", "histogram"):
        colony = make_colony(instance=uniform(n, 3), deposit=deposit, ants=ants, seed=4)
        for k in range(2):
            colony.advance(k + 1)
        trails.append(colony.trails())
        colony.close()
    assert trails[0].tolist() == trails[1].tolist()


def test_too_many_ants_for_sorting_are_refused():
    with pytest.raises(InvalidParams, match="no room to sort"):
        make_colony(deposit="histogram", ants=20_000)


@pytest.mark.parametrize("alpha", [1.7] if SIMULATED else [0.0, 1.0, 1.7])
def test_every_choice_has_its_probability(alpha):
    # The nearest three apart, so that the others are drawn often; two iterations, so that trails differ.
    instance, ants = (uniform(7, 5), 40) if SIMULATED else (load("kroA100"), 1000)
    colony = make_colony(instance=instance, candidates=3, ants=ants, alpha=alpha, seed=7)
    eta = compute_eta(distance_matrix(instance), 2.0).astype(float)
    for k in range(2):
        fitness = colony.trails().astype(float) ** alpha * eta
        colony.advance(k + 1)
        tours = colony.arrays.tours.copy_to_host().reshape(ants, -1)
        shares = choice_shares(fitness, tours, np.random.default_rng(k))
        bins = 10 if SIMULATED else 50
        seen = np.histogram(shares, bins, (0.0, 1.0))[0]
        assert naive.chi_square(dict(enumerate(seen.tolist())), dict.fromkeys(range(bins), 1 / bins)) > 1e-4
    colony.close()


def test_integer_deposits_give_the_same_trails_in_any_order():
    first, second = (run_iterations(make_colony(seed=4, ants=ANTS), ITERATIONS) for _ in range(2))
    for (a, trails), (b, others) in zip(first, second, strict=True):
        assert np.array_equal(a.lengths, b.lengths)
        assert np.array_equal(trails, others)


def test_deposit_by_rows_differs_only_by_rounding():
    first, second = (make_colony(seed=4, ants=ANTS, deposit=deposit) for deposit in ("fixed-point", "rows"))
    for colony in (first, second):
        colony.advance(1)
    assert np.allclose(first.trails(), second.trails(), rtol=1e-5)
    first.close()
    second.close()


def test_iterations_do_not_depend_on_launches():
    one = run_iterations(make_colony(seed=2, ants=ANTS), 4 if SIMULATED else 70)
    many = make_colony(seed=2, ants=ANTS, graph=False)
    best, done = [], 0
    while done < len(one):
        answer = many.advance(len(one))
        best += answer.best.tolist()
        done += answer.best.size
    assert best == [int(answer.best[0]) for answer, _ in one]
    assert np.array_equal(many.trails(), one[-1][1])
    many.close()


@pytest.mark.smoke
@pytest.mark.parametrize("lists", [True, False])
@pytest.mark.parametrize("search", ["none", "2-opt+or-opt"])
def test_max_min_respects_its_limits(lists, search):
    n, shortest = INSTANCE.n, np.inf
    colony = make_colony(MMAS_CUDA_VARIANTS[0], ants=ANTS, lists=lists, local_search=search, rho=0.1, candidates=5)
    most = 1 / (0.1 * nearest_neighbour_length(distance_matrix(INSTANCE)))
    share = MaxMinParams(lists=lists, local_search=search, candidates=5).min_share(n)
    off = ~np.eye(n, dtype=bool)
    assert np.allclose(colony.trails()[off], most)
    for entry, trails in run_iterations(colony, ITERATIONS):
        shortest = min(shortest, entry.best[0])
        most = 1 / (0.1 * shortest)
        assert np.array_equal(trails, trails.T)
        assert trails[off].min() >= most * share * 0.999
        assert trails.max() <= most * 1.001


def test_only_the_best_tour_gains():
    colony = make_colony(MMAS_CUDA_VARIANTS[0], ants=ANTS, rho=0.05)
    before = colony.trails()
    answer, after = colony.advance(1), colony.trails()
    edges = {frozenset(edge) for edge in zip(answer.order[0], np.roll(answer.order[0], -1), strict=True)}
    gained = np.argwhere(after > before * 0.96)
    assert {frozenset(pair) for pair in gained.tolist()} <= {frozenset(map(int, edge)) for edge in edges}
    colony.close()


def test_local_search_only_shortens():
    plain, searched = (
        make_colony(MMAS_CUDA_VARIANTS[0], ants=ANTS, seed=3, local_search=search)
        for search in ("none", "2-opt+or-opt")
    )
    a, b = plain.advance(1), searched.advance(1)
    assert (b.lengths <= a.lengths).all()
    assert b.mean[0] < a.mean[0]
    plain.close()
    searched.close()


def test_long_iteration_is_reported_in_pieces(monkeypatch):
    monkeypatch.setattr(cuda, "_LONG", 0)
    monkeypatch.setattr(cuda, "_SECONDS", 0.0)
    whole, cut = make_colony(seed=5, ants=ANTS), make_colony(seed=5, ants=ANTS)
    whole._long = False
    answer, best, pieces = whole.advance(1), None, 0
    assert cut.find_unfinished() is None
    while (found := cut.advance(1)) is None:
        best, pieces = cut.find_unfinished(), pieces + 1
    assert pieces > 2
    assert np.array_equal(best, answer.order[0])
    assert np.array_equal(found.lengths, answer.lengths)
    assert np.array_equal(cut.trails(), whole.trails())
    whole.close()
    cut.close()


@pytest.mark.skipif(SIMULATED, reason="10,000 iterations are for a card")
def test_ten_thousand_iterations_keep_valid_trails():
    instance = load("pr1002")
    colony, done = make_colony(instance=instance), 0
    while done < 10_000:
        done += colony.advance(10_000).best.size
    trails, off = colony.trails(), ~np.eye(instance.n, dtype=bool)
    assert np.array_equal(trails, trails.T)
    assert np.isfinite(trails).all()
    assert trails[off].min() >= np.float32(FLOOR * first_trail(distance_matrix(instance), "nearest-neighbour"))
    colony.close()


@pytest.mark.parametrize("shared", [48 << 10, 99 << 10, 232_448])
@pytest.mark.parametrize("row", AS_CUDA_VARIANTS, ids=lambda row: row.name)
def test_kernel_fits_the_promised_limits(row, shared):
    kernels = import_module(row.kernel.partition(":")[0])
    assert 2_000 < row.max_cities(Limits(shared_per_block=shared)) <= kernels.max_n(shared)


@pytest.mark.parametrize("row", [AS_CUDA_VARIANTS[0], MMAS_CUDA_VARIANTS[0]])
def test_too_many_cities_are_refused_with_a_message(row):
    with pytest.raises(InstanceTooLarge, match="warp takes at most 10,000 cities on this device"):
        make_colony(row, instance=uniform(MAX_CITIES + 1, 1))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9])
def test_few_cities(n):
    instance = uniform(n, 1)
    for row in (AS_CUDA_VARIANTS[0], MMAS_CUDA_VARIANTS[0]):
        entry = [entry for entry, _ in run_iterations(make_colony(row, instance=instance, ants=2), 2)][-1]
        assert np.array_equal(np.sort(entry.order[0]), np.arange(n))
        assert tour_length(instance, entry.order[0]) == entry.best[0]
