"""Formats results on Ant Colony System as tables in Markdown, beside Qin and Han's results (2022).

Their figures are pictures without exact values, so the tables named after them contain only our values.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.ants import published
from benchmarks.ants.tables import (
    Entry,
    compute_median,
    find_entry,
    format_figure,
    format_mean_length,
    format_published_rows,
    format_table,
    join_tables,
    list_values,
    mark_few_samples,
)

#: Iterations of figure 8, and iterations of figure 5 for which lengths are shown.
_SHOWN = (1, 4, 16, 64, 256, 1024)


def _format_seconds(entry: Entry | None) -> str:
    """Return the median seconds of complete runs; for runs that were cut short also the number of iterations."""
    if not entry or not entry.get("seconds"):
        return (entry or {}).get("refused", "")
    text, done = format_figure(statistics.median(entry["seconds"])), min(entry["done"])
    return text if done == entry["iterations"] else f"{text}, {done:,} of {entry['iterations']:,}"


def _find_length_after(entry: Entry, iteration: int) -> str:
    """Return the length of the best tour after this number of iterations."""
    lengths = dict(zip(entry.get("at", ()), entry.get("length", ()), strict=True))
    return f"{lengths[iteration]:,}" if iteration in lengths else ""


def format_table_1(results: Sequence[Entry]) -> Iterator[str]:
    """Format table 1."""
    rows = [[entry["way"], format_figure(compute_median(entry)) or entry.get("refused", "")] for entry in results]
    theirs = [[f"*{name}*", format_figure(1e3 * seconds)] for name, seconds in published.QIN_HAN_ITERATION.items()]
    yield format_table(
        "Qin and Han, table 1: milliseconds of an iteration, 2,048 cities, ours 128 ants", ["", "ms"], rows + theirs
    )


def format_figure_2(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 2."""
    columns = list_values(results, "instance")
    for what in list_values(results, "way"):
        mine = [entry for entry in results if entry["way"] == what and "milliseconds" in entry]
        rows = []
        for count in list_values(mine, "count"):
            pairs = [
                (find_entry(mine, instance=name, count=1), find_entry(mine, instance=name, count=count))
                for name in columns
            ]
            times = [(compute_median(one) or 0.0, compute_median(several) or 1.0) for one, several in pairs]
            rows.append([f"{count}", *(f"{format_figure(several)} ({one / several:.2f})" for one, several in times)])
        yield format_table(
            f"Qin and Han, figure 2: milliseconds of an iteration (times as fast) by {what}", ["", *columns], rows
        )


def format_figures_5_6(results: Sequence[Entry]) -> Iterator[str]:
    """Format figures 5 and 6."""
    head = ["ants", *(f"{k:,}" for k in _SHOWN), "seconds"]
    rows = [
        [f"{entry['ants']:,}", *(_find_length_after(entry, k) for k in _SHOWN), _format_seconds(entry)]
        for entry in results
    ]
    yield format_table(
        "Qin and Han, figures 5 and 6: best length after so many iterations, and the time of all", head, rows
    )


def format_figure_7(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 7."""
    rows = [[f"{entry['n']:,}, {entry['way']}", _format_seconds(entry), format_mean_length(entry)] for entry in results]
    yield format_table("Qin and Han, figure 7: 256 iterations, 128 ants", ["cities", "seconds", "best length"], rows)


def format_figures_8_10(results: Sequence[Entry]) -> Iterator[str]:
    """Format figures 8 to 10."""
    columns = _SHOWN[:-1]
    head = ["2-opt", *(f"{k:,}" for k in columns), "seconds", "best length at the end"]
    rows = [
        [
            f"{entry['two_opt']}, {entry['way']}",
            *(_find_length_after(entry, k) for k in columns),
            _format_seconds(entry),
            format_mean_length(entry),
        ]
        for entry in results
    ]
    yield format_table("Qin and Han, figures 8 to 10: best length after so many iterations, by strategy", head, rows)


def format_figure_11(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 11."""
    rows = []
    for entry in results:
        before, after, elapsed = entry.get("last_two_opt", (None, None, None))
        line = [format_figure(value) for value in (before, after, elapsed)]
        rows.append([f"{entry['n']:,}, {entry['way']}", _format_seconds(entry), *line])
    head = ["cities", "seconds", "length by the ants", "after 2-opt", "milliseconds of it"]
    yield format_table("Qin and Han, figure 11: 256 iterations, 128 ants, 2-opt at the end", head, rows)


def format_pace(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of iterations with as many ants as cities."""
    columns = list_values(results, "instance")
    rows = [[variant, *mark_few_samples(results, columns, way=variant)] for variant in list_values(results, "way")]
    theirs = format_published_rows([published.QIN_HAN_PEER], columns)
    yield format_table(
        "Milliseconds an iteration, as many ants as cities (\\*: fewer than 100 samples)",
        ["", *columns],
        [*rows, *theirs],
    )


def format_quality(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of gaps and seconds."""
    rows = [
        [f"{entry['instance']}, {entry['way']}", format_mean_length(entry), _format_seconds(entry)] for entry in results
    ]
    head = ["", "best length, mean over the seeds (above the optimum)", "seconds"]
    yield format_table("100 iterations, 128 ants, 2-opt in every iteration", head, rows)


#: Functions that make the tables of each part.
PARTS: dict[str, Sequence[Callable[[Any], Iterator[str]]]] = {
    "table1": (format_table_1,), "figure2": (format_figure_2,), "figures5-6": (format_figures_5_6,),
    "figure7": (format_figure_7,),
    "figures8-10": (format_figures_8_10,), "figure11": (format_figure_11,), "pace": (format_pace,),
    "quality": (format_quality,),
}  # fmt: skip


def format_tables(results: dict[str, Any]) -> str:
    """Return all tables with results."""
    return join_tables(results, PARTS)
