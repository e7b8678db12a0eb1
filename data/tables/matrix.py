"""Recognises distance tables, and reads them as instances.

Such a table has a row and a column for each city, with or without names. Its diagonal is empty or has dashes or a
single number; elsewhere it has distances from the row's city to the column's, or in one half only, for both directions.
Alternatively it has a row for each edge, with its start, its end, and its length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain

import numpy as np

from data.city_names import shorten_names
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_EXPLICIT, MAX_WEIGHT
from data.missing import find_missing
from data.tables.column_names import find_coordinate_columns, split_words
from data.tables.sheet import Sheet
from data.tsplib.normal_form import assemble
from data.tsplib.numerals import quote_token

#: Cells without a distance: from a city to itself, or for a missing edge.
_BLANKS = {"", "-", "\N{EN DASH}", "\N{EM DASH}", "x", "na", "n/a", "nan", "inf", "infinity", "\N{INFINITY}", "none"}
#: Maximum number of decimals in a distance; all distances are multiplied by the same power of ten.
_MAX_DECIMALS = 6
#: Words in the column names of an edge list: start, end and length, in English and German.
_EDGE_COLUMNS = (
    {"from", "source", "origin", "start", "von", "ab"},
    {"to", "target", "destination", "dest", "end", "nach", "bis"},
    {"cost", "distance", "weight", "length", "time", "duration", "km", "miles", "minutes", "seconds", "kosten",
     "entfernung", "distanz", "gewicht", "dauer", "zeit"},
)  # fmt: skip
_NUMBER = re.compile(r"[+\-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+\-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """Cells of a distance table: as many rows as columns, and as many names or none.

    Attributes
    ----------
    cells : list of str
        Cells by row.
    values : ndarray, shape (n, n), float64
        Numbers in the cells, 0 where there is none.
    blank : ndarray, shape (n, n), bool
        Cells without a number.
    names : list of str
    note : str
        How the table was read, if not as a square.
    """

    cells: list[str]
    values: np.ndarray
    blank: np.ndarray
    names: list[str]
    note: str = ""

    @property
    def is_matrix(self) -> bool:
        """Whether the diagonal is empty, zero, or a single number that is the greatest."""
        diagonal, greatest = np.diagonal(self.values), self.values.max()
        return bool(greatest > 0.0 and ((diagonal == 0.0).all() or (diagonal == greatest).all()))

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same distances."""
        return np.array_equal(self.values, self.values.T) and np.array_equal(self.blank, self.blank.T)


def find_matrix(sheet: Sheet) -> Square | None:
    """Return a table's distances; None if it has coordinates.

    Raises
    ------
    InvalidInstance
        ``AMBIGUOUS`` if the table may contain either.
    """
    if (columns := _find_edge_columns(sheet)) is not None:
        return _read_edge_list(sheet, *columns)
    if not 2 <= sheet.rows <= MAX_EXPLICIT + 1 or abs(sheet.width - sheet.rows) > 1:
        return None
    header = sheet.header_cells()
    for rows, names in _list_squares(header, list(sheet.cities())):
        square = _read_cells(rows, names)
        if square is None or not square.is_matrix:
            continue
        if header and header[1:] != names and find_coordinate_columns(header):
            return None
        if not names and len(rows) == 3 and not square.is_symmetric:
            sentence = "These rows may be distances, or ids with coordinates: put a row id, x, y or names before them."
            raise InvalidInstance("AMBIGUOUS", sentence)
        return square
    return None


def read_matrix(sheet: Sheet, square: Square, name: str) -> Instance:
    """Return the instance of a distance table.

    Distances that are not whole are multiplied by the smallest power of ten that makes them so.

    Raises
    ------
    InvalidInstance
        ``NUMBER`` or ``RANGE``, or as `data.tsplib.normal_form.assemble`.
    """
    decimals = _check_decimals(sheet, square)
    weights = np.rint(square.values * 10.0**decimals)
    if np.abs(weights).max() > MAX_WEIGHT:
        sentence = f"A distance is beyond {MAX_WEIGHT:,} as a whole number: scale the distances down, or round them."
        raise InvalidInstance("RANGE", sentence)
    notes = sheet.warnings
    missing = square.blank & ~np.eye(len(weights), dtype=bool)
    if missing.any() and _is_half(missing):
        weights, missing = np.where(missing, weights.T, weights), np.zeros_like(missing)
        notes.append("One half of the table has distances, which were read for both directions.")
    matrix = weights.astype(np.int32)
    if (marks := find_missing(matrix)) is not None:
        missing |= marks
    if square.note:
        notes.append(square.note)
    else:
        notes.append("The table was read as distances from each row's city to each column's.")
    if not square.names:
        notes.append("If the table has coordinates, name two of its columns x and y, or lat and lon.")
    if decimals:
        notes.append(f"The distances were multiplied by {10**decimals:,} to make them whole numbers.")
    return assemble(
        name, "EXPLICIT", "uploaded", weights=matrix, missing=missing if missing.any() else None,
        names=shorten_names(square.names), warnings=tuple(notes),
    )  # fmt: skip


