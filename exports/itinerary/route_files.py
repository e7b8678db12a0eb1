"""A tour of real places for maps and devices: GPX, GeoJSON and KML.

GPX 1.1 (https://www.topografix.com/gpx/1/1/), GeoJSON after RFC 7946, KML 2.2 (OGC 07-147r2). A route ends where it
begins, unless the problem is a path. In GeoJSON and KML, the line is cut where it crosses the date line (RFC 7946,
section 3.1.9).
"""

import xml.etree.ElementTree as ET

import numpy as np
import orjson

from data.instance import Instance
from exports.drawing.date_line import split_at_date_line, split_at_gaps
from exports.itinerary.stops import Stop, list_stops, repeat_first

_GPX = "http://www.topografix.com/GPX/1/1"
_KML = "http://www.opengis.net/kml/2.2"
#: Longitude and latitude in decimal degrees.
Point = tuple[float, float]


def tour_gpx(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Format a tour as a GPX route, whose points are the stops.

    Parameters
    ----------
    instance : Instance
        An instance with latitudes and longitudes.
    order : ndarray, shape (n,), int32
    length : int
        Length of the tour, in the instance's unit.

    Returns
    -------
    bytes
    """
    root = ET.Element("gpx", {"version": "1.1", "creator": "TourScope", "xmlns": _GPX})
    route = ET.SubElement(root, "rte")
    ET.SubElement(route, "name").text = _format_title(instance, length)
    stop_list = list_stops(instance, order)
    for stop in repeat_first(instance, stop_list):
        point = ET.SubElement(route, "rtept", {"lat": _format_degrees(stop.y), "lon": _format_degrees(stop.x)})
        ET.SubElement(point, "name").text = stop.label
    return _encode_xml(root)


def tour_geojson(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Format a tour as a feature collection: the line, then a point per stop.

    Parameters
    ----------
    instance, order, length
        As for `tour_gpx`.

    Returns
    -------
    bytes
    """
    stop_list = list_stops(instance, order)
    lines = list_closed_lines(repeat_first(instance, stop_list))
    shape = (
        {"type": "LineString", "coordinates": lines[0]}
        if len(lines) == 1
        else {"type": "MultiLineString", "coordinates": lines}
    )
    unit = instance.unit
    route = {"type": "Feature", "geometry": shape, "properties": {"name": instance.name, unit: length}}
    points = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": _format_point(stop)},
            "properties": {"stop": k, "name": stop.label, f"{unit}_to_next": stop.leg, f"{unit}_total": stop.before},
        }
        for k, stop in enumerate(stop_list, 1)
    ]
    return orjson.dumps({"type": "FeatureCollection", "features": [route, *points]}) + b"\n"


def tour_kml(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Format a tour as a KML document: the line, then a placemark per stop.

    Parameters
    ----------
    instance, order, length
        As for `tour_gpx`.

    Returns
    -------
    bytes
    """
    root = ET.Element("kml", {"xmlns": _KML})
    document = ET.SubElement(root, "Document")
    title = _format_title(instance, length)
    ET.SubElement(document, "name").text = title
    stop_list, unit = list_stops(instance, order), instance.unit
    line = ET.SubElement(document, "Placemark")
    ET.SubElement(line, "name").text = title
    parts = ET.SubElement(line, "MultiGeometry")
    for points in list_closed_lines(repeat_first(instance, stop_list)):
        part = ET.SubElement(parts, "LineString")
        ET.SubElement(part, "tessellate").text = "1"  # the line lies on the ground
        ET.SubElement(part, "coordinates").text = " ".join(
            f"{_format_degrees(x)},{_format_degrees(y)}" for x, y in points
        )
    for k, stop in enumerate(stop_list, 1):
        mark = ET.SubElement(document, "Placemark")
        ET.SubElement(mark, "name").text = stop.label
        ET.SubElement(
            mark, "description"
        ).text = f"Stop {k}, after {stop.before} {unit}; {stop.leg} {unit} to the next."
        ET.SubElement(
            ET.SubElement(mark, "Point"), "coordinates"
        ).text = f"{_format_degrees(stop.x)},{_format_degrees(stop.y)}"
    return _encode_xml(root)


def list_closed_lines(stop_list: list[Stop]) -> list[list[list[float]]]:
    """Return the line through the stops, cut where an edge is shorter across the date line.

    Returns
    -------
    list of list of [float, float]
        Longitudes are within 180 degrees; where one part ends at 180, the next begins at -180, and vice versa.
    """
    line = np.array([_format_point(stop) for stop in stop_list])
    return [part.round(6).tolist() for part in split_at_gaps(split_at_date_line(line))]


def _format_point(stop: Stop) -> Point:
    assert stop.x is not None
    assert stop.y is not None
    return stop.x, stop.y


def _format_degrees(value: float | None) -> str:
    """Format decimal degrees to a millionth (11 cm), without an exponent, which these formats lack."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _format_title(instance: Instance, length: int) -> str:
    return f"{instance.name}: {length} {instance.unit}"


def _encode_xml(root: ET.Element) -> bytes:
    ET.indent(root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
