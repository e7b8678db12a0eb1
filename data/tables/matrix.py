"""Recognises a table of distances between cities, and reads it as an instance.

Such a table has a row and a column for each city, with or without their names: nothing, a dash or one number on its
diagonal, and elsewhere distances from the row's city to the column's, or in one half alone, for both directions.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

import numpy as np

from data.city_names import shown_names
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_EXPLICIT, MAX_WEIGHT
from data.missing import marked
from data.tables.column_names import name_coordinates
from data.tables.sheet import Sheet
from data.tsplib.normal_form import assemble
from data.tsplib.numerals import shown

#: Cells without a distance: of a city to itself, or where there is no way.
_BLANKS = {"", "-", "\N{EN DASH}", "\N{EM DASH}", "x", "na", "n/a", "nan", "inf", "infinity", "\N{INFINITY}", "none"}
#: Most decimals of a distance: whole numbers are made of all by the same power of ten.
_MOST_DECIMALS = 6
_NUMBER = re.compile(r"[+\-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+\-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Square:
    """The cells of a table of distances: as many rows as columns, and as many names or none."""

    cells: list[list[str]]
    names: list[str]


def find_matrix(sheet: Sheet) -> Square | None:
    """The distances of a table; None if it is one of coordinates.

    Raises
    ------
    InvalidInstance
        ``AMBIGUOUS``, if it may be either.
    """
    if not 3 <= sheet.rows + 1 <= MAX_EXPLICIT + 2 or abs(sheet.width - sheet.rows) > 1:
        return None
    header, rows = sheet.header_cells(), list(sheet.cities())
    for square in _squares(header, rows):
        if not _is_matrix(square.cells):
            continue
        if header and header[1:] != square.names and name_coordinates(header):
            return None
        if not square.names and len(square.cells) == 3 and not _is_symmetric(square.cells):
            sentence = "These rows may be distances, or ids with coordinates: put a row id, x, y or names before them."
            raise InvalidInstance("AMBIGUOUS", sentence)
        return square
    return None


def read_matrix(sheet: Sheet, square: Square, name: str) -> Instance:
    """The instance of a table of distances.

    Distances that are not whole are multiplied by the smallest power of ten that makes them so.

    Raises
    ------
    InvalidInstance
        ``NUMBER``, ``RANGE`` or ``COUNT``, or as `data.tsplib.normal_form.assemble`.
    """
    n = len(square.cells)
    flat = sheet.decimals(list(chain.from_iterable(square.cells)))
    blank = np.fromiter(map(_is_blank, flat), bool, n * n).reshape(n, n)
    for position, cell in enumerate(flat):
        if "," in cell:
            sentence = f"A distance is {shown(cell)}: write plain decimal numbers with a point."
            raise InvalidInstance("NUMBER", sentence, sheet.line(position // n))
    decimals = max((_decimals(cell) for cell in flat if "." in cell or "e" in cell.lower()), default=0)
    if decimals > _MOST_DECIMALS:
        sentence = f"A distance has {decimals} decimals: round all to at most {_MOST_DECIMALS}, or to whole numbers."
        raise InvalidInstance("NUMBER", sentence)
    values = np.array([0.0 if _is_blank(cell) else float(cell) for cell in flat]).reshape(n, n)
    weights = np.rint(values * 10.0**decimals)
    if np.abs(weights).max() > MAX_WEIGHT:
        sentence = f"A distance is beyond {MAX_WEIGHT:,} as a whole number: scale the distances down, or round them."
        raise InvalidInstance("RANGE", sentence)
    missing = blank & ~np.eye(n, dtype=bool)
    notes = sheet.warnings
    if missing.any() and _is_half(missing):
        weights, missing = np.where(missing, weights.T, weights), np.zeros_like(missing)
        notes.append("One half of the table has distances, which were read for both directions.")
    matrix = weights.astype(np.int32)
    if (marks := marked(matrix)) is not None:
        missing |= marks
    to_itself = " Name two columns x and y, or lat and lon, if it has coordinates." if not square.names else ""
    notes.append(f"The table was read as distances from each row's city to each column's.{to_itself}")
    if decimals:
        notes.append(f"The distances were multiplied by {10**decimals:,} to make them whole numbers.")
    names = shown_names(square.names)
    return assemble(
        name, "EXPLICIT", "uploaded", weights=matrix, missing=missing if missing.any() else None, names=names,
        warnings=tuple(notes),
    )  # fmt: skip


def _squares(header: list[str], rows: list[list[str]]) -> list[Square]:
    """The ways in which a table may be a square of distances: with names at the side and the top, at one, or none."""
    width, found = len(rows[0]), []
    side = [row[0] for row in rows]
    if not header and rows[0][1:] == side[1:] and _count_up(side[1:]) and not _is_number(side[0]):
        found.append(Square([row[1:] for row in rows[1:]], side[1:]))
    if len(rows) == width - 1 and (header[1:] == side or not all(map(_is_number, side))):
        found.append(Square([row[1:] for row in rows], side))
    if len(rows) == width > 2:
        found.append(Square(rows, header))
    return found


def _count_up(names: list[str]) -> bool:
    """Whether names are numbers from 0 or 1."""
    return any(names == [str(first + k) for k in range(len(names))] for first in (0, 1))


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None


def _is_blank(cell: str) -> bool:
    return cell.lower() in _BLANKS


def _is_matrix(cells: list[list[str]]) -> bool:
    """Whether the diagonal has nothing, zeros, or one number that is the greatest, and the rest are numbers."""
    if not all(_is_number(cell) or _is_blank(cell) for row in cells for cell in row):
        return False
    diagonal = {_value(row[k]) for k, row in enumerate(cells)}
    greatest = max(_value(cell) for row in cells for cell in row)
    return diagonal <= {0.0} and greatest > 0.0 or diagonal == {greatest}


def _value(cell: str) -> float:
    return 0.0 if _is_blank(cell) else float(cell.replace(",", "."))


def _is_symmetric(cells: list[list[str]]) -> bool:
    return all(cells[i][j] == cells[j][i] for i in range(len(cells)) for j in range(i))


def _is_half(missing: np.ndarray) -> bool:
    """Whether all on one side of the diagonal is missing, and nothing on the other."""
    n = len(missing)
    upper = np.triu(np.ones((n, n), bool), 1)
    return any(np.array_equal(missing, half) for half in (upper, upper.T))


def _decimals(cell: str) -> int:
    """How many decimals a number has, without zeros at its end."""
    exponent = Decimal(cell or "0").normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
