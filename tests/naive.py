"""Slow and obvious oracles, in plain Python: what the readers, the distances and the kernels must agree with."""

import itertools
import math
from fractions import Fraction

Matrix = list[list[int]]
Move = tuple[int, int, int]

_MASK = 2**64 - 1


def distance(kind: str, p: tuple[float, float], q: tuple[float, float]) -> int:
    """A TSPLIB 95 distance between different cities: planar ones in integers, without a root or a rounding.

    GEO by way of three-dimensional unit vectors: the formula of the sphere, not that of the report.
    """
    if kind == "GEO":
        angle = math.acos(max(-1.0, min(1.0, sum(a * b for a, b in zip(_on_sphere(p), _on_sphere(q), strict=True)))))
        return int(6378.388 * angle + 1.0)
    square = sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(p, q, strict=True))
    if kind == "EUC_2D":  # the nearest integer, halves up: the largest d with d - 1/2 <= root
        return (math.isqrt(math.floor(4 * square)) + 1) // 2
    # CEIL_2D, ATT: the least integer that is no smaller than the root
    square = square / 10 if kind == "ATT" else square
    return math.isqrt(math.ceil(square) - 1) + 1 if square else 0


def _on_sphere(place: tuple[float, float]) -> tuple[float, float, float]:
    latitude, longitude = (3.141592 * (int(x) + 5.0 * (x - int(x)) / 3.0) / 180.0 for x in place)
    flat = math.cos(latitude)
    return flat * math.cos(longitude), flat * math.sin(longitude), math.sin(latitude)


def naive_length(matrix: Matrix, tour: list[int]) -> int:
    """Length of a closed tour."""
    return sum(matrix[tour[k - 1]][tour[k]] for k in range(len(tour)))


def held_karp(matrix: Matrix) -> int:
    """The length of the shortest tour: M. Held and R. M. Karp (1962), set by set."""
    n = len(matrix)
    shortest = {(frozenset([city]), city): matrix[0][city] for city in range(1, n)}
    for size in range(2, n):
        for cities in map(frozenset, itertools.combinations(range(1, n), size)):
            for last in cities:
                before = cities - {last}
                shortest[cities, last] = min(shortest[before, city] + matrix[city][last] for city in before)
    everyone = frozenset(range(1, n))
    return min(shortest[everyone, last] + matrix[last][0] for last in everyone)


def reversed_between(tour: list[int], i: int, j: int) -> list[int]:
    """The tour after the 2-opt move (i, j)."""
    return tour[: i + 1] + tour[i + 1 : j + 1][::-1] + tour[j + 1 :]


def best_move(matrix: Matrix, tour: list[int]) -> Move | None:
    """The move (i, j, delta) with the greatest gain, the first one if several tie; None at a local optimum."""
    n, best = len(tour), None
    for i in range(n - 2):
        for j in range(i + 2, n):
            delta = naive_length(matrix, reversed_between(tour, i, j)) - naive_length(matrix, tour)
            if delta < (0 if best is None else best[2]):
                best = (i, j, delta)
    return best


def climb(matrix: Matrix, tour: list[int]) -> tuple[list[int], list[Move]]:
    """Best-improvement 2-opt to a local optimum: the final tour and all moves."""
    moves = []
    while (move := best_move(matrix, tour)) is not None:
        tour = reversed_between(tour, move[0], move[1])
        moves.append(move)
    return tour, moves


def nearest_neighbour(matrix: Matrix, start: int) -> list[int]:
    """The tour that goes from each city to the nearest unvisited one, with ties broken by the lowest number."""
    tour, left = [start], set(range(len(matrix))) - {start}
    while left:
        here = matrix[tour[-1]]
        tour.append(min(left, key=lambda city: (here[city], city)))
        left.remove(tour[-1])
    return tour


