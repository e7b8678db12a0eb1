"""Exact distributions of the tours of few cities, which can all be listed, and a chi-square test."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable

import numpy as np

from tests import naive

Tour = tuple[int, ...]


def canonical(tour: Iterable[int]) -> Tour:
    """The tour that starts at city 0 and continues with its lower neighbour."""
    order = [int(city) for city in tour]
    at = order.index(0)
    order = order[at:] + order[:at]
    return tuple(order if order[1] < order[-1] else [order[0], *reversed(order[1:])])


def tours(n: int) -> list[Tour]:
    """All (n - 1)! / 2 tours."""
    return sorted({canonical((0, *rest)) for rest in itertools.permutations(range(1, n))})


def of_temperature(matrix: naive.Matrix, temperature: float) -> dict[Tour, float]:
    """The Boltzmann distribution: probabilities proportional to exp(-length / T)."""
    lengths = {tour: naive.naive_length(matrix, list(tour)) for tour in tours(len(matrix))}
    weights = {tour: math.exp(-(length - min(lengths.values())) / temperature) for tour, length in lengths.items()}
    return {tour: weight / sum(weights.values()) for tour, weight in weights.items()}


def draw_probabilities(matrix: naive.Matrix, tour: Tour, temperature: float) -> dict[Tour, float]:
    """The probability of accepting a draw among all cities, by the resulting tour."""
    n, result = len(tour), Counter[Tour]()
    length = naive.naive_length(matrix, list(tour))
    for p, q in itertools.product(range(n), repeat=2):
        if min(abs(p - q), n - abs(p - q)) > 1:
            p, q = min(p, q), max(p, q)
            other = canonical([*tour[: p + 1], *reversed(tour[p + 1 : q + 1]), *tour[q + 1 :]])
            delta = naive.naive_length(matrix, list(other)) - length
            result[other] += min(1.0, math.exp(-delta / temperature)) / n**2
    return result


def of_rounds(matrix: naive.Matrix, temperature: float, proposals: int) -> dict[Tour, float]:
    """The stationary distribution of rounds that apply the best accepted one of several draws, by all transitions."""
    every = tours(len(matrix))
    at = {tour: k for k, tour in enumerate(every)}
    steps = np.zeros((len(every), len(every)))
    for tour, k in at.items():
        result = draw_probabilities(matrix, tour, temperature)
        lengths = {other: naive.naive_length(matrix, list(other)) for other in result}
        none_shorter = 1.0
        for length in sorted(set(lengths.values())):
            equal = {other: result[other] for other in result if lengths[other] == length}
            none_as_short = none_shorter - sum(equal.values())
            chance = none_shorter**proposals - none_as_short**proposals
            for other, share in equal.items():
                steps[k, at[other]] += chance * share / sum(equal.values())
            none_shorter = none_as_short
        steps[k, k] += none_shorter**proposals
    found = np.linalg.matrix_power(steps, 1 << 14)[0]
    return {tour: float(found[k]) for tour, k in at.items()}


def chi_square(found: Counter[Tour], expected: dict[Tour, float]) -> float:
    """Chi-square's excess over its mean in standard deviations; tours expected fewer than 8 times are merged."""
    total, rest_found, rest, square, cells = found.total(), 0.0, 0.0, 0.0, 0
    for tour, share in expected.items():
        if share * total < 8:
            rest_found, rest = rest_found + found[tour], rest + share * total
        else:
            square, cells = square + (found[tour] - share * total) ** 2 / (share * total), cells + 1
    if rest > 0:
        square, cells = square + (rest_found - rest) ** 2 / rest, cells + 1
    assert not set(found) - set(expected)
    return (square - (cells - 1)) / math.sqrt(2 * (cells - 1))
