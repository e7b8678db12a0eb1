"""Places from GPX, KML, GeoJSON and Google Takeout keep their names and positions; other files are refused."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import recognition
from data.collection.resolve import load
from data.errors import InvalidInstance
from data.limits import MAX_CITIES
from data.map_files import json_places, xml_places
from data.map_files.places import Places
from exports.itinerary.route_files import tour_geojson, tour_gpx, tour_kml
from tests.data.mutants import assert_read_or_refused, damage
from tests.tables import each_row

#: Four towns on the Danube: latitude, longitude, name.
TOWNS = [(48.4, 10.0, "Ulm"), (49.02, 12.1, "Regensburg"), (48.57, 13.45, "Passau"), (48.3, 14.29, "Linz")]
WAYPOINTS = "".join(f'<wpt lat="{a}" lon="{b}"><ele>400</ele><name>{c}</name></wpt>' for a, b, c in TOWNS)
ROUTE = "".join(f'<rtept lon="{b}" lat="{a}"><name>{c}</name></rtept>' for a, b, c in [*TOWNS, TOWNS[0]])
MARKS = "".join(
    f"<Placemark><name>{c}</name><Point><coordinates> {b},{a},0 </coordinates></Point></Placemark>" for a, b, c in TOWNS
)
SHAPE = "<Placemark><name>way</name><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>"


def point(town):
    return {"type": "Point", "coordinates": [town[1], town[0]]}


def feature(town, **properties):
    return {"type": "Feature", "geometry": point(town), "properties": properties}


def collection(features):
    return {"type": "FeatureCollection", "features": features}


def google_place(town, **more):
    return {"latitudeE7": round(town[0] * 1e7), "longitudeE7": round(town[1] * 1e7), **more}


def timeline(town, spelled):
    return {"visit": {"topCandidate": {"placeLocation": spelled.format(*town)}}}


FILES = {
    "gpx": f'<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1">{WAYPOINTS}</gpx>',
    "gpx with a prefix that it does not declare": f"<gpx>{WAYPOINTS.replace('<ele>400</ele>', '<x:y>z</x:y>')}</gpx>",
    "gpx route": f"<gpx><rte><name>round</name>{ROUTE}</rte></gpx>",
    "gpx places before routes": f"<gpx>{WAYPOINTS}<rte><rtept lat='1' lon='2'/></rte></gpx>",
    "kml": f"<kml xmlns='http://www.opengis.net/kml/2.2'><Document><Folder>{MARKS}</Folder></Document></kml>",
    "kml with a line": f"<!-- a map --><kml>{SHAPE}{MARKS}</kml>",
    "kml with some altitudes": f"<kml>{MARKS.replace(',0 <', ' <', 2)}</kml>",
    "geojson with a feature without a place": json.dumps(
        collection([{"type": "Feature", "geometry": None, "properties": {"name": "nowhere"}}]
                   + [feature(town, name=town[2]) for town in TOWNS])
    ),
    "geojson": json.dumps(collection([feature(town, name=town[2]) for town in TOWNS])),
    "geojson with a line": json.dumps(
        collection([{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}}]
                   + [feature(town, title=town[2], id=7) for town in TOWNS])
    ),
    "saved places": json.dumps(
        collection([feature(town, google_maps_url="x", location={"name": town[2]}) for town in TOWNS]
                   + [feature((0, 0), google_maps_url="y", location={"name": "nowhere"})])
    ),
    "records": json.dumps({"locations": [google_place(town, name=town[2], accuracy=9) for town in [*TOWNS, TOWNS[1]]]}),
    "semantic history": json.dumps(
        {"timelineObjects": [{"placeVisit": {"location": google_place(town, name=town[2])}} for town in TOWNS]
                            + [{"activitySegment": {}}]}
    ),
    "overpass": json.dumps(
        {"elements": [{"type": "node", "lat": a, "lon": b, "tags": {"name": c}} for a, b, c in TOWNS[:3]]
                     + [{"type": "node", "lat": 1, "lon": 2}, {"type": "way", "nodes": [1], "tags": {"a": "b"}}]
                     + [{"type": "way", "center": {"lat": 48.3, "lon": 14.29}, "tags": {"name": "Linz"}}]}
    ),
    "osm": "<osm>" + "".join(
        f'<node id="1" lat="{a}" lon="{b}"><tag k="place" v="city"/><tag k="name" v="{c}"/></node>' for a, b, c in TOWNS
    ) + '<node id="2" lat="1" lon="2"/><way id="3"><nd ref="2"/><tag k="name" v="way"/></way></osm>',
}  # fmt: skip
WARNINGS = {
    "osm": "Of the file only its places were read, no routes, tracks, lines or areas.",
    "gpx route": "The route returns to its first place, which was read once.",
    "gpx places before routes": "Of the file only its places were read, no routes, tracks, lines or areas.",
    "kml with a line": "Of the file only its places were read, no routes, tracks, lines or areas.",
    "geojson with a line": "Of the file only its points were read, no lines or areas.",
    "saved places": "Saved places without a position were left out: 1.",
    "records": "Places that the file has more than once were read once: 1.",
}


def check(instance, names=True):
    assert (instance.n, instance.source) == (4, "uploaded")
    np.testing.assert_allclose(instance.display, [[b, a] for a, b, _ in TOWNS], rtol=0, atol=1e-9)
    assert instance.names == (tuple(town[2] for town in TOWNS) if names else ())


@each_row("kind", FILES)
@each_row("packed", [False, True])
def test_places_keep_names_and_positions(kind, packed):
    raw = FILES[kind].encode()
    instance = recognition.read(gzip.compress(raw) if packed else raw, "some.file")
    check(instance)
    assert (instance.name, WARNINGS.get(kind)) == ("some", next(iter(instance.warnings), None))


@each_row(
    ("spelled", "frame"),
    [
        ("geo:{0},{1}", lambda visits: visits),
        ("{0}°, {1}°", lambda visits: {"semanticSegments": [*visits, {"timelinePath": []}]}),
    ],
)
def test_phone_timeline_has_places_without_names(spelled, frame):
    raw = json.dumps(frame([timeline(town, spelled) for town in TOWNS])).encode()
    check(recognition.read(raw, "Timeline.json"), names=False)


@each_row("encoding", ["iso-8859-1", "windows-1252", "utf-16"])
def test_xml_is_in_its_declared_encoding(encoding):
    raw = f'<?xml version="1.0" encoding="{encoding}"?><gpx><wpt lat="47.1" lon="8.5"><name>Zürich</name></wpt></gpx>'
    assert recognition.read(raw.encode(encoding), "a.gpx").names == ("Zürich",)


@each_row("file", [f"<gpx>{WAYPOINTS}</gpx>", f"<kml>{MARKS}</kml>"])
def test_unnamed_place_does_not_inherit_a_name(file):
    places = xml_places.read(file.replace("<name>Passau</name>", "").encode())
    assert places.names == ["Ulm", "Regensburg", "", "Linz"]


@each_row("export", [tour_gpx, tour_geojson, tour_kml])
def test_written_file_is_readable(export):
    burma = load("burma14")
    again = recognition.read(export(burma, np.arange(14, dtype=np.int32), 1), "burma14.file")
    np.testing.assert_allclose(again.display, burma.display, rtol=0, atol=1e-6)
    assert again.names == tuple(map(str, range(1, 15)))


def test_openstreetmap_without_tags_has_all_nodes():
    nodes = [{"type": "node", "lat": a, "lon": b} for a, b, _ in TOWNS]
    check(recognition.read(json.dumps({"elements": nodes}).encode(), "some.json"), names=False)
    text = "".join(f"<node lat='{a}' lon='{b}'/>" for a, b, _ in TOWNS)
    check(recognition.read(f"<osm>{text}</osm>".encode(), "some.osm"), names=False)


def test_nested_geometries_are_places_of_their_feature():
    nested = {"type": "GeometryCollection", "geometries": [{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4, 5]]}]}
    places = json_places.read(json.dumps({"type": "Feature", "geometry": nested, "properties": {"name": "A"}}).encode())
    assert (places.degrees, places.names) == ([(2, 1), (4, 3)], ["A", "A"])


@given(st.data())
def test_mutants_are_read_or_refused_in_one_sentence(data):
    pieces = [b"<", b"/>", b"{", b"]", b"null", b"-1e9", b"&#1;", b'"', b"rte"]
    assert_read_or_refused(damage(data, [text.encode() for text in FILES.values()], 9, pieces), "some.json")


def test_excess_places_are_refused():
    places = Places([(0.0, 0.0)] * MAX_CITIES, [""] * MAX_CITIES)
    with pytest.raises(InvalidInstance, match="200,000 places"):
        places.add(1, 2)


def test_long_name_is_truncated_without_buffering():
    raw = b"<gpx><wpt lat='1' lon='2'><name>" + b"n" * 3_000_000 + b"</name></wpt></gpx>"
    assert len(xml_places.read(raw).names[0]) < 1000


def test_nesting_is_limited_to_the_readers_depth():
    deep = {"type": "Point", "coordinates": [2, 1]}
    for _ in range(45):
        deep = {"type": "GeometryCollection", "geometries": [deep]}
    assert json_places.read(json.dumps(deep).encode()).degrees == [(1, 2)]
    for _ in range(45):
        deep = {"type": "GeometryCollection", "geometries": [deep]}
    with pytest.raises(InvalidInstance, match="too deep"):
        json_places.read(json.dumps(deep).encode())
