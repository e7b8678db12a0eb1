"""2-opt and 3-opt by whole tours: every exchange of two or three edges, none of which improves a local optimum."""

from itertools import combinations

from tests.naive import Matrix, naive_length


def two_opt_tours(tour: list[int]):
    """Every tour that differs from this one by two edges."""
    for i, j in combinations(range(len(tour)), 2):
        yield [*tour[:i], *tour[i:j][::-1], *tour[j:]]


def three_opt_tours(tour: list[int]):
    """Every tour that differs from this one by two or three edges: three segments in all orders and directions."""
    for i, j, k in combinations(range(len(tour) + 1), 3):
        rest, a, b = tour[k:] + tour[:i], tour[i:j], tour[j:k]
        for one, two in ((a, b), (b, a)):
            for first in (one, one[::-1]):
                for second in (two, two[::-1]):
                    yield [*rest, *first, *second]


def is_local_optimum(matrix: Matrix, tour: list[int], moves: str) -> bool:
    """Whether none of these tours is shorter; `moves` is ``2-opt`` or ``3-opt``."""
    others = {"2-opt": two_opt_tours, "3-opt": three_opt_tours}[moves](tour)
    length = naive_length(matrix, tour)
    return all(naive_length(matrix, other) >= length for other in others)
