"""AB-cycles partition the edges in which two tours differ, and alternate between the tours."""

import numpy as np

from solvers.algorithms.genetic.kernels.ab_cycles_cpu import allocate_cycles, allocate_tracing, trace
from solvers.reporting.populations import find_tour_neighbours
from tests.naive import tour_edges
from tests.tables import each_row


def cycles_between(one, other, key):
    """The AB-cycles as lists of cities."""
    links = find_tour_neighbours(np.stack([one, other]).astype(np.int32))
    cycles, tracing = allocate_cycles(len(one)), allocate_tracing(len(one))
    count, _ = trace(links[0], links[1], cycles, tracing, np.uint64(key))
    again, _ = trace(links[0], links[1], cycles, tracing, np.uint64(key))
    assert count == again, "what is left of a trace does not change the next one"
    return [cycles.city[cycles.start[k] : cycles.start[k + 1]].tolist() for k in range(count)]


def edges_of_a(cycle):
    return [frozenset(cycle[k : k + 2]) for k in range(0, len(cycle), 2)]


def edges_of_b(cycle):
    return edges_of_a([*cycle[1:], cycle[0]])


@each_row("n", [3, 4, 5, 6, 9, 20, 60])
def test_cycles_partition_the_symmetric_difference(n):
    draw = np.random.default_rng(n)
    for trial in range(400):
        one = draw.permutation(n)
        other = draw.permutation(n) if trial % 2 else one.copy()
        if trial % 2 == 0:  # few edges differ
            at = np.sort(draw.integers(0, n, 2))
            other[at[0] : at[1]] = other[at[0] : at[1]][::-1]
        a, b = tour_edges(one.tolist()), tour_edges(other.tolist())
        cycles = cycles_between(one, other, trial)
        ours, theirs = (
            sorted(sorted(edge) for cycle in cycles for edge in of(cycle)) for of in (edges_of_a, edges_of_b)
        )
        assert ours == sorted(map(sorted, a - b))
        assert theirs == sorted(map(sorted, b - a))
        assert all(len(cycle) >= 4 and len(cycle) % 2 == 0 for cycle in cycles)


@each_row("n", [1, 2, 3, 4, 5, 30])
def test_equal_tours_have_none(n):
    tour = np.random.default_rng(n).permutation(n)
    assert cycles_between(tour, tour, 1) == []
    assert cycles_between(tour, np.roll(tour[::-1], 2), 1) == []


def test_another_key_divides_them_differently():
    draw = np.random.default_rng(5)
    one, other = draw.permutation(40), draw.permutation(40)
    assert len({str(sorted(map(sorted, cycles_between(one, other, key)))) for key in range(20)}) > 1
