"""A tour as a list of places, and as GPX, GeoJSON, KML, CSV and a plot: complete files, safe with any name."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import degrees_minutes, tour_length
from data.errors import InvalidInstance
from data.places.largest import largest
from data.tsplib.normal_form import assemble
from exports.drawing.plotter import PAPERS, tour_plotter
from exports.itinerary.files import ROUTE_FILES, route_file
from exports.itinerary.stops import list_stops
from tests.tables import each_row

GPX, KML = "{http://www.topografix.com/GPX/1/1}", "{http://www.opengis.net/kml/2.2}"
#: Names that XML or a spreadsheet could take for something else.
NAMES = ("Suva & <b>", '=cmd|"/c calc"!A1', "Nuku'alofa", "")
#: Latitude and longitude of places on both sides of the date line.
PLACES = np.array([(-18.14, 178.44), (-13.83, -171.76), (-21.14, -175.2), (0.00001, 173.0)])
ORDER = np.array([2, 0, 3, 1], np.int32)


@pytest.fixture(scope="module")
def islands():
    return assemble("Islands & <c>", "GEO", "inline", coordinates=degrees_minutes(PLACES), names=NAMES)


def route_text(kind, instance, order):
    return route_file(kind, instance, order, tour_length(instance, order))


def read_rows(raw: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))


def test_stops_start_at_the_first_city_and_legs_follow_the_tour():
    instance = largest("world", 40)
    order = np.random.default_rng(1).permutation(40).astype(np.int32)
    found = list_stops(instance, order)
    assert found[0].name == "Shanghai"
    assert sum(stop.leg for stop in found) == tour_length(instance, order)
    assert all(b.before == a.before + a.leg for a, b in pairwise(found))
    at = order.tolist().index(0)
    assert [stop.number - 1 for stop in found] == [*order[at:], *order[:at]]


def test_gpx_route_has_every_place_and_returns_to_the_first(islands):
    route = ET.fromstring(route_text("gpx", islands, ORDER)).find(f"{GPX}rte")
    points = route.findall(f"{GPX}rtept")
    assert [point.findtext(f"{GPX}name") for point in points] == [NAMES[0], "4", NAMES[1], NAMES[2], NAMES[0]]
    assert all(re.fullmatch(r"-?\d+(\.\d+)?", point.get(axis)) for point in points for axis in ("lat", "lon"))
    read = [(float(point.get("lat")), float(point.get("lon"))) for point in points[:-1]]
    assert np.allclose(read, PLACES[[0, 3, 1, 2]], atol=2e-6)
    assert route.findtext(f"{GPX}name").startswith("Islands & <c>: ")


def test_geojson_is_cut_where_the_tour_crosses_the_date_line(islands):
    collection = json.loads(route_text("geojson", islands, ORDER))
    route, *points = collection["features"]
    assert route["geometry"]["type"] == "MultiLineString"
    parts = route["geometry"]["coordinates"]
    assert len(parts) == 3
    assert all(abs(b[0] - a[0]) <= 180 for part in parts for a, b in pairwise(part))
    for before, after in pairwise(parts):
        assert abs(before[-1][0]) == 180
        assert after[0] == [-before[-1][0], before[-1][1]]
    assert parts[0][0] == parts[-1][-1]
    assert all(abs(x) <= 180 and abs(y) <= 90 for part in parts for x, y in part)
    assert [point["geometry"]["type"] for point in points] == ["Point"] * 4
    assert sum(point["properties"]["km_to_next"] for point in points) == route["properties"]["km"]


def test_geojson_of_a_tour_that_stays_on_its_side_is_one_closed_line():
    instance = largest("de", 6)
    route = json.loads(route_text("geojson", instance, np.arange(6, dtype=np.int32)))["features"][0]
    assert route["geometry"]["type"] == "LineString"
    assert len(route["geometry"]["coordinates"]) == 7


def test_kml_has_the_line_and_a_placemark_per_place(islands):
    marks = ET.fromstring(route_text("kml", islands, ORDER)).find(f"{KML}Document").findall(f"{KML}Placemark")
    assert [mark.findtext(f"{KML}name") for mark in marks[1:]] == [NAMES[0], "4", NAMES[1], NAMES[2]]
    lines = [line.text.split() for line in marks[0].iter(f"{KML}coordinates")]
    assert [len(line) for line in lines] == [3, 4, 2]
    assert marks[1].find(f"{KML}Point").findtext(f"{KML}coordinates") == "178.44,-18.14"


def test_table_sums_the_route_and_no_name_is_a_formula(islands):
    rows = read_rows(route_text("csv", islands, ORDER))
    assert [row["name"] for row in rows] == [NAMES[0], "", f"'{NAMES[1]}", NAMES[2], NAMES[0]]
    assert [int(row["km_to_next"]) for row in rows[:-1]] == np.diff([int(row["km_total"]) for row in rows]).tolist()
    assert rows[-1]["km_to_next"] == ""
    assert int(rows[-1]["km_total"]) == tour_length(islands, ORDER)
    assert (float(rows[0]["latitude"]), float(rows[0]["longitude"])) == (-18.14, 178.44)


def test_stops_in_a_town_are_in_metres():
    places = np.array([(48.1371, 11.5754), (48.1352, 11.582), (48.14, 11.577)])
    town, order = assemble("Munich", "HAVERSINE_M", "inline", coordinates=places), np.arange(3, dtype=np.int32)
    assert [row["m_total"] for row in read_rows(route_text("csv", town, order))] == ["0", "533", "1183", "1527"]
    route, *points = json.loads(route_text("geojson", town, order))["features"]
    assert route["properties"] == {"name": "Munich", "m": 1527}
    assert [point["properties"]["m_to_next"] for point in points] == [533, 650, 344]
    assert route["geometry"]["coordinates"][0] == [11.5754, 48.1371]
    assert b"Stop 2, after 533 m; 650 m to the next." in route_text("kml", town, order)
    assert b"<name>Munich: 1527 m</name>" in route_text("gpx", town, order)


@each_row(("name", "place"), [("berlin52", ["565.0", "575.0"]), ("br17", ["", ""])])
def test_table_of_other_cities_has_their_coordinates(name, place):
    instance = load(name)
    rows = read_rows(route_text("csv", instance, np.arange(instance.n, dtype=np.int32)))
    assert [rows[0]["x"], rows[0]["y"]] == place
    assert len(rows) == instance.n + 1


@each_row("kind", [kind for kind in ROUTE_FILES if kind != "csv"])
def test_cities_without_latitude_and_longitude_are_refused_with_a_message(kind):
    instance = load("berlin52")
    with pytest.raises(InvalidInstance, match="needs latitudes and longitudes, which berlin52 does not have"):
        route_file(kind, instance, np.arange(52, dtype=np.int32), 1)


@each_row("paper", PAPERS)
def test_a_plotter_gets_one_closed_path_in_millimetres_on_its_sheet(paper):
    instance = load("pr76")
    order = np.random.default_rng(2).permutation(76).astype(np.int32)
    root = ET.fromstring(tour_plotter(instance, order, paper))
    assert [each.tag.partition("}")[2] for each in root] == ["path"]
    assert root[0].get("fill") == "none"
    short, long = PAPERS[paper]
    across = np.ptp(instance.display[:, 0]) > np.ptp(instance.display[:, 1])
    width, height = (long, short) if across else (short, long)
    assert (root.get("width"), root.get("height")) == (f"{width}mm", f"{height}mm")
    assert root.get("viewBox") == f"0 0 {width} {height}"
    path = root[0].get("d")
    assert path.startswith("M ")
    assert path.endswith(" Z")
    points = np.array([pair.split(",") for pair in path[2:-2].split()], float)
    assert (points >= 9.99).all()
    assert (points <= (width - 9.99, height - 9.99)).all()
    cities = instance.display[order]
    scale = np.ptp(points, axis=0) / np.ptp(cities, axis=0)
    assert scale[0] == pytest.approx(scale[1], rel=1e-2)
    upright = replace(instance, display=instance.display[:, ::-1].copy())
    assert b'width="%dmm"' % (short if across else long) in tour_plotter(upright, order, paper)
