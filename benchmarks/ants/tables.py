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


def compare_variants(
    title: str, results: Sequence[Entry], cell: Callable[[Entry | None], str], peers: Iterable[PublishedRow] = (),
    **like: Any,
) -> str:  # fmt: skip
    """Format a table with a row per variant and a column per instance, and the published figures of `peers` below.

    Parameters
    ----------
    title : str
    results : sequence of Entry
    cell : callable
        Formats an entry, or None if there is none.
    peers : iterable of PublishedRow
        With their authors and machines.
    **like
        Values of the entries that are shown.
    """
    columns = list_values(results, "instance")
    rows = [
        [variant, *(cell(find_entry(results, way=variant, instance=name, **like)) for name in columns)]
        for variant in list_values(results, "way")
    ]
    for row in peers:
        figures = (format_figure(row.find(name)) for name in columns)
        rows.append([f"*{row.name}, {row.machine}* ({row.source})", *figures])
    return format_table(title, ["", *columns], rows)


def format_median(entry: Entry | None) -> str:
    """Format the median of milliseconds, with a star if there are fewer samples than `_SAMPLES`."""
    star = "*" * (entry is not None and 0 < len(entry.get("milliseconds", ())) < _SAMPLES)
    return format_figure(compute_median(entry)) + star


def format_iterations(results: Sequence[Entry]) -> Iterator[str]:
    """Compare the iterations of every variant, as a graph and kernel by kernel, with papers and other programs."""
    few = f"(*: fewer than {_SAMPLES} samples)"
    title = f"Milliseconds an iteration, one CUDA graph an iteration {few}"
    yield compare_variants(title, results, format_median, published.PEERS, graph=True)
    yield compare_variants(f"Milliseconds an iteration, kernel by kernel {few}", results, format_median, graph=False)


def format_mean_length(entry: Entry | None) -> str:
    """Format the mean of the best lengths over the seeds, and its gap to the optimum."""
    if not entry or "best" not in entry:
        return (entry or {}).get("refused", "")
    mean = statistics.fmean(entry["best"])
    above = f" ({100 * (mean / entry['optimum'] - 1):.2f} %)" if entry.get("optimum") else ""
    return f"{mean:,.{int(len(entry['best']) > 1)}f}{above}"


def format_runs(results: Sequence[Entry]) -> Iterator[str]:
    """Format table IV of Uchida et al., and the final lengths."""
    title = "Uchida et al., table IV: milliseconds of the beginning and 100 iterations"
    yield compare_variants(title, results, _compute_total, published.HUNDRED)
    title = "Best length of 100 iterations, mean over the seeds (above the optimum)"
    yield compare_variants(title, results, format_mean_length)


def _compute_total(entry: Entry | None) -> str:
    """Return the milliseconds of a complete run, including its set-up."""
    if not entry or "seconds" not in entry:
        return ""
    both = zip(entry["set_up_seconds"], entry["seconds"], strict=True)
    return format_figure(1e3 * statistics.median(begin + rest for begin, rest in both))


def format_max_min(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the tables of MAX-MIN Ant System."""
    title = "MAX-MIN Ant System: milliseconds an iteration"
    yield compare_variants(title, results, format_median, published.MAX_MIN_PEERS)
    title = "MAX-MIN Ant System: seconds of 100 iterations, all told"
    yield compare_variants(title, results, lambda entry: format_figure(compute_median(entry, "seconds")))
    title = "MAX-MIN Ant System: best length of 100 iterations, mean over the seeds"
    yield compare_variants(title, results, format_mean_length, [published.MAX_MIN_LENGTHS])


def format_cpu(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of an iteration on CPU cores."""
    title = "Milliseconds an iteration on a CPU"
    yield compare_variants(title, results, lambda entry: format_figure(compute_median(entry)), [published.CPU])


#: Functions that make the tables of each part.
PARTS = {"iterations": format_iterations, "runs": format_runs, "max-min": format_max_min, "cpu": format_cpu}


def format_tables(results: dict[str, Any]) -> str:
    """Return all tables with results."""
    return join_tables(results, PARTS)
