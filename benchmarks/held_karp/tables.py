"""Formats results on Held-Karp as tables in Markdown, beside Qin and Han's results (2022)."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.ants.tables import Entry, find_entry, format_figure, format_table, list_values
from benchmarks.entries import join_tables
from benchmarks.held_karp import published
from solvers.algorithms.held_karp.plan import format_bytes

#: Parallel variants with their kind of workers, and the prefix of Qin and Han's variants.
SHARED = {
    "cpu": "threads", "mpi": "processes", "qin-han-openmp": "their threads", "qin-han-mpi": "their processes",
}  # fmt: skip
THEIRS = "qin-han"


def _format_cell(entry: Entry | None, key: str = "milliseconds") -> str:
    """Return the median of milliseconds, or the reason why there is none."""
    samples = (entry or {}).get(key)
    return format_figure(statistics.median(samples)) if samples else (entry or {}).get("refused", "")


def format_cities(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 3: layers, compared with papers and other programs; complete runs; throughput."""
    sizes = sorted(list_values(results, "n"))
    columns = [(item, variant) for item in list_values(results, "item") for variant in list_values(results, "way")]
    head = [f"{variant}, {item} bytes" for item, variant in columns]

    def format_rows(cell: Callable[[Entry | None], str]) -> list[list[str]]:
        return [[cell(find_entry(results, n=n, item=item, way=variant)) for item, variant in columns] for n in sizes]

    others = (published.RTX_2080, published.H200)
    lines = [
        [f"{n}", *own, *(format_figure(of.get(n)) for _, of in others)]
        for n, own in zip(sizes, format_rows(_format_cell), strict=True)
    ]
    header = ["cities", *head, *(f"*{name}*" for name, _ in others)]
    yield format_table("Qin and Han, figure 3: milliseconds of the layers", header, lines)
    runs = zip(sizes, format_rows(lambda entry: _format_cell(entry, "run_milliseconds")), strict=True)
    yield format_table("Milliseconds of whole runs", ["cities", *head], [[f"{n}", *own] for n, own in runs])
    yield _format_paces(results, sizes, head, format_rows(_compute_pace))


def _compute_pace(entry: Entry | None) -> str:
    """Return the transitions per second, in billions."""
    samples = (entry or {}).get("milliseconds")
    return format_figure(entry["transitions"] / statistics.median(samples) / 1e6) if entry and samples else ""


def _format_paces(
    results: Sequence[Entry], sizes: Sequence[int], variants: Sequence[str], paces: Sequence[Sequence[str]]
) -> str:
    """Return the throughput by number of cities, with its unit."""
    ours = [entry for entry in results if not entry["way"].startswith(THEIRS)] or results  # other layers differ
    items = list_values(results, "item")
    rows = []
    for n, own in zip(sizes, paces, strict=True):
        plans = [find_entry(ours, n=n, item=item) for item in items]
        transitions = next(plan["transitions"] for plan in plans if plan)
        rows.append([f"{n}", f"{transitions:,}", *(format_bytes(p["bytes"]) if p else "" for p in plans), *own])
    head = ["cities", "transitions", *(f"memory, {item} bytes a state" for item in items), *variants]
    return format_table("Billion transitions per second by the layers", head, rows)


def format_speed_up(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 1, with medians of the ratios of consecutive samples."""
    sizes = list_values(results, "n")
    for variant, what in SHARED.items():
        mine = [entry for entry in results if entry["way"] == variant]
        if not mine:
            continue
        rows = [
            [
                f"{count}",
                *(
                    _compute_ratio(find_entry(mine, n=n, threads=1), find_entry(mine, n=n, threads=count))
                    for n in sizes
                ),
            ]
            for count in list_values(mine, "threads")
        ]
        if what.endswith("threads") and 20 in sizes:
            rows += [
                [f"*{name}*", *_format_published_times(sizes, of[20])]
                for name, of in (published.ONE_CORE, published.MANY_CORES)
            ]
        title = f"Qin and Han, figure 1: milliseconds of the layers (times as fast as one) by {what}"
        yield format_table(title, ["", *(f"{n} cities" for n in sizes)], rows)


def _compute_ratio(one: Entry | None, several: Entry | None) -> str:
    if not one or not several or "refused" in one or "refused" in several:
        return _format_cell(several)
    pairs = zip(one["milliseconds"], several["milliseconds"], strict=True)
    return f"{_format_cell(several)} ({statistics.median(a / b for a, b in pairs):.2f})"


def _format_published_times(sizes: Sequence[int], milliseconds: float) -> list[str]:
    """Return the cells with the published times for 20 cities."""
    cell = f"{format_figure(milliseconds)} ({published.ONE_CORE[1][20] / milliseconds:.1f})"
    return [cell if n == 20 else "" for n in sizes]


def format_optima(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the lengths and times of known instances."""
    rows = []
    for entry in results:
        lengths = [f"{entry[key]:,}" if entry[key] else "" for key in ("length", "optimum")]
        times = [_format_cell(entry), _format_cell(entry, "run_milliseconds")]
        rows.append([f"{entry['instance']}, {entry['way']}", f"{entry['n']}", f"{entry['item']}", *lengths, *times])
    head = ["", "cities", "bytes a state", "length found", "proven optimum", "ms of the layers", "ms of the whole run"]
    yield format_table("Shortest tours of known instances", head, rows)


#: Functions that make the tables of each part.
PARTS = {"cities": format_cities, "speed-up": format_speed_up, "optima": format_optima}


def format_tables(results: dict[str, Any]) -> str:
    """Return all tables with results."""
    return join_tables(results, PARTS)
