"""Ant Colony System on CUDA, in both variants, against its rules in NumPy.

Not collected with the other tests: see `simulated.run_cases`.
"""

from itertools import pairwise

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from solvers.algorithms.ants import cuda
from solvers.algorithms.ants.acs import best_two_opt_cuda
from solvers.algorithms.ants.acs.kernels import walk_block_cuda
from solvers.algorithms.ants.acs.params import REPEATABLE, AntColonySystemParams
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.algorithms.ants.acs.variants import CUDA_VARIANTS, local_updates
from solvers.algorithms.ants.cuda import CONSTRUCTION
from solvers.algorithms.ants.heuristics import compute_eta
from solvers.core.events import Shortened, Tour
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.gpu.limits import Limits
from solvers.kernels.coherent_cuda import decay_excess
from solvers.kernels.device_cuda import SIMULATED
from solvers.kernels.device_cuda import cuda as device
from tests import naive
from tests.solver_runs import return_value
from tests.solvers.algorithms.ants.ant_cuda_cases import SEED, drawn_position
from tests.solvers.algorithms.ants.choice_shares import choice_shares
from tests.solvers.algorithms.ants.dense_trails import dense
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
INSTANCE = uniform(11, 3) if SIMULATED else load("kroA100")
ANTS, ITERATIONS = (3, 3) if SIMULATED else (64, 30)
RHO, ALPHA, BETA = 0.2, 0.15, 2.0
WARP, BLOCK = CUDA_VARIANTS
WAYS = [(row, update) for row in CUDA_VARIANTS for update in local_updates(row)]
EVERY_WAY = pytest.mark.parametrize(("row", "update"), WAYS, ids=[f"{row.name}-{update}" for row, update in WAYS])


def make_colony(row=WARP, update="deferred", instance=INSTANCE, seed: int = 1, **params):
    params = {"ants": ANTS, "rho": RHO, "alpha": ALPHA, "beta": BETA, "local_search": "none", "lists": False, **params}
    chosen = AntColonySystemParams(variant=row.name, local_update=update, **params)
    solver, job = AntColonySystem(), Job(instance, chosen, seed, "cuda", Budget().start())
    return solver._colony(job, row)[0]


def read_tours(colony) -> np.ndarray:
    """The tours of all ants on the card, (ants, n) int32."""
    return colony.arrays.tours.copy_to_host().reshape(colony.ants, -1)


def trail_levels(colony, instance=INSTANCE) -> np.ndarray:
    """All trails in units of tau_0, (n, n) float64."""
    return dense(colony.trails()).astype(float) * instance.n * nearest_neighbour_length(distance_matrix(instance))


def read_weights(colony, n: int) -> np.ndarray:
    """The weights of edges for ants on the card, (n, n) float64."""
    arrays = colony.arrays
    weights = arrays.edges.fitness.copy_to_host().reshape(n, -1)[:, :n].astype(float)
    near = arrays.edges.near.copy_to_host()[: n * 32].reshape(n, 32)
    cities, values = near.astype(np.uint32), (near >> 32).astype(np.uint32).view(np.float32)
    for city in range(n):
        listed = (cities[city] < n) & (cities[city] != city)
        weights[city, cities[city][listed]] = values[city][listed]
    return weights


def iterate(colony) -> tuple[np.ndarray, np.ndarray]:
    """One iteration, launch by launch: the tours built by the ants, and the counts of each record.

    An edge is counted in `visits` by its record, or in `passes` by the places that it has among the nearest.
    """
    arrays = colony.arrays
    built = 1 + max(k for k, (phase, _) in enumerate(colony.launches) if phase == CONSTRUCTION)
    for _, launch in colony.launches[:built]:
        launch()
    colony.stream.synchronize()
    slots, passes = arrays.edges.slots.copy_to_host().reshape(-1, 2), arrays.edges.passes.copy_to_host()
    counted = arrays.edges.visits.copy_to_host() + np.where(slots >= 0, passes[slots], 0).sum(axis=1)
    found = read_tours(colony), counted
    for _, launch in colony.launches[built:]:
        while launch():
            continue
    colony.stream.synchronize()
    return found


def tour_edges(tour) -> list[tuple[int, int]]:
    """The edges of an ant's tour, including the closing one if there are more than two cities."""
    tour = tour.tolist()
    return list(pairwise([*tour, tour[0]] if len(tour) > 2 else tour))


def count_visits(tours) -> np.ndarray:
    """The number of times each edge was used, in either direction, (n, n); the one edge of two cities counts twice."""
    visits = np.zeros((tours.shape[1],) * 2, int)
    if tours.shape[1] > 1:
        np.add.at(visits, (tours, np.roll(tours, -1, axis=1)), 1)
    return visits + visits.T


