"""References that contain their cities, as in links."""

import json
import urllib.parse

import numpy as np
import pytest

from data.collection.drawing import MAX_CITIES, MAX_CITY_NAME
from data.collection.resolve import resolve
from data.distances import tour_length
from data.errors import InvalidInstance
from solvers.spec import RunSpec, Stage
from tests.tables import each_row

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: What `tests/assets/draw.test.js` writes of the same cities.
TEXT, CITIES = "AAw-Bofp-B1f", [[0, 0], [1000, 500], [3, -7]]


def drawing_text(cities) -> str:
    """The text of cities, packed bit by bit."""
    text, before = "", (0, 0)
    for city in cities:
        for value, last in zip(city, before, strict=True):
            difference = value - last
            bits = bin(2 * difference if difference >= 0 else -2 * difference - 1)[:1:-1]
            groups = [bits[k : k + 5] for k in range(0, len(bits), 5)]
            for k, group in enumerate(groups):
                text += ALPHABET[int(group[::-1], 2) + 32 * (k < len(groups) - 1)]
        before = city
    return text


def draw_reference(cities, **more) -> dict:
    return {"drawn": 1, "cities": drawing_text(cities), **more}


def test_drawn_cities_match_the_page():
    assert drawing_text(CITIES) == TEXT
    instance = resolve({"drawn": 1, "cities": TEXT}, None)
    assert instance.coordinates.tolist() == CITIES
    assert (instance.kind, instance.n, instance.source, instance.names) == ("EUC_2D", 3, "inline", ())


def test_any_valid_coordinates_are_restored():
    cities = np.random.default_rng(5).integers(-500_000_000, 500_000_001, (MAX_CITIES, 2)).tolist()
    assert resolve(draw_reference(cities), None).coordinates.tolist() == cities


def test_cities_on_the_globe_are_measured_in_kilometres():
    berlin, paris = (134_050, 525_200), (23_522, 488_566)
    instance = resolve(draw_reference([berlin, paris], kind="GEO", names=["Berlin", "Paris"]), None)
    assert instance.names == ("Berlin", "Paris")
    assert instance.display.tolist() == pytest.approx(np.array([[13.405, 52.52], [2.3522, 48.8566]]))
    assert tour_length(instance, np.array([0, 1], np.int32)) == pytest.approx(2 * 878, abs=4)


def test_cities_at_the_same_place_are_allowed():
    assert resolve(draw_reference([[5, 5]] * 4), None).n == 4


def test_names_are_not_part_of_the_hash():
    assert (
        resolve(draw_reference(CITIES, names=["a", "b", ""]), None).sha256
        == resolve(draw_reference(CITIES), None).sha256
    )


def test_link_restores_the_cities():
    rng = np.random.default_rng(6)
    reference = draw_reference(
        rng.integers(0, 1000, (MAX_CITIES, 2)).tolist(), names=["Zürich & Üetliberg"] * MAX_CITIES
    )
    spec = RunSpec(reference, (Stage("two-opt"),))
    assert RunSpec.from_query(spec.to_query()) == spec
    plain = RunSpec(draw_reference(rng.integers(0, 1000, (MAX_CITIES, 2)).tolist()), (Stage("two-opt"),))
    assert len(plain.to_query()) < 1_500
    assert json.loads(urllib.parse.parse_qs(plain.to_query())["instance"][0]) == plain.instance


@each_row(
    "reference",
    [
        draw_reference([]),
        draw_reference([[0, 0]] * (MAX_CITIES + 1)),
        {"drawn": 1, "cities": "A" * 10**6},
        {"drawn": 1, "cities": "AAA"},  # half a city
        {"drawn": 1, "cities": "AAg"},  # a number without an end
        {"drawn": 1, "cities": "A A"},
        {"drawn": 1, "cities": "NaN?"},
        {"drawn": 1, "cities": "gggggggA" + "A"},  # longer than any coordinate
        {"drawn": 1, "cities": [[0, 0]]},
        {"drawn": 1, "cities": float("nan")},
        {"drawn": 1, "cities": 10**9},
        {"drawn": 1},
        {"drawn": 2, "cities": TEXT},
        {"drawn": True, "cities": TEXT},
        {"drawn": "1", "cities": TEXT},
        {"drawn": None, "cities": TEXT},
        draw_reference(CITIES, n=10**9),
        draw_reference(CITIES, kind="EXPLICIT"),
        draw_reference(CITIES, kind=[]),
        draw_reference(CITIES, names="abc"),
        draw_reference(CITIES, names=["a", "b"]),
        draw_reference(CITIES, names=["a", "b", 3]),
        draw_reference(CITIES, names=["a", "b", "c" * (MAX_CITY_NAME + 1)]),
        draw_reference(CITIES, names=["a", "b", "c\n\u202e"]),
    ],
)
def test_damaged_reference_is_refused_with_a_message(reference):
    with pytest.raises(InvalidInstance) as caught:
        resolve(reference, None)
    assert caught.value.code == "REFERENCE"
    assert len(caught.value.sentence) <= 200


@each_row(("cities", "kind"), [([[600_000_000, 0]], "EUC_2D"), ([[0, 910_000]], "GEO")])
def test_invalid_position_is_refused(cities, kind):
    with pytest.raises(InvalidInstance) as caught:
        resolve(draw_reference(cities, kind=kind), None)
    assert caught.value.code == "RANGE"
