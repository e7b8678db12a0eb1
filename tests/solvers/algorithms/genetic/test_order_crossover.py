"""Order crossover against lists, on thousands of random parents."""

import numpy as np

from data.distances import distance_matrix, tour_length
from solvers.algorithms.genetic.kernels.order_crossover_cpu import allocate_order_crossing, cross_orders, measure_tour
from tests.solver_runs import KINDS
from tests.solvers.algorithms.genetic.naive_crossover import order_child
from tests.tables import each_row


@each_row("n", [1, 2, 3, 4, 5, 8, 31])
def test_children_match_the_naive_ones(n):
    draw, crossing = np.random.default_rng(n), allocate_order_crossing(n)
    for _ in range(1000):
        mother, father = (draw.permutation(n).astype(np.int32) for _ in range(2))
        first, last = sorted(draw.integers(0, n, 2).tolist())
        cross_orders(mother, father, first, last, crossing)
        assert crossing.child.tolist() == order_child(mother.tolist(), father.tolist(), first, last)
        assert sorted(crossing.child.tolist()) == list(range(n))


def test_identical_parents_have_an_identical_child():
    tour, crossing = np.random.default_rng(1).permutation(20).astype(np.int32), allocate_order_crossing(20)
    for first in range(20):
        for last in range(first, 20):
            cross_orders(tour, tour, first, last, crossing)
            assert crossing.child.tolist() == tour.tolist()


@each_row("kind", KINDS)
def test_lengths_are_exact(kind):
    instance = KINDS[kind]()
    distance, draw = distance_matrix(instance).reshape(-1), np.random.default_rng(3)
    for _ in range(50):
        order = draw.permutation(instance.n).astype(np.int32)
        assert measure_tour(distance, order) == tour_length(instance, order)
