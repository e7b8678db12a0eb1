"""Every run of a study as CSV."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from data.files import EVERYBODY, write_whole
from studies.export.rows import COLUMNS, run_rows
from studies.file.reader import StudyReader

#: First characters that make a spreadsheet take a text for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(reader: StudyReader, path: Path) -> None:
    """Write one row per run in UTF-8, with the line ends of RFC 4180 and numbers that read back exactly."""
    write_whole(path, csv_text(reader).encode(), EVERYBODY)


def csv_text(reader: StudyReader) -> str:
    """The CSV as text."""
    return table_text([COLUMNS, *([row[name] for name in COLUMNS] for row in run_rows(reader))])


def table_text(rows: Iterable[Iterable[Any]]) -> str:
    """Any rows as CSV: booleans as words, texts that look like formulas quoted."""
    text = io.StringIO()
    csv.writer(text).writerows(map(_field, row) for row in rows)
    return text.getvalue()


def _field(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
