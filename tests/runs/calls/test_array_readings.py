"""Arrays in the Python interface: coordinates, degrees or distances."""

import math

import numpy as np
import pytest

from data.distances import distance_matrix
from data.errors import InvalidInstance
from data.limits import MAX_CITIES, MAX_OWN_CITIES
from runs.calls.instances import parse_array
from tests.tables import each_row

LEVEL = [[0, 7, 4], [7, 0, 5], [4, 5, 0]]


def read(rows, reading=None):
    return parse_array(np.array(rows, np.float64), reading)


@each_row(
    "rows",
    [
        *([[0, 300], [400, 0]], [[9999, 5], [5, 9999]]),  # of two cities, with and without distances to itself
        [[0, 0, 0], [1, 0, 4], [2, 3, 0]],  # of three, or a right triangle with ids from 0
        [[1, 200, 300], [2, 500, 600], [3, 70, 80]],
        [[1, 2, 3], [2, 5, 6], [3, 6, 9]],
    ],
)
def test_ambiguous_array_requires_the_argument(rows):
    with pytest.raises(InvalidInstance, match=r'is ambiguous: distances="EXPLICIT" reads') as asked:
        read(rows)
    assert asked.value.code == "AMBIGUOUS"
    assert read(rows, "EXPLICIT").weights[0, 1] == rows[0][1]


def test_argument_reads_two_rows_as_coordinates():
    assert distance_matrix(read([[0, 300], [400, 0]], "EUC_2D")).tolist() == [[0, 500], [500, 0]]
    with pytest.raises(InvalidInstance, match="coordinates are n x 2"):
        read([[0, 0, 0], [1, 0, 4], [2, 3, 0]], "EUC_2D")


@each_row(
    ("rows", "kind"),
    [
        ([[0, 0], [300, 400]], "EUC_2D"),  # the distance of a city to itself would differ from another's
        (LEVEL, "EXPLICIT"),
        ([[0, 1, 2], [1, 0, 3], [2, 3, 0]], "EXPLICIT"),  # counts rows, but is symmetric
        ([[0, 1, 9], [9, 0, 1], [1, 9, 0]], "EXPLICIT"),
        ([[99, 3, 4], [5, 99, 6], [7, 8, 99]], "EXPLICIT"),
        (np.arange(16).reshape(4, 4), "EXPLICIT"),  # rows of id, x, y have three columns
        ([[0, 0], [300, 400], [0, 400]], "EUC_2D"),
        ([[5]], "EXPLICIT"),
    ],
)
def test_unambiguous_array_needs_no_argument(rows, kind):
    assert read(rows).kind == kind


def test_unused_diagonal_is_reported():
    assert read([[99, 3, 4], [5, 99, 6], [7, 8, 99]]).warnings == (
        "The diagonal of the weights is not zero; it is not used.",
    )
    assert not read(LEVEL).warnings


def haversine(one, other, radius):
    (a, b), (c, d) = (map(math.radians, place) for place in (one, other))
    root = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * radius * math.asin(math.sqrt(root))


def table(places, length):
    return [[length(one, other) if one != other else 0 for other in places] for one in places]


def test_degrees_are_decimal_and_geo_has_minutes():
    decimal = [(48.75, 9.5), (48.2, 16.95), (-33.9, 151.2), (0.5, -0.25)]
    metres = table(decimal, lambda one, other: math.floor(haversine(one, other, 6_371_008.8) + 0.5))
    assert distance_matrix(read(decimal, "HAVERSINE_M")).tolist() == metres
    assert read(decimal, "degrees").kind in ("HAVERSINE_KM", "HAVERSINE_M")
    kilometres = table(decimal, lambda one, other: math.floor(haversine(one, other, 6378.388) + 1))
    minutes = [(48.45, 9.30), (48.12, 16.57), (-33.54, 151.12), (0.30, -0.15)]
    assert distance_matrix(read(minutes, "GEO")).tolist() == kilometres
    with pytest.raises(InvalidInstance, match="latitude first"):
        read([(151.2, -33.9), (9.5, 48.7)], "degrees")


def test_an_array_may_have_more_cities_than_an_upload():
    points = np.random.default_rng(1).integers(0, 1000, (MAX_CITIES + 1, 2)).astype(np.float64)
    assert parse_array(points, None).n == MAX_CITIES + 1 < MAX_OWN_CITIES