def insertions(matrix: Matrix, start: int, rule: str) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Nearest, farthest or cheapest insertion: the tour, and each city with the lower and the higher end of its edge.

    All places are tried at each step. Ties by the lowest city, the lower and the higher end of the edge.
    """
    tour, created_items, left = [start], [], set(range(len(matrix))) - {start}
    while left:
        edges = list(zip(tour, [*tour[1:], tour[0]], strict=True))
        places = {
            city: min(
                (matrix[a][city] + matrix[city][b] - matrix[a][b], min(a, b), max(a, b), at)
                for at, (a, b) in enumerate(edges)
            )
            for city in left
        }
        near = {city: min(min(matrix[city][other], matrix[other][city]) for other in tour) for city in left}
        keys = {city: {"nearest": near[city], "farthest": -near[city], "cheapest": places[city][0]} for city in left}
        _, city = min((of_rule[rule], city) for city, of_rule in keys.items())
        _, low, high, at = places[city]
        created_items.append((city, low, high))
        tour.insert(at + 1, city)
        left.remove(city)
    return tour, created_items


def tour_edges(tour: list[int]) -> set[frozenset[int]]:
    """The edges of a tour, whatever their direction."""
    return {frozenset((tour[k - 1], tour[k])) for k in range(len(tour))} - {frozenset(tour[:1])}


def greedy_edges(matrix: Matrix) -> list[tuple[int, int]]:
    """All edges by (length, lower city, higher city), each taken unless it makes a fork or circle; the last closes."""
    n = len(matrix)
    fragment, degree, taken = list(range(n)), [0] * n, []
    for a, b in sorted(itertools.combinations(range(n), 2), key=lambda edge: (matrix[edge[0]][edge[1]], edge)):
        if degree[a] < 2 and degree[b] < 2 and fragment[a] != fragment[b]:
            old, new = fragment[b], fragment[a]
            fragment = [new if each == old else each for each in fragment]
            degree[a] += 1
            degree[b] += 1
            taken.append((a, b))
    ends = [city for city in range(n) if degree[city] < 2]
    return [*taken, (ends[0], ends[-1])]


def shortest_path(matrix: Matrix, start: int | str | None, end: int | str | None) -> int:
    """The length of the shortest path through all cities, by brute force; an end that is not an index may be any
    city."""
    return min(
        sum(matrix[a][b] for a, b in itertools.pairwise(order))
        for order in itertools.permutations(range(len(matrix)))
        if all(not isinstance(city, int) or city == order[at] for city, at in ((start, 0), (end, -1)))
    )


def greedy_directed_edges(matrix: Matrix) -> list[tuple[int, int]]:
    """The edges of paths by (length, city left, city entered), each taken unless it makes a fork or closes a circle."""
    n = len(matrix)
    path, left, entered, taken = list(range(n)), set(), set(), []
    for a, b in sorted(itertools.permutations(range(n), 2), key=lambda edge: (matrix[edge[0]][edge[1]], edge)):
        if a not in left and b not in entered and path[a] != path[b]:
            old, new = path[b], path[a]
            path = [new if each == old else each for each in path]
            left.add(a)
            entered.add(b)
            taken.append((a, b))
    return taken


def random_bits(seed: int, climber: int, step: int) -> int:
    """The random bits of three words by SplitMix64."""
    z = 0
    for word in (seed, climber, step):
        z = (z + 0x9E3779B97F4A7C15 * (word + 1)) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        z ^= z >> 31
    return z


def random_tour(seed: int, climber: int, n: int) -> list[int]:
    """A random tour by the shuffle of Durstenfeld (1964)."""
    tour = list(range(n))
    for step, k in enumerate(range(n - 1, 0, -1)):
        other = ((random_bits(seed, climber, step) >> 32) * (k + 1)) >> 32
        tour[k], tour[other] = tour[other], tour[k]
    return tour


def chances(fitness: list[float], unvisited: set[int]) -> dict[int, float]:
    """Probability that an ant chooses each unvisited city, proportional to fitness (Uchida et al., 2012, equation
    2)."""
    total = sum(fitness[city] for city in unvisited)
    return {city: fitness[city] / total for city in unvisited}


def i_roulette_chances(fitness: list[float], unvisited: set[int]) -> dict[int, float]:
    """Probability that each unvisited city has the greatest product of fitness f and its own uniform number.

    City j wins at the product t if its number is t / f_j, of density 1 / f_j, and all others stay below t: P(j) is the
    integral over t from 0 to f_j of 1 / f_j times the product over k != j of min(1, t / f_k). Where t is between two
    fitnesses, the integrand is a power of t over the product of the c greater fitnesses, f_j among them.
    """
    ranked = sorted(unvisited, key=lambda city: fitness[city])
    found, upto, below = {}, 0.0, 0.0
    for rank, city in enumerate(ranked):
        greater = [fitness[other] for other in ranked[rank:]]
        low, high = (math.prod(t / f for f in greater) for t in (below, fitness[city]))
        upto += (high - low) / len(greater)
        found[city], below = upto, fitness[city]
    return found


def i_roulette_factor(seed: int, stream: int, p: int, city: int, n: int) -> float:
    """The random number of a city in the choice at position p: 24 random bits plus a half."""
    half = -(-n // 64) * 32
    bits = random_bits(seed, stream, p * half + city % half)
    return (bits >> 40 if city < half else (bits >> 8) & 0xFFFFFF) + 0.5


def fitness(trail: float, length: int, longest: int, alpha: float, beta: float) -> float:
    """Fitness of an edge from its trail and heuristic value (equation 3)."""
    return trail**alpha * (longest / max(length, 0.5)) ** beta


def trails_after(trails: list[list[float]], tours: list[list[int]], matrix: Matrix, rho: float, q: float):
    """The trails after all ants' tours (equations 4 to 6)."""
    return trails_after_some(trails, [(1, tour) for tour in tours], matrix, rho, q)


