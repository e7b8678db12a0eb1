"""A table's text as rows of cells, every one of which has the same number of them."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from data.errors import InvalidInstance
from data.limits import MAX_CITIES, MAX_COORDINATE, MAX_NAME
from data.tsplib.normal_form import one_line
from data.tsplib.numerals import number_fault
from data.tsplib.text import decode

#: Most columns of a table.
MAX_COLUMNS = 256
#: Whatever could be meant as a number, be it written as it must be or not: a row that has one is no header.
NUMBER_LIKE = re.compile(r"[+\-]?[.,]?\d|[+\-]?(nan|inf|infinity)$", re.IGNORECASE)
_DELIMITERS = ("\t", ";", ",")
_FOREIGN = re.compile(r"[^0-9+\-.eE \n]")
_INSTEAD = {
    "EMPTY": "The file is empty: send a table of coordinates.",
    "NOT_TEXT": "The file is not text: send a table of coordinates as CSV, plain or as .gz.",
}


class Sheet:
    """A file as rows of cells, which are parsed anew each time that they are asked for.

    Parameters
    ----------
    raw : bytes
        See `data.tsplib.text.decode`.

    Attributes
    ----------
    width : int
        Columns of every row.
    header : bool
    warnings : list of str

    Raises
    ------
    InvalidInstance
        ``EMPTY``, ``NOT_TEXT``, ``GZIP``, ``LIMIT``, ``COUNT`` or ``COLUMNS``; of the rows behind the first when they
        are asked for.
    """

    def __init__(self, raw: bytes) -> None:
        try:
            self._text, self.warnings = decode(raw)
        except InvalidInstance as fault:
            raise InvalidInstance(fault.code, _INSTEAD.get(fault.code, fault.sentence), fault.line) from None
        self._delimiter = next(filter(self._parts, _DELIMITERS), _DELIMITERS[-1])
        self._top = self._first(self._delimiter)
        self.width = len(self._top)
        if not 2 <= self.width <= MAX_COLUMNS:
            sentence = f"A table has 2 to {MAX_COLUMNS} columns with commas, semicolons or tabs between them."
            raise InvalidInstance("LIMIT" if self.width > 1 else "COLUMNS", sentence, 1)
        self.header = any(self._top) and not any(map(NUMBER_LIKE.match, self._top))
        if next(self.cities(), None) is None:
            raise InvalidInstance("COUNT", "The table has a header and no cities: add a row for each city.")

    def names(self) -> list[str]:
        """Names of the columns."""
        given = self._top if self.header else [""] * self.width
        return [one_line(cell, MAX_NAME) or f"Column {number}" for number, cell in enumerate(given, 1)]

    def cities(self) -> Iterator[list[str]]:
        """The cells of each row below the header."""
        return (cells for _, cells in self._rows())

    def points(self, x: int, y: int) -> np.ndarray:
        """The values of two columns, shape (rows, 2), float64, finite and without negative zeros."""
        cells = [row[column] for row in self.cities() for column in (x, y)]
        text = "\n".join(cells)
        # With a point somewhere as well, a comma could part thousands: then both stay, and the comma is refused.
        if self._delimiter != "," and "," in text and "." not in text:
            text, cells = text.replace(",", "."), [cell.replace(",", ".") for cell in cells]
            self.warnings.append("Commas were read as decimal points.")
        try:
            if _FOREIGN.search(text):
                raise ValueError
            values = np.fromiter(map(float, cells), np.float64, len(cells))
            if not np.isfinite(values).all():
                raise ValueError
        except ValueError:
            raise self._fault(cells) from None
        return values.reshape(-1, 2) + 0.0

    def check_range(self, points: np.ndarray, limits: tuple[float, float]) -> None:
        """Refuse the first row of `points` that is beyond `limits`."""
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
        raise InvalidInstance("RANGE", sentence, self._line(row))

    def _first(self, delimiter: str) -> list[str]:
        return next(self._parsed(delimiter))[1]

    def _parts(self, delimiter: str) -> bool:
        """Whether a delimiter parts the first row; with the wrong one, quotation marks may not even pair up."""
        try:
            return len(self._first(delimiter)) > 1
        except InvalidInstance:
            return False

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        for number, (line, cells) in enumerate(self._parsed(self._delimiter), 0 if self.header else 1):
            if len(cells) != self.width:
                sentence = f"This row has {len(cells):,} cells and the first has {self.width}: give each row as many."
                raise InvalidInstance("COLUMNS", sentence, line)
            if number > MAX_CITIES:
                sentence = f"The table has more than {MAX_CITIES:,} cities, the most that are read: send fewer."
                raise InvalidInstance("LIMIT", sentence, line)
            if number:
                yield line, cells

    def _parsed(self, delimiter: str) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of every row that is not blank; for a row with quoted line breaks, its first line."""
        reader, line = csv.reader(io.StringIO(self._text), delimiter=delimiter, strict=True), 1
        try:
            for row in reader:
                cells = [cell.strip() for cell in row]
                if any(cells) or len(cells) > 1:
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error:
            sentence = "A cell is too long, or its quotation marks do not pair up: put it in one pair of double quotes."
            raise InvalidInstance("COLUMNS", sentence, line) from None

    def _fault(self, cells: list[str]) -> InvalidInstance:
        """The error in the first of the cells, two per row, that is not a number."""
        for at, cell in enumerate(cells):
            if not cell:
                sentence = "A coordinate is missing: give every city both of its coordinates."
                return InvalidInstance("NUMBER", sentence, self._line(at // 2))
            if fault := number_fault(cell):
                return InvalidInstance(*fault, self._line(at // 2))
        raise AssertionError("only called where a cell is no number")

    def _line(self, row: int) -> int:
        return next(islice(self._rows(), row, None))[0]
