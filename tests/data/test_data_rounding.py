"""Units and precision of distances: when rounding matters, which unit places get, and how an instance is made finer."""

import math
from itertools import permutations

import numpy as np
import pytest

from data.collection.resolve import instance_list, load
from data.distance_kinds import adjust, find_refinement, refine, remeasure, scale
from data.distances import coordinate_matrix, tour_length
from data.errors import InvalidInstance
from data.generators import clustered, uniform
from data.rounding import choose_degrees_kind, measure_spacing, warn_if_coarse
from data.tsplib.instances import read, read_checked, write
from data.tsplib.normal_form import assemble
from tests.naive import naive_length
from tests.tables import each_row

#: Stops in the middle of Munich, from some 70 to 500 m apart.
MUNICH = np.array([(48.1371, 11.5754), (48.1352, 11.5820), (48.1400, 11.5770), (48.1391, 11.5657), (48.1339, 11.5674)])
CAPITALS = np.array([(52.52, 13.405), (48.857, 2.352), (40.417, -3.703), (41.902, 12.496), (59.329, 18.069)])


def great_circle(a, b, radius=6371.0088):
    """Great-circle distance from the angle between two vectors, a different formula."""
    (x, y, z), (u, v, w) = (
        (math.cos(p) * math.cos(t), math.cos(p) * math.sin(t), math.sin(p))
        for p, t in (map(math.radians, c) for c in (a, b))
    )
    cross = math.hypot(y * w - z * v, z * u - x * w, x * v - y * u)
    return radius * math.atan2(cross, x * u + y * v + z * w)


def shortest(matrix):
    """The length and order of the shortest of all tours."""
    rows = matrix.tolist()
    return min((naive_length(rows, [0, *rest]), [0, *rest]) for rest in permutations(range(1, len(rows))))


def inline(points, kind="EUC_2D"):
    return assemble("t", kind, "inline", coordinates=np.array(points, np.float64))


@each_row(("kind", "unit"), [("HAVERSINE_M", 1000.0), ("HAVERSINE_KM", 1.0)])
def test_ground_lengths_are_rounded_great_circles(kind, unit):
    places = np.concatenate((MUNICH, CAPITALS, [(90, 0), (-90, 0), (0, 180), (0, -180), (0, 0)]))
    exact = [[unit * great_circle(a, b) for b in places] for a in places]
    np.testing.assert_allclose(coordinate_matrix(kind, places), exact, rtol=0, atol=0.5 + 1e-6)


def test_order_of_stops_in_a_town_follows_the_ground():
    exact = [[great_circle(a, b) for b in MUNICH] for a in MUNICH]
    length, order = shortest(np.rint(1000 * np.array(exact)).astype(int))
    town = inline(MUNICH, choose_degrees_kind(MUNICH))
    assert (town.kind, town.unit, tour_length(town, np.array(order))) == ("HAVERSINE_M", "m", length)
    assert tour_length(inline(MUNICH, "HAVERSINE_KM"), np.array(order)) == 5  # of 3.3 km
    assert town.with_unit("1,234") == "1,234 m"
    assert inline(MUNICH).with_unit("1,234") == "1,234"


@each_row(
    ("places", "kind"),
    [
        (MUNICH, "HAVERSINE_M"),
        (CAPITALS, "HAVERSINE_KM"),
        (np.concatenate((MUNICH, MUNICH + 3)), "HAVERSINE_M"),  # two towns, 400 km apart
        (MUNICH[:1], "HAVERSINE_M"),
    ],
)
def test_places_are_in_metres_where_they_are_close(places, kind):
    assert choose_degrees_kind(places) == kind


GRID = [(x, y) for x in range(5) for y in range(4)]


@each_row(
    ("kind", "points", "coarse"),
    [
        ("EUC_2D", np.random.default_rng(1).random((30, 2)), True),
        ("EUC_2D", GRID, True),
        ("CEIL_2D", GRID, True),
        ("ATT", GRID, True),
        ("GEO", MUNICH, True),
        ("HAVERSINE_KM", MUNICH, True),
        ("HAVERSINE_M", MUNICH, False),
        ("EUC_2D", 10 * np.array(GRID), False),
        ("EUC_2D", [(x, 0) for x in range(9)], False),  # all distances are whole
        ("EUC_2D", [(0, 0), (0, 3), (4, 3), (4, 0)], False),
        ("EUC_2D", [(1, 1), (1, 1)], False),
    ],
)
def test_coarse_distances_are_reported(kind, points, coarse):
    note = warn_if_coarse(kind, np.array(points, np.float64))
    assert bool(note) == coarse
    assert "coarse" in note or not coarse
    assert (note in inline(points, kind).warnings) == coarse


