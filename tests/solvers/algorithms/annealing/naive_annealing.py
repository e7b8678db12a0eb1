"""Annealing in simple Python, which the kernel must match draw by draw."""

import math

from tests import naive

_FIRST_STEP = 1 << 32


def nearest(matrix: naive.Matrix, count: int) -> list[list[int]]:
    """The nearest cities of each city; ties are broken by the lower number."""
    cities = range(len(matrix))
    return [sorted((c for c in cities if c != a), key=lambda c, a=a: (matrix[a][c], c))[:count] for a in cities]


class Chain:
    """A chain whose tour is a list; each move reverses the shorter side."""

    def __init__(self, matrix: naive.Matrix, near: list[list[int]], seed: int, climber: int, far: float) -> None:
        self.matrix, self.near, self.seed, self.climber, self.far = matrix, near, seed, climber, far
        self.tour = naive.random_tour(seed, climber, len(matrix))
        self.length = self.best = naive.naive_length(matrix, self.tour)
        self.draws = self.moves = 0
        self.worsening: list[int] = []

    def bits(self, which: int) -> int:
        return naive.random_bits(self.seed, self.climber, _FIRST_STEP + 4 * self.draws + which)

    def draw(self, temperature: float) -> None:
        """Draw one move and apply it if it is accepted."""
        bits, second, n = self.bits(0), self.bits(2), len(self.tour)
        a, low = (bits >> 32) * n >> 32, bits & 0xFFFFFFFF
        c = self.near[a][(low >> 1) * len(self.near[a]) >> 31]
        if (second & 0xFFFFFFFF) < round(self.far * 2**32):
            c = (second >> 32) * n >> 32
        side = 0 if low & 1 else -1
        p, q = (self.tour.index(a) + side) % n, (self.tour.index(c) + side) % n
        chance = self.bits(1) >> 11
        self.draws += 1
        p, q = min(p, q), max(p, q)
        if p == q or a == c or q - p in (1, n - 1):
            return
        ends = [self.tour[x % n] for x in (p, p + 1, q, q + 1)]
        change = self.matrix[ends[0]][ends[2]] + self.matrix[ends[1]][ends[3]]
        change -= self.matrix[ends[0]][ends[1]] + self.matrix[ends[2]][ends[3]]
        if change > 0 and temperature == 0:
            self.worsening.append(change)
        if change > 0 and (temperature == 0 or chance >= 2**53 * math.exp(-change / temperature)):
            return
        self.reverse(p, q)
        self.moves += 1
        self.length += change
        self.best = min(self.best, self.length)

    def reverse(self, p: int, q: int) -> None:
        """Reverse positions p + 1 to q, or all others in place if these are fewer."""
        n = len(self.tour)
        inside = 2 * (q - p) <= n
        places = list(range(p + 1, q + 1)) if inside else [x % n for x in range(q + 1, p + 1 + n)]
        for place, city in zip(places, [self.tour[x] for x in reversed(places)], strict=True):
            self.tour[place] = city


def temperatures(schedule: str, first: float, levels: int, cooling: float, ratio: float) -> list[float]:
    """The temperatures of a chain by the formulas; the last one of the linear schedule is `ratio` times the first."""
    if schedule == "geometric":
        return [first * cooling**t for t in range(levels)]
    if schedule == "linear":
        return [first - t * (first - ratio * first) / max(1, levels - 1) for t in range(levels)]
    return [first * math.log(2) / math.log(t + 2) for t in range(levels)]


def anneal_naively(
    chain: Chain, *, sweep: int, still: int, shares: list[float], acceptance: float = 0.0, first: float = 0.0,
    freezes: bool = True,
) -> list[list[int]]:  # fmt: skip
    """Quench, sample, cool, freeze; returns draws, length and best length at the start and after each temperature.

    `shares` are the temperatures as shares of the first one. If it is given, nothing precedes it.
    """
    rows = [[0, chain.length, chain.best]]

    def at(temperature: float, draws: int) -> None:
        chain.worsening = []
        for _ in range(draws):
            chain.draw(temperature)
        rows.append([chain.draws, chain.length, chain.best])

    if not first:
        at(0.0, still)
        at(0.0, still)
        first = sum(chain.worsening) / max(1, len(chain.worsening)) / -math.log(acceptance)
    for share in shares:
        at(first * share, sweep)
    if freezes:
        at(0.0, still)
    return rows
