"""The kernel that improves ants' tours, on instances small enough for Numba's simulator.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest

from solvers.kernels import local_search_cuda as kernel
from solvers.kernels.device_cuda import SIMULATED, cuda
from solvers.kernels.local_search_moves import MIN_CITIES
from tests import naive
from tests.solvers.algorithms.ants.naive_or_opt import is_top
from tests.solvers.algorithms.ants.naive_three_opt import is_local_optimum
from tests.solvers.algorithms.ants.test_ants_two_opt import improve_tour, nearest, random_matrix

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
#: A tour has cities for several rounds of several lanes each.
N, ANTS = (30, 4) if SIMULATED else (300, 200)
WHOLE = 1 << 40
CITIES = pytest.mark.parametrize("cities", [1, 4, 16, 32] if not SIMULATED else [kernel.CITIES])


def draw_tours(rng, n: int, ants: int) -> np.ndarray:
    return np.array([rng.permutation(n) for _ in range(ants)], np.int32)


def launch_once(tours, matrix, near, close, cities, work=WHOLE, first=0, last=None, which=None, or_opt=True, left=None):
    """Tours after one launch, number of moves, and incomplete tours; only those in `left`, if given, which is
    changed."""
    ants, n = tours.shape
    last = ants if last is None else last
    flat, answer = cuda.to_device(tours.ravel()), cuda.to_device(np.zeros(2, np.int64))
    kernel.build(cities, or_opt)[last - first, kernel.THREADS, 0, kernel.shared_bytes(n)](
        flat, cuda.to_device(matrix.ravel()), cuda.to_device(near), cuda.to_device(close), np.uint32(n),
        np.uint32(near.size // n), np.uint32(first), np.uint32(last),
        cuda.to_device(np.zeros(1, np.int32) if which is None else which), np.int64(work), answer,
        cuda.to_device(np.zeros(ants, np.int32)) if left is None else left, np.uint32(left is not None),
    )  # fmt: skip
    moves, short = answer.copy_to_host().tolist()
    return flat.copy_to_host().reshape(ants, n), moves, short


def lengths(matrix, tours):
    plain = matrix.tolist()
    return np.array([naive.naive_length(plain, tour.tolist()) for tour in tours])


def assert_tours(tours):
    assert (np.sort(tours, axis=1) == np.arange(tours.shape[1])).all()


@pytest.mark.smoke
@CITIES
@pytest.mark.parametrize("metric", [True, False])
def test_tours_shorten_to_a_local_optimum(cities, metric):
    rng = np.random.default_rng(6)
    matrix, tours = random_matrix(rng, N, metric), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, 9)
    moves = 1
    while moves > 0:
        before = lengths(matrix, tours)
        tours, moves, short = launch_once(tours, matrix, near, close, cities)
        assert_tours(tours)
        assert short == 0
        assert (before - lengths(matrix, tours)).sum() >= moves
        assert (before >= lengths(matrix, tours)).all()
    assert all(is_top(matrix.tolist(), tour.tolist(), near.reshape(N, -1).tolist()) for tour in tours[:4])


@CITIES
def test_launch_can_be_repeated_and_divided(cities):
    rng = np.random.default_rng(8)
    matrix, tours = random_matrix(rng, N, True), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, 9)
    whole = launch_once(tours, matrix, near, close, cities)
    again = launch_once(tours, matrix, near, close, cities)
    assert (again[0] == whole[0]).all()
    assert again[1:] == whole[1:]
    half, some, _ = launch_once(tours, matrix, near, close, cities, last=ANTS // 2)
    assert (half[ANTS // 2 :] == tours[ANTS // 2 :]).all()
    both, rest, _ = launch_once(half, matrix, near, close, cities, first=ANTS // 2)
    assert (both == whole[0]).all()
    assert some + rest == whole[1]


def test_only_the_named_tours_change():
    rng = np.random.default_rng(9)
    matrix, tours = random_matrix(rng, N, True), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, 9)
    whole, _, _ = launch_once(tours, matrix, near, close, kernel.CITIES)
    named, _, _ = launch_once(tours, matrix, near, close, kernel.CITIES, last=2, which=np.array([2, 0], np.int32))
    changed = np.isin(np.arange(ANTS), (0, 2))
    assert (named[changed] == whole[changed]).all()
    assert (named[~changed] == tours[~changed]).all()


def test_unfinished_tour_is_reported_and_continues():
    rng = np.random.default_rng(10)
    matrix, tours = random_matrix(rng, N, True), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, 9)
    started, launches, short = lengths(matrix, tours), 0, 1
    while short > 0:
        tours, moves, short = launch_once(tours, matrix, near, close, kernel.CITIES, work=1500)
        assert_tours(tours)
        assert moves > 0 or short == 0
        launches += 1
    assert launches > 1
    assert (lengths(matrix, tours) < started).all()


def test_small_tours_are_left_alone():
    n = MIN_CITIES - 1
    matrix, tours = np.ones((n, n), np.int32), draw_tours(np.random.default_rng(1), n, 2)
    found, moves, short = launch_once(tours, matrix, *nearest(matrix, n - 1), kernel.CITIES)
    assert (found == tours).all()
    assert (moves, short) == (0, 0)


@pytest.mark.smoke
@CITIES
@pytest.mark.parametrize("metric", [True, False])
def test_2_opt_alone_ends_without_improving_exchanges(cities, metric):
    rng = np.random.default_rng(12)
    n, ants = (14, 3) if SIMULATED else (60, 200)
    matrix, tours = random_matrix(rng, n, metric), draw_tours(rng, n, ants)
    found, moves, short = launch_once(tours, matrix, *nearest(matrix, n - 1), cities, or_opt=False)
    assert_tours(found)
    assert moves > 0 == short
    assert all(is_local_optimum(matrix.tolist(), tour.tolist(), "2-opt") for tour in found[:8])


def test_several_launches_end_like_one_and_keep_finished_tours():
    rng = np.random.default_rng(14)
    matrix, tours = random_matrix(rng, N, True), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, N - 1)
    left, launches, short = cuda.to_device(np.ones(ANTS, np.int32)), 0, 1
    while short > 0:
        before, open_tours = tours, left.copy_to_host() > 0
        tours, _, short = launch_once(before, matrix, near, close, kernel.CITIES, 2000, or_opt=False, left=left)
        assert_tours(tours)
        assert (tours[~open_tours] == before[~open_tours]).all()
        assert (left.copy_to_host() > 0).sum() == short
        launches += 1
    assert launches > 1
    assert all(is_local_optimum(matrix.tolist(), tour.tolist(), "2-opt") for tour in tours[:2])


@pytest.mark.skipif(not SIMULATED, reason="a warp of 32 threads makes other moves")
def test_one_thread_warp_makes_the_cpus_2_opt_moves():
    rng = np.random.default_rng(13)
    matrix, tours = random_matrix(rng, N, True), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, 9)
    found, moves, _ = launch_once(tours, matrix, near, close, kernel.CITIES, or_opt=False)
    expected = [improve_tour(tour, matrix, near, close, "2-opt") for tour in tours]
    assert found.tolist() == [order.tolist() for order, *_ in expected]
    assert moves == sum(result for _, _, result, _ in expected)


@pytest.mark.smoke
@pytest.mark.skipif(not SIMULATED, reason="a warp of 32 threads makes other moves")
def test_one_thread_warp_behaves_like_the_cpu():
    rng = np.random.default_rng(11)
    matrix, tours = random_matrix(rng, N, True), draw_tours(rng, N, ANTS)
    near, close = nearest(matrix, 9)
    found, moves, _ = launch_once(tours, matrix, near, close, kernel.CITIES)
    expected = [improve_tour(tour, matrix, near, close) for tour in tours]
    assert found.tolist() == [order.tolist() for order, *_ in expected]
    assert moves == sum(result for _, _, result, _ in expected)


def test_tours_that_fit_a_block():
    for shared in (49_152, 101_376, 232_448):
        n = kernel.max_n(shared)
        assert kernel.shared_bytes(n) <= shared - 2048 < kernel.shared_bytes(n + 8)
