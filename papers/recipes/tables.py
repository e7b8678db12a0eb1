"""Tables whose cells are measured one by one."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from papers.results import MeasuredTable

#: The samples of a cell, and the reason if there are none, or "".
Cell = tuple[list[float], str]
_Row = TypeVar("_Row")
_Column = TypeVar("_Column")


def measure_cells(
    head: str, rows: Mapping[str, _Row], columns: Mapping[str, _Column], unit: str,
    measure: Callable[[_Row, _Column], Cell], notes: Mapping[str, str] | None = None,
) -> MeasuredTable:  # fmt: skip
    """Measure a table row by row.

    Parameters
    ----------
    head : str
        Heading of the rows.
    rows, columns : mapping
        What is measured in each row and column, by title.
    unit : str
        Unit of all columns.
    measure : callable
        Measures the cell of a row and a column.
    notes : mapping of str to str, optional
    """
    cells = {row: {column: measure(of, at) for column, at in columns.items()} for row, of in rows.items()}
    samples = {row: tuple(samples for samples, _ in line.values()) for row, line in cells.items()}
    refusals = {f"{row}, {column}": why for row, line in cells.items() for column, (_, why) in line.items() if why}
    return MeasuredTable(head, tuple(columns), (unit,) * len(columns), samples, refusals, notes or {})


def take_samples(entry: Mapping[str, Any], key: str, convert: Callable[[float], float] = float) -> Cell:
    """Return the converted samples of a benchmark's entry, or why there are none."""
    return [convert(each) for each in entry.get(key, ())], entry.get("refused", "")
