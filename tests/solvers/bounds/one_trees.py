"""Minimum spanning trees by a slow method, and generators' return values."""

import itertools

import numpy as np


def kruskal(d: np.ndarray) -> int:
    """The length of a minimum spanning tree by Kruskal's algorithm."""
    part, total = list(range(len(d))), 0
    for a, b in sorted(itertools.combinations(range(len(d)), 2), key=lambda edge: d[edge]):
        if part[a] != part[b]:
            total += int(d[a, b])
            part = [part[a] if one == part[b] else one for one in part]
    return total
