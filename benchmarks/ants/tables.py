"""Formats results on ants as tables in Markdown, with published ones.

Plain Python, so that tables can be made anywhere from the raw samples.
"""

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from benchmarks.ants import published
from benchmarks.ants.published import PublishedRow
from benchmarks.entries import join_tables

Entry = dict[str, Any]
#: Full number of samples; a star marks fewer.
_SAMPLES = 100


def format_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a table with its title; the first column is text, the others are numbers."""
    lines = [
        f"**{title}**",
        "",
        _format_line(head),
        _format_line(["---", *["---:"] * (len(head) - 1)]),
        *map(_format_line, rows),
    ]
    return "\n".join(lines) + "\n"


def _format_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def format_figure(value: float | None) -> str:
    """Format a number with about three significant digits; empty for a missing one."""
    if value is None:
        return ""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3 if value >= 0.1 else 4
    return f"{value:,.{digits}f}"


def compute_median(entry: Entry | None, key: str = "milliseconds") -> float | None:
    """Return the median of an entry's samples, if there are any."""
    return statistics.median(entry[key]) if entry and key in entry else None


def find_entry(entries: Iterable[Entry], **wanted: Any) -> Entry | None:
    """Return the first entry with the given values."""
    return next((entry for entry in entries if all(entry.get(key) == wanted[key] for key in wanted)), None)


def list_values(entries: Sequence[Entry], key: str) -> list[Any]:
    """Return the distinct values of a key, in the order of their first occurrence."""
    return list(dict.fromkeys(entry[key] for entry in entries))


def format_published_rows(rows: Iterable[PublishedRow], columns: Sequence[str]) -> list[list[str]]:
    """Return the rows of published figures, with authors and machine."""
    return [
        [f"*{row.name}, {row.machine}* ({row.source})", *(format_figure(row.find(name)) for name in columns)]
        for row in rows
    ]


def format_medians(
    entries: Sequence[Entry], columns: Sequence[str], key: str = "milliseconds", **like: Any
) -> list[str]:
    """Return one cell per instance: the median of the entry with the given values."""
    return [format_figure(compute_median(find_entry(entries, instance=name, **like), key)) for name in columns]


def mark_few_samples(entries: Sequence[Entry], columns: Sequence[str], **like: Any) -> list[str]:
    """Return the cells of milliseconds, with a star if there are fewer samples than `_SAMPLES`."""
    results = [find_entry(entries, instance=name, **like) or {} for name in columns]
    stars = ["*" * (0 < len(entry.get("milliseconds", ())) < _SAMPLES) for entry in results]
    return [cell + star for cell, star in zip(format_medians(entries, columns, **like), stars, strict=True)]


def format_iterations(results: Sequence[Entry]) -> Iterator[str]:
    """Compare the iterations of every variant, as a graph and kernel by kernel, with papers and other programs."""
    columns = list_values(results, "instance")
    head = ["way", *columns]
    for title, graph in (("one CUDA graph an iteration", True), ("kernel by kernel", False)):
        rows = [
            [variant, *mark_few_samples(results, columns, way=variant, graph=graph)]
            for variant in list_values(results, "way")
        ]
        more = format_published_rows(published.PEERS, columns) if graph else []
        yield format_table(
            f"Milliseconds an iteration, {title} (*: fewer than {_SAMPLES} samples)", head, [*rows, *more]
        )


def format_mean_length(entry: Entry | None) -> str:
    """Format the mean of the best lengths over the seeds, and its gap to the optimum."""
    if not entry or "best" not in entry:
        return (entry or {}).get("refused", "")
    mean = statistics.fmean(entry["best"])
    above = f" ({100 * (mean / entry['optimum'] - 1):.2f} %)" if entry.get("optimum") else ""
    return f"{mean:,.{int(len(entry['best']) > 1)}f}{above}"


def format_runs(results: Sequence[Entry]) -> Iterator[str]:
    """Format table IV of Uchida et al., and the final lengths."""
    columns = list_values(results, "instance")
    rows = [
        [variant, *(_compute_total(find_entry(results, way=variant, instance=name)) for name in columns)]
        for variant in list_values(results, "way")
    ]
    title = "Uchida et al., table IV: milliseconds of the beginning and 100 iterations"
    yield format_table(title, ["", *columns], [*rows, *format_published_rows(published.HUNDRED, columns)])
    yield format_lengths("Best length of 100 iterations, mean over the seeds (above the optimum)", results)


def _compute_total(entry: Entry | None) -> str:
    """Return the milliseconds of a complete run, including its set-up."""
    if not entry or "seconds" not in entry:
        return ""
    both = zip(entry["set_up_seconds"], entry["seconds"], strict=True)
    return format_figure(1e3 * statistics.median(begin + rest for begin, rest in both))


def format_lengths(title: str, results: Sequence[Entry], more: Iterable[Sequence[str]] = ()) -> str:
    """Return a table of the best lengths."""
    columns = list_values(results, "instance")
    rows = [
        [variant, *(format_mean_length(find_entry(results, way=variant, instance=name)) for name in columns)]
        for variant in list_values(results, "way")
    ]
    return format_table(title, ["", *columns], [*rows, *more])


def format_max_min(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the tables of MAX-MIN Ant System."""
    columns, settings = list_values(results, "instance"), list_values(results, "way")
    rows = [[variant, *mark_few_samples(results, columns, way=variant)] for variant in settings]
    more = format_published_rows(published.MAX_MIN_PEERS, columns)
    yield format_table("MAX-MIN Ant System: milliseconds an iteration", ["", *columns], [*rows, *more])
    totals = [[variant, *format_medians(results, columns, "seconds", way=variant)] for variant in settings]
    yield format_table("MAX-MIN Ant System: seconds of 100 iterations, all told", ["", *columns], totals)
    theirs = format_published_rows([published.MAX_MIN_LENGTHS], columns)
    yield format_lengths("MAX-MIN Ant System: best length of 100 iterations, mean over the seeds", results, theirs)


def format_cpu(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of an iteration on CPU cores."""
    columns = list_values(results, "instance")
    rows = [[variant, *format_medians(results, columns, way=variant)] for variant in list_values(results, "way")]
    yield format_table(
        "Milliseconds an iteration on a CPU", ["", *columns], [*rows, *format_published_rows([published.CPU], columns)]
    )


#: Functions that make the tables of each part.
PARTS: dict[str, Sequence[Callable[[Any], Iterator[str]]]] = {
    "iterations": (format_iterations,),
    "runs": (format_runs,),
    "max-min": (format_max_min,),
    "cpu": (format_cpu,),
}


def format_tables(results: dict[str, Any]) -> str:
    """Return all tables with results."""
    return join_tables(results, PARTS)
