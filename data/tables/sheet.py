"""Parses a table's text into rows of equal width."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from data.errors import InvalidInstance
from data.limits import MAX_COORDINATE, MAX_EXPLICIT, MAX_NAME, max_bytes, max_cities
from data.tables import numpy_file
from data.tables.column_names import find_coordinate_columns
from data.tables.dialect import COMMENT, find_common_width, find_dialect
from data.tsplib.normal_form import reduce_to_line
from data.tsplib.numerals import find_number_fault
from data.tsplib.text import decode

#: Maximum number of columns in a table of coordinates.
MAX_COLUMNS = 256
#: Maximum number of columns in any table; a matrix has a column for each city, and one for names.
_MAX_WIDTH = MAX_EXPLICIT + 1
#: Anything that could be meant as a number, valid or not; a row with one is not a header.
NUMBER_LIKE = re.compile(r"[+\-]?[.,]?\d|[+\-]?(nan|inf|infinity)$", re.IGNORECASE)
_SAMPLE = 200
_COUNT = re.compile(r"[0-9]{1,9}")
_THOUSANDS = re.compile(r"[+\-]?\d{1,3}(,\d{3})+")
# Start of nested lists, and separator between two of them.
_LISTS = re.compile(r"\s{0,40}(?:\w{1,40} ?= ?)?(?:(?:np\.|numpy\.)?array\()?[\[(]\s{0,40}[\[(]")
_NEXT_LIST = re.compile(r"[\])][ \t]*+,?+[ \t]*+\n?+[ \t]*+[\[(]")
_FOREIGN = re.compile(r"[^0-9+\-.eE \n]")


class Sheet:
    """A file as rows of cells, parsed again on each iteration.

    Lines before the table, such as a title or comments, and rows without values are left out with a warning.

    Parameters
    ----------
    raw : bytes
        See `data.tsplib.text.decode`.
    source : str
        See `data.instance.Instance.source`.

    Attributes
    ----------
    width : int
        Number of columns of every row.
    rows : int
        Number of cities, without the header.
    header : bool
    warnings : list of str

    Raises
    ------
    InvalidInstance
        ``EMPTY``, ``NOT_TEXT``, ``GZIP``, ``LIMIT``, ``COUNT`` or ``COLUMNS``.
    """

    def __init__(self, raw: bytes, source: str = "uploaded") -> None:
        self._most, self.warnings = max_cities(source), list[str]()
        if raw.startswith(numpy_file.MAGIC):
            text = numpy_file.read_text(raw)
        else:
            text, self.warnings = decode(raw, max_bytes(source))
        self._text = _split_lists(text)
        self._dialect = find_dialect(self._text)
        first = self._read_first_rows()
        self.width = find_common_width(cells for _, cells in first)
        if not 2 <= self.width <= _MAX_WIDTH:
            raise self._make_width_error()
        self._head, self._first_city = self._find_head(first)
        self.header = any(self._head)
        self._empty = 0
        self.rows = sum(1 for _ in self._parse_rows())
        if not self.rows:
            raise InvalidInstance("COUNT", "The table has a header and no cities: add a row for each city.")
        self._check_count(first)
        if self._empty:
            self.warnings.append(f"Rows without any value were left out: {self._empty:,}.")

    def names(self) -> list[str]:
        """Return the names of the columns."""
        headings = self._head if self.header else [""] * self.width
        return [reduce_to_line(cell, MAX_NAME) or f"Column {number}" for number, cell in enumerate(headings, 1)]

    def header_cells(self) -> list[str]:
        """Return the header's cells as in the file; empty if there is no header."""
        return list(self._head)

    def cities(self) -> Iterator[list[str]]:
        """Return the cells of each row below the header."""
        return (cells for _, cells in self._parse_rows())

    def points(self, x: int, y: int) -> np.ndarray:
        """Return two columns' values, (rows, 2) float64, finite and without negative zeros."""
        cells = self.decimals([row[column] for row in self.cities() for column in (x, y)])
        try:
            if _FOREIGN.search("\n".join(cells)):
                raise ValueError
            values = np.fromiter(map(float, cells), np.float64, len(cells))
            if not np.isfinite(values).all():
                raise ValueError
        except ValueError:
            raise self._find_fault(cells) from None
        return values.reshape(-1, 2) + 0.0

    def decimals(self, cells: list[str]) -> list[str]:
        """Replace decimal commas by points in numeric cells.

        If there are also points, a comma could separate thousands; commas then stay, and are refused later. The same
        applies if commas separate cells, and all quoted numbers with commas could have thousands separators.
        """
        with_comma = [cell for cell in cells if "," in cell]
        if not with_comma or any("." in cell for cell in cells):
            return cells
        if self._dialect.delimiter == "," and all(map(_THOUSANDS.fullmatch, with_comma)):
            return cells
        note = "Commas were read as decimal points."
        if note not in self.warnings:
            self.warnings.append(note)
        return [cell.replace(",", ".") for cell in cells]

    def check_columns(self) -> None:
        """Raise an error if the table has too many columns for coordinates."""
        if self.width > MAX_COLUMNS:
            raise self._make_width_error()

    def _make_width_error(self) -> InvalidInstance:
        sentence = f"A table has 2 to {MAX_COLUMNS} columns with commas, semicolons, tabs, bars or blanks between."
        return InvalidInstance("LIMIT" if self.width > 1 else "COLUMNS", sentence, 1)

    def check_range(self, points: np.ndarray, limits: tuple[float, float]) -> None:
        """Raise an error for the first row of `points` beyond `limits`."""
        beyond = np.abs(points) > limits
        if not beyond.any():
            return
        row = int(beyond.any(axis=1).argmax())
        sentence = f"A coordinate is beyond {MAX_COORDINATE:,.0f}: scale the coordinates down."
        if limits[0] != limits[1]:
            sentence = (
                "A latitude is beyond 90 degrees, or a longitude beyond 180: the first column is the latitude, the "
                "second the longitude."
            )
        raise InvalidInstance("RANGE", sentence, self.line(row))

    def line(self, row: int) -> int:
        """Return the line of a city's row; `row` counts cities from 0."""
        return next(islice(self._parse_rows(), row, None))[0]

    def _read_first_rows(self) -> list[tuple[int, list[str]]]:
        """Return the first rows with a value, up to the first fault."""
        filled_rows = []
        try:
            for line, cells in islice(self._dialect.rows(self._text), _SAMPLE):
                if any(cells):
                    filled_rows.append((line, cells))
        except csv.Error:
            pass  # `_parse_rows` reports it
        return filled_rows

    def _find_head(self, rows: Sequence[tuple[int, list[str]]]) -> tuple[list[str], int]:
        """Return the header's cells, empty if there is none, and the first city's line."""
        at = 0
        while at < len(rows) and self._is_before(rows[at][1], rows[at + 1 : at + 2]):
            at += 1
        if at == len(rows):
            at = 0
        head: list[str] = []
        before = [cells for _, cells in rows[:at]]
        if not any(map(NUMBER_LIKE.match, rows[at][1])):
            head, at = rows[at][1], at + 1
            if len(head) < self.width:  # R leaves the first column unnamed, other programs an empty last one
                empty_last = find_coordinate_columns(head) and not any(cells[-1] for _, cells in rows[at:])
                head = [*head, ""] if empty_last else ["", *head]
        elif before and (commented := _read_commented_names(before[-1])) and len(commented) == self.width:
            head = commented
            before.pop()
        elif before and self._is_short_head(before[-1]):
            raise self._make_head_error(len(before[-1]), rows[at - 1][0])
        ignored = sum(not _declares_count(cells) for cells in before)
        if ignored:
            self.warnings.append(f"Lines before the table were left out: {ignored:,}.")
        return head, rows[at][0] if at < len(rows) else rows[-1][0] + 1

    def _is_before(self, cells: list[str], next_rows: Sequence[tuple[int, list[str]]]) -> bool:
        """Return whether a row precedes the table: a title, a comment, or the number of cities."""
        filled = [cell for cell in cells if cell]
        if COMMENT.match(filled[0]) or len(cells) == 1:
            return True
        if len(filled) == 1:
            return bool(find_number_fault(filled[0]))
        if len(cells) == self.width or any(map(NUMBER_LIKE.match, cells)):
            return False
        data_follow = any(len(row) == self.width and any(map(NUMBER_LIKE.match, row)) for _, row in next_rows)
        return not (len(cells) == self.width - 1 and data_follow)

    def _is_short_head(self, cells: list[str]) -> bool:
        """Return whether a row names the coordinates but has fewer cells than the table."""
        return len(cells) < self.width and not COMMENT.match(cells[0]) and find_coordinate_columns(cells) is not None

    def _check_count(self, first_rows: Sequence[tuple[int, list[str]]]) -> None:
        """Compare the number of cities with the one given before the table, if any."""
        for line, cells in first_rows:
            if line < self._first_city and _declares_count(cells) and int(cells[0]) != self.rows:
                sentence = f"The table has {self.rows:,} cities and the line before it says {int(cells[0]):,}."
                raise InvalidInstance("COUNT", sentence, line)

    def _parse_rows(self) -> Iterator[tuple[int, list[str]]]:
        count, self._empty = 0, 0
        try:
            for line, cells in self._dialect.rows(self._text):
                if line < self._first_city:
                    continue
                if not any(cells):
                    self._empty += 1
                    continue
                if len(cells) != self.width:
                    raise self._make_row_error(len(cells), line)
                count += 1
                if count > self._most:
                    sentence = f"The table has more than {self._most:,} cities, the most that are read: send fewer."
                    raise InvalidInstance("LIMIT", sentence, line)
                yield line, cells
        except csv.Error as fault:
            sentence = "A cell is too long, or its quotation marks do not pair up: put it in one pair of double quotes."
            raise InvalidInstance("COLUMNS", sentence, fault.args[0]) from None

    def _make_row_error(self, cells: int, line: int) -> InvalidInstance:
        sentence = f"The other rows have {self.width} cells, this one has {cells:,}: give each row equally many."
        return InvalidInstance("COLUMNS", sentence, line)

    def _make_head_error(self, names: int, line: int) -> InvalidInstance:
        sentence = (
            f"This row names {names:,} columns and those below have {self.width} cells: put cells with a comma, such "
            "as decimals, in double quotes, or semicolons between cells."
        )
        return InvalidInstance("COLUMNS", sentence, line)

    def _find_fault(self, cells: list[str]) -> InvalidInstance:
        """Return the error for the first of the cells, two per row, that is not a number."""
        for number, cell in enumerate(cells):
            if not cell:
                sentence = "A coordinate is missing: give every city both of its coordinates."
                return InvalidInstance("NUMBER", sentence, self.line(number // 2))
            if fault := find_number_fault(cell):
                return InvalidInstance(*fault, self.line(number // 2))
        raise AssertionError("only called where a cell is no number")


def _split_lists(text: str) -> str:
    """Put each inner list of nested Python, JSON or NumPy lists on a line; leave other text unchanged."""
    opening = _LISTS.match(text)
    if not opening:
        return text
    return _NEXT_LIST.sub("\n", "\n" * opening[0].count("\n") + text[opening.end() :].rstrip("])},; \t\n"))


def _read_commented_names(cells: list[str]) -> list[str]:
    """Return the column names in a comment; empty if the line has no comment mark, or has numbers."""
    mark = COMMENT.match(cells[0])
    if not mark:
        return []
    first = cells[0][mark.end() :]
    names = [first, *cells[1:]] if first else cells[1:]
    return [] if any(map(NUMBER_LIKE.match, names)) else names


def _declares_count(cells: list[str]) -> bool:
    return len(cells) == 1 and _COUNT.fullmatch(cells[0]) is not None
