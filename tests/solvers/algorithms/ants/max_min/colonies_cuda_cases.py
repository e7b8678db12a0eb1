"""Colonies of MAX-MIN Ant System with a block each: ants against a plain one, colonies against runs of their own.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from solvers.algorithms.ants.max_min.kernels import walk_colony_cuda as walk
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
from solvers.algorithms.ants.max_min.variants import COLONY_CITIES, CUDA_VARIANTS
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels.device_cuda import SIMULATED
from tests import naive
from tests.solvers.algorithms.ants.choice_shares import choice_shares

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
BAI = next(row for row in CUDA_VARIANTS if row.name == "bai")
INSTANCE = uniform(11, 3) if SIMULATED else load("kroA100")
COLONIES, ANTS, ITERATIONS, SEED = (3, 5, 3, 7) if SIMULATED else (5, 40, 30, 7)
PLAIN = {"local_search": "none", "rho": 0.1}


def make_colony(instance=INSTANCE, seed=SEED, **params):
    params = {"variant": "bai", "ants": ANTS, "colonies": COLONIES, **PLAIN, **params}
    job = Job(instance, MaxMinParams(**params), seed, "cuda", Budget().start())
    return MaxMinAntSystem()._colony(job, BAI)[0]


def iterate(colony):
    """The report of the next iteration, for any number of pieces."""
    until = colony.done + 1
    while (answer := colony.advance(until)) is None:
        continue
    return answer


def read_tours(colony) -> np.ndarray:
    """The tours on the card, (colonies, ants, n)."""
    return colony.arrays.tours.copy_to_host().reshape(colony.arrays.colonies, -1, int(colony.arrays.n))


def read_all(colony, array) -> np.ndarray:
    """Trails or fitness of all colonies, (colonies, n, n) float32."""
    n = int(colony.arrays.n)
    return array.copy_to_host().reshape(colony.arrays.colonies, n, -1)[:, :, :n].copy()


def naive_tour(fitness: np.ndarray, near: np.ndarray | None, seed: int, stream: int) -> list[int]:
    """The tour of an ant, city by city, with every float32 sum in the order of the cities."""
    n = len(fitness)
    tour = [(naive.random_bits(seed, stream, 0) >> 32) * n >> 32]
    is_open = np.ones(n, bool)
    for p in range(1, n):
        is_open[tour[-1]], row = False, fitness[tour[-1]]
        listed = np.arange(n) if near is None else near[tour[-1]]
        left = listed[is_open[listed]].tolist()
        if not left:
            tour.append(int(np.where(is_open, row, -1.0).argmax()))
            continue
        upto = np.cumsum(row[left], dtype=np.float32)
        share = np.float32(((naive.random_bits(seed, stream, p * 128) >> 40) + 0.5) * 2.0**-24)
        fallen = np.flatnonzero(upto > np.float32(share * upto[-1]))
        tour.append(left[fallen[0] if fallen.size else -1])
    return tour


@pytest.mark.parametrize(
    ("lists", "reads"),
    [
        pytest.param(True, 1, marks=pytest.mark.smoke), (True, 1 << 25),
        pytest.param(False, 1 << 25, marks=pytest.mark.smoke), (False, 1),
    ],
)  # fmt: skip
def test_ants_of_every_colony_match_the_naive_one(lists, reads, monkeypatch):
    # With one read a launch, each launch adds one city.
    monkeypatch.setattr(walk, "COLONY_READS", reads)
    colony, near = make_colony(lists=lists, candidates=3), neighbours(distance_matrix(INSTANCE), 3) if lists else None
    for k in range(2):
        fitness = read_all(colony, colony.arrays.fitness)
        iterate(colony)
        for own, tours in enumerate(read_tours(colony).tolist()):
            for ant, tour in enumerate(tours):
                assert tour == naive_tour(fitness[own], near, SEED + own * COLONY_SEED_STEP, k * ANTS + ant)
    colony.close()


@pytest.mark.parametrize(
    "params",
    [pytest.param({}, marks=pytest.mark.smoke), {"lists": False}, {"local_search": "2-opt+or-opt", "rho": 0.5}],
)
def test_colonies_are_runs_with_seeds_far_apart(params):
    together = make_colony(**params)
    alone = [make_colony(seed=SEED + own * COLONY_SEED_STEP, colonies=1, **params) for own in range(COLONIES)]
    shortest = [np.inf] * COLONIES
    for _ in range(ITERATIONS):
        answer, each = iterate(together), [iterate(one) for one in alone]
        assert answer.lengths.tolist() == np.concatenate([one.lengths for one in each]).tolist()
        assert answer.best[0] == min(one.best[0] for one in each)
        assert answer.worst[0] == max(one.worst[0] for one in each)
        for name in ("mean", "entropy", "branching"):
            assert getattr(answer, name)[0] == pytest.approx(np.mean([getattr(one, name)[0] for one in each]))
        assert tour_length(INSTANCE, answer.order[0]) == answer.best[0]
        shortest = [min(length, int(one.best[0])) for length, one in zip(shortest, each, strict=True)]
        assert np.array_equal(together.trails(), alone[int(np.argmin(shortest))].trails())
    # With local search all may have found the same tour.
    assert len({one.trails().tobytes() for one in alone}) == COLONIES or "local_search" in params
    for one in (together, *alone):
        one.close()


def test_trails_respect_each_colonys_limits_and_only_its_best_tour_gains():
    colony, n = make_colony(lists=False), INSTANCE.n
    share, off = MaxMinParams(lists=False, **PLAIN).min_share(n), ~np.eye(n, dtype=bool)
    before = read_all(colony, colony.arrays.tau)
    assert np.allclose(before[:, off], 1 / (0.1 * nearest_neighbour_length(distance_matrix(INSTANCE))))
    lengths = iterate(colony).lengths.reshape(COLONIES, -1)
    after = read_all(colony, colony.arrays.tau)
    for own, tours in enumerate(read_tours(colony)):
        shortest, tour = lengths[own].min(), tours[lengths[own].argmin()]
        most, ends = 1 / (0.1 * shortest), np.roll(tour, -1)
        expected = np.clip(before[own] * 0.9, most * share, most)
        expected[tour, ends] = np.minimum(expected[tour, ends] + 1 / shortest, most)
        expected[ends, tour] = expected[tour, ends]
        assert np.allclose(after[own][off], expected[off], rtol=1e-5)
    colony.close()


def test_every_choice_has_its_probability():
    instance, ants = (uniform(7, 5), 20) if SIMULATED else (load("kroA100"), 200)
    colony, bins = make_colony(instance=instance, ants=ants, lists=False), 10 if SIMULATED else 50
    for k in range(2):
        fitness = read_all(colony, colony.arrays.fitness).astype(float)
        iterate(colony)
        shares = [
            choice_shares(weights, tours, np.random.default_rng(k))
            for weights, tours in zip(fitness, read_tours(colony), strict=True)
        ]
        seen = np.histogram(shares, bins, (0.0, 1.0))[0]
        assert naive.chi_square(dict(enumerate(seen.tolist())), dict.fromkeys(range(bins), 1 / bins)) > 1e-4
    colony.close()


@pytest.mark.parametrize("shared", [48 << 10, 99 << 10, 232_448])
@pytest.mark.parametrize("n", [1, 5, 33, COLONY_CITIES])
def test_bits_fit_and_launches_cover_all_positions(n, shared):
    for ants in (1, n, 65_536):
        threads = walk.threads(n, ants, shared)
        assert 0 < threads <= 1024
        assert walk.shared_bytes(n, threads) + 1024 <= shared
        assert [place for span in walk.spans(n, ants, threads) for place in range(*span)] == list(range(n))


@pytest.mark.parametrize("lists", [True, False])
def test_more_ants_than_threads_walk_one_after_the_other(lists, monkeypatch):
    whole = make_colony(lists=lists)
    monkeypatch.setattr(walk, "_MAX_THREADS", walk._MIN_THREADS)
    cut = make_colony(lists=lists)
    for colony in (whole, cut):
        iterate(colony)
    assert np.array_equal(read_tours(cut), read_tours(whole))
    whole.close()
    cut.close()


def test_too_many_cities_are_refused_with_a_message():
    with pytest.raises(InstanceTooLarge, match="bai takes at most 512 cities"):
        make_colony(instance=uniform(COLONY_CITIES + 1, 1))


@pytest.mark.parametrize("lists", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_few_cities(n, lists):
    instance = uniform(n, 1)
    colony = make_colony(instance=instance, ants=2, lists=lists)
    for _ in range(2):
        answer = iterate(colony)
        assert np.array_equal(np.sort(answer.order[0]), np.arange(n))
        assert tour_length(instance, answer.order[0]) == answer.best[0]
    colony.close()


@pytest.mark.skipif(SIMULATED, reason="too many iterations for the simulator")
@pytest.mark.parametrize(
    ("name", "iterations", "params"),
    [("berlin52", 1000, {"rho": 0.02}), ("kroA100", 100, {"local_search": "2-opt+or-opt", "rho": 0.5})],
)
def test_colonies_approach_the_optimum(name, iterations, params):
    instance = load(name)
    colony, best = make_colony(instance=instance, ants=0, colonies=8, **params), np.inf
    while colony.done < iterations:
        if (answer := colony.advance(iterations)) is not None:
            best = min(best, answer.best.min())
    colony.close()
    assert instance.optimum <= best <= 1.02 * instance.optimum