@pytest.mark.slow
def test_bundled_and_generated_distances_are_not_coarse():
    spacings = []
    for card in instance_list():
        instance = load(card.name)
        assert (instance.warnings, find_refinement(instance)) == ((), ""), card.name
        if instance.coordinates is not None:
            spacings.append(measure_spacing(instance.kind, instance.coordinates))
    assert 7 < min(spacings) < 8  # eil101, as `data.rounding` says
    for n in (2, 50, 5000):
        assert uniform(n, 1).warnings == clustered(n, 1).warnings == ()


def test_unit_square_is_scaled_by_its_shortest_tour():
    points = np.random.default_rng(3).random((8, 2))
    square = inline(points)
    finer = refine(square)
    assert (find_refinement(square), finer.name, find_refinement(finer)) == ("scale", "t x 1000", "")
    np.testing.assert_array_equal(finer.coordinates, 1000 * points)
    exact = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    _, order = shortest(coordinate_matrix("EUC_2D", finer.coordinates))
    _, best = shortest(np.rint(1e6 * exact).astype(int))
    assert sum(exact[order, np.roll(order, -1)]) == pytest.approx(sum(exact[best, np.roll(best, -1)]))
    assert scale(square, 2.5).name == "t x 2.5"


def test_kilometres_become_metres():
    town = assemble("town", "HAVERSINE_KM", "inline", coordinates=MUNICH, names=("a", "b", "", "d", "e"))
    assert find_refinement(town) == "metres"
    finer = refine(town)
    assert (finer.kind, finer.name, finer.names, finer.warnings) == ("HAVERSINE_M", "town (m)", town.names, ())
    np.testing.assert_array_equal(finer.coordinates, MUNICH)


HEAD = b"NAME: p\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n"
FILE = HEAD + b"1 50.75 8.25\n2 50.10 8.70\n3 49.95 8.90\nEOF\n"


def test_decimal_degrees_in_a_file_of_geo_can_be_read_as_such():
    instance = read_checked(FILE)
    assert "degrees if they are decimal" in instance.warnings[0]
    assert find_refinement(instance) == "degrees"
    order = np.arange(3)
    places = [(50.75, 8.25), (50.1, 8.7), (49.95, 8.9)]
    exact = sum(great_circle(places[k], places[k - 1]) for k in range(3))
    for finer in (refine(instance), remeasure(instance, "degrees"), adjust(instance, "degrees", None)):
        assert (finer.kind, finer.warnings) == ("HAVERSINE_M", ())
        assert tour_length(finer, order) == pytest.approx(1000 * exact, abs=2)
    assert tour_length(instance, order) > 1.3 * exact  # 50 degrees and 75 minutes
    minutes = read(HEAD + b"1 50.55 8.25\n2 50.10 8.40\n3 49.25 8.10\nEOF\n", "folder")
    assert minutes.warnings == ()


def test_degrees_and_minutes_give_the_same_places_in_metres():
    instance = read(HEAD + b"1 50.30 8.15\n2 50.06 8.42\n3 49.57 8.54\nEOF\n", "folder")
    metres = scale(instance, 1000)
    assert metres.kind == "HAVERSINE_M"
    np.testing.assert_allclose(metres.coordinates, [(50.5, 8.25), (50.1, 8.7), (49.95, 8.9)])


def test_ground_instance_is_a_file_that_reads_alike():
    town = inline(MUNICH, "HAVERSINE_M")
    again = read_checked(write(town).encode())
    assert (again.sha256, again.kind) == (town.sha256, "HAVERSINE_M")
    np.testing.assert_array_equal(again.display, MUNICH[:, ::-1])
    with pytest.raises(InvalidInstance, match="latitudes within 90"):
        inline([(91, 0), (0, 0)], "HAVERSINE_KM")


@each_row(
    ("instance", "distances", "factor", "words"),
    [
        (load("bays29"), "EUC_2D", None, "distances alone"),
        (load("bays29"), None, 1000, "distances alone"),
        (load("berlin52"), "degrees", None, "latitudes within 90"),
        (load("berlin52"), "EUC_3D", None, "must be one of"),
        (load("berlin52"), None, 0, "above 0"),
        (load("berlin52"), None, float("nan"), "above 0"),
        (load("berlin52"), None, 1e9, "scale the coordinates down"),
        (load("burma14"), None, 10, "by 1000 alone"),
        (inline(MUNICH, "HAVERSINE_M"), None, 1000, "by 1000 alone"),
    ],
)
def test_impossible_distances_are_refused(instance, distances, factor, words):
    with pytest.raises(InvalidInstance, match=words):
        adjust(instance, distances, factor)


def test_no_options_change_nothing():
    instance = load("berlin52")
    assert adjust(instance, None, None) is instance
    same = remeasure(instance, "EUC_2D")
    assert (same.sha256, same.optimum) == (instance.sha256, 7542)
