"""Reads places from GeoJSON (RFC 7946), OpenStreetMap's Overpass API and Google Takeout.

Google Takeout has saved places, location records and timelines.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from data import plain_json
from data.errors import InvalidInstance
from data.limits import MAX_BYTES, MAX_CITIES
from data.map_files.places import Places
from data.tsplib.text import decode

#: Maximum number of JSON values: about 20 for each place.
_VALUES = 20 * MAX_CITIES
#: Degrees per unit of Google's integers.
_E7 = 1e-7
#: Properties with the name of a place, in the order in which they are tried.
_NAMES = ("name", "Name", "NAME", "title", "Title", "label", "address")
_LAT_LNG = re.compile(r"(?:geo:)?\s*(-?[0-9.]{1,20})\N{DEGREE SIGN}?\s*,\s*(-?[0-9.]{1,20})\N{DEGREE SIGN}?")
_READ = "GeoJSON with points is read, OpenStreetMap's elements, and places, records or a timeline of Google Takeout."
_GEOMETRIES = ("Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection")


def read(raw: bytes) -> Places:
    """Read the points of GeoJSON, the places of OpenStreetMap, or the places of a Google export.

    Parameters
    ----------
    raw : bytes
        The file, plain or a single gzip stream.

    Raises
    ------
    InvalidInstance
        ``SYNTAX``, ``UNSUPPORTED``, ``NUMBER``, ``RANGE`` or ``LIMIT``.
    """
    text, warnings = decode(raw, MAX_BYTES, MAX_BYTES)
    try:
        value = plain_json.loads(text, _VALUES)
    except ValueError:
        raise InvalidInstance("SYNTAX", "The JSON cannot be read: it is damaged, incomplete or too deep.") from None
    places = Places(warnings=warnings)
    if isinstance(value, dict) and value.get("type") in ("FeatureCollection", "Feature", *_GEOMETRIES):
        _read_geojson(value, places)
        result = places
    else:
        _read_lists(value, places)
        result = places.without_repeats()
    if not result.degrees:
        raise InvalidInstance("UNSUPPORTED", f"The JSON has no places: {_READ}")
    return result


def _read_geojson(value: dict[str, Any], places: Places) -> None:
    if value.get("crs") is not None and not re.search(r"CRS84|4326", str(value["crs"])):
        sentence = "The GeoJSON is in another projection: export longitudes and latitudes (WGS 84)."
        raise InvalidInstance("UNSUPPORTED", sentence)
    shapes = unplaced = 0
    for feature in _get_items(value, "features") if value.get("type") == "FeatureCollection" else [value]:
        if not isinstance(feature, dict):
            raise _make_error("feature")
        is_feature = feature.get("type") == "Feature"
        name = _find_name(feature.get("properties")) if is_feature else ""
        for geometry in _list_geometries(feature.get("geometry") if is_feature else feature):
            if geometry.get("type") not in ("Point", "MultiPoint"):
                shapes += 1
                continue
            points = geometry.get("coordinates")
            for point in [points] if geometry["type"] == "Point" else points if isinstance(points, list) else [None]:
                if not isinstance(point, list) or not 2 <= len(point) <= 4:
                    raise _make_error("point")
                if _is_unplaced(point, feature):
                    unplaced += 1
                else:
                    places.add(point[1], point[0], name)
    if shapes and places.degrees:
        places.warnings.append("Of the file only its points were read, no lines or areas.")
    if unplaced:
        places.warnings.append(f"Saved places without a position were left out: {unplaced:,}.")


def _is_unplaced(point: list[Any], feature: dict[str, Any]) -> bool:
    """Return whether a place saved by Google lacks a position, written as 0, 0."""
    properties = feature.get("properties")
    return point[:2] == [0, 0] and isinstance(properties, dict) and "google_maps_url" in properties


def _list_geometries(geometry: Any) -> Iterator[dict[str, Any]]:
    """Yield a geometry, or all geometries of a collection; nothing for a feature that has none."""
    if geometry is None:
        return
    if not isinstance(geometry, dict):
        raise _make_error("geometry")
    if geometry.get("type") == "GeometryCollection":
        for item in _get_items(geometry, "geometries"):
            yield from _list_geometries(item)
    else:
        yield geometry


def _find_name(properties: Any) -> str:
    """Return a place's name, from its properties or its location's, as in Google's exports."""
    if not isinstance(properties, dict):
        return ""
    for source in (properties, properties.get("location"), properties.get("Location")):
        if isinstance(source, dict):
            for key in _NAMES:
                if isinstance(source.get(key), str) and source[key].strip():
                    return source[key]
    return ""


def _read_lists(value: Any, places: Places) -> None:
    visits = {"visits": value} if isinstance(value, list) else value
    if not isinstance(visits, dict):
        return
    readers: dict[str, Callable[[Any], tuple[Any, Any, str] | None]] = {
        "locations": _parse_record,
        "timelineObjects": _parse_visit,
        "semanticSegments": _parse_segment,
        "visits": _parse_segment,
        "elements": _parse_element,
    }
    for key, reader in readers.items():
        if key in visits:
            items = _get_items(visits, key)
            # Nodes without tags are corners of ways.
            tagged = [item for item in items if isinstance(item, dict) and item.get("tags")]
            for each in tagged or items:
                if place := reader(each):
                    places.add(*place)


def _parse_element(each: Any) -> tuple[Any, Any, str] | None:
    """Return the Overpass API's node, or a way's or relation's centre; None if there is none."""
    at = each.get("center", each) if isinstance(each, dict) else None
    return (at["lat"], at.get("lon"), _find_name(each.get("tags"))) if isinstance(at, dict) and "lat" in at else None


def _parse_record(each: Any) -> tuple[Any, Any, str] | None:
    """Return a position of Records.json; None if there is none."""
    if not isinstance(each, dict) or not all(type(each.get(key)) is int for key in ("latitudeE7", "longitudeE7")):
        return None
    return round(each["latitudeE7"] * _E7, 7), round(each["longitudeE7"] * _E7, 7), _find_name(each)


def _parse_visit(each: Any) -> tuple[Any, Any, str] | None:
    """Return a place of the Semantic Location History; None for a movement."""
    visit = each.get("placeVisit") if isinstance(each, dict) else None
    return _parse_record(visit.get("location")) if isinstance(visit, dict) else None


def _parse_segment(each: Any) -> tuple[Any, Any, str] | None:
    """Return a visited place of a phone's timeline; None for a movement."""
    for key in ("visit", "topCandidate", "placeLocation"):
        each = each.get(key) if isinstance(each, dict) else None
    text = each.get("latLng") if isinstance(each, dict) else each
    match = _LAT_LNG.fullmatch(text) if isinstance(text, str) else None
    return (match[1], match[2], "") if match else None


def _get_items(value: dict[str, Any], key: str) -> list[Any]:
    items = value.get(key)
    if not isinstance(items, list):
        raise _make_error(key)
    return items


def _make_error(what: str) -> InvalidInstance:
    return InvalidInstance("SYNTAX", f"The JSON has {what} in another form: {_READ}")
