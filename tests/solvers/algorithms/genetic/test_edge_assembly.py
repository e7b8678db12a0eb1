"""Children of edge assembly: tours of exact lengths with their parents' edges, except where subtours were merged."""

import numpy as np
import pytest

from data.distances import distance_matrix, tour_length
from data.tsplib.normal_form import assemble
from solvers.algorithms.genetic.kernels import edge_frequency_cpu, subtours_cpu, tour_links_cpu
from solvers.algorithms.genetic.kernels.ab_cycles_cpu import trace
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import allocate_crossing, make_child
from solvers.algorithms.genetic.kernels.edge_frequency_cpu import allocate_frequencies, count_frequencies, entropy_terms
from solvers.algorithms.genetic.kernels.tour_links_cpu import TOUCHED, walk
from solvers.core.neighbours import neighbours
from solvers.reporting.populations import find_tour_neighbours
from tests.naive import tour_edges
from tests.plain_kernels import interpret
from tests.solver_runs import KINDS, planar
from tests.solvers.algorithms.genetic.naive_crossover import best_merge, components, entropy
from tests.tables import each_row

undo, entropy_loss = interpret(tour_links_cpu.undo), interpret(edge_frequency_cpu.entropy_loss)
find_subtours = interpret(subtours_cpu.find_subtours)


class Pair:
    """Two parents, and their children by `make_child`."""

    def __init__(self, instance, one, other, k=10, key=1):
        self.n, self.instance = instance.n, instance
        self.matrix = distance_matrix(instance)
        self.near = neighbours(self.matrix, k)
        self.one, self.other = tour_edges(one.tolist()), tour_edges(other.tolist())
        self.length = tour_length(instance, one)
        both = find_tour_neighbours(np.stack([one, other]).astype(np.int32))
        self.links, self.crossing = both[0].copy(), allocate_crossing(self.n)
        walk(both[0], self.crossing.segments.order, self.crossing.segments.position)
        self.count, _ = trace(both[0], both[1], self.crossing.cycles, self.crossing.tracing, np.uint64(key))

    def e_set(self, chosen):
        """The edges of these AB-cycles, of A and of B."""
        cycles = self.crossing.cycles
        cities = [cycles.city[cycles.start[k] : cycles.start[k + 1]].tolist() for k in chosen]
        pairs = [(c[k], c[(k + 1) % len(c)], k % 2) for c in cities for k in range(len(c))]
        return tuple({frozenset(pair[:2]) for pair in pairs if pair[2] == side} for side in (0, 1))

    def child(self, chosen):
        """The child of an E-set as a tour, its change in length, and its intermediate solution's edges."""
        self.crossing.chosen[: len(chosen)] = chosen
        before = self.links.copy()
        change, _ = make_child(self.matrix.reshape(-1), self.near, self.links, self.crossing, len(chosen))
        order, position = np.zeros((2, self.n), np.int32)
        walk(self.links, order, position)
        child = self.links.copy()
        undo(self.links, self.crossing.changes)
        assert np.array_equal(self.links, before), "what is taken back leaves no trace"
        mine, theirs = self.e_set(chosen)
        return order, int(change), (self.one - mine) | theirs, child


def check(pair, chosen):
    order, change, intermediate, _ = pair.child(chosen)
    assert sorted(order.tolist()) == list(range(pair.n))
    assert tour_length(pair.instance, order) == pair.length + change
    subtours, edges = components(intermediate), tour_edges(order.tolist())
    assert len(edges - intermediate) <= 2 * (len(subtours) - 1), "two edges for each subtour that was merged"
    if len(subtours) == 1:
        assert edges == intermediate <= pair.one | pair.other


def parents(draw, n, near):
    """Two random tours, or two that differ in few places."""
    one = draw.permutation(n)
    if not near:
        return one, draw.permutation(n)
    other = one.copy()
    for _ in range(3):
        first, last = np.sort(draw.integers(0, n + 1, 2))
        other[first:last] = other[first:last][::-1]
    return one, other


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 5, 6, 7, 9, 12, 50])
@pytest.mark.parametrize("near", [False, True], ids=["unlike", "alike"])
def test_children_are_tours_with_exact_lengths(n, near):
    draw, instance = np.random.default_rng(n), planar("EUC_2D", n, 1000, n)
    for key in range(150):
        pair = Pair(instance, *parents(draw, n, near), k=draw.integers(1, 6), key=key)
        for cycle in range(pair.count):
            check(pair, [cycle])
        check(pair, [cycle for cycle in range(pair.count) if draw.random() < 0.5])


