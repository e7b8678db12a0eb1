"""Tabu search in simple Python, which the kernel must match step by step."""

from collections.abc import Iterator

from tests import naive
from tests.solvers.algorithms.annealing import naive_annealing

_FIRST_STEP = 1 << 32

#: Positions p < q of a move.
Pair = tuple[int, int]


class Search:
    """A search whose tabu lists are lists of city pairs, two per move, newest last."""

    reverse = naive_annealing.Chain.reverse

    def __init__(self, matrix: naive.Matrix, near: list[list[int]], seed: int, climber: int, **rules: int) -> None:
        self.matrix, self.near, self.seed, self.climber, self.rules = matrix, near, seed, climber, rules
        self.tour = naive.random_tour(seed, climber, len(matrix))
        self.length = self.best = naive.naive_length(matrix, self.tour)
        self.removed: list[frozenset[int]] = []
        self.added: list[frozenset[int]] = []
        self.steps = self.evaluations = self.aspired = self.stuck = 0
        self.tenure = 0
        self.draw_tenure()

    def draw_tenure(self) -> None:
        low, high = self.rules["low"], self.rules["high"]
        if self.steps % self.rules["redraw"] == 0:
            bits = naive.random_bits(self.seed, self.climber, _FIRST_STEP + self.steps)
            self.tenure = low + ((bits >> 32) * (high - low + 1) >> 32)

    def pairs(self) -> Iterator[Pair]:
        """The moves in the order of evaluation."""
        n = len(self.tour)
        if not self.near[0]:
            yield from ((p, q) for p in range(n - 2) for q in range(p + 2, n if p else n - 1))
            return
        place = {city: at for at, city in enumerate(self.tour)}
        for a in range(n):
            for c in self.near[a]:
                for side in (0, -1):
                    p, q = (place[a] + side) % n, (place[c] + side) % n
                    yield min(p, q), max(p, q)

    def ends(self, p: int, q: int) -> list[int]:
        return [self.tour[x % len(self.tour)] for x in (p, p + 1, q, q + 1)]

    def change(self, p: int, q: int) -> int:
        a, b, c, d = self.ends(p, q)
        return self.matrix[a][c] + self.matrix[b][d] - self.matrix[a][b] - self.matrix[c][d]

    def is_tabu(self, p: int, q: int) -> bool:
        a, b, c, d = self.ends(p, q)
        back = [frozenset(edge) in self.removed for edge in ((a, c), (b, d))]
        leaves = frozenset((a, b)) in self.added or frozenset((c, d)) in self.added
        return (all(back) if self.rules["both"] else any(back)) or leaves

    def step(self) -> None:
        """Apply the best move that is not tabu or leads to a new best tour."""
        n, found = len(self.tour), None
        for p, q in self.pairs():
            self.evaluations += 1
            if q - p in (0, 1, n - 1):
                continue
            change = self.change(p, q)
            tabu = self.is_tabu(p, q)
            if (found is None or change < found[0]) and (not tabu or self.length + change < self.best):
                found = change, p, q, tabu
        if found is None:
            self.stuck += 1
            del self.removed[:2], self.added[:2]
        else:
            self.make(*found)
        self.steps += 1
        self.draw_tenure()

    def make(self, change: int, p: int, q: int, tabu: bool) -> None:
        a, b, c, d = self.ends(p, q)
        self.aspired += tabu
        self.removed = [*self.removed, frozenset((a, b)), frozenset((c, d))]
        self.added = [*self.added, frozenset((a, c)), frozenset((b, d))]
        self.removed = self.removed[max(0, len(self.removed) - 2 * self.tenure) :]
        self.added = self.added[max(0, len(self.added) - 2 * self.rules["held"]) :]
        self.reverse(p, q)
        self.length += change
        self.best = min(self.best, self.length)


class DirectedSearch(Search):
    """A search of directed tours, whose moves relocate up to three cities; an edge is a directed pair."""

    def moves(self) -> Iterator[tuple[int, int, int]]:
        """The moves in the order of evaluation: a path's first position, its length, and the position before."""
        n = len(self.tour)
        place = {city: at for at, city in enumerate(self.tour)}
        for a in range(n):
            for length in range(1, min(3, n - 2) + 1):
                for c in self.near[a]:
                    yield place[c], length, place[a]
                    yield (place[a] - length + 1) % n, length, (place[c] - 1) % n
                if not self.near[a]:
                    yield from ((a, length, (a + ahead) % n) for ahead in range(length, n - 1))

    def moved(self, s: int, length: int, x: int) -> list[int]:
        """The tour after a move, starting at the same city."""
        path = [self.tour[(s + k) % len(self.tour)] for k in range(length)]
        rest = [city for city in self.tour if city not in path]
        at = rest.index(self.tour[x]) + 1
        tour = rest[:at] + path + rest[at:]
        first = tour.index(self.tour[0])
        return tour[first:] + tour[:first]

    def step(self) -> None:
        """Apply the best move that is not tabu or leads to a new best tour."""
        found = None
        for s, length, x in self.moves():
            self.evaluations += 1
            if (x - s) % len(self.tour) not in range(length, len(self.tour) - 1):
                continue
            tour = self.moved(s, length, x)
            change = naive.naive_length(self.matrix, tour) - self.length
            old, new = (list(zip(each, [*each[1:], each[0]], strict=True)) for each in (self.tour, tour))
            removed, added = [[edge for edge in one if edge not in other] for one, other in ((old, new), (new, old))]
            back = [edge in self.removed for edge in added]
            tabu = (all(back) if self.rules["both"] else any(back)) or any(edge in self.added for edge in removed)
            if (found is None or change < found[0]) and (not tabu or self.length + change < self.best):
                found = change, tour, removed, added, tabu
        if found is None:
            self.stuck += 1
            del self.removed[:3], self.added[:3]
        else:
            change, self.tour, removed, added, tabu = found
            self.aspired += tabu
            self.removed = [*self.removed, *removed][max(0, len(self.removed) + 3 - 3 * self.tenure) :]
            self.added = [*self.added, *added][max(0, len(self.added) + 3 - 3 * self.rules["held"]) :]
            self.length += change
            self.best = min(self.best, self.length)
        self.steps += 1
        self.draw_tenure()