class Rules:
    """Equations 4 and 5 of Dorigo and Gambardella (1997), on all trails in units of tau_0, in 64 bits."""

    def __init__(self, instance):
        n, self._instance, self._best, self._length = instance.n, instance, None, np.inf
        self.levels = np.ones((n, n)) - np.eye(n)
        self._target = n * nearest_neighbour_length(distance_matrix(instance))

    def update(self, built, answer) -> None:
        """Update the trails after tours were built, which may then have been improved."""
        off = ~np.eye(len(self.levels), dtype=bool)
        self.levels[off] = (1 + (self.levels - 1) * (1 - RHO) ** count_visits(built))[off]
        lengths = [tour_length(self._instance, tour) for tour in answer]
        if min(lengths) < self._length:
            self._length, self._best = min(lengths), answer[int(np.argmin(lengths))]
        for a, b in tour_edges(self._best):
            level = (1 - ALPHA) * self.levels[a, b] + ALPHA * self._target / self._length
            self.levels[a, b] = self.levels[b, a] = max(level, 1.0)


@pytest.mark.parametrize("search", ["2-opt+or-opt"] if SIMULATED else ["none", "2-opt+or-opt"])
@EVERY_WAY
def test_reported_values_are_correct(row, update, search):
    n, colony = INSTANCE.n, make_colony(row, update, local_search=search, candidates=8)
    off = ~np.eye(n, dtype=bool)
    for k in range(ITERATIONS):
        answer, trails = colony.advance(k + 1), dense(colony.trails())
        assert np.array_equal(np.sort(read_tours(colony)), np.tile(np.arange(n), (ANTS, 1)))
        assert answer.lengths.tolist() == [tour_length(INSTANCE, tour) for tour in read_tours(colony)]
        assert (answer.best[0], answer.worst[0], answer.mean[0]) == (
            min(answer.lengths),
            max(answer.lengths),
            answer.lengths.mean(),
        )
        assert tour_length(INSTANCE, answer.order[0]) == answer.best[0]
        assert np.isnan(answer.built[0]) if search == "none" else answer.built[0] >= answer.mean[0]
        assert np.array_equal(trails, trails.T)
        rows = [trails[city][off[city]].astype(float).tolist() for city in range(n)]
        assert answer.entropy[0] == pytest.approx(np.mean([naive.entropy(row) for row in rows]), abs=1e-3)
        assert answer.branching[0] == pytest.approx(np.mean([naive.branching(row) for row in rows]), abs=2.5 / n)
    colony.close()


@pytest.mark.parametrize(
    ("search", "candidates"),
    [pytest.param("2-opt+or-opt", 3, marks=pytest.mark.smoke), ("none", 0)]
    + [("none", 3), ("2-opt+or-opt", 32)] * (not SIMULATED),
)
@EVERY_WAY
def test_trails_and_weights_follow_the_rules(row, update, search, candidates):
    rules, colony = Rules(INSTANCE), make_colony(row, update, local_search=search, candidates=candidates)
    eta, arrays = compute_eta(distance_matrix(INSTANCE), BETA), colony.arrays
    assert np.allclose(trail_levels(colony), rules.levels, rtol=1e-6)
    for _ in range(ITERATIONS):
        records = int(arrays.edges.records.copy_to_host()[0])
        ends = arrays.edges.ends.copy_to_host().reshape(-1, 2)[:records]
        built, counted = iterate(colony)
        assert counted[:records].tolist() == count_visits(built)[ends[:, 0], ends[:, 1]].tolist()
        assert not counted[records:].any()
        rules.update(built, read_tours(colony))
        assert np.allclose(trail_levels(colony), rules.levels, rtol=2e-5)
        assert np.allclose(read_weights(colony, INSTANCE.n), rules.levels * eta, rtol=2e-5)
        assert not arrays.edges.visits.copy_to_host().any()
        assert not arrays.edges.passes.copy_to_host().any()
    assert (rules.levels > 1).any()
    colony.close()


