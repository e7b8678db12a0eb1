"""Exchanges of adjacent segments: no improving one remains, and nothing is reversed."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from data.distances import distance_matrix
from data.generators import directed
from solvers.core.neighbours import neighbours
from solvers.kernels.segment_exchange_cpu import exchange_in_tours, exchange_segments
from tests.tables import each_row


def length(distances: np.ndarray, order: np.ndarray) -> int:
    return int(distances[order, np.roll(order, -1)].sum())


def improving_exchange(distances: np.ndarray, order: list[int]) -> bool:
    """Whether any exchange of two adjacent segments improves the tour, by trying all of them."""
    n, before = len(order), length(distances, np.array(order))
    for i, j, k in itertools.combinations(range(n), 3):
        other = order[: i + 1] + order[j + 1 : k + 1] + order[i + 1 : j + 1] + order[k + 1 :]
        if length(distances, np.array(other)) < before:
            return True
    return False


@settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 9).flatmap(lambda n: arrays.arrays(np.int32, (n, n), elements=st.integers(0, 60))),
    st.integers(0, 99),
)
def test_no_improving_segment_exchange_remains(distances, seed):
    n = len(distances)
    order = np.random.default_rng(seed).permutation(n).astype(np.int32)
    before = length(distances, order)
    exchange_segments(order, distances, neighbours(distances, n - 1))
    assert sorted(order.tolist()) == list(range(n))
    assert length(distances, order) <= before
    # A city whose edges stay is not looked at again, though exchanges of others can change what it could do.
    shorter = True
    while shorter:
        before = length(distances, order)
        exchange_segments(order, distances, neighbours(distances, n - 1))
        shorter = length(distances, order) < before
    assert not improving_exchange(distances, order.tolist())


@pytest.mark.slow
@each_row("n", [40, 200])
def test_candidates_and_several_tours(n):
    distances = distance_matrix(directed(n, 2))
    tours = np.array([np.random.default_rng(seed).permutation(n) for seed in range(4)], np.int32)
    before = [length(distances, tour) for tour in tours]
    span = np.array([1, 3, 0], np.int64)
    exchange_in_tours(tours.reshape(-1), n, distances, neighbours(distances, 10), span)
    after = [length(distances, tour) for tour in tours]
    assert (after[0], after[3]) == (before[0], before[3])
    assert max(after[1:3]) < min(before) / 2
    assert all(sorted(tour.tolist()) == list(range(n)) for tour in tours)


def test_tour_is_not_reversed_in_a_directed_instance():
    """If a cycle costs nothing in one direction, few exchanges of segments cannot leave the other direction."""
    n = 12
    distances = np.full((n, n), 100, np.int32)
    forward = np.arange(n, dtype=np.int32)
    distances[forward, np.roll(forward, -1)] = 0
    order = forward.copy()
    exchange_segments(order, distances, neighbours(distances, n - 1))
    assert order.tolist() == forward.tolist()
