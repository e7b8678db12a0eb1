"""The moves on ants' tours with lists and full lengths, which `ants_two_opt_moves` must match."""

from tests.naive import Matrix, naive_length


def from_city(tour: list[int], c: int) -> list[list[int]]:
    """The tour from c on, forward and backward."""
    at = tour.index(c)
    forward = tour[at:] + tour[:at]
    return [forward, [c, *forward[:0:-1]]]


def two_opt_tours(matrix: Matrix, walk: list[int], d: int):
    """The tour after the 2-opt move of a walk's first city with d, if its first step is a gain."""
    if matrix[walk[0]][d] < matrix[walk[0]][walk[1]]:
        last = walk.index(d) + 1
        yield [walk[0], *walk[last - 1 : 0 : -1], *walk[last:]]


def or_opt_tours(matrix: Matrix, walk: list[int], d: int):
    """Tours after moving the segments at the start of a walk next to d, if d is near enough."""
    for size in (1, 2, 3):
        segment, rest = walk[:size], walk[size:]
        gained = matrix[rest[-1]][walk[0]] + matrix[segment[-1]][rest[0]] - matrix[rest[-1]][rest[0]]
        if d in rest and matrix[walk[0]][d] < gained:
            at = rest.index(d)
            yield [*rest[: at + 1], *segment, *rest[at + 1 :]]
            # Beside its own end a segment would only be turned: that is a 2-opt move.
            if at > 0:
                yield [*rest[:at], *segment[::-1], *rest[at:]]


def best_tour(matrix: Matrix, tour: list[int], near: list[int], c: int) -> list[int]:
    """The shortest tour after a move of city c, the first one if several tie; the same tour if none is shorter."""
    best = tour
    for walk in from_city(tour, c):
        for d in near:
            for after in (*two_opt_tours(matrix, walk, d), *or_opt_tours(matrix, walk, d)):
                if naive_length(matrix, after) < naive_length(matrix, best):
                    best = after
    return best


def is_top(matrix: Matrix, tour: list[int], near: list[list[int]]) -> bool:
    """Whether no move improves the tour."""
    return all(best_tour(matrix, tour, near[c], c) == tour for c in range(len(tour)))
