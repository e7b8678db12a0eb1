"""A slow but obvious solver that finds the length of a shortest tour of a few cities."""

import itertools

from data.distances import distance_matrix
from data.instance import Instance


def find_shortest_length(instance: Instance) -> int:
    """Return a shortest tour's length by the method of M. Held and R. M. Karp (1962); up to 12 cities."""
    matrix, n = distance_matrix(instance).tolist(), instance.n
    if n == 1:
        return 0
    best = {(frozenset([city]), city): matrix[0][city] for city in range(1, n)}
    for size in range(2, n):
        for cities in map(frozenset, itertools.combinations(range(1, n), size)):
            for last in cities:
                before = cities - {last}
                best[cities, last] = min(best[before, city] + matrix[city][last] for city in before)
    everyone = frozenset(range(1, n))
    return min(best[everyone, last] + matrix[last][0] for last in everyone)
