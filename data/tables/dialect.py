"""Detects a table's separator: tabs, semicolons, bars, commas or blanks."""

import contextlib
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

#: Separators in the order in which they are tried; the last means any blanks.
DELIMITERS = ("\t", ";", "|", ",", " ")
#: Number of lines examined.
_SAMPLE = 200
#: Share of the rows that must have the same number of cells.
_MAX_ROWS = 2 / 3
_SEP = re.compile(r'"?sep=(.)"?[;,\t ]*\n', re.IGNORECASE)
#: Start of a comment line.
COMMENT = re.compile(r"(#+|%+|//)\s*")
#: Characters of the line below the head of a table in Markdown or from a database.
_RULER = frozenset(" \t\n|:+=-")
_TWO_NUMBERS = re.compile(r"[+\-]?\d+\s+[+\-]?[\d.,]+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A table's separator, and where the table starts.

    Attributes
    ----------
    delimiter : str
    start : int
        Index of the first character of the table.
    first_line : int
        Line of this character, from 1.
    """

    delimiter: str
    start: int = 0
    first_line: int = 1

    def rows(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Yield line and cells of each non-blank row; a row with quoted line breaks counts as its first line.

        Raises
        ------
        csv.Error
            The line is the error's only argument.
        """
        lines = map(self._prepare, _split_lines(text, self.start))
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True, skipinitialspace=self.delimiter == " ")
        line = self.first_line
        try:
            for row in reader:
                if row:
                    yield line, [cell.strip() for cell in row]
                line = self.first_line + reader.line_num
        except csv.Error:
            raise csv.Error(line) from None

    def sample(self, text: str) -> list[list[str]]:
        """Return the rows before the first fault, without comments and rows that have no values."""
        filled_rows = []
        with contextlib.suppress(csv.Error):
            for _, cells in self.rows(text):
                if any(cells) and not COMMENT.match(cells[0]):
                    filled_rows.append(cells)
        return filled_rows

    def _prepare(self, line: str) -> str:
        if self.delimiter == " ":
            return " ".join(line.split())
        if self.delimiter == "|":
            return "" if "--" in line and _RULER.issuperset(line) else line.strip().removeprefix("|").removesuffix("|")
        return "" if line.isspace() else line


def find_dialect(text: str) -> Dialect:
    """Return the dialect declared by a first line such as ``sep=;``, or the one that makes most rows equally wide."""
    if declared := _SEP.match(text):
        return Dialect(declared[1], declared.end(), 2)
    head = "".join(islice(_split_lines(text), _SAMPLE))
    best, best_share = Dialect(","), 0.0
    for dialect in map(Dialect, DELIMITERS):
        rows = dialect.sample(head)
        width = find_common_width(rows)
        share = sum(len(cells) == width for cells in rows) / len(rows) if width > 1 else 0.0
        if any(_TWO_NUMBERS.fullmatch(cell) for cells in rows for cell in cells):
            share /= 2  # as in 52,1 4,6, where the comma is a decimal mark
        if share >= _MAX_ROWS:
            return dialect
        if share > best_share:
            best, best_share = dialect, share
    return best


def find_common_width(rows: Iterable[list[str]]) -> int:
    """Return the most common width of rows that have several cells and are not comments; 1 if there are none."""
    widths = Counter(len(cells) for cells in rows if len(cells) > 1 and not COMMENT.match(cells[0]))
    return max(widths, key=lambda width: widths[width], default=1)


def _split_lines(text: str, start: int = 0) -> Iterator[str]:
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end
