"""Frequencies of edges in tours, against counting one by one."""

from collections import Counter

import numpy as np

from studies.stats import backbone as module
from studies.stats.backbone import find_backbone
from tests.tables import each_row


def count_edges(orders, directed):
    """The frequencies, counted in the simplest way."""
    counts = Counter()
    for order in orders:
        for a, b in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True):
            counts[(a, b) if directed else (min(a, b), max(a, b))] += 1
    return counts


@each_row("directed", [False, True])
def test_edges_are_counted_for_any_batches(directed, monkeypatch):
    random = np.random.default_rng(1)
    base = random.permutation(20).astype(np.int32)
    orders = [np.concatenate((base[:12], random.permutation(base[12:]))) for _ in range(15)]
    expected = count_edges(orders, directed)
    for batch in (1, 4, 15, 64):
        monkeypatch.setattr(module, "_BATCH", batch)
        found = find_backbone(iter(orders), 20, directed, base)
        assert dict(zip(map(tuple, found.edges.tolist()), found.count.tolist(), strict=True)) == expected
        assert found.tours == 15
        assert found.in_all.sum() == sum(count == 15 for count in expected.values()) >= 11
        assert found.optimal.tolist() == [tuple(edge) in count_edges([base], directed) for edge in found.edges.tolist()]


def test_no_tours_have_no_edges():
    found = find_backbone([], 5, False)
    assert (found.tours, len(found.edges), found.optimal) == (0, 0, None)
