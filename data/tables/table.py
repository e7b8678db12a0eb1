"""Reads coordinates from a table strictly: CSV with commas, semicolons or tabs, with or without a header row.

`peek` lists the columns, so that a user can choose two of them; `read` makes an instance of the chosen two.
Every cell of these must be a plain decimal number; otherwise the table is refused with the line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from data.city_names import shown_names
from data.distances import degrees_minutes
from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.limits import MAX_COORDINATE
from data.rounding import degrees_kind
from data.tables import column_names
from data.tables.sheet import NUMBER_LIKE, Sheet
from data.tsplib.normal_form import assemble, one_line
from data.tsplib.numerals import number_fault

#: Kinds of distances for two columns of coordinates.
KINDS = ("EUC_2D", "CEIL_2D", "ATT", *UNITS)
_SAMPLE = 3
_MAX_SAMPLE = 40
_MOST_VALUES = 400


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        From the header, or for instance "Column 3" without one.
    numeric : bool
        Whether numbers are among the first three values.
    sample : tuple of str
        The first three values, each cut to 40 characters.
    values : tuple of float or None
        For a preview: values of evenly spaced rows, the same rows in every column, None for cells that are not
        numbers; empty unless `numeric`.
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
        The likely columns of x and y, or latitude and longitude.
    kind : str
        The kind of distance: of degrees kilometres or metres, see `data.rounding.degrees_kind`, else ``EUC_2D``.
    """

    columns: tuple[Column, ...]
    rows: int
    header: bool
    guess: tuple[int, int]
    kind: str = "EUC_2D"


def peek(raw: bytes) -> Table:
    """List the columns of a table.

    Parameters
    ----------
    raw : bytes
        UTF-8, UTF-16 with a byte order mark or Latin-1; plain, or a single gzip stream.

    Raises
    ------
    InvalidInstance
        ``EMPTY``, ``NOT_TEXT``, ``GZIP``, ``LIMIT``, ``COUNT``, or ``COLUMNS`` for rows of different lengths and for a
        table without two columns of numbers.
    """
    sheet = Sheet(raw)
    first = list(islice(sheet.cities(), _SAMPLE))
    rows = sum(1 for _ in sheet.cities())
    spread = list(islice(sheet.cities(), None, None, -(-rows // _MOST_VALUES)))
    columns = tuple(map(_column, sheet.names(), zip(*first, strict=True), zip(*spread, strict=True)))
    guess, degrees = column_names.guess([_summary(column) for column in columns])
    return Table(columns, rows, sheet.header, guess, _degrees_kind(columns, guess, rows) if degrees else "EUC_2D")


def _summary(column: Column) -> column_names.ColumnSummary:
    return column.name, column.numeric, column.sample, column.values


def _degrees_kind(columns: Sequence[Column], guess: tuple[int, int], rows: int) -> str:
    pairs = zip(*(columns[number].values for number in guess), strict=False)
    points = np.array([pair for pair in pairs if None not in pair], np.float64).reshape(-1, 2)
    return degrees_kind(points, len(points) / rows)


def _column(name: str, first: Sequence[str], spread: Sequence[str]) -> Column:
    sample = tuple(one_line(cell, _MAX_SAMPLE) for cell in first)
    numeric = any(map(NUMBER_LIKE.match, sample))
    return Column(name, numeric, sample, tuple(map(_value, spread)) if numeric else ())


def _value(cell: str) -> float | None:
    number = cell.replace(",", ".")
    return None if number_fault(number) else float(number)


def read(raw: bytes, x: int, y: int, kind: str, name: str) -> Instance:
    """Make an instance of two columns of a table, and of names where another column has them.

    Parameters
    ----------
    raw : bytes
        As for `peek`.
    x, y : int
        Columns, from 0; on the globe those of latitude and longitude in decimal degrees.
    kind : str
        One of `KINDS`.
    name : str
        The instance's name.

    Raises
    ------
    InvalidInstance
        As `peek`, ``UNSUPPORTED`` for another kind, and ``COLUMNS``, ``NUMBER``, ``NONFINITE`` or ``RANGE`` for the
        columns' contents.
    """
    if kind not in KINDS:
        raise InvalidInstance("UNSUPPORTED", f"The kind of distance must be one of {', '.join(KINDS)}.")
    sheet = Sheet(raw)
    if type(x) is not int or type(y) is not int or x == y or not 0 <= min(x, y) <= max(x, y) < sheet.width:
        raise InvalidInstance("COLUMNS", "Choose two different columns of the table.")
    points = sheet.points(x, y)
    limits = (90.0, 180.0) if kind in UNITS else (MAX_COORDINATE, MAX_COORDINATE)
    sheet.check_range(points, limits)
    latitude, longitude = (sheet.names()[column] for column in (x, y))
    if kind in UNITS and not column_names.is_latitude(latitude):
        sheet.warnings.append(
            f"{latitude} and {longitude} were read as latitude and longitude; "
            "choose the distances EUC_2D if they are x and y."
        )
    if kind == "GEO":
        points = degrees_minutes(points)
    names = _names(sheet, x, y)
    return assemble(name, kind, "uploaded", coordinates=points, names=names, warnings=tuple(sheet.warnings))


def _names(sheet: Sheet, x: int, y: int) -> tuple[str, ...]:
    """What the table calls its cities; none at all without a column of names."""
    first = list(islice(sheet.cities(), _SAMPLE))
    columns = [_column(*each, ()) for each in zip(sheet.names(), zip(*first, strict=True), strict=True)]
    column = column_names.guess_names([_summary(column) for column in columns], (x, y))
    return () if column is None else shown_names(row[column] for row in sheet.cities())
