"""The partition of sets among several GPUs: each set occurs once, with its complement, and most extensions are
local."""

from itertools import combinations
from math import comb

from solvers.algorithms.held_karp.division import Division, compute_max_share
from solvers.algorithms.held_karp.plan import Plan
from tests.tables import each_row

PARTS = (1, 2, 3, 4, 5, 8)


def list_sets(outer: int, size: int) -> list[int]:
    """The sets of `size` of `outer` cities, as bits, in numerical order."""
    return sorted(sum(1 << city for city in cities) for cities in combinations(range(outer), size))


def owners(division: Division, layer: int) -> dict[int, int]:
    """The GPU of each set of a layer."""
    sets = list_sets(division.plan.outer_count, layer)
    return {mask: each.part for each in division.stored_ranges(layer) for mask in sets[each.first : each.last]}


@each_row("parts", PARTS)
@each_row("n", [4, 5, 6, 7, 12, 15, 19])
def test_each_set_is_stored_and_computed_once(n, parts):
    division = Division(Plan(n, 2), parts)
    plan = division.plan
    for layer in range(plan.layers):
        stored, computed = division.stored_ranges(layer), division.computed_ranges(layer)
        for ranges, sets in ((stored, plan.sets(layer)), (computed, plan.count_outer_sets(layer))):
            assert [rank for each in ranges for rank in range(each.first, each.last)] == list(range(sets))
        assert sum(division.sets(layer, part) for part in range(parts)) == plan.sets(layer)
        for part in range(parts):
            own = [each for each in stored if each.part == part]
            assert [each.before for each in own] == [
                sum(other.last - other.first for other in own[:k]) for k in range(len(own))
            ]
        for count in (1, 3, 7):
            cut = [piece for part in range(parts) for piece in division.pieces(layer, part, count)]
            done = sorted(rank for piece in cut for first, last in piece for rank in range(first, last))
            assert done == list(range(plan.count_outer_sets(layer)))


@each_row("parts", PARTS)
@each_row("n", [12, 15, 19])
def test_last_layer_joins_at_its_owner(n, parts):
    division = Division(Plan(n, 2), parts)
    plan = division.plan
    last = plan.layers - 1
    own, every = owners(division, last), (1 << plan.outer_count) - 1
    assert all(own[mask] == own[every ^ mask] for mask in own)
    with_first = [mask for mask in list_sets(plan.outer_count, last) if mask & 1]
    for each in division.computed_ranges(last):
        assert all(own[mask] == each.part for mask in with_first[each.first : each.last])


def test_two_gpus_exchange_two_rows_per_outer_city():
    division = Division(Plan(21, 2), 2)
    outer = division.plan.outer_count
    for layer in range(outer // 2):
        own, after = owners(division, layer), owners(division, layer + 1)
        sent = sum(after[mask | 1 << c] != at for mask, at in own.items() for c in range(outer) if not mask >> c & 1)
        assert sent * outer == 2 * comb(outer, layer) * (outer - layer)


@each_row(("parts", "share"), [(1, 1.0), (2, 0.53), (3, 0.36), (4, 0.27), (8, 0.14)])
def test_shares_are_nearly_equal(parts, share):
    assert 1 / parts <= compute_max_share(parts) <= share