def trails_after_some(
    trails: list[list[float]], weighted: list[tuple[int, list[int]]], matrix: Matrix, rho: float, q: float
):
    """The trails after tours with weights, each as if deposited by this many ants."""
    after = [[(1.0 - rho) * trail for trail in row] for row in trails]
    for weight, tour in weighted:
        each = weight * q / naive_length(matrix, tour)
        for a, b in zip(tour, tour[1:] + tour[:1], strict=True):
            after[a][b] += each
            after[b][a] += each
    return after


def weighted_tours(rule: str, tours: list[list[int]], best: list[int] | None, matrix: Matrix, weight: int):
    """The tours that deposit, each with its weight, and the best tour so far.

    Elitist Ant System (Dorigo, Maniezzo and Colorni, 1996) has `weight` elitist ants; rank-based Ant System
    (Bullnheimer, Hartl and Strauss, 1999) has weights from `weight` for the best tour down to 1.
    """
    ranked = sorted(tours, key=lambda tour: naive_length(matrix, tour))
    if best is None or naive_length(matrix, ranked[0]) < naive_length(matrix, best):
        best = ranked[0]
    others = [(1, tour) for tour in tours]
    if rule == "rank-based":
        others = [(weight - 1 - rank, tour) for rank, tour in enumerate(ranked[: weight - 1])]
    return [*others, (weight, best)], best


def entropy(trails: list[float]) -> float:
    """Shannon entropy of the trails' shares of their sum, in bits."""
    shares = [trail / sum(trails) for trail in trails]
    return -sum(share * math.log2(share) for share in shares)


def branching(trails: list[float]) -> int:
    """Number of trails that exceed the minimum by at least a twentieth of the range (Gambardella and Dorigo, 1995)."""
    return sum(trail >= min(trails) + 0.05 * (max(trails) - min(trails)) for trail in trails)


def block_mean(trails: list[list[float]], rows: list[int], columns: list[int]) -> float:
    """Mean of the trails between two groups of cities, without those from a city to itself."""
    found = [trails[a][b] for a in rows for b in columns if a != b]
    return sum(found) / len(found) if found else 0.0


def chi_square(observed: dict[int, int], expected: dict[int, float]) -> float:
    """Probability that draws of these chances are at least this far off; cities seldom drawn are taken as one.

    K. Pearson's test (1900); the tail of the distribution by the series of the incomplete gamma function.
    """
    draws = sum(observed.values())
    rare = [city for city in expected if draws * expected[city] < 10]
    groups = [[city] for city in expected if city not in rare] + ([rare] if rare else [])
    if set(observed) - set(expected):
        return 0.0
    statistic = 0.0
    for group in groups:
        mean = draws * sum(expected[city] for city in group)
        statistic += (sum(observed.get(city, 0) for city in group) - mean) ** 2 / max(mean, 1e-9)
    a, x = (len(groups) - 1) / 2, statistic / 2
    if a == 0 or x == 0:
        return 1.0
    term = total = 1.0 / a
    for k in range(1, 10_000):
        term *= x / (a + k)
        total += term
    return max(0.0, 1.0 - total * math.exp(a * math.log(x) - x - math.lgamma(a)))


def nearness(matrix: Matrix, beta: float) -> list[list[float]]:
    """The heuristic value of each pair of cities, with each row scaled to its maximum."""
    longest = max(map(max, matrix))
    rows = [[fitness(1.0, length, longest, 1.0, beta) if j != i else 0.0 for j, length in enumerate(row)]
            for i, row in enumerate(matrix)]  # fmt: skip
    return [[value / max(row) for value in row] for row in rows]


def uniform(seed: int, stream: int, step: int) -> float:
    """A random number in (0, 1), a multiple of 2**-24."""
    return ((random_bits(seed, stream, step) >> 40) + 0.5) * 2.0**-24


