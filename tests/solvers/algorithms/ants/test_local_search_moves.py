"""2-opt and 3-opt on ants' tours: exact gains, and local optima of the stated neighbourhood."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.kernels import local_search_cpu as cpu
from solvers.kernels import local_search_three_opt_cpu as three_opt
from solvers.kernels.local_search_moves import MIN_CITIES
from tests import naive
from tests.naive import tour_edges
from tests.plain_kernels import interpret
from tests.solvers.algorithms.ants.naive_three_opt import is_local_optimum, three_opt_tours, two_opt_tours
from tests.solvers.algorithms.ants.test_ants_two_opt import WHOLE, improve_tour, nearest, random_matrix
from tests.tables import each_row

pytestmark = pytest.mark.slow

joined, reversals, reverse = map(interpret, (three_opt.joined, three_opt.reversals, cpu.reverse))
MOVES = pytest.mark.parametrize("moves", ["2-opt", "3-opt"])


@MOVES
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), n=st.integers(MIN_CITIES, 13), metric=st.booleans())
def test_tour_is_a_local_optimum_with_all_cities_as_neighbours(moves, seed, n, metric):
    rng = np.random.default_rng(seed)
    matrix, tour = random_matrix(rng, n, metric), rng.permutation(n).astype(np.int32)
    after, gained, _, _ = improve_tour(tour, matrix, *nearest(matrix, n - 1), moves)
    plain = matrix.tolist()
    assert sorted(after.tolist()) == list(range(n))
    assert naive.naive_length(plain, after.tolist()) == naive.naive_length(plain, tour.tolist()) - gained
    assert is_local_optimum(plain, after.tolist(), moves)


def test_local_optima_of_one_are_not_those_of_the_other():
    rng, found = np.random.default_rng(3), 0
    for _ in range(20):
        matrix, tour = random_matrix(rng, 12, True), rng.permutation(12).astype(np.int32)
        after = improve_tour(tour, matrix, *nearest(matrix, 11), "2-opt")[0].tolist()
        found += not is_local_optimum(matrix.tolist(), after, "3-opt")
    assert found > 2


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), n=st.integers(MIN_CITIES, 12), metric=st.booleans())
def test_city_finds_the_best_exchange_starting_there(seed, n, metric):
    """The best exchange of all cities gains as much as the best tour that differs by three edges."""
    rng = np.random.default_rng(seed)
    matrix, tour = random_matrix(rng, n, metric), rng.permutation(n).astype(np.int32)
    near, close = nearest(matrix, n - 1)
    position, plain = np.argsort(tour).astype(np.int32), matrix.tolist()
    gains = [three_opt.best_exchange(matrix.ravel(), near, close, tour, position, c)[0] for c in range(n)]
    before = naive.naive_length(plain, tour.tolist())
    assert max(gains) == before - min(naive.naive_length(plain, other) for other in three_opt_tours(tour.tolist()))


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32), n=st.integers(MIN_CITIES, 16))
def test_reversals_perform_their_exchange(seed, n):
    rng = np.random.default_rng(seed)
    tour = rng.permutation(n).astype(np.int32)
    position = np.argsort(tour).astype(np.int32)
    ends = []
    for cut in rng.permutation(n)[:3]:
        pair = [int(tour[cut]), int(tour[(cut + 1) % n])]
        ends += pair if rng.random() < 0.5 else pair[::-1]
    t1, t2, t3, t4, t5, t6 = ends
    added = [frozenset(pair) for pair in ((t2, t3), (t4, t5), (t6, t1))]
    wanted = tour_edges(tour.tolist()) - {frozenset(ends[k : k + 2]) for k in (0, 2, 4)}
    way = joined(position, n, *ends)[0]
    if way == three_opt.INVALID:
        return
    order, search = tour.copy(), cpu.allocate_search(n, "3-opt")
    search.position[:] = position
    parts = reversals(position, n, *ends)
    for first, count in zip(parts[::2], parts[1::2], strict=True):
        reverse(order, search.position, np.int64(first), np.uint32(count))
    assert tour_edges(order.tolist()) == wanted.union(added)
    assert search.position.tolist() == np.argsort(order).tolist()


def test_all_four_ways_of_joining_three_segments_occur():
    rng, ways = np.random.default_rng(5), set()
    position = np.arange(20, dtype=np.int32)
    for _ in range(200):
        cuts = rng.choice(20, 3, replace=False)
        ends = [end for cut in cuts for end in rng.permutation([cut, (cut + 1) % 20])]
        ways.add(joined(position, 20, *ends)[0])
    assert ways == {0, 1, 2, 3, 4}


@each_row(("moves", "bound"), [("2-opt+or-opt", 1.12), ("2-opt", 1.2), ("3-opt", 1.08)])
@each_row("work", [1, 100, 3000])
def test_slices_change_nothing(moves, bound, work):
    instance = load("kroA100")
    matrix = distance_matrix(instance)
    near, close = nearest(matrix, 10)
    tour = np.array(naive.random_tour(7, 0, 100), np.int32)
    whole, cut = (improve_tour(tour, matrix, near, close, moves, each) for each in (WHOLE, work))
    assert cut[0].tolist() == whole[0].tolist()
    assert cut[1:3] == whole[1:3]
    assert cut[3] > whole[3] == 1
    assert naive.naive_length(matrix.tolist(), whole[0].tolist()) < bound * instance.optimum


@MOVES
def test_another_search_finds_nothing_among_few_neighbours(moves):
    rng = np.random.default_rng(9)
    matrix, tour = random_matrix(rng, 200, True), rng.permutation(200).astype(np.int32)
    near, close = nearest(matrix, 6)
    after, gained, result, _ = improve_tour(tour, matrix, near, close, moves)
    assert gained >= result > 0
    assert improve_tour(after, matrix, near, close, moves)[1:3] == (0, 0)


@each_row("moves", ["2-opt+or-opt", "2-opt", "3-opt"])
@each_row("n", [1, 3, MIN_CITIES - 1])
def test_small_tours_are_left_alone(moves, n):
    matrix, tour = np.ones((n, n), np.int32), np.arange(n, dtype=np.int32)
    near, close = (np.zeros(0, np.int32),) * 2 if n == 1 else nearest(matrix, n - 1)
    assert improve_tour(tour, matrix, near, close, moves)[1:] == (0, 0, 0)


def test_oracle_covers_all_tours():
    """All that differ by two edges, n (n - 3) / 2, and by three: four for each three edges that are not adjacent."""
    tour, own = list(range(9)), tour_edges(list(range(9)))
    two = {frozenset(tour_edges(other)) for other in two_opt_tours(tour)} - {frozenset(own)}
    three = {frozenset(tour_edges(other)) for other in three_opt_tours(tour)} - {frozenset(own)} - two
    assert len(two) == 9 * 6 // 2
    assert {len(own - each) for each in two} == {2}
    assert {len(own - each) for each in three} == {3}
