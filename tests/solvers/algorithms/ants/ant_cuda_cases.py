"""The CUDA kernels that build ants' tours, as a block, a worker or a queen.

Not collected with the other tests: see `simulated.run_cases`.
"""

from itertools import accumulate
from typing import NamedTuple

import numpy as np
import pytest
from numba import float32, uint64

from solvers.algorithms.ants.ant_system.kernels import (
    prefix_sums_cuda,
    walk_block_cuda,
    walk_queen_cuda,
    walk_worker_cuda,
)
from solvers.algorithms.ants.kernels import random_cuda
from solvers.kernels.device_cuda import SIMULATED, cuda
from tests import naive

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
TRIALS, SWITCH, SEED = 3, 60.0, 7
#: What a share of a sum may be off by rounding.
ROUNDED = 2.0**-21
#: Shared memory that a block can have on an H200.
SHARED = 232_448


class TourBuilder(NamedTuple):
    """A way to build tours: its file, its kernel and its roulette wheel."""

    module: object
    kernel: object
    selection: str


WAYS = {
    **{
        name: TourBuilder(walk_block_cuda, walk_block_cuda.build_block(name, TRIALS, SWITCH), name)
        for name in ("without-compression", "with-compression", "stochastic-trial", "hybrid", "i-roulette")
    },
    "worker": TourBuilder(walk_worker_cuda, walk_worker_cuda.build_worker(), "worker"),
    "queen": TourBuilder(walk_queen_cuda, walk_queen_cuda.build_queen(), "without-compression"),
}
ANY = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def make_fitness(n: int, low: float = 0.02) -> np.ndarray:
    """Random fitness, (n, n) float32, 0 on the diagonal."""
    fitness = np.random.default_rng(n).uniform(low, 1.0, (n, n)).astype(np.float32)
    np.fill_diagonal(fitness, 0.0)
    return fitness