def best_two_opt_tour(matrix, tour: list[int]) -> list[int]:
    """The tour after the best 2-opt move; ties are broken by the nearest edges, then by the first."""
    n = len(tour)
    while True:
        gains = {}
        for apart in range(2, n // 2 + 1):
            for p in range(n if 2 * apart < n else apart):
                q = (p + apart) % n
                a, b, c, d = (tour[k % n] for k in (p, p + 1, q, q + 1))
                gains[apart, p] = matrix[a][b] + matrix[c][d] - matrix[a][c] - matrix[b][d]
        apart, p = max(gains, key=lambda pair: (gains[pair], -pair[0], -pair[1]), default=(0, 0))
        if gains.get((apart, p), 0) <= 0:
            return tour
        part = [tour[(p + 1 + k) % n] for k in range(apart)]
        tour = tour.copy()
        for k, city in enumerate(reversed(part)):
            tour[(p + 1 + k) % n] = city


@pytest.mark.smoke
@pytest.mark.parametrize("n", [11, 12, 3] if SIMULATED else [3, 4, 5, 100, 101, 400])
def test_2_opt_of_the_best_ant_makes_the_greatest_change_repeatedly(n, monkeypatch):
    monkeypatch.setattr(best_two_opt_cuda, "LAUNCH_SECONDS", 1e-9)
    instance = uniform(n, 7)
    colony = make_colony(BLOCK, "deferred", instance, local_search="2-opt-of-best", q0=0.0, beta=0.0)  # random tours
    matrix, rules = distance_matrix(instance).tolist(), Rules(instance)
    for _ in range(ITERATIONS):
        built, _ = iterate(colony)
        best = int(np.argmin([tour_length(instance, tour) for tour in built]))
        expected = built.tolist()
        expected[best] = best_two_opt_tour(matrix, expected[best])
        found = read_tours(colony)
        assert found.tolist() == expected
        rules.update(built, found)
        np.testing.assert_allclose(trail_levels(colony, instance), rules.levels, rtol=1e-4)
    job = Job(instance, AntColonySystemParams(), 1, "cuda", Budget().start())
    shortened = return_value(best_two_opt_cuda.shorten(job, built[0]))
    assert shortened.tolist() == best_two_opt_tour(matrix, built[0].tolist())


@pytest.mark.smoke
@pytest.mark.parametrize("when", ["last", "every"])
def test_run_with_2_opt_of_the_best_ant_ends_without_improving_pairs(when):
    params = AntColonySystemParams(local_search="2-opt-of-best", local_search_when=when, ants=2, iterations=2)
    job = Job(INSTANCE, params, 1, "cuda", Budget().start(), variant=BLOCK)
    events = list(AntColonySystem().solve(job))
    told = [best for event in events if isinstance(event, Shortened) for best in [event.best] * event.before.size]
    assert told == ([True] if when == "last" else [False, False])
    end, matrix = [event for event in events if isinstance(event, Tour)][-1], distance_matrix(INSTANCE).tolist()
    assert when == "every" or best_two_opt_tour(matrix, end.order.tolist()) == end.order.tolist()
    assert end.length == tour_length(INSTANCE, end.order)


@pytest.mark.parametrize(("row", "candidates"), [(WARP, 0), (WARP, 3), (WARP, 32), (BLOCK, 0)])
def test_exploitation_takes_the_greatest_weight_of_all_cities(row, candidates):
    colony = make_colony(row, q0=1.0, candidates=candidates)
    for _ in range(ITERATIONS):
        weights = read_weights(colony, INSTANCE.n)
        tours, _ = iterate(colony)
        for tour in tours.tolist():
            left = weights.copy()
            for here, city in pairwise(tour):
                left[:, here] = -1.0
                assert city == left[here].argmax()
    colony.close()


@pytest.mark.parametrize("update", ["deferred"] if SIMULATED else local_updates(WARP))
def test_ants_keep_to_their_lists(update):
    colony, near = make_colony(WARP, update, lists=True, candidates=3, q0=0.3), neighbours(distance_matrix(INSTANCE), 3)
    outside = 0
    for _ in range(ITERATIONS):
        weights = read_weights(colony, INSTANCE.n)
        for tour in iterate(colony)[0].tolist():
            left = np.ones(INSTANCE.n, bool)
            for here, city in pairwise(tour):
                left[here] = False
                listed = near[here][left[near[here]]]
                assert not listed.size or city in listed
                if not listed.size:
                    outside += 1
                    assert update != "deferred" or city == np.where(left, weights[here], -1.0).argmax()
    assert outside
    colony.close()


@pytest.mark.parametrize("q0", [0.3] if SIMULATED else [0.0, 0.3])
@pytest.mark.parametrize("row", CUDA_VARIANTS, ids=lambda row: row.name)
def test_every_choice_has_its_probability(row, q0):
    # The nearest three apart, so that the others are drawn often; two iterations, so that trails differ.
    instance, ants = (uniform(7, 5), 20) if SIMULATED else (load("kroA100"), 1000)
    colony, bins = make_colony(row, instance=instance, candidates=3, ants=ants, q0=q0, seed=7), 10 if SIMULATED else 50
    for k in range(2):
        weights = read_weights(colony, instance.n)
        tours, _ = iterate(colony)
        shares = choice_shares(weights, tours, np.random.default_rng(k), q0)
        seen = np.histogram(shares, bins, (0.0, 1.0))[0]
        assert naive.chi_square(dict(enumerate(seen.tolist())), dict.fromkeys(range(bins), 1 / bins)) > 1e-4
    colony.close()


@pytest.mark.parametrize(
    ("row", "update"),
    cases([way for way in WAYS if way[1] in REPEATABLE], lambda way: way[0] is BLOCK),
)
def test_division_of_work_changes_nothing(row, update, monkeypatch):
    iterations = 2 if SIMULATED else ITERATIONS

    def walked(colony):
        answer, done, pieces = [], 0, 0
        while done < iterations:
            found, pieces = colony.advance(iterations), pieces + 1
            if found is not None:
                answer += found.best.tolist()
                done += found.best.size
        trails = dense(colony.trails())
        colony.close()
        return answer, trails, pieces

    whole, trails, _ = walked(make_colony(row, update, local_search="2-opt+or-opt", candidates=8))
    monkeypatch.setattr(cuda, "_LONG", 0)
    monkeypatch.setattr(cuda, "_SECONDS", 0.0)
    monkeypatch.setattr(walk_block_cuda, "_LAUNCH_SECONDS", 1.3e-5)
    cut, others, pieces = walked(make_colony(row, update, local_search="2-opt+or-opt", candidates=8))
    assert pieces > 2 * iterations
    assert cut == whole
    assert np.array_equal(trails, others)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@EVERY_WAY
def test_few_cities(row, update, n):
    instance = uniform(n, 1)
    rules, colony = Rules(instance), make_colony(row, update, instance=instance, local_search="2-opt+or-opt", ants=2)
    for _ in range(2):
        built, _ = iterate(colony)
        assert np.array_equal(np.sort(built), np.tile(np.arange(n), (2, 1)))
        rules.update(built, read_tours(colony))
        if n > 1:
            assert np.allclose(trail_levels(colony, instance), rules.levels, rtol=2e-5)
    colony.close()


def naive_tour(weights, stream: int, q0: float, threads: int, walked: list[int]) -> list[int]:
    """The tour of an ant that looks at all cities, draw by draw: equation 3 of Dorigo and Gambardella (1997).

    Where a draw falls on the border of two cities, it goes on as `walked` does.
    """

    def share(step):
        return ((naive.random_bits(SEED, stream, step) >> 40) + 0.5) * 2.0**-24

    n = len(weights)
    tour = [(naive.random_bits(SEED, stream, 0) >> 32) * n >> 32]
    for p in range(1, n):
        row = np.where(np.isin(np.arange(n), tour), 0.0, weights[tour[-1]])
        greedy = share(p * 128) <= q0
        tour.append(int(row.argmax()) if greedy else drawn_position(row, share(p * 128 + 1), threads, walked[p]))
    return tour


@pytest.mark.smoke
@pytest.mark.parametrize("update", local_updates(BLOCK))
def test_block_ants_match_the_naive_ones(update):
    # Unless deferred, a single ant, so that nobody else changes what it sees; nor does it go an edge twice. Beta is
    # low, so that draws seldom fall on the greatest weight.
    ants, threads = 8 if update == "deferred" else 1, walk_block_cuda.threads(INSTANCE.n)
    colony = make_colony(BLOCK, update, seed=SEED, ants=ants, q0=0.5, beta=0.3)
    for k in range(2):
        weights = read_weights(colony, INSTANCE.n)
        for ant, tour in enumerate(iterate(colony)[0].tolist()):
            assert tour == naive_tour(weights, k * ants + ant, 0.5, threads, tour)
    colony.close()


@pytest.mark.smoke
@pytest.mark.parametrize("update", ["racy", "compare-and-swap"])
def test_block_ants_update_trails_at_once(update):
    # Racy, of two ants that write at once one may be lost; the simulator's blocks come one after the other.
    ants = ANTS if SIMULATED or update == "compare-and-swap" else 1
    colony, eta = make_colony(BLOCK, update, ants=ants), compute_eta(distance_matrix(INSTANCE), BETA)
    iterate(colony)
    levels = trail_levels(colony)
    for phase, launch in colony.launches:
        if phase == CONSTRUCTION:
            launch()
    colony.stream.synchronize()
    gone = count_visits(read_tours(colony))
    assert ((gone > 0) & (levels > 1.001)).any()
    worn = (1 + (levels - 1) * (1 - RHO) ** gone) * eta
    assert np.allclose(read_weights(colony, INSTANCE.n), worn, rtol=2e-5)
    colony.close()


def fade(first: float, least: float, keep: float, times: int) -> tuple[float, float]:
    """A number after this many updates, in closed form, and half the change by another update."""
    left = (first - least) * keep**times
    return least + left, left * (1 - keep) / 2


@pytest.mark.smoke
def test_compare_and_swap_loses_no_update_of_a_shared_edge():
    # Two cities: every ant goes there and back over the one edge, all at the same time. All updates are the same affine
    # map, so that their order does not matter.
    ants, n = 6 if SIMULATED else 1000, 2
    colony = make_colony(BLOCK, "compare-and-swap", instance=uniform(n, 1), ants=ants, rho=0.5 / ants, alpha=1.0)
    iterate(colony)
    edges, keep = colony.arrays.edges, float(colony.arrays.keep)
    before = float(edges.level.copy_to_host()[0])
    assert before > 1.5
    for phase, launch in colony.launches:
        if phase == CONSTRUCTION:
            launch()
    colony.stream.synchronize()
    left, half = fade(before, 1.0, keep, 2 * ants)
    assert edges.visits.copy_to_host()[0] == 2 * ants
    assert edges.level.copy_to_host()[0] == pytest.approx(left, abs=half)
    weights = edges.fitness.copy_to_host().reshape(n, -1)
    assert weights[0, 1] == weights[1, 0] == pytest.approx(left, abs=half)  # eta is 1
    colony.close()


@pytest.mark.smoke
@pytest.mark.parametrize(("blocks", "threads"), [(3, 4)] if SIMULATED else [(8, 256), (1, 1024), (64, 32)])
def test_concurrent_updates_of_one_number_are_not_lost(blocks, threads):
    @device.jit
    def fade_all(values, keep, least):
        decay_excess(values, np.uint32(1), keep, least)

    keep = np.float32(1 - 1 / (blocks * threads))
    values = device.to_device(np.array([1.0, 3.5, 2.0], np.float32))
    fade_all[blocks, threads](values, keep, np.float32(0.75))
    left, half = fade(3.5, 0.75, float(keep), blocks * threads)
    assert values.copy_to_host().tolist() == [1.0, pytest.approx(left, abs=half), 2.0]


@pytest.mark.parametrize(("weight", "q0"), [(1.0, 1.0), (0.0, 1.0), (0.0, 0.0)])
def test_block_takes_the_lowest_of_equal_cities_even_without_weights(weight, q0):
    n, colony = INSTANCE.n, make_colony(BLOCK, q0=q0)
    fitness = np.zeros((n, int(colony.arrays.stride)), np.float32)
    fitness[:, :n] = weight * (1 - np.eye(n))
    colony.arrays.edges.fitness.copy_to_device(fitness.reshape(-1))
    for tour in iterate(colony)[0].tolist():
        assert tour[1:] == [city for city in range(n) if city != tour[0]]
    colony.close()


@pytest.mark.parametrize("n", [1, 198, 1002, 18_512, 20_000])
def test_block_launches_cover_all_ants_and_positions(n):
    filled = np.zeros(200, np.int64)
    for blocks, (first, begin, end) in walk_block_cuda.launches(n, filled.size):
        assert (filled[first : first + blocks] == begin).all()
        filled[first : first + blocks] = end
    assert (filled == n).all()


@pytest.mark.parametrize("shared", [48 << 10, 99 << 10, 232_448])
def test_block_fits_the_promised_cities(shared):
    most = BLOCK.max_cities(Limits(shared_per_block=shared))
    assert most > 2_000
    assert walk_block_cuda.shared_bytes(most, walk_block_cuda.threads(most)) + 2048 <= shared


@pytest.mark.parametrize(("row", "update"), [(BLOCK, "lockstep"), (WARP, "compare-and-swap")])
def test_unsupported_local_update_is_refused(row, update):
    params = AntColonySystemParams(variant=row.name, local_update=update)
    assert f"{update} needs the variant" in AntColonySystem().refusal(INSTANCE, params, "cuda")


@pytest.mark.skipif(SIMULATED, reason="too many cities for the simulator")
@pytest.mark.parametrize("n", [1002, 9000])
@EVERY_WAY
def test_tours_of_many_cities_visit_each_once(row, update, n):
    colony = make_colony(row, update, instance=uniform(n, 1), q0=0.9)
    built, _ = iterate(colony)
    assert np.array_equal(np.sort(built), np.tile(np.arange(n), (ANTS, 1)))
    colony.close()
