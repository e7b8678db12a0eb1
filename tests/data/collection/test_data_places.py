"""Real places: their list, the instances of the largest ones, and the names of regions."""

import numpy as np

from data.__main__ import main
from data.collection.instance_reference import parse_generated
from data.collection.resolve import resolve
from data.distances import decimal_degrees, distance_matrix
from data.places.gazetteer import cities, countries
from data.places.largest import largest, places, unwrap
from data.places.regions import CONTINENTS, region_cities, region_key, regions
from tests.data.collection.test_data_collection import error_code
from tests.tables import each_row

WORLD_1000 = "fe6e79790d0bd0e1a3c2f3b2344f7e4db3cc1f6182212790d26fb3025d2c17f1"


def test_cities_are_sorted_by_population_and_have_country_and_position():
    people = [city.population for city in cities()]
    assert people == sorted(people, reverse=True)
    assert people[-1] >= 15_000
    assert {city.country for city in cities()} == set(countries())
    assert all(abs(city.latitude) <= 90 and abs(city.longitude) <= 180 for city in cities())


def test_continents_partition_all_cities():
    assert sum(len(region_cities(key)) for key in CONTINENTS) == len(cities())
    assert {city.country for city in region_cities("de")} == {"DE"}


def test_instance_has_listed_places_and_kilometres():
    chosen, instance = places("europe", 50), largest("europe", 50)
    degrees = np.array([(city.latitude, city.longitude) for city in chosen])
    assert np.abs(decimal_degrees(instance.kind, instance.coordinates) - degrees).max() < 2e-6
    assert (instance.name, instance.kind, instance.source, instance.n) == ("europe-50", "GEO", "places", 50)
    # Against the great circle by the haversine formula on TSPLIB's sphere.
    lat, lon = np.radians(degrees).T
    half = (
        np.sin((lat[:, None] - lat) / 2) ** 2
        + np.cos(lat[:, None]) * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2
    )
    exact = 2 * 6378.388 * np.arcsin(np.sqrt(half))
    off_diagonal = ~np.eye(50, dtype=bool)
    excess = (distance_matrix(instance) - exact)[off_diagonal]
    assert excess.min() > -0.01
    assert excess.max() < 1.01


def test_reference_always_gives_the_same_cities():
    # What a link of today means is fixed by this hash: the list is never made anew in place.
    assert resolve({"places": "jp", "n": 12}, None).sha256 == largest("jp", 12).sha256
    assert [city.name for city in places("jp", 2)] == ["Tokyo", "Yokohama"]
    assert largest("world", 1000).sha256 == WORLD_1000


@each_row(
    ("text", "reference"),
    [
        ("places:world:1000", {"places": "world", "n": 1000}),
        ("places:de:50", {"places": "de", "n": 50}),
        ("places:Germany:50", {"places": "de", "n": 50}),
        ("places:South Africa:9", {"places": "za", "n": 9}),
        ("places:north-america:9", {"places": "north-america", "n": 9}),
        ("places:atlantis:9", {"places": "atlantis", "n": 9}),
    ],
)
def test_region_is_named_by_its_key_or_country_name(text, reference):
    assert parse_generated(text) == reference


@each_row("text", ["places", "places:de", "places:de:", "places::5", "places:de:x", "place:de:5"])
def test_misspelled_region_is_refused(text):
    assert parse_generated(text) is None


def test_every_region_is_found_by_its_own_name():
    assert all(region_key(region.name) == key for key, region in regions().items() if key != "world")


@each_row(("region", "n", "code"), [("world", 0, "RANGE"), ("world", 10**6, "LIMIT"), ("atlantis", 5, "UNKNOWN")])
def test_missing_places_are_refused(region, n, code):
    assert error_code(resolve, {"places": region, "n": n}, None) == code


def test_region_across_the_date_line_is_drawn_in_one_piece():
    moved = unwrap(np.array([[178.0, -18.0], [-172.0, -13.0], [151.0, -33.0]]))
    assert moved[:, 0].tolist() == [178.0, 188.0, 151.0]
    around = np.array([[-120.0, 0.0], [0.0, 0.0], [120.0, 0.0]])
    assert unwrap(around) is around
    assert np.ptp(largest("oceania", len(region_cities("oceania"))).display[:, 0]) < 180


def test_the_command_line_shows_real_places(capsys):
    assert main(["show", "places:japan:100"]) == 0
    assert "100 largest cities of Japan" in capsys.readouterr().out
    assert main(["show", "places:wurld:5"]) == 2
    assert "did you mean world?" in capsys.readouterr().err
