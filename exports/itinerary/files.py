"""The kinds of files for a tour's stops, named by their extensions."""

from collections.abc import Callable

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from exports.itinerary.route_files import tour_geojson, tour_gpx, tour_kml
from exports.itinerary.table_file import tour_csv

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
        With ``UNSUPPORTED``.
    """
    if kind in GEOGRAPHIC_FILES and not instance.is_on_globe:
        name = {"geojson": "GeoJSON"}.get(kind, kind.upper())
        raise InvalidInstance(
            "UNSUPPORTED",
            f"{name} needs latitudes and longitudes, which {instance.name} does not have: take CSV, with its own "
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