def _list_squares(header: list[str], rows: list[list[str]]) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Yield a table's interpretations as distances: names at the side, the top, both or neither."""
    width, side = len(rows[0]), [row[0] for row in rows]
    if not header and rows[0][1:] == side[1:] and _are_consecutive(side[1:]) and not _NUMBER.fullmatch(side[0]):
        yield [row[1:] for row in rows[1:]], side[1:]
    if not header and len(rows) == width + 1 > 3 and _are_consecutive(rows[0]):
        yield rows[1:], rows[0]
    if len(rows) == width - 1 and (header[1:] == side or not all(map(_NUMBER.fullmatch, side))):
        yield [row[1:] for row in rows], side
    if len(rows) == width > 2:
        yield rows, header


def _are_consecutive(names: list[str]) -> bool:
    """Return whether names are numbers that count from 0 or 1."""
    return any(names == [str(first + k) for k in range(len(names))] for first in (0, 1))


def _read_cells(rows: list[list[str]], names: list[str]) -> Square | None:
    """Return the numbers in a square of cells; None if there is other text."""
    cells, n = list(chain.from_iterable(rows)), len(rows)
    distinct = set(cells)
    blanks = {cell for cell in distinct if cell.lower() in _BLANKS}
    if len(cells) != n * n or not all(map(_NUMBER.fullmatch, distinct - blanks)):
        return None
    numbers = {cell: 0.0 if cell in blanks else float(cell.replace(",", ".")) for cell in distinct}
    values = np.fromiter(map(numbers.__getitem__, cells), np.float64, n * n).reshape(n, n)
    blank = np.fromiter((cell in blanks for cell in cells), bool, n * n).reshape(n, n)
    return Square(cells, values, blank, names)


def _find_edge_columns(sheet: Sheet) -> tuple[int, int, int] | None:
    """Return the columns of edges' cities and lengths, by the first three names; None for other tables."""
    named = [set(split_words(cell)) for cell in sheet.header_cells()[:3]]
    if len(named) == 3 and all(not known.isdisjoint(name) for known, name in zip(_EDGE_COLUMNS, named, strict=True)):
        return 0, 1, 2
    return None


def _read_edge_list(sheet: Sheet, start: int, end: int, length: int) -> Square:
    """Return the square of an edge list, with cities in order of appearance.

    Raises
    ------
    InvalidInstance
        ``LIMIT``, ``NUMBER``, ``COUNT`` or ``DUPLICATE``.
    """
    rows = list(sheet.cities())
    index = {name: at for at, name in enumerate(dict.fromkeys(row[k] for row in rows for k in (start, end)))}
    n = len(index)
    if not 2 <= n <= MAX_EXPLICIT:
        sentence = f"The table has edges between {n:,} cities: it needs 2 to {MAX_EXPLICIT:,} cities."
        raise InvalidInstance("LIMIT", sentence)
    lengths: dict[tuple[int, int], str] = {}
    for at, row in enumerate(rows):
        edge, cell = (index[row[start]], index[row[end]]), row[length]
        if not _NUMBER.fullmatch(cell):
            sentence = f"The length of an edge is {quote_token(cell)}: write a plain number, or leave the row out."
            raise InvalidInstance("NUMBER", sentence, sheet.line(at))
        if edge[0] != edge[1] and lengths.setdefault(edge, cell) != cell:
            sentence = "An edge is listed twice with different lengths: keep one of its rows."
            raise InvalidInstance("DUPLICATE", sentence, sheet.line(at))
    note = "The table was read as edges from one city to another."
    if not any((b, a) in lengths for a, b in lengths):
        lengths |= {(b, a): cell for (a, b), cell in lengths.items()}
        note = "The table was read as edges in both directions, since none is listed in both."
    cells = ["" if a == b else lengths.get((a, b), "") for a in range(n) for b in range(n)]
    square = _read_cells([cells[at : at + n] for at in range(0, n * n, n)], [*index])
    assert square is not None
    return replace(square, note=note)


def _check_decimals(sheet: Sheet, square: Square) -> int:
    """Return the maximum number of decimals in a distance.

    Checks that it is small, and that no comma could separate thousands.
    """
    distinct = sheet.decimals(sorted({*square.cells}))
    if unclear := next((cell for cell in distinct if "," in cell), None):
        line = sheet.line(square.cells.index(unclear) // len(square.values))
        sentence = f"A distance is {quote_token(unclear)}: write plain decimal numbers with a point."
        raise InvalidInstance("NUMBER", sentence, line)
    decimals = max(map(_count_decimals, distinct))
    if decimals > _MAX_DECIMALS:
        sentence = f"A distance has {decimals} decimals: round all to at most {_MAX_DECIMALS}, or to whole numbers."
        raise InvalidInstance("NUMBER", sentence)
    return decimals


def _is_half(missing: np.ndarray) -> bool:
    """Return whether all distances on one side of the diagonal are missing, and none on the other."""
    upper = np.triu(np.ones(missing.shape, bool), 1)
    return any(np.array_equal(missing, half) for half in (upper, upper.T))


def _count_decimals(cell: str) -> int:
    """Return the number of decimals without trailing zeros; 0 for a blank cell."""
    if "e" in cell.lower() and _NUMBER.fullmatch(cell):
        exponent = Decimal(cell).normalize().as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0
    return len(cell.partition(".")[2].rstrip("0"))
