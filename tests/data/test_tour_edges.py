"""Edges shared by tours, compared with sets."""

import numpy as np

from data.tour_edges import edge_keys, keys_to_edges, shared_edges
from tests.tables import each_row


def tour_edges(order: np.ndarray, directed: bool) -> set:
    """The edges of a tour, computed in the simplest way."""
    pairs = zip(order.tolist(), np.roll(order, -1).tolist(), strict=True)
    return {pair if directed else frozenset(pair) for pair in pairs}


@each_row("directed", [False, True])
@each_row("n", [2, 3, 4, 7, 40])
def test_shared_edges_are_those_of_both_sets(n, directed):
    random = np.random.default_rng(n)
    for _ in range(20):
        first = random.permutation(n).astype(np.int32)
        second = np.roll(np.concatenate((first[: n // 2], random.permutation(first[n // 2 :]))), 1)
        expected = tour_edges(first, directed) & tour_edges(second, directed)
        assert shared_edges(first, second, directed) == len(expected)
        pairs = keys_to_edges(edge_keys(first, directed), n).tolist()
        assert {tuple(pair) if directed else frozenset(pair) for pair in pairs} == tour_edges(first, directed)
        assert len(pairs) == len(tour_edges(first, directed))


def test_reversed_tour_shares_all_edges_unless_directed():
    order = np.arange(9, dtype=np.int32)
    assert shared_edges(order, order[::-1]) == 9
    assert shared_edges(order, order[::-1], True) == 0


def test_numbers_of_edges_of_many_cities_do_not_overflow():
    order = np.arange(100_000, dtype=np.int32)
    assert edge_keys(order, True)[-1] == 99_999 * 100_000
