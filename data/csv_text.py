"""Rows as the text of a CSV file (RFC 4180), guarded against texts that a spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable
from typing import Any

#: First characters that make a spreadsheet take a text for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


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
