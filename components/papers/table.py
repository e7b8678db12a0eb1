"""Entries as tables: a group of lines per row of the paper, one per source, with our ratios below."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

from components.papers.sources import Source, merge_columns, merge_rows
from components.shell.facts import localise
from components.shell.numbers import MINUS, NONE, THIN, format_fixed, format_integer, localise_point
from components.shell.texts import papers as text
from components.types import JsonObject
from papers.comparison import TOLERANCE, compute_ratio, falls_short
from papers.model import Entry, Table
from runs.translation import translate

#: Maximum number of decimals to which the paper's figures are aligned; further zeros would not be the paper's own.
_ALIGNED = 3
#: Number of significant digits of a measured figure.
_DIGITS = 4


def table_to_json(entry: Entry, sources: Sequence[Source]) -> JsonObject | None:
    """Return the table from which `assets/papers/table.js` builds elements; None without figures.

    ``heads`` has the columns with their units. ``rows`` has for each row its name, and a line for each source with
    figures in it, with a cell per column.
    """
    columns = merge_columns(sources)
    if not columns:
        return None
    rows: list[JsonObject] = [
        {"name": localise(row), "lines": list(_lines(entry, sources, row, columns))} for row in merge_rows(sources)
    ]
    return {
        "head": translate(sources[0].figures.head),
        "columns": [{"name": localise(column), "unit": translate(unit)} for column, unit in columns.items()],
        "sources": len(sources) > 1 or sources[0].result is not None,
        "rows": rows,
    }


def _lines(entry: Entry, sources: Sequence[Source], row: str, columns: dict[str, str]) -> Iterator[JsonObject]:
    for source in sources:
        cells = [_cell(entry, source, row, column, unit) for column, unit in columns.items()]
        if any(cell["text"] != NONE for cell in cells):
            yield {"source": source.label, "ours": source.result is not None, "cells": cells}


def _cell(entry: Entry, source: Source, row: str, column: str, unit: str) -> JsonObject:
    """Format a figure; one of ours comes with its ratio and whether that falls short."""
    value = source.figures.figure(row, column)
    if value is None:
        return {"text": NONE}
    if isinstance(source.figures, Table):
        digits = _count_decimals(source.figures, column)
        spread = _published_spread(source.figures, row, column)
        return {"text": format_published(value, digits), **({"spread": format_published(spread)} if spread else {})}
    times = compare_figure(entry, row, column, unit, value)
    cell: JsonObject = {"text": format_measured(value)}
    if cores := source.cores(column):
        cell["cores"] = cores
    if _has_spread(entry, row, column) and (spread := source.figures.spread(row, column)) is not None:
        cell["spread"] = format_measured(spread)
    return cell if times is None else {**cell, "ratio": format_ratio(times), "short": falls_short(times)}


def _published_spread(table: Table, row: str, column: str) -> float | None:
    return dict(zip(table.columns, table.spread.get(row, ()), strict=False)).get(column)


def _has_spread(entry: Entry, row: str, column: str) -> bool:
    """Return whether the paper gives a standard deviation for a figure."""
    return entry.published is not None and _published_spread(entry.published, row, column) is not None


def compare_figure(entry: Entry, row: str, column: str, unit: str, ours: float | None) -> float | None:
    """Return our figure divided by the paper's, above 1 if ours is better; see `papers.comparison.compute_ratio`."""
    return compute_ratio(column, unit, entry.published.figure(row, column), ours) if entry.published else None


def format_ratio(times: float) -> str:
    """Format a ratio with three digits, as in 2.31 ×; a shortfall is never rounded to 1."""
    digits = 0 if times >= 99.95 else 1 if times >= 9.995 else 2 if times >= 0.0995 else 3
    return f"{format_fixed(times, digits)}{THIN}×"


def _count_decimals(published: Table, column: str) -> int:
    """Return the maximum number of decimals in a paper's column, including trailing zeros."""
    figures = [published.figure(row, column) for row in published.rows]
    most = max(len(_split_number(figure)[1]) for figure in figures if figure is not None)
    return most if most <= _ALIGNED else 0


def format_published(value: float, digits: int = 0) -> str:
    """Format a figure with the paper's digits and at least this many decimals."""
    whole, after = _split_number(value)
    point = after.ljust(digits, "0")
    return f"{MINUS if value < 0 else ''}{format_integer(int(whole))}{localise_point(f'.{point}') if point else ''}"


def _split_number(value: float) -> tuple[str, str]:
    """Split a number into the digits before and after the decimal point."""
    digits, _, after = f"{Decimal(repr(abs(float(value)))):f}".partition(".")
    return digits, after.rstrip("0")


def format_measured(value: float) -> str:
    """Format a measured figure with four digits."""
    if float(value).is_integer() or abs(value) >= 10 ** (_DIGITS - 1):
        return format_integer(float(value))
    return format_fixed(value, min(12, _DIGITS - 1 - math.floor(math.log10(abs(value)))))


def describe_shortfall(ratios: Sequence[float]) -> dict[str, str]:
    """Describe in how many figures an entry falls short, and give the worst ratio; both empty if there are none."""
    short = [times for times in ratios if falls_short(times)]
    if not short:
        return {"short": "", "worst": ""}
    worst = format_ratio(min(short))
    sentence = text("entry.short", tolerance=100 * TOLERANCE, count=len(short), all=len(ratios), worst=worst)
    return {"short": sentence, "worst": worst}
