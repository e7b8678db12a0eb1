"""Exports every run of a study as CSV."""

from pathlib import Path

from data.csv_text import format_rows
from data.files import EVERYBODY, write_whole
from studies.export.rows import COLUMNS, run_rows
from studies.file.reader import StudyReader


def export(reader: StudyReader, path: Path) -> None:
    """Write a row per run in UTF-8, with the line ends of RFC 4180 and exact numbers."""
    write_whole(path, format_csv(reader).encode(), EVERYBODY)


def format_csv(reader: StudyReader) -> str:
    """Format the CSV as text."""
    return format_rows([COLUMNS, *([row[name] for name in COLUMNS] for row in run_rows(reader))])
