"""An entry in plain text: published figures and ours, side by side."""

from collections.abc import Iterable, Iterator

from papers.model import DRAWING_ONLY, Entry, sort_rows
from papers.results import Result, shorten_gpu_name


def format_table(entry: Entry, found: Iterable[Result], here: bool = True) -> str:
    """Format the published figures and each result's medians as columns; a note replaces a missing drawing.

    Parameters
    ----------
    entry : Entry
    found : iterable of Result
    here : bool
        Whether the results are from this machine; otherwise each heading names the hardware.
    """
    results = list(found)
    if not (entry.published or entry.authors_code or results):
        return f"Published: {DRAWING_ONLY}. Nothing was measured yet."
    lines = [["", *(f"{column}, {owner}" for column, owner in _list_columns(entry, results, here))]]
    for row in _list_rows(entry, results):
        lines.append([row, *_format_figures(entry, results, row)])
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    texts = [
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    ]
    remarks = [remark for result in results for remark in (result.measured.notes, result.measured.refused)]
    return "\n".join([*texts, *(f"{label}: {sentence}" for remark in remarks for label, sentence in remark.items())])


def _list_columns(entry: Entry, results: list[Result], here: bool) -> Iterator[tuple[str, str]]:
    if entry.published:
        yield from ((column, "published") for column in entry.published.columns)
    if entry.authors_code:
        owner = f"authors' code, {shorten_gpu_name(entry.authors_code.machine)}"
        yield from ((column, owner) for column in entry.authors_code.figures.columns)
    for result in results:
        owner = "here" if here else _find_device_name(result)
        yield from ((column, owner) for column in result.measured.columns)


def _find_device_name(result: Result) -> str:
    return shorten_gpu_name(str(result.machine["device"]["name"])) if result.device == "cuda" else "CPU"


def _list_rows(entry: Entry, results: list[Result]) -> list[str]:
    """Return the rows of all tables: numbers by size, otherwise the published ones first."""
    tables = [entry.published, entry.authors_code.figures if entry.authors_code else None]
    return sort_rows(
        row for table in (*tables, *(result.measured for result in results)) if table for row in table.rows
    )


def _format_figures(entry: Entry, results: list[Result], row: str) -> Iterator[str]:
    if entry.published:
        yield from (_format_value(entry.published.figure(row, column)) for column in entry.published.columns)
    if entry.authors_code:
        yield from (
            _format_value(entry.authors_code.figures.figure(row, column))
            for column in entry.authors_code.figures.columns
        )
    for result in results:
        yield from (_format_value(result.measured.figure(row, column)) for column in result.measured.columns)


def _format_value(value: float | None) -> str:
    return "-" if value is None else f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