def test_all_cycles_together_make_the_other_parent():
    draw = np.random.default_rng(2)
    for _ in range(100):
        one, other = parents(draw, 30, near=False)
        pair = Pair(planar("EUC_2D", 30, 1000, 1), one, other)
        order, *_ = pair.child(range(pair.count))
        assert tour_edges(order.tolist()) == pair.other


@each_row("kind", KINDS)
def test_children_with_all_kinds_of_distances(kind):
    draw, instance = np.random.default_rng(1), KINDS[kind]()
    for key in range(20):
        pair = Pair(instance, *parents(draw, instance.n, near=key % 2 == 1), key=key)
        for cycle in range(pair.count):
            check(pair, [cycle])


def test_coincident_cities():
    draw = np.random.default_rng(1)
    instance = planar("EUC_2D", 30, 0, 1)
    for key in range(20):
        pair = Pair(instance, *parents(draw, 30, near=False), key=key)
        for cycle in range(pair.count):
            check(pair, [cycle])


def test_two_subtours_are_merged_at_minimum_cost():
    """All cities are neighbours, so every exchange of two edges is considered."""
    draw, merged = np.random.default_rng(4), 0
    for key in range(300):
        instance = planar("EUC_2D", 24, 1000, key)
        pair = Pair(instance, *parents(draw, 24, near=True), k=23, key=key)
        matrix = pair.matrix.tolist()
        for cycle in range(pair.count):
            _, change, intermediate, _ = pair.child([cycle])
            parts = components(intermediate)
            if len(parts) != 2:
                continue
            smallest = min(parts, key=len)
            mine, theirs = pair.e_set([cycle])
            exchange = sum(matrix[a][b] for a, b in map(tuple, theirs)) - sum(matrix[a][b] for a, b in map(tuple, mine))
            assert change - exchange == best_merge(matrix, smallest, intermediate)
            merged += 1
    assert merged > 100


def test_distant_subtour_is_merged_too():
    """Two clusters, each with more cities than a neighbour list: no neighbour is in another subtour."""
    draw = np.random.default_rng(6)
    points = np.concatenate([draw.uniform(0, 10, (8, 2)), draw.uniform(5000, 5010, (8, 2))])
    instance, seen = assemble("t", "EUC_2D", "inline", coordinates=points), 0
    ring = np.arange(16)
    for key in range(200):
        one = np.concatenate([draw.permutation(8), 8 + draw.permutation(8)])
        other = np.concatenate([draw.permutation(8), 8 + draw.permutation(8)])
        pair = Pair(instance, one, np.roll(other, draw.choice(ring)), k=3, key=key)
        for cycle in range(pair.count):
            _, _, intermediate, _ = pair.child([cycle])
            seen += any(part == set(range(8)) for part in components(intermediate))
            check(pair, [cycle])
    assert seen, "no intermediate solution had a cluster of its own"


def test_entropy_loss_matches_the_frequencies():
    draw, n, m = np.random.default_rng(8), 20, 6
    instance = planar("EUC_2D", n, 1000, 1)
    base = draw.permutation(n)
    for key in range(30):
        tours = [parents(draw, n, near=True)[1] if k % 2 else np.roll(base, k) for k in range(m)]
        frequencies, links = allocate_frequencies(m, n), find_tour_neighbours(np.stack(tours).astype(np.int32))
        for first in reversed(range(0, n, 7)):
            count_frequencies(links, first, min(n, first + 7), frequencies)
        pair = Pair(instance, tours[0], tours[1], key=key)
        for cycle in range(pair.count):
            order, _, _, child = pair.child([cycle])
            changes = pair.crossing.changes
            touched = int(changes.state[TOUCHED])
            loss = entropy_loss(frequencies, entropy_terms(m), changes.before, child, changes.touched, touched)
            before, after = (entropy([tour.tolist() for tour in each]) for each in (tours, [order, *tours[1:]]))
            assert loss == pytest.approx(before - after, abs=1e-9)


def test_subtours_are_found_by_their_segments():
    draw, n = np.random.default_rng(9), 40
    instance = planar("EUC_2D", n, 1000, 2)
    for key in range(100):
        pair = Pair(instance, *parents(draw, n, near=False), key=key)
        for cycle in range(pair.count):
            _, _, intermediate, _ = pair.child([cycle])
            segments, mine = pair.crossing.segments, pair.e_set([cycle])[0]
            links = np.array(
                [sorted(set().union(*(e for e in intermediate if c in e)) - {c}) for c in range(n)], np.int32
            )
            found = find_subtours(links, segments, len(mine))
            parts = components(intermediate)
            assert sorted(segments.size[:found].tolist()) == sorted(map(len, parts))
