"""The kinds of files for a tour's stops, named by their extensions."""

from collections.abc import Callable

import numpy as np

from data.csv_text import format_rows
from data.errors import InvalidInstance
from data.instance import Instance
from exports.itinerary.route_files import tour_geojson, tour_gpx, tour_kml
from exports.itinerary.stops import list_stops

_PLANE = ("stop", "city", "name", "x", "y", "to_next", "total")


def tour_csv(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Format a tour with a row per stop, and a last row for the first stop of a round trip.

    The total is the length of the tour up to the stop; latitude precedes longitude.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    length : int
        Length of the tour.

    Returns
    -------
    bytes
        UTF-8 with a byte order mark, for spreadsheets.
    """
    globe, unit = instance.is_on_globe, instance.unit
    head = ("stop", "city", "name", "latitude", "longitude", f"{unit}_to_next", f"{unit}_total") if globe else _PLANE
    stop_list = list_stops(instance, order)
    rows = [
        (number, stop.number, stop.name, *((stop.y, stop.x) if globe else (stop.x, stop.y)), stop.leg, stop.before)
        for number, stop in enumerate(stop_list, 1)
    ]
    end = [] if instance.is_path else [(len(stop_list) + 1, *rows[0][1:5], "", length)]
    return format_rows([head, *rows, *end]).encode("utf-8-sig")


#: The function that makes a file from an instance, a tour and its length.
ROUTE_FILES: dict[str, Callable[[Instance, np.ndarray, int], bytes]] = {
    "gpx": tour_gpx,
    "geojson": tour_geojson,
    "kml": tour_kml,
    "csv": tour_csv,
}
#: Kinds of files with latitudes and longitudes.
GEOGRAPHIC_FILES = ("gpx", "geojson", "kml")


def check_route(kind: str, instance: Instance) -> None:
    """Raise an error if an instance's tours cannot be written as this kind of file.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED``.
    """
    if kind in GEOGRAPHIC_FILES and not instance.is_on_globe:
        name = {"geojson": "GeoJSON"}.get(kind, kind.upper())
        raise InvalidInstance(
            "UNSUPPORTED",
            f"{name} needs latitudes and longitudes, which {instance.name} does not have: use CSV, with its own "
            "coordinates.",
        )


def route_file(kind: str, instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Format a tour as a kind of file in `ROUTE_FILES`.

    Raises
    ------
    InvalidInstance
        As `check_route`.
    """
    check_route(kind, instance)
    return ROUTE_FILES[kind](instance, order, length)
