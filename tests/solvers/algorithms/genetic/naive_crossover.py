"""Simple crossovers: sets of edges, and order crossover by lists."""

import math
from collections import Counter

from tests.naive import tour_edges

Edge = frozenset[int]


def order_child(mother: list[int], father: list[int], first: int, last: int) -> list[int]:
    """The child by Davis (1985): a segment of one parent, then the other's cities in its order, both starting after the
    segment."""
    n, part = len(mother), mother[first : last + 1]
    behind = [father[(last + 1 + k) % n] for k in range(n)]
    rest = [city for city in behind if city not in part]
    child = [-1] * n
    child[first : last + 1] = part
    for k, city in enumerate(rest):
        child[(last + 1 + k) % n] = city
    return child


def components(edges: set[Edge]) -> list[set[int]]:
    """The cities of each connected component."""
    parts: list[set[int]] = []
    for edge in edges:
        joined = [part for part in parts if part & edge]
        parts = [part for part in parts if not part & edge] + [set(edge).union(*joined)]
    return parts


def entropy(tours: list[list[int]]) -> float:
    """The entropy of the frequencies of all edges, in nats (Nagata and Kobayashi, 2013)."""
    counts = Counter(edge for tour in tours for edge in tour_edges(tour))
    return -sum(count / len(tours) * math.log(count / len(tours)) for count in counts.values())


def best_merge(matrix: list[list[int]], inside: set[int], edges: set[Edge]) -> int:
    """The smallest change in length by replacing two edges, one in each component, by two that join them."""
    within = [tuple(edge) for edge in edges if edge <= inside]
    beyond = [tuple(edge) for edge in edges if not edge & inside]
    return min(
        min(matrix[a][c] + matrix[b][d], matrix[a][d] + matrix[b][c]) - matrix[a][b] - matrix[c][d]
        for a, b in within
        for c, d in beyond
    )
