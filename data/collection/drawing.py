"""Drawn instances, whose reference contains the cities as text short enough for a link.

Coordinates are whole numbers, each given as the difference from the previous city (from 0 for the first), x before y.
A difference d is written as 2d, or as -2d - 1 if it is negative, in digits of five bits, the lowest first. A digit is a
character of URL-safe base64, whose sixth bit says that another digit follows. `assets/draw/codec.js` writes this
format.
"""

import re
from typing import Any

import numpy as np

from data.distances import degrees_minutes
from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.limits import MAX_COORDINATE
from data.tsplib.normal_form import assemble, reduce_to_line

#: Version of the format.
VERSION = 1
#: Maximum number of cities in a reference, and maximum number of characters in a city's name.
MAX_CITIES = 200
MAX_CITY_NAME = 40
#: Fields of a reference; the first two are required.
FIELDS = ("drawn", "cities", "kind", "names")
#: Coordinate units per degree, by kind of distances: a unit is 11 m or 11 cm.
PER_DEGREE = {"GEO": 10_000, "HAVERSINE_KM": 1_000_000, "HAVERSINE_M": 1_000_000}
_KINDS = ("EUC_2D", *UNITS)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUE = {character: value for value, character in enumerate(_ALPHABET)}
_MORE = 32
# Seven digits are enough for any difference between two coordinates.
_NUMBER = re.compile("[g-z0-9_-]{0,6}[A-Za-f]", re.ASCII)
_MAX_CHARACTERS = 2 * MAX_CITIES * 7


def _refuse(sentence: str) -> InvalidInstance:
    return InvalidInstance("REFERENCE", sentence)


def read_drawing(reference: dict[str, Any]) -> Instance:
    """Return the instance of a reference ``{"drawn": 1, "cities": str}``.

    Parameters
    ----------
    reference : dict
        May also contain ``kind``: ``EUC_2D`` (the default) or a kind on the globe, whose coordinates are longitude and
        latitude in the units of `PER_DEGREE`; and ``names``: a name for each city, which may be empty.

    Raises
    ------
    InvalidInstance
        ``REFERENCE``, or ``RANGE`` for invalid coordinates.
    """
    if set(reference) - set(FIELDS) or "cities" not in reference:
        raise _refuse("A drawn instance has cities, and may have a kind and names.")
    if type(reference["drawn"]) is not int or reference["drawn"] != VERSION:
        raise _refuse(f"These drawn cities are not of version {VERSION}, which this release reads.")
    kind = reference.get("kind", _KINDS[0])
    if kind not in _KINDS:
        raise _refuse(f"The kind of drawn cities must be one of {', '.join(_KINDS)}.")
    points = _decode_points(reference["cities"])
    names = _check_names(reference.get("names"), len(points))
    if kind in UNITS:
        points = points[:, ::-1] / PER_DEGREE[kind]
        points = degrees_minutes(points) if kind == "GEO" else points
    return assemble(f"drawn-{len(points)}", kind, "inline", coordinates=points, names=names)


def _decode_points(text: object) -> np.ndarray:
    """Decode the cities' coordinates, (n, 2) float64."""
    if not isinstance(text, str) or len(text) > _MAX_CHARACTERS:
        raise _refuse(f"Drawn cities must be a text of at most {_MAX_CHARACTERS:,} characters.")
    numbers = [_decode_number(digits) for digits in _NUMBER.findall(text)]
    if "".join(_NUMBER.findall(text)) != text or not numbers or len(numbers) % 2:
        raise _refuse("The text of the drawn cities is damaged: copy the whole link.")
    if len(numbers) > 2 * MAX_CITIES:
        raise _refuse(f"A drawn instance has at most {MAX_CITIES} cities.")
    points = np.array(numbers, np.int64).reshape(-1, 2).cumsum(axis=0).astype(np.float64)
    if np.abs(points).max() > MAX_COORDINATE:
        raise InvalidInstance("RANGE", f"A coordinate is beyond {MAX_COORDINATE:,.0f}: scale the coordinates down.")
    return points


def _decode_number(digits: str) -> int:
    value = sum((_VALUE[digit] % _MORE) << 5 * place for place, digit in enumerate(digits))
    return -(value + 1) // 2 if value % 2 else value // 2


def _check_names(value: object, n: int) -> tuple[str, ...]:
    """Validate and return the cities' names; empty if there are none."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) != n or not all(isinstance(name, str) for name in value):
        raise _refuse("The names of drawn cities must be a list of as many texts as there are cities.")
    if any(len(name) > MAX_CITY_NAME or reduce_to_line(name, MAX_CITY_NAME) != name for name in value):
        raise _refuse(f"The name of a city is one line of at most {MAX_CITY_NAME} characters.")
    return tuple(value) if any(value) else ()
