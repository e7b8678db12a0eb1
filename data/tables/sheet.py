"""Parses a table's text into rows with the same number of cells."""

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
#: Anything that could be meant as a number, valid or not: a row that has one is not a header.
NUMBER_LIKE = re.compile(r"[+\-]?[.,]?\d|[+\-]?(nan|inf|infinity)$", re.IGNORECASE)
_DELIMITERS = ("\t", ";", ",")
_FOREIGN = re.compile(r"[^0-9+\-.eE \n]")
_OTHER_SENTENCES = {
    "EMPTY": "The file is empty: send a table of coordinates.",
    "NOT_TEXT": "The file is not text: send a table of coordinates as CSV, plain or as .gz.",
}


class Sheet:
    """A file as rows of cells, parsed again on each iteration.

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
        ``EMPTY``, ``NOT_TEXT``, ``GZIP``, ``LIMIT``, ``COUNT`` or ``COLUMNS``; for rows after the first, when they are
        read.
    """

    def __init__(self, raw: bytes) -> None:
        try:
            self._text, self.warnings = decode(raw)
        except InvalidInstance as fault:
            raise InvalidInstance(fault.code, _OTHER_SENTENCES.get(fault.code, fault.sentence), fault.line) from None
        self._delimiter = next(filter(self._splits, _DELIMITERS), _DELIMITERS[-1])
        self._first_row = self._parse_first_row(self._delimiter)
        self.width = len(self._first_row)
        if not 2 <= self.width <= MAX_COLUMNS:
            sentence = f"A table has 2 to {MAX_COLUMNS} columns with commas, semicolons or tabs between them."
            raise InvalidInstance("LIMIT" if self.width > 1 else "COLUMNS", sentence, 1)
        self.header = any(self._first_row) and not any(map(NUMBER_LIKE.match, self._first_row))
        if next(self.cities(), None) is None:
            raise InvalidInstance("COUNT", "The table has a header and no cities: add a row for each city.")

    def names(self) -> list[str]:
        """Names of the columns."""
        given = self._first_row if self.header else [""] * self.width
        return [one_line(cell, MAX_NAME) or f"Column {number}" for number, cell in enumerate(given, 1)]

    def cities(self) -> Iterator[list[str]]:
        """The cells of each row below the header."""
        return (cells for _, cells in self._rows())

    def points(self, x: int, y: int) -> np.ndarray:
        """The values of two columns, shape (rows, 2), float64, finite and without negative zeros."""
        cells = [row[column] for row in self.cities() for column in (x, y)]
        text = "\n".join(cells)
        # If there are points too, a comma could separate thousands: then commas are not replaced, and refused below.
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
        """Raise an error for the first row of `points` that exceeds `limits`."""
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

    def _parse_first_row(self, delimiter: str) -> list[str]:
        return next(self._parsed(delimiter))[1]

    def _splits(self, delimiter: str) -> bool:
        """Whether a delimiter splits the first row; with the wrong one, quotation marks may not pair up."""
        try:
            return len(self._parse_first_row(delimiter)) > 1
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
        for number, cell in enumerate(cells):
            if not cell:
                sentence = "A coordinate is missing: give every city both of its coordinates."
                return InvalidInstance("NUMBER", sentence, self._line(number // 2))
            if fault := number_fault(cell):
                return InvalidInstance(*fault, self._line(number // 2))
        raise AssertionError("only called where a cell is no number")

    def _line(self, row: int) -> int:
        return next(islice(self._rows(), row, None))[0]
