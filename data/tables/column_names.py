"""Guessing which columns of a table are the coordinates, for a person to confirm."""

import re
from collections.abc import Sequence

from data.errors import InvalidInstance

#: A column's name, whether it has numbers, and its first values.
Described = tuple[str, bool, Sequence[str]]
# Pairs of words that name the first and the second coordinate, and the kind of distance that goes with them.
_WORDS = (
    ({"x", "xcoord", "xpos", "east", "easting"}, {"y", "ycoord", "ypos", "north", "northing"}, "EUC_2D"),
    ({"lat", "latitude"}, {"lon", "lng", "long", "longitude"}, "GEO"),
)


def guess(columns: Sequence[Described]) -> tuple[tuple[int, int], str]:
    """The columns that are likely to be meant, and the kind of distance.

    By name, as x and y or latitude and longitude; else the first two columns of numbers, a mere count left aside where
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
    numeric = [at for at, (_, has_numbers, _) in enumerate(columns) if has_numbers]
    if len(numeric) < 2:
        raise InvalidInstance("COLUMNS", "The table has no two columns of numbers: send one with coordinates.")
    places = [at for at in numeric if not _counts(columns[at][2])]
    x, y = (places if len(places) > 1 else numeric)[:2]
    return (x, y), "EUC_2D"


def _find(words: list[set[str]], meant: set[str]) -> int | None:
    return next((at for at, named in enumerate(words) if named & meant), None)


def _counts(sample: Sequence[str]) -> bool:
    return any(list(sample) == [str(first + step) for step in range(len(sample))] for first in (0, 1))
