"""Guesses which columns of a table are the coordinates, which the user confirms, and which has the names."""

import re
from collections.abc import Sequence

from data.errors import InvalidInstance

#: A column's name, whether it has numbers, and its first values.
ColumnSummary = tuple[str, bool, Sequence[str]]
# Words for the first and the second coordinate, and the kind of distance that they imply.
_WORDS = (
    ({"x", "xcoord", "xpos", "east", "easting"}, {"y", "ycoord", "ypos", "north", "northing"}, "EUC_2D"),
    ({"lat", "latitude"}, {"lon", "lng", "long", "longitude"}, "GEO"),
)

# Words for what a city is called.
_NAMES = {"name", "city", "town", "place", "station", "location"}


def guess(columns: Sequence[ColumnSummary]) -> tuple[tuple[int, int], str]:
    """The likely columns of the coordinates, and the kind of distance.

    Chosen by name, as x and y or latitude and longitude; else the first two columns of numbers, without row numbers if
    there are two others.

    Raises
    ------
    InvalidInstance
        ``COLUMNS``, if there are no two columns of numbers.
    """
    words = [set(re.split(r"[^a-z]+", name.lower())) for name, _, _ in columns]
    for first, second, kind in _WORDS:
        x, y = _find(words, first), _find(words, second)
        if x is not None and y is not None and x != y:
            return (x, y), kind
    numeric = [number for number, (_, has_numbers, _) in enumerate(columns) if has_numbers]
    if len(numeric) < 2:
        raise InvalidInstance("COLUMNS", "The table has no two columns of numbers: send one with coordinates.")
    coordinates = [number for number in numeric if not _is_row_number(columns[number][2])]
    x, y = (coordinates if len(coordinates) > 1 else numeric)[:2]
    return (x, y), "EUC_2D"


def name_coordinates(names: Sequence[str]) -> bool:
    """Whether columns are called x and y, or latitude and longitude."""
    words = [set(re.split(r"[^a-z]+", name.lower())) for name in names]
    return any(None not in (_find(words, first), _find(words, second)) for first, second, _ in _WORDS)


def guess_names(columns: Sequence[ColumnSummary], coordinates: tuple[int, int]) -> int | None:
    """The column that has the names of the cities: by its name, else the first without numbers; None without any."""
    others = [number for number in range(len(columns)) if number not in coordinates]
    words = {number: set(re.split(r"[^a-z]+", columns[number][0].lower())) for number in others}
    named = [number for number in others if words[number] & _NAMES]
    texts = [number for number in others if not columns[number][1]]
    return next(iter(named + texts), None)


def _find(names: list[set[str]], words: set[str]) -> int | None:
    return next((number for number, name in enumerate(names) if name & words), None)


def _is_row_number(sample: Sequence[str]) -> bool:
    return any(list(sample) == [str(first + step) for step in range(len(sample))] for first in (0, 1))
