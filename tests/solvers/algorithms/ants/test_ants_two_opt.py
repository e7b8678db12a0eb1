"""2-opt and Or-opt on ants' tours: against full lengths, in slices, in Numba's simulator and on a GPU."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from solvers.kernels import local_search_cpu as cpu
from solvers.kernels.local_search_moves import MIN_CITIES, build_moves
from tests import naive
from tests.naive import tour_edges
from tests.solvers.algorithms.ants.naive_or_opt import best_tour, is_top
from tests.tables import each_row

pytestmark = pytest.mark.slow

best_move, _, holds, _ = build_moves(njit)
WHOLE = 1 << 40


def nearest(matrix: np.ndarray, k: int):
    """The k nearest cities of each city and their distances, both flat."""
    others = [
        sorted((d for d in range(len(matrix)) if d != c), key=lambda d: (matrix[c, d], d)) for c in range(len(matrix))
    ]
    near = np.array(others, np.int32)[:, :k]
    return near.ravel(), np.take_along_axis(matrix, near, 1).astype(np.int32).ravel()


def random_matrix(rng, n: int, metric: bool) -> np.ndarray:
    """Distances on a small grid with many ties, or any integers, including negative ones."""
    if metric:
        places = rng.integers(0, 30, (n, 2))
        return np.rint(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))).astype(np.int32)
    half = np.tril(rng.integers(-5, 60, (n, n)), -1)
    return (half + half.T).astype(np.int32)


def improve_tour(tour, matrix, near, close, moves="2-opt+or-opt", work=WHOLE):
    """The final tour, the gain, and the numbers of moves and slices."""
    order, search = tour.copy(), cpu.allocate_search(tour.size, moves)
    cpu.begin(order, search)
    gained, slices = 0, 0
    while search.state[cpu.WAITING] > 0:
        gained += cpu.improve(order, matrix.ravel(), near, close, search, np.int64(work), cpu.is_three_opt(moves))
        slices += 1
        assert search.position.tolist() == np.argsort(order).tolist()
    return order, gained, int(search.state[cpu.MOVES]), slices


def look(matrix, near, close, tour, c, part=0, parts=1):
    """The `best_move` of one city."""
    n = tour.size
    position = np.argsort(tour).astype(np.int32)
    words = (np.uint32(word) for word in (n, near.size // n, c, part, parts))
    return best_move(matrix.ravel(), near, close, tour, position, *words)


def apply_move(tour, c, move):
    """The tour after a move."""
    order, search = tour.copy(), cpu.allocate_search(tour.size)
    search.position[:] = np.argsort(tour)
    cpu.make(order, search, tuple(np.uint32(word) for word in (c, *move)))
    assert search.position.tolist() == np.argsort(order).tolist()
    return order


@pytest.mark.parametrize("examples", [15, pytest.param(60, marks=pytest.mark.long)])
def test_a_city_finds_its_best_move(examples):
    draw = given(seed=st.integers(0, 2**32), n=st.integers(MIN_CITIES, 18), k=st.integers(1, 12), metric=st.booleans())
    settings(max_examples=examples)(draw(assert_finds_best_moves))()


def assert_finds_best_moves(seed, n, k, metric):
    rng = np.random.default_rng(seed)
    matrix, tour = random_matrix(rng, n, metric), rng.permutation(n).astype(np.int32)
    near, close = nearest(matrix, min(k, n - 1))
    plain, lists = matrix.tolist(), near.reshape(n, -1).tolist()
    before = naive.naive_length(plain, tour.tolist())
    for c in range(n):
        gain, *move = look(matrix, near, close, tour, c)
        best = best_tour(plain, tour.tolist(), lists[c], c)
        assert gain == before - naive.naive_length(plain, best)
        for parts in (2, 4, 8, 32):
            assert gain == max(look(matrix, near, close, tour, c, part, parts)[0] for part in range(parts))
        if gain > 0:
            after = apply_move(tour, c, move).tolist()
            assert tour_edges(after) == tour_edges(best)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32), n=st.integers(MIN_CITIES, 40))
def test_remaining_move_keeps_its_gain(seed, n):
    rng = np.random.default_rng(seed)
    matrix, tour = random_matrix(rng, n, True), rng.permutation(n).astype(np.int32)
    near, close = nearest(matrix, min(8, n - 1))
    plain, found = matrix.tolist(), [look(matrix, near, close, tour, c) for c in range(n)]
    first = int(np.argmax([gain for gain, *_ in found]))
    if found[first][0] == 0:
        return
    after = apply_move(tour, first, found[first][1:])
    position, length = np.argsort(after).astype(np.int32), naive.naive_length(plain, after.tolist())
    edges = tour_edges(after.tolist())
    for c, (gain, d, a, b, size, e, f) in enumerate(found):
        words = [np.uint32(word) for word in (n, c, d, a, b, size, e, f)]
        if gain > 0 and holds(position, *words):
            then = apply_move(after, c, (d, a, b, size, e, f)).tolist()
            assert sorted(then) == list(range(n))
            assert naive.naive_length(plain, then) == length - gain
        elif gain > 0 and size == 1:
            removed = {frozenset((a, c)), frozenset((e, f)), frozenset((d, b))}
            assert not removed <= edges


@each_row("metric", [True, False])
def test_finished_search_finds_nothing(metric):
    rng = np.random.default_rng(4)
    matrix, tour = random_matrix(rng, 40, metric), rng.permutation(40).astype(np.int32)
    near, close = nearest(matrix, 7)
    plain, gained = matrix.tolist(), 1
    assert not is_top(plain, tour.tolist(), near.reshape(40, -1).tolist())
    while gained > 0:
        after, gained, moves, _ = improve_tour(tour, matrix, near, close)
        assert sorted(after.tolist()) == list(range(40))
        assert naive.naive_length(plain, after.tolist()) == naive.naive_length(plain, tour.tolist()) - gained
        assert gained >= moves
        tour = after
    assert is_top(plain, tour.tolist(), near.reshape(40, -1).tolist())


def test_cities_with_new_edges_are_queued():
    rng = np.random.default_rng(5)
    matrix, order = random_matrix(rng, 400, True), rng.permutation(400).astype(np.int32)
    near, close = nearest(matrix, 8)
    search, changes = cpu.allocate_search(400), 0
    cpu.begin(order, search)
    while search.state[cpu.WAITING] > 0:
        before = tour_edges(order.tolist())
        cpu.improve(order, matrix.ravel(), near, close, search, 1, None)
        new = tour_edges(order.tolist()) - before
        changes += len(new)
        assert all(search.waits[city] for edge in new for city in edge)
        assert search.waits.sum() == search.state[cpu.WAITING]
    assert changes > 400
