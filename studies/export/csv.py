"""Every run of a study as CSV."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from data.files import EVERYBODY, write_whole
from studies.export.rows import COLUMNS, run_rows
from studies.file.reader import StudyReader

#: What a spreadsheet would take for a formula if a text began with it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(reader: StudyReader, path: Path) -> None:
    """Write a row a run, UTF-8, lines ended as RFC 4180 has them; numbers in full, so that they read back the same."""
    write_whole(path, csv_text(reader).encode(), EVERYBODY)


def csv_text(reader: StudyReader) -> str:
    """The same as text."""
    return table_text([COLUMNS, *([row[name] for name in COLUMNS] for row in run_rows(reader))])


def table_text(rows: Iterable[Iterable[Any]]) -> str:
    """Any rows as CSV: truth as words, and no text that a spreadsheet would take for a formula."""
    text = io.StringIO()
    csv.writer(text).writerows(map(_field, row) for row in rows)
    return text.getvalue()


def _field(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