class AntColonySystem:
    """Dorigo and Gambardella's algorithm (1997) without 2-opt, trails in units of tau_0, with the draws of the kernels.

    Parameters
    ----------
    matrix : list of list of int
    seed, ants : int
    beta, q0, rho, alpha : float
    candidates : int
        Nearest cities among which a roulette looks first; of the cities' chances it changes nothing.
    local_update : str
        ``deferred``, ``lockstep`` or ``racy``.
    lists : bool
        Whether an ant goes to one of the nearest as long as one is left, and to the greatest weight if not.
    """

    def __init__(self, matrix, seed, ants, beta, q0, rho, alpha, candidates, local_update, lists=False):
        n = len(matrix)
        self.matrix, self.n, self.seed, self.ants = matrix, n, seed, ants
        self.q0, self.rho, self.alpha, self.mode, self.lists = q0, rho, alpha, local_update, lists
        self.eta = nearness(matrix, beta)
        self.near = [sorted(set(range(n)) - {i}, key=lambda j, i=i: (matrix[i][j], j))[:candidates] for i in range(n)]
        self.u = [[1.0] * n for _ in range(n)]
        self.first = max(1, naive_length(matrix, nearest_neighbour(matrix, 0)))
        self.best: list[int] = []
        self.iteration = 0

    def iterate(self) -> list[list[int]]:
        """The tours of the next iteration; updates the trails."""
        before = [row[:] for row in self.u]
        self.rest = [sum(self.weight(i, j) for j in range(self.n) if j not in self.near[i]) for i in range(self.n)]
        streams = [self.iteration * self.ants + ant for ant in range(self.ants)]
        tours = [[(random_bits(self.seed, stream, 0) >> 32) * self.n >> 32] for stream in streams]
        if self.mode == "lockstep":
            for _ in range(self.n):
                gone = [self.step(tour, stream) for tour, stream in zip(tours, streams, strict=True)]
                for a, b in gone:
                    self.wear(a, b)
        else:
            for tour, stream in zip(tours, streams, strict=True):
                for _ in range(self.n):
                    a, b = self.step(tour, stream)
                    if self.mode == "racy":
                        self.wear(a, b)
        self.u = before
        for tour in tours:
            for a, b in zip(tour, tour[1:] + tour[:1], strict=True):
                self.wear(a, b)
        self.best = min([self.best] * bool(self.best) + tours, key=lambda tour: naive_length(self.matrix, tour))
        self.reward()
        self.iteration += 1
        return tours

    def weight(self, i: int, j: int) -> float:
        return self.u[i][j] * self.eta[i][j]

    def wear(self, a: int, b: int) -> None:
        """The local update (equation 5)."""
        self.u[a][b] = self.u[b][a] = (1.0 - self.rho) * self.u[a][b] + self.rho

    def reward(self) -> None:
        """The global update (equation 4)."""
        target = self.n * self.first / max(1, naive_length(self.matrix, self.best))
        for a, b in {tuple(sorted(edge)) for edge in zip(self.best, self.best[1:] + self.best[:1], strict=True)}:
            self.u[a][b] = self.u[b][a] = max(1.0, (1.0 - self.alpha) * self.u[a][b] + self.alpha * target)

    def step(self, tour: list[int], stream: int) -> tuple[int, int]:
        """The next edge of an ant (equation 3); the last one closes the tour."""
        here = tour[-1]
        if len(tour) == self.n:
            return here, tour[0]
        left = [city for city in range(self.n) if city not in tour]
        listed = [city for city in left if city in self.near[here]]
        if self.lists and listed:
            left = listed
        if uniform(self.seed, stream, 128 * len(tour)) <= self.q0 or (self.lists and not listed):
            tour.append(max(left, key=lambda j: (self.weight(here, j), -j)))
        else:
            tour.append(self.draw(here, left, [uniform(self.seed, stream, 128 * len(tour) + k) for k in (1, 2)]))
        return here, tour[-1]

    def draw(self, here: int, left: list[int], draws: list[float]) -> int:
        """The city chosen by roulette among all unvisited cities, the nearest ones first."""
        slots = sorted(range(len(self.near[here])), key=lambda k: (k % 8, k))
        near = [self.near[here][k] for k in slots if self.near[here][k] in left]
        others = sorted((j for j in left if j not in self.near[here]), key=lambda j: (j % 8, j % 64, j))
        u, v = (sum(self.weight(here, j) for j in cities) for cities in (near, others))
        r = draws[0] * (u + (0.0 if self.lists else self.rest[here]))
        if r >= u + v:
            r = draws[1] * (u + v)
        for city in near + others:
            r -= self.weight(here, city)
            if r < 0:
                return city
        return city


def group_lengths(lengths: list[int]) -> list[tuple[int, int, float, int, int]]:
    """For 1, 10, 100, ...: the number of groups of consecutive climbers, and the mean, minimum and maximum of their
    best lengths."""
    found, size = [], 1
    while size <= len(lengths):
        lowest = [min(lengths[at : at + size]) for at in range(0, len(lengths) - size + 1, size)]
        found.append((size, len(lowest), sum(lowest) / len(lowest), min(lowest), max(lowest)))
        size *= 10
    return found