def pad_rows(fitness: np.ndarray) -> tuple[np.ndarray, int]:
    n = len(fitness)
    stride = -(-n // 32) * 32
    rows = np.zeros((n, stride), np.float32)
    rows[:, :n] = fitness
    return rows.reshape(-1), stride


def build_tours(way: TourBuilder, fitness, ants, threads, iteration=0, first_tally=None, launches=None):
    """The tours (ants, n) of one iteration, and the counts of its choices."""
    n = len(fitness)
    flat, stride = pad_rows(fitness)
    prefix = np.zeros_like(flat)
    prefix[:] = np.cumsum(flat.reshape(n, stride), axis=1, dtype=np.float32).reshape(-1)
    statistics = cuda.to_device(np.zeros(TRIALS + 1, np.int64) if first_tally is None else first_tally)
    tours = cuda.to_device(np.full(ants * n, -1, np.int32))
    counter = cuda.to_device(np.array([iteration]))
    for blocks, extra in launches or way.module.launches(n, ants):
        way.kernel[blocks, threads, 0, way.module.shared_bytes(n, threads)](
            cuda.to_device(flat), cuda.to_device(prefix), np.uint32(n), np.uint32(stride), np.uint32(ants), *extra,
            np.uint64(SEED), counter, statistics, tours,
        )  # fmt: skip
    return tours.copy_to_host().reshape(ants, n), statistics.copy_to_host()


def find_lane(weights, u: float, threads: int) -> int:
    """The position of the share u of the sum, with weights added in the order of strided threads."""
    order = [k for thread in range(threads) for k in range(thread, len(weights), threads)]
    sums = list(accumulate(float(weights[k]) for k in order))
    return order[next(at for at, total in enumerate(sums) if total > u * sums[-1])]


def drawn_position(weights, u: float, threads: int, wanted: int) -> int:
    """The position of u; `wanted` if u falls there within the rounding of float32, at most a few times 2**-24."""
    near = (find_lane(weights, min(max(v, 0.0), 1.0 - 2.0**-53), threads) for v in (u, u - ROUNDED, u + ROUNDED))
    return wanted if wanted in near else find_lane(weights, u, threads)


def trial_city(row, tour, share, statistics, wanted) -> int | None:
    """The unvisited city selected by one of the trials."""
    for q in range(TRIALS):
        city = drawn_position(row, share(q), 1, wanted)
        if city not in tour:
            statistics[q] += 1
            return city
    statistics[TRIALS] += 1
    return None


def naive_tour(
    selection: str, fitness, stream: int, threads: int, statistics: list[int], expected: list[int]
) -> list[int]:
    """The tour of an ant, roulette by roulette, as A. Uchida, Y. Ito and K. Nakano (2012) have it.

    Where a draw falls on the border of two cities, float32 and this may differ; the tour then follows `expected`.
    """
    n = len(fitness)
    tour, left = [(naive.random_bits(SEED, stream, 0) >> 32) * n >> 32], [*range(n)]
    left[tour[0]] = left[0] if selection == "worker" else left[-1]
    left = left[1:] if selection == "worker" else left[:-1]
    for p in range(1, n):
        row = fitness[tour[-1]]

        def share(q, p=p):
            return ((naive.random_bits(SEED, stream, p * 128 + q) >> 40) + 0.5) * 2.0**-24

        if selection == "i-roulette":
            factors = {k: np.float32(naive.i_roulette_factor(SEED, stream, p, k, n)) for k in {*range(n)} - {*tour}}
            tour.append(max(sorted(factors), key=lambda k: row[k] * factors[k]))
            continue
        early = selection == "stochastic-trial" or (selection == "hybrid" and p * 100 < SWITCH * n)
        city = trial_city(row, tour, share, statistics, expected[p]) if early else None
        if city is None and (early or selection == "without-compression"):
            weights = [0 if k in tour else row[k] for k in range(n)]
            city = drawn_position(weights, share(TRIALS if early else 0), threads, expected[p])
        if early:
            left = [k for k in range(n) if k not in (*tour, city)]
        if city is None:
            k = drawn_position([row[other] for other in left], share(0), threads, left.index(expected[p]))
            city = left[k]
            if selection == "worker":
                left[k] = left[0]
                left = left[1:]
            else:
                left[k] = left[-1]
                left.pop()
        tour.append(city)
    return tour


def widths(way: TourBuilder, n: int) -> list[int]:
    """Numbers of threads to test: the kernel's own, and whole warps that are not a power of two."""
    if way.module is walk_worker_cuda:
        return [1]
    return [2, 3] if SIMULATED else [way.module.threads(n), 96]


@pytest.mark.smoke
@ANY
@pytest.mark.parametrize("n", [1, 2, 7, 34] if SIMULATED else [1, 2, 7, 34, 150])
def test_ants_match_the_naive_one(way, n):
    ants = (1 if n > 10 else 2) if SIMULATED else 20
    fitness = make_fitness(n)
    for threads in widths(way, n):
        tours, statistics = build_tours(way, fitness, ants, threads)
        counts = [0] * (TRIALS + 1)
        for ant, tour in enumerate(tours.tolist()):
            assert tour == naive_tour(way.selection, fitness, ant, threads, counts, tour)
        assert statistics.tolist() == counts


@ANY
def test_every_iteration_draws_from_its_own_streams(way):
    fitness, threads = make_fitness(7), widths(way, 7)[0]
    six, _ = build_tours(way, fitness, 6, threads)
    assert np.array_equal(build_tours(way, fitness, 6, threads)[0], six)
    assert np.array_equal(build_tours(way, fitness, 3, threads, iteration=1)[0], six[3:])
    assert not np.array_equal(six[:3], six[3:])


@pytest.mark.smoke
@ANY
def test_division_of_work_changes_nothing(way):
    n, ants = 7, 3
    fitness, threads = make_fitness(n), widths(way, n)[0]
    spans = [(0, 1), (1, 5), (5, n)] if way.module is walk_worker_cuda else [()]
    cut = [(blocks, (first, *span)) for blocks, first in ((2, 0), (1, 2)) for span in spans]
    cut = [(blocks, tuple(np.uint32(word) for word in extra)) for blocks, extra in cut]
    whole, statistics = build_tours(way, fitness, ants, threads)
    parts, counts = build_tours(way, fitness, ants, threads, launches=cut)
    assert np.array_equal(parts, whole)
    assert np.array_equal(counts, statistics)


@pytest.mark.parametrize("n", [1, 198, 1002, 2392, 18512])
@ANY
def test_launches_cover_all_ants_and_positions(way, n):
    filled = np.zeros(n, np.int64)
    for blocks, (first, *span) in way.module.launches(n, n):
        begin, end = span or (0, n)
        filled[first : first + blocks] += int(end) - int(begin)
    assert (filled == n).all()


@ANY
def test_cities_are_chosen_with_their_probabilities(way):
    # A barrier takes the simulator milliseconds; a worker has none. Chi-squared stays below the bounds, of n (n - 2)
    # degrees of freedom for the second cities and n - 1 for the first, in 999 of 1,000 streams.
    if SIMULATED:
        n, ants, second, first = 3, 1500 if way.module is walk_worker_cuda else 80, 16.3, 13.8
    else:
        n, ants, second, first = 5, 100_000, 37.7, 18.5
    fitness = make_fitness(n, 0.2)
    tours, _ = build_tours(way, fitness, ants, widths(way, n)[0])
    starts = np.bincount(tours[:, 0], minlength=n)
    seen = np.zeros((n, n))
    np.add.at(seen, (tours[:, 0], tours[:, 1]), 1)
    expected = np.zeros((n, n))
    for here, row in enumerate(fitness.astype(float).tolist()):
        chances = naive.i_roulette_chances if way.selection == "i-roulette" else naive.chances
        for city, chance in chances(row, set(range(n)) - {here}).items():
            expected[here, city] = starts[here] * chance
    others = ~np.eye(n, dtype=bool)
    assert seen[~others].sum() == 0
    assert ((seen - expected)[others] ** 2 / expected[others]).sum() < second
    assert ((starts - ants / n) ** 2 * n / ants).sum() < first


@ANY
@pytest.mark.parametrize("faded", [0.0, 1e-42])
def test_tours_are_complete_even_with_vanished_trails(way, faded):
    fitness = np.full((9, 9), faded, np.float32)
    tours, _ = build_tours(way, fitness, 4, widths(way, 9)[-1])
    assert np.array_equal(np.sort(tours, axis=1), np.broadcast_to(np.arange(9), (4, 9)))


@pytest.mark.smoke
@ANY
def test_visited_city_is_never_chosen_again_whatever_its_weight(way):
    fitness = np.full((9, 9), 1e-9, np.float32)
    fitness[:, 3] = 1e9
    tours, _ = build_tours(way, fitness, 5, widths(way, 9)[-1])
    assert np.array_equal(np.sort(tours, axis=1), np.broadcast_to(np.arange(9), (5, 9)))
    assert all(3 in tour[:2] for tour in tours)


@pytest.mark.parametrize("selection", ["stochastic-trial", "hybrid"])
def test_trials_are_added_to_the_histogram_if_there_is_one(selection):
    way, fitness = WAYS[selection], make_fitness(6)
    _, once = build_tours(way, fitness, 2, widths(WAYS[selection], 6)[0])
    _, more = build_tours(way, fitness, 2, widths(way, 6)[0], first_tally=np.full(TRIALS + 1, 10, np.int64))
    assert (more - once).tolist() == [10] * (TRIALS + 1)
    assert once.sum() == (10 if selection == "stochastic-trial" else 2 * 3)
    _, none = build_tours(way, fitness, 2, widths(way, 6)[0], first_tally=np.zeros(1, np.int64))
    assert none.tolist() == [0]


@pytest.mark.parametrize("n", [1, 5, 33] if SIMULATED else [1, 33, 1002])
def test_prefix_sums_of_rows(n):
    flat, stride = pad_rows(make_fitness(n))
    prefix = cuda.to_device(np.full_like(flat, -1.0))
    prefix_sums_cuda.prefix_sums[n, prefix_sums_cuda.threads(n)](
        cuda.to_device(flat), prefix, np.uint32(n), np.uint32(stride)
    )
    found, rows = prefix.copy_to_host().reshape(n, stride), flat.reshape(n, stride).astype(np.float64)
    assert np.allclose(found[:, :n], np.cumsum(rows, axis=1)[:, :n], rtol=1e-5, atol=0)
    assert (found[:, n:] == -1.0).all()


@pytest.mark.smoke
def test_draws_are_those_of_the_counter_based_stream():
    @cuda.jit(fastmath=True)
    def draw_all(words, bits, shares):
        for k in range(words.shape[0]):
            bits[k] = random_cuda.draw(random_cuda.absorb(words[k, 0], words[k, 1]), words[k, 2])
            shares[k] = float32(random_cuda.uniform(uint64(bits[k])))

    words = np.random.default_rng(2).integers(0, 2**64 - 1, (40, 3), np.uint64)
    words[0] = 0
    bits, shares = cuda.to_device(np.zeros(40, np.uint64)), cuda.to_device(np.zeros(40, np.float32))
    draw_all[1, 1](cuda.to_device(words), bits, shares)
    expected = [naive.random_bits(*map(int, row)) for row in words]
    assert bits.copy_to_host().tolist() == expected
    assert shares.copy_to_host().tolist() == [float(np.float32(((b >> 40) + 0.5) * 2.0**-24)) for b in expected]


@ANY
def test_the_largest_instance_fits_a_block(way):
    module = way.module
    assert module.max_n(1024) in (0, 32_768)
    for shared in (49_152, SHARED):
        n = module.max_n(shared)
        assert n >= 1024
        assert module.shared_bytes(n, module.threads(n)) + 1024 <= shared


@pytest.mark.skipif(SIMULATED, reason="too many cities for the simulator")
@ANY
@pytest.mark.parametrize("n", [198, 1002, 2392])
def test_tours_of_many_cities_visit_each_once(way, n):
    points = np.random.default_rng(n).uniform(0, 1000, (n, 2))
    away = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) + np.eye(n)
    fitness = (1 / np.maximum(away, 0.5) ** 2).astype(np.float32)
    np.fill_diagonal(fitness, 0.0)
    tours, statistics = build_tours(way, fitness, 300, way.module.threads(n))
    assert np.array_equal(np.sort(tours, axis=1), np.broadcast_to(np.arange(n), (300, n)))
    if way.selection == "stochastic-trial":
        assert statistics.sum() == 300 * (n - 1)
