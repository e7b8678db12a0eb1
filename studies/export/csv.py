"""Every run of a study as CSV."""

import csv
import io
from pathlib import Path
from typing import Any

from studies.export.files import write
from studies.export.rows import COLUMNS, run_rows
from studies.file.reader import StudyReader

#: What a spreadsheet would take for a formula if a text began with it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def check() -> None:
    """Nothing is needed."""


def export(reader: StudyReader, path: Path) -> None:
    """Write a row a run, UTF-8, lines ended as RFC 4180 has them; numbers in full, so that they read back the same."""
    write(path, csv_text(reader).encode())


def csv_text(reader: StudyReader) -> str:
    """The same as text."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in run_rows(reader):
        writer.writerow([field(row[name]) for name in COLUMNS])
    return text.getvalue()


def field(value: Any) -> Any:
    """A cell: truth as words, and no text that a spreadsheet would take for a formula."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
