"""Particles and bees in simple Python, which the kernels must match draw by draw."""

import itertools

from tests import naive

_FIRST_STEP, _ONLOOKERS = 1 << 32, 1 << 40

#: Positions whose cities are exchanged.
Swap = tuple[int, int]


def draw_below(seed: int, stream: int, step: int, bound: int) -> int:
    return (naive.random_bits(seed, stream, _FIRST_STEP + step) >> 32) * bound >> 32


def uniform(seed: int, stream: int, step: int) -> float:
    return (naive.random_bits(seed, stream, _FIRST_STEP + step) >> 11) / 2**53


def plus(tour: list[int], swaps: list[Swap]) -> list[int]:
    """Position plus velocity."""
    tour = [*tour]
    for i, j in swaps:
        tour[i], tour[j] = tour[j], tour[i]
    return tour


def minus(goal: list[int], tour: list[int]) -> list[Swap]:
    """Position minus position."""
    swaps: list[Swap] = []
    for p, city in enumerate(goal):
        q = plus(tour, swaps).index(city)
        if p != q:
            swaps.append((p, q))
    return swaps


def compress(swaps: list[Swap], n: int) -> list[Swap]:
    identity = [*range(n)]
    return minus(plus(identity, swaps), identity)


def from_zero(tour: list[int]) -> list[int]:
    at = tour.index(0)
    return tour[at:] + tour[:at]


class Particles:
    """A swarm; `weights` are inertia, cognitive and social."""

    def __init__(self, matrix: naive.Matrix, size: int, seed: int, weights: tuple[float, float, float], chance: bool):
        self.matrix, self.seed, self.weights, self.chance, self.iteration = matrix, seed, weights, chance, 0
        self.tours = [from_zero(naive.random_tour(seed, k, len(matrix))) for k in range(size)]
        self.own = [*self.tours]
        self.velocity: list[list[Swap]] = [[] for _ in self.tours]
        self.leader = min(self.tours, key=self.length)

    def length(self, tour: list[int]) -> int:
        return naive.naive_length(self.matrix, tour)

    def times(self, weight: float, swaps: list[Swap], k: int, step: int) -> list[Swap]:
        if not self.chance:
            return swaps[: int(min(weight, 1.0) * len(swaps))]
        return [swap for at, swap in enumerate(swaps) if uniform(self.seed, k, step + at) < weight]

    def iterate(self) -> None:
        n = len(self.matrix)
        step = self.iteration * (3 * n + 2)
        for k, tour in enumerate(self.tours):
            velocity = self.times(self.weights[0], self.velocity[k], k, step + 2)
            for way, goal in enumerate((self.own[k], self.leader)):
                weight = self.weights[1 + way] * uniform(self.seed, k, step + way)
                velocity = velocity + self.times(weight, minus(goal, tour), k, step + (1 + way) * n + 2)
            self.velocity[k] = compress(velocity, n) if len(velocity) > n - 1 else velocity
            self.tours[k] = plus(tour, self.velocity[k])
            self.own[k] = min(self.own[k], self.tours[k], key=self.length)
        self.iteration += 1
        best = min(self.tours, key=self.length)
        self.leader = min(self.leader, best, key=self.length)


def apply_change(tour: list[int], kind: int, i: int, j: int) -> list[int]:
    """The tour after a swap (0), an insertion (1) or a reversal (2)."""
    tour = [*tour]
    if kind == 0:
        return plus(tour, [(i, j)])
    if kind == 1:
        tour.insert(j, tour.pop(i))
        return tour
    return tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]


class Bees:
    """A colony; `kind` is 0 to 2 as in `apply_change`, or 3 for a random one of them."""

    def __init__(self, matrix: naive.Matrix, size: int, seed: int, kind: int, limit: int) -> None:
        self.matrix, self.seed, self.kind, self.limit, self.iteration, self.scouts = matrix, seed, kind, limit, 0, 0
        self.tours = [from_zero(naive.random_tour(seed, k, len(matrix))) for k in range(size)]
        self.failed, self.tried = [0] * size, [0] * size

    def length(self, tour: list[int]) -> int:
        return naive.naive_length(self.matrix, tour)

    def attempt(self, k: int) -> None:
        n, step = len(self.matrix), 4 * self.tried[k]
        kind = draw_below(self.seed, k, step + 2, 3) if self.kind == 3 else self.kind
        i, j = draw_below(self.seed, k, step, n), draw_below(self.seed, k, step + 1, n - 1)
        j += j >= i
        if kind != 1:
            i, j = min(i, j), max(i, j)
        candidate = apply_change(self.tours[k], kind, i, j)
        self.tried[k] += 1
        self.failed[k] += 1
        if self.length(candidate) < self.length(self.tours[k]):
            self.tours[k], self.failed[k] = candidate, 0

    def onlookers(self) -> list[int]:
        """The source of each onlooker, by a roulette wheel over the fitness."""
        sums = [*itertools.accumulate(1.0 / (1.0 + self.length(tour)) for tour in self.tours)]
        step, size = self.iteration * len(self.tours), len(self.tours)
        marks = [uniform(self.seed, _ONLOOKERS, step + k) * sums[-1] for k in range(size)]
        return [min(size - 1, sum(total <= mark for total in sums)) for mark in marks]

    def iterate(self) -> None:
        for k in range(len(self.tours)):
            self.attempt(k)
        for k in self.onlookers():
            self.attempt(k)
        self.iteration += 1
        worst = self.failed.index(max(self.failed))
        if self.failed[worst] > self.limit:
            stream = len(self.tours) + self.scouts
            self.tours[worst] = naive.random_tour(self.seed, stream, len(self.matrix))
            self.failed[worst] = 0
            self.scouts += 1
