"""The order along the curve against exact fractions, and the curve's continuity."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from data.tsplib.normal_form import assemble
from solvers.algorithms.construction.kernels import curve_cpu
from solvers.algorithms.construction.kernels.curve_cpu import HALVINGS
from tests.plain_kernels import interpret
from tests.solver_runs import KINDS, collect_events, make_spec
from tests.tables import each_row

curve_keys = interpret(curve_cpu.curve_keys)


def curve_key(x: Fraction, y: Fraction) -> int:
    """The position of a point on the curve, by halving triangles in exact fractions."""
    back = x > y
    a, b, c = ((1, 1), (0, 0), (1, 0)) if back else ((0, 0), (1, 1), (0, 1))
    key = int(back)
    for _ in range(HALVINGS):
        middle = tuple((Fraction(p) + q) / 2 for p, q in zip(a, b, strict=True))
        second = (x - middle[0]) * (b[0] - a[0]) + (y - middle[1]) * (b[1] - a[1]) > 0
        key = 2 * key + second
        a, b, c = (c, b, middle) if second else (a, c, middle)
    return key


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 64), st.integers(0, 64)), min_size=2, max_size=20))
def test_positions_match_exact_fractions(cities):
    points = np.array([(0, 0), (64, 64), *cities], np.float64)
    keys = np.empty(len(points), np.int64)
    curve_keys(points, np.zeros(2), 64.0, 0, len(points), keys)
    assert keys.tolist() == [curve_key(Fraction(int(x), 64), Fraction(int(y), 64)) for x, y in points]


def test_the_curve_is_one_closed_line():
    """Consecutive cells of a fine grid are adjacent, including the last and the first."""
    side = 32
    grid = np.array([(x + 0.5, y + 0.25) for x in range(side) for y in range(side)]) / side
    keys = np.empty(len(grid), np.int64)
    curve_keys(grid, np.zeros(2), 1.0, 0, len(grid), keys)
    order = np.argsort(keys)
    steps = grid[np.roll(order, -1)] - grid[order]
    assert np.abs(steps).max() <= 2.01 / side
    assert len(set(keys.tolist())) == side * side


@each_row("kind", KINDS)
def test_every_kind_of_instance_is_ordered_by_its_map(kind):
    instance = KINDS[kind]()
    order = collect_events(instance, make_spec("space-filling-curve"))[-1].order
    low, side = instance.display.min(axis=0), float(np.ptp(instance.display, axis=0).max()) or 1.0
    keys = np.empty(instance.n, np.int64)
    curve_keys(np.ascontiguousarray(instance.display), low, side, 0, instance.n, keys)
    assert order.tolist() == sorted(range(instance.n), key=lambda city: (keys[city], city))


def test_coincident_cities_are_ordered_by_number():
    instance = assemble("t", "EUC_2D", "inline", coordinates=np.full((5, 2), 3.0))
    assert collect_events(instance, make_spec("space-filling-curve"))[-1].order.tolist() == [0, 1, 2, 3, 4]
