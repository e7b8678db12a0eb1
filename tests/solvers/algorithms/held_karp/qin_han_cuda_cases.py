"""Held-Karp of Qin and Han on CUDA matches its CPU maps layer by layer, however it is cut.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest

from solvers.algorithms.held_karp.plan import UNREACHED, plan_for
from solvers.algorithms.held_karp.qin_han.cuda import QinHanCudaLayers
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.kernels.device_cuda import SIMULATED
from tests import naive
from tests.solvers.algorithms.held_karp.layers import collect_bests, cpu_bests, draw_distances

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
FEW = range(4, 8) if SIMULATED else range(4, 19)
CARD = pytest.mark.skipif(SIMULATED, reason="takes too long without a card")


@pytest.mark.parametrize("n", FEW)
def test_each_layer_matches_the_path_of_the_maps(n):
    for most in (3, 1000):
        distances = draw_distances(n, 3 * n + most, most)
        expected = cpu_bests(QinHanPlan(n, maps=True), distances)
        assert collect_bests(QinHanCudaLayers(QinHanPlan(n), distances), QinHanPlan(n)) == expected


@pytest.mark.smoke
def test_no_order_of_few_cities_is_shorter():
    n = 6 if SIMULATED else 9
    distances = draw_distances(n, n)
    assert collect_bests(QinHanCudaLayers(QinHanPlan(n), distances), QinHanPlan(n))[-1].length == naive.held_karp(
        distances.tolist()
    )


@pytest.mark.parametrize("part", [2, 10])
def test_division_of_work_changes_nothing(part):
    n = 6 if SIMULATED else 17
    plan, distances = QinHanPlan(n), draw_distances(n, 3, most=9)
    together = collect_bests(QinHanCudaLayers(plan, distances), plan)
    shares: list = []
    assert (
        collect_bests(QinHanCudaLayers(plan, distances, plan.all_transitions // (3 * part)), plan, shares) == together
    )
    assert shares
    assert all(0 < share < 1 for share in shares)


@pytest.mark.parametrize("long", [(UNREACHED[4] - 1) // 6, UNREACHED[4]])
def test_lengths_up_to_the_maximum_of_a_state(long):
    n = 6
    distances = np.full((n, n), long, np.int64)
    if long == UNREACHED[4]:
        around = np.arange(n), (np.arange(n) + 1) % n
        distances[around] = distances[around[::-1]] = 1
    np.fill_diagonal(distances, 0)
    expected = n if long == UNREACHED[4] else n * long
    assert collect_bests(QinHanCudaLayers(QinHanPlan(n), distances), QinHanPlan(n))[-1].length == expected


@CARD
def test_optimum_equals_that_of_the_own_variant():
    for n in (20, 22):
        distances = draw_distances(n, n, 50)
        length = cpu_bests(plan_for(distances), distances)[-1].length
        assert collect_bests(QinHanCudaLayers(QinHanPlan(n), distances), QinHanPlan(n))[-1].length == length
