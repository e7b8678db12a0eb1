"""Formats results on Ant Colony System as tables in Markdown."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.ants import published
from benchmarks.ants.tables import (
    Entry,
    compare_variants,
    format_figure,
    format_mean_length,
    format_median,
    format_table,
)
from benchmarks.entries import join_tables


def _format_seconds(entry: Entry | None) -> str:
    """Return the median seconds of complete runs; for runs that were cut short, also the number of iterations."""
    if not entry or not entry.get("seconds"):
        return (entry or {}).get("refused", "")
    text, done = format_figure(statistics.median(entry["seconds"])), min(entry["done"])
    return text if done == entry["iterations"] else f"{text}, {done:,} of {entry['iterations']:,}"


def format_figure_7(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 7."""
    rows = [[f"{entry['n']:,}, {entry['way']}", _format_seconds(entry), format_mean_length(entry)] for entry in results]
    yield format_table("Qin and Han, figure 7: 256 iterations, 128 ants", ["cities", "seconds", "best length"], rows)


def format_pace(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of iterations with as many ants as cities."""
    title = "Milliseconds an iteration, as many ants as cities (\\*: fewer than 100 samples)"
    yield compare_variants(title, results, format_median, [published.QIN_HAN_PEER])


def format_quality(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of gaps and seconds."""
    rows = [
        [f"{entry['instance']}, {entry['way']}", format_mean_length(entry), _format_seconds(entry)] for entry in results
    ]
    head = ["", "best length, mean over the seeds (above the optimum)", "seconds"]
    yield format_table("100 iterations, 128 ants, 2-opt in every iteration", head, rows)


#: Functions that make the tables of each part.
PARTS = {"figure7": format_figure_7, "pace": format_pace, "quality": format_quality}


def format_tables(results: dict[str, Any]) -> str:
    """Return all tables with results."""
    return join_tables(results, PARTS)
