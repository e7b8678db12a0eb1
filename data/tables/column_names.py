"""Guesses a table's coordinate columns, which the user confirms, and its column of names."""

import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from data.errors import InvalidInstance

#: A column: its name, whether it is numeric, its first values, and the values of evenly spaced rows, None where there
#: is no number.
ColumnSummary = tuple[str, bool, Sequence[str], Sequence[float | None]]
_WORDS = json.loads((Path(__file__).parents[2] / "assets/draw/column_names.json").read_text("utf-8"))
#: Words, without accents, for coordinates in the plane and, in several languages, on the globe. Some of the latter
#: words also mean width and length, so the values decide.
PLANE, GLOBE = _WORDS["plane"], _WORDS["globe"]
# Words for the name of a city.
_NAMES = {"name", "city", "town", "place", "station", "location"}


def guess_columns(columns: Sequence[ColumnSummary]) -> tuple[tuple[int, int], bool]:
    """Return the likely coordinate columns, and whether they are latitude and longitude in decimal degrees.

    Columns are chosen by name, as x and y or latitude and longitude. If no names match, the first two numeric columns
    are chosen, without row numbers if two others remain. Columns named after the globe are degrees if their values can
    be. Others are degrees if their values look like degrees (`look_like_degrees`); then the latitude comes first,
    unless that is impossible.

    Raises
    ------
    InvalidInstance
        ``COLUMNS`` if there are fewer than two numeric columns.
    """
    if pair := find_coordinate_columns([column[0] for column in columns]):
        x, y, globe = pair
        return _order_columns(columns, x, y, globe, True)
    numeric = [number for number, (_, has_numbers, _, _) in enumerate(columns) if has_numbers]
    if len(numeric) < 2:
        raise InvalidInstance("COLUMNS", "The table has no two columns of numbers: send one with coordinates.")
    coordinates = [number for number in numeric if not _is_row_number(columns[number][2])]
    x, y = (coordinates if len(coordinates) > 1 else numeric)[:2]
    return _order_columns(columns, x, y, False, False)


def find_coordinate_columns(names: Sequence[str]) -> tuple[int, int, bool] | None:
    """Return columns named x and y or latitude and longitude, and whether they are the latter; None if missing."""
    named = [set(split_words(name)) for name in names]
    for first, second in (PLANE, GLOBE):
        x, y = _find_known(named, first), _find_known(named, second)
        if x is not None and y is not None and x != y:
            return x, y, [first, second] == GLOBE
    return None


def split_words(name: str) -> list[str]:
    """Return the words of a column's name in lower case without accents: stop, lat for stopLat; lange for Länge."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    composed = unicodedata.normalize("NFC", plain)  # Hangul
    return re.findall(r"[^\W\d_]+", re.sub("([a-z])([A-Z])", r"\1 \2", composed).lower())


def is_latitude(name: str) -> bool:
    """Return whether a column's name means latitude."""
    return not set(GLOBE[0]).isdisjoint(split_words(name))


def look_like_degrees(pairs: Sequence[tuple[float, float]], named: bool) -> bool:
    """Return whether pairs are latitudes and longitudes in decimal degrees rather than plane coordinates.

    They must lie within 90 and 180 degrees, three in four must have fractions in both columns, and not all may lie in
    the unit square. In addition, the values of one column must be closer to one another than to 0, as in a region, but
    not in a square that begins at 0. Unless the columns are `named`, a negative value is enough instead, since the
    world has negative coordinates.

    Parameters
    ----------
    pairs : sequence of (float, float)
    named : bool
        Whether the columns are named x and y.
    """
    if not pairs or not _are_degrees(pairs) or all(abs(value) <= 1.0 for pair in pairs for value in pair):
        return False
    fractions = [[not value.is_integer() for value in pair] for pair in pairs]
    if 4 * sum(map(any, fractions)) < 3 * len(pairs) or not all(map(any, zip(*fractions, strict=True))):
        return False
    columns = list(zip(*pairs, strict=True))
    is_projected = any(max(column) - min(column) < min(map(abs, column)) for column in columns)
    return is_projected or (not named and min(map(min, columns)) < 0.0)


def _are_degrees(pairs: Sequence[tuple[float, float]]) -> bool:
    return all(abs(first) <= 90.0 and abs(second) <= 180.0 for first, second in pairs)


def _order_columns(
    columns: Sequence[ColumnSummary], x: int, y: int, globe: bool, named: bool
) -> tuple[tuple[int, int], bool]:
    """Return the columns, latitude first if they are degrees."""
    rows = zip(columns[x][3], columns[y][3], strict=False)  # text columns have no values
    pairs = [(first, second) for first, second in rows if first is not None and second is not None]
    if globe:
        unmistakable = {"lat", "latitude"} & set(split_words(columns[x][0]))
        return (x, y), bool(unmistakable or (pairs and _are_degrees(pairs)))
    turned = [(second, first) for first, second in pairs]
    if not _are_degrees(pairs) and look_like_degrees(turned, named):
        return (y, x), True
    return (x, y), look_like_degrees(pairs, named)


def guess_names(columns: Sequence[ColumnSummary], coordinates: tuple[int, int]) -> int | None:
    """Return the likely column of names, by its name or as the first non-numeric one; None if missing."""
    others = [number for number in range(len(columns)) if number not in coordinates]
    named = [number for number in others if _NAMES & set(split_words(columns[number][0]))]
    texts = [number for number in others if not columns[number][1]]
    return next(iter(named + texts), None)


def _find_known(names: list[set[str]], known: Sequence[str]) -> int | None:
    return next((number for number, name in enumerate(names) if name & set(known)), None)


def _is_row_number(sample: Sequence[str]) -> bool:
    return any(list(sample) == [str(first + step) for step in range(len(sample))] for first in (0, 1))
