"""Zones and moats: their total equals the subtour relaxation, they do not overlap, and some instances have none."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import clustered, directed, uniform
from data.instance import Instance
from data.paths import with_path
from data.tsplib.normal_form import assemble
from solvers.bounds.laminar import uncross
from solvers.bounds.moats import PLANE, Moats, find_moats
from solvers.core.errors import NoPicture
from tests.tables import each_row

pytestmark = pytest.mark.slow


def draw_instance(seed: int) -> Instance:
    """Few cities: far apart, on a grid with ties, or in two clusters; with each kind of planar distance."""
    draw = np.random.default_rng(seed)
    n, side = int(draw.integers(4, 10)), int(draw.choice([1_000_000, 1000, 30]))
    points = draw.integers(0, side, (n, 2)) + 3 * side * draw.integers(0, 2, (n, 1)) * draw.integers(0, 2)
    kind = str(draw.choice(list(PLANE)))
    return assemble("drawn", kind, "inline", coordinates=points.astype(np.float64))


def subtour_value(instance: Instance) -> float:
    """The value of the subtour relaxation, with a constraint for every set of cities."""
    n, matrix = instance.n, distance_matrix(instance)
    edges = list(itertools.combinations(range(n), 2))
    sets = [set(each) for size in range(2, n // 2 + 1) for each in itertools.combinations(range(n), size)]
    leaving = np.array([[(a in each) != (b in each) for a, b in edges] for each in sets], float)
    degrees = np.array([[city in edge for edge in edges] for city in range(n)], float)
    lengths = [matrix[edge] for edge in edges]
    solution = linprog(lengths, -leaving, np.full(len(sets), -2.0), degrees, np.full(n, 2.0), (0, 1))
    return solution.fun


def assert_no_overlap(instance: Instance, picture: Moats) -> None:
    """Assert that sets are laminar, values are not negative, and zones and moats fit between any two cities."""
    assert min(picture.radii.min(), picture.widths.min(initial=1)) >= 0
    for one, other in itertools.combinations(picture.inside, 2):
        shared = one & other
        assert not shared.any() or (shared == other).all(), "sets cross, or a larger one comes later"
    room = picture.radii[:, None] + picture.radii
    for width, inside in zip(picture.widths, picture.inside, strict=True):
        assert 1 < inside.sum() <= instance.n / 2
        room = room + width * (inside[:, None] != inside)
    np.fill_diagonal(room, 0)
    assert (room <= distance_matrix(instance) + 1e-5).all()
    straight = np.hypot(*(instance.coordinates[:, None] - instance.coordinates).transpose(2, 0, 1))
    rounding = 0.5 if instance.kind == "EUC_2D" else 1
    assert (PLANE[instance.kind] * (room - rounding) <= straight + 1e-4).all()


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 1000), marks=pytest.mark.long)])
def test_zones_and_moats_sum_to_the_subtour_relaxation(seeds):
    for instance in map(draw_instance, seeds):
        pictures = list(find_moats(instance))
        for picture in pictures:
            assert_no_overlap(instance, picture)
        last = pictures[-1]
        assert last.zones + last.moats == pytest.approx(subtour_value(instance), abs=1e-4)
        assert last.bound == int(np.ceil(last.zones + last.moats - 1e-5))


@each_row(("name", "value"), [("berlin52", 7542), ("kroA100", 20_936.5), ("pr76", 105_120), ("kroA200", 29_065)])
def test_known_values_are_reached_step_by_step(name, value):
    instance = load(name)
    pictures = list(find_moats(instance))
    assert pictures[-1].zones + pictures[-1].moats == pytest.approx(value)
    assert pictures[0].moats == 0
    assert not pictures[0].inside.size
    totals = [each.zones + each.moats for each in pictures]
    assert totals == sorted(set(totals))
    assert_no_overlap(instance, pictures[-1])


@pytest.mark.parametrize("make", [pytest.param(uniform, marks=pytest.mark.long), clustered])
def test_most_instances_have_a_picture(make):
    instance = make(200, 3)
    *_, last = find_moats(instance)
    assert_no_overlap(instance, last)
    assert last.widths.size > 50


def test_coincident_cities_have_no_zones():
    instance = assemble("one", "EUC_2D", "inline", coordinates=np.ones((5, 2)))
    (only,) = find_moats(instance)
    assert (only.bound, only.radii.tolist(), only.widths.size) == (0, [0] * 5, 0)


@each_row(
    ("instance", "why"),
    [
        (load("burma14"), "straight lines in the plane"),
        (load("gr17"), "straight lines in the plane"),
        (directed(8, 1), "straight lines in the plane"),
        (with_path(load("berlin52"), 1, 2), "round trips without fixed edges"),
        (uniform(2, 1), r"3 to 200 cities; uniform-2-1 has 2\."),
        (uniform(201, 1), r"3 to 200 cities; uniform-201-1 has 201\."),
    ],
)
def test_missing_picture_is_explained(instance, why):
    with pytest.raises(NoPicture, match=why):
        next(find_moats(instance))


@each_row("seed", range(20))
def test_uncrossed_sets_are_laminar_and_separate_no_additional_pair(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(4, 13))
    weights = {int(inside): int(draw.integers(1, 50)) for inside in draw.integers(1, 2**n - 1, 12)}
    laminar = uncross(n, weights)
    assert sum(laminar.values()) == sum(weights.values())
    for one, other in itertools.combinations(laminar, 2):
        assert one & other in (0, one, other)

    def apart(sets, a, b):
        return sum(weight for inside, weight in sets.items() if (inside >> a & 1) != (inside >> b & 1))

    for a, b in itertools.combinations(range(n), 2):
        assert apart(laminar, a, b) <= apart(weights, a, b)
