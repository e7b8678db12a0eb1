"""Formats rows as CSV (RFC 4180), escaping text that spreadsheets would interpret as formulas."""

import csv
import io
from collections.abc import Iterable
from typing import Any

#: First characters by which a spreadsheet recognises a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def format_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Format rows as CSV, with booleans as words and formula-like text quoted."""
    text = io.StringIO()
    csv.writer(text).writerows(map(_format_field, row) for row in rows)
    return text.getvalue()


def _format_field(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
