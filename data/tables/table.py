"""Reads tables strictly: cells between commas, semicolons, tabs, bars or blanks, with optional header.

`peek` lists the columns, so that a user can choose two of them; `read` makes an instance from these two. Each of their
cells must be a plain decimal number; otherwise the error gives the line. A table of distances has no columns to choose:
`peek` reports it, and `read_guess` reads it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from data.city_names import shorten_names
from data.distances import degrees_minutes
from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.limits import MAX_COORDINATE
from data.rounding import choose_degrees_kind
from data.tables import column_names
from data.tables.city_ids import find_ids, is_id_column
from data.tables.matrix import find_matrix, read_matrix
from data.tables.sheet import NUMBER_LIKE, Sheet
from data.tsplib.normal_form import assemble, reduce_to_line
from data.tsplib.numerals import find_number_fault

#: Kinds of distances for two columns of coordinates.
KINDS = ("EUC_2D", "CEIL_2D", "ATT", *UNITS)
_SAMPLE = 3
_MAX_SAMPLE = 40
_MAX_VALUES = 400


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        Name in the header, or a default such as "Column 3".
    numeric : bool
        Whether there are numbers among the first three values.
    sample : tuple of str
        The first three values, each cut to 40 characters.
    values : tuple of float or None
        Values of evenly spaced rows for a preview, the same rows in every column; None for cells that are not numbers;
        empty unless `numeric`.
    """

    name: str
    numeric: bool
    sample: tuple[str, ...]
    values: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table's columns and size.

    Attributes
    ----------
    columns : tuple of Column
    rows : int
        Number of cities, without the header.
    header : bool
    guess : tuple of int
        Likely columns of x and y, or latitude and longitude.
    kind : str
        Kind of distance: kilometres or metres for degrees, see `data.rounding.choose_degrees_kind`, else ``EUC_2D``;
        ``EXPLICIT`` for a table of distances, which has no columns to choose.
    """

    columns: tuple[Column, ...]
    rows: int
    header: bool
    guess: tuple[int, int]
    kind: str = "EUC_2D"


def peek(raw: bytes, source: str = "uploaded") -> Table:
    """Return a table's columns.

    Parameters
    ----------
    raw : bytes
        See `data.tsplib.text.decode`.
    source : str
        See `data.instance.Instance.source`.

    Raises
    ------
    InvalidInstance
        ``EMPTY``, ``NOT_TEXT``, ``GZIP``, ``LIMIT``, ``COUNT``, or ``COLUMNS`` for rows of different lengths and for a
        table without two columns of numbers; ``AMBIGUOUS`` as `data.tables.matrix.find_matrix`.
    """
    sheet = Sheet(raw, source)
    if find_matrix(sheet):
        return Table((), sheet.rows, sheet.header, (0, 1), "EXPLICIT")
    sheet.check_columns()
    first = list(islice(sheet.cities(), _SAMPLE))
    spread = list(islice(sheet.cities(), None, None, -(-sheet.rows // _MAX_VALUES)))
    columns = tuple(map(_describe_column, sheet.names(), zip(*first, strict=True), zip(*spread, strict=True)))
    guess, degrees = column_names.guess_columns([_summarise_column(column) for column in columns])
    kind = _choose_degrees_kind(columns, guess, sheet.rows) if degrees else "EUC_2D"
    return Table(columns, sheet.rows, sheet.header, guess, kind)


def _summarise_column(column: Column) -> column_names.ColumnSummary:
    return column.name, column.numeric, column.sample, column.values


def _choose_degrees_kind(columns: Sequence[Column], guess: tuple[int, int], rows: int) -> str:
    pairs = zip(*(columns[number].values for number in guess), strict=False)
    points = np.array([pair for pair in pairs if None not in pair], np.float64).reshape(-1, 2)
    return choose_degrees_kind(points, len(points) / rows)


def _describe_column(name: str, first_cells: Sequence[str], spread_cells: Sequence[str]) -> Column:
    sample = tuple(reduce_to_line(cell, _MAX_SAMPLE) for cell in first_cells)
    numeric = any(map(NUMBER_LIKE.match, sample))
    return Column(name, numeric, sample, tuple(map(_parse_value, spread_cells)) if numeric else ())


def _parse_value(cell: str) -> float | None:
    number = cell.replace(",", ".")
    return None if find_number_fault(number) else float(number)


def read(raw: bytes, x: int, y: int, kind: str, name: str, source: str = "uploaded") -> Instance:
    """Return the instance of two columns of a table, with names from another column if there is one.

    Parameters
    ----------
    raw : bytes
        As for `peek`.
    x, y : int
        Columns from 0; on the globe, latitude and longitude in decimal degrees.
    kind : str
        One of `KINDS`.
    name : str
        The instance's name.
    source : str
        See `data.instance.Instance.source`.

    Raises
    ------
    InvalidInstance
        As `peek`, ``UNSUPPORTED`` for another kind, and ``COLUMNS``, ``NUMBER``, ``NONFINITE`` or ``RANGE`` for the
        columns' contents.
    """
    if kind not in KINDS:
        raise InvalidInstance("UNSUPPORTED", f"The kind of distance must be one of {', '.join(KINDS)}.")
    sheet = Sheet(raw, source)
    if type(x) is not int or type(y) is not int or x == y or not 0 <= min(x, y) <= max(x, y) < sheet.width:
        raise InvalidInstance("COLUMNS", "Choose two different columns of the table.")
    points = sheet.points(x, y)
    limits = (90.0, 180.0) if kind in UNITS else (MAX_COORDINATE, MAX_COORDINATE)
    sheet.check_range(points, limits)
    latitude, longitude = (sheet.names()[column] for column in (x, y))
    if kind in UNITS and not column_names.is_latitude(latitude):
        sheet.warnings.append(
            f"{latitude} and {longitude} were read as latitude and longitude; call them lon and lat if it is the other "
            "way round, or choose the distances EUC_2D if they are x and y."
        )
    if kind == "GEO":
        points = degrees_minutes(points)
    names, ids = _read_names(sheet, x, y), find_ids(sheet, x, y)
    notes = tuple(sheet.warnings)
    return assemble(name, kind, source, coordinates=points, names=names, node_ids=ids, warnings=notes)


def read_guess(raw: bytes, name: str, source: str) -> Instance:
    """Return a table's instance without user input, from its distances or its most likely columns.

    Raises
    ------
    InvalidInstance
        As `peek` and `read`; ``AMBIGUOUS`` if several columns may be the coordinates.
    """
    sheet = Sheet(raw, source)
    if square := find_matrix(sheet):
        return read_matrix(sheet, square, name)
    columns = peek(raw, source)
    numeric = [number for number, column in enumerate(columns.columns) if column.numeric]
    if len(numeric) > 2 and not column_names.find_coordinate_columns([column.name for column in columns.columns]):
        ids = [number for number in numeric if is_id_column(sheet, number)]
        if len(numeric) - len(ids) != 2 or {*columns.guess} & {*ids}:
            sentence = (
                "Several columns may be the coordinates: call two of them x and y, or lat and lon, in a first row."
            )
            raise InvalidInstance("AMBIGUOUS", sentence)
    return read(raw, *columns.guess, columns.kind, name, source)


def _read_names(sheet: Sheet, x: int, y: int) -> tuple[str, ...]:
    """Return the cities' names; empty if there is no column of names."""
    first = list(islice(sheet.cities(), _SAMPLE))
    columns = [_describe_column(*name, ()) for name in zip(sheet.names(), zip(*first, strict=True), strict=True)]
    column = column_names.guess_names([_summarise_column(column) for column in columns], (x, y))
    return () if column is None else shorten_names(row[column] for row in sheet.cities())
