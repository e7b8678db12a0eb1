"""Reads places from GPX 1.0 and 1.1 (https://www.topografix.com/gpx/1/1/), KML 2 (OGC 07-147r2) and OpenStreetMap.

The reader handles expat's events without storing the document, and refuses document types. So there are no entities to
expand, and nothing outside the file is opened.
"""

import re

from data.errors import InvalidInstance
from data.limits import MAX_CITY_NAME
from data.map_files.places import Places
from data.tsplib.text import decompress_gzip

#: Maximum number of nested elements.
_MAX_DEPTH = 100
_POINTS = {"wpt": "waypoints", "rtept": "route"}
# Lines and areas of KML and OpenStreetMap, which have coordinates too.
_SHAPES = ("LineString", "LinearRing", "Track", "MultiTrack", "way")


def read(raw: bytes) -> Places:
    """Read a GPX file's waypoints or its only route, KML's point placemarks, or OpenStreetMap's tagged nodes.

    If no node of OpenStreetMap has tags, all nodes count.

    Parameters
    ----------
    raw : bytes
        The file, plain or a single gzip stream.

    Raises
    ------
    InvalidInstance
        ``SYNTAX``, ``UNSUPPORTED``, ``NUMBER``, ``RANGE`` or ``LIMIT``.
    """
    # Imported here, since few files need it.
    from xml.parsers import expat

    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(decompress_gzip(raw), True)
    except expat.ExpatError as fault:
        sentence = "The XML cannot be read, it is damaged or incomplete: export the file again."
        raise InvalidInstance("SYNTAX", sentence, fault.lineno) from None
    except InvalidInstance:
        raise
    except (LookupError, ValueError):  # the file declares an unknown encoding
        raise InvalidInstance("SYNTAX", "The XML names an encoding that is not read: save it as UTF-8.") from None
    return reader.places()


def _refuse_doctype(*_: object) -> None:
    raise InvalidInstance("UNSUPPORTED", "XML with a DOCTYPE is not read: send GPX or KML.")


class _Reader:
    """Collects places from an XML parser's events."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._text: list[str] = []
        self._length = 0
        self._found = {name: Places() for name in ("wpt", "rtept", "Point", "node", "corner")}
        self._tagged = False
        self._routes = self._tracks = self._shapes = 0
        self._at: tuple[str | None, str | None] = (None, None)
        self._name = ""
        self._points: list[str] = []

    def start(self, element: str, attributes: dict[str, str]) -> None:
        name = element.rpartition(":")[2]
        if not self._path and name not in ("gpx", "kml", "osm"):
            raise InvalidInstance("UNSUPPORTED", "This XML is neither GPX nor KML nor OpenStreetMap's.")
        self._path.append(name)
        if len(self._path) > _MAX_DEPTH:
            raise InvalidInstance("LIMIT", f"The XML has more than {_MAX_DEPTH} elements within one another.")
        self._text, self._length = [], 0
        self._routes += name == "rte"
        self._tracks += name == "trk"
        self._shapes += name in _SHAPES
        if name in _POINTS:
            self._at, self._name = (attributes.get("lat"), attributes.get("lon")), ""
        elif name == "node":
            self._at, self._name, self._tagged = (attributes.get("lat"), attributes.get("lon")), "", False
        elif name == "tag" and self._path[-2:-1] == ["node"]:
            self._tagged = True
            if attributes.get("k") == "name":
                self._name = attributes.get("v", "")[: 4 * MAX_CITY_NAME]
        elif name == "Placemark":
            self._name, self._points = "", []

    def text(self, data: str) -> None:
        if self._length <= 4 * MAX_CITY_NAME:
            self._text.append(data)
            self._length += len(data)

    def end(self, element: str) -> None:
        name = self._path.pop()
        parent = self._path[-1] if self._path else ""
        text = "".join(self._text).strip()
        if name == "name" and parent in (*_POINTS, "Placemark"):
            self._name = text[: 4 * MAX_CITY_NAME]
        elif name == "coordinates" and parent == "Point":
            self._points.append(text)
        elif name in _POINTS:
            self._found[name].add(*self._at, self._name)
        elif name == "node":
            self._found["node" if self._tagged else "corner"].add(*self._at, self._name)
        elif name == "Placemark":
            for point in self._points:
                self._found["Point"].add(*_split_coordinates(point), self._name)
        self._text, self._length = [], 0

    def places(self) -> Places:
        """Return the places among all points found."""
        waypoints, route, *others = self._found.values()
        places = next((places for places in (waypoints, *others) if places.degrees), None)
        if places:
            if self._routes or self._tracks or self._shapes:
                places.warnings.append("Of the file only its places were read, no routes, tracks, lines or areas.")
            return places
        if self._routes > 1:
            raise InvalidInstance("UNSUPPORTED", f"The file has {self._routes:,} routes and no waypoints: keep one.")
        if route.degrees:
            if len(route.degrees) > 1 and route.degrees[0] == route.degrees[-1]:
                route.degrees.pop()
                route.names.pop()
                route.warnings.append("The route returns to its first place, which was read once.")
            return route
        sentence = (
            "The file has no places: waypoints or one route of GPX, placemarks of KML that are points, or nodes of "
            "OpenStreetMap are read."
        )
        raise InvalidInstance("UNSUPPORTED", sentence)


def _split_coordinates(text: str) -> tuple[str, str]:
    """Split KML's coordinates of longitude, latitude and height."""
    parts = re.split(r"\s*,\s*", text)
    return (parts[1], parts[0]) if len(parts) in (2, 3) else ("", "")
