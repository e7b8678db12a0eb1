"""A tour as a CSV table of its stops."""

import numpy as np

from data.csv_text import format_rows
from data.instance import Instance
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
