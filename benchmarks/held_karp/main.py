"""Held-Karp on a CUDA device or on this machine's cores, compared with Qin and Han (2022).

Each part prints its progress, and finally its tables in Markdown. Times are given for the layers alone, and for
complete runs on the run's clock; neither includes compilation.
"""

import statistics
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path

from benchmarks.ants.tables import Entry
from benchmarks.entries import add_entries, name_entries
from benchmarks.held_karp.in_turns import Settings, check_agreement
from benchmarks.held_karp.parts import OF_CORES, PARTS
from benchmarks.held_karp.tables import format_tables
from benchmarks.parts import add_part_options, measure_parts
from solvers.algorithms.held_karp.plan import MIN_CITIES

#: Parts that are entries of the paper (`papers.cli`).
ENTRIES = {"table-1": ("qin-han/table-1",)}


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_part_options(parser, (*ENTRIES, *PARTS))
    parser.add_argument(
        "--cities", type=_parse_sizes, default=(), help="of cities and speed-up, numbers with commas between"
    )
    parser.add_argument("--patience", type=float, default=60.0, help="seconds after which work is cut (default 60)")


def _parse_sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(size) if size.isdecimal() else 0 for size in text.split(","))
    if min(sizes) < MIN_CITIES:
        raise ArgumentTypeError(f"whole numbers of at least {MIN_CITIES} are wanted, with commas between")
    return sizes


def main(
    repeats: int, output: Path | None, device: str, part: list[str] | None, cities: tuple[int, ...], patience: float
) -> int:
    """Measure, print, and write the raw samples to `output`."""
    settings = Settings(cities, repeats, patience)

    def measure(name: str) -> Iterator[Entry]:
        results = []
        for entry in PARTS[name](settings, device):
            results.append(entry)
            yield entry
        check_agreement(results)

    names = part or [*ENTRIES, *(name for name in PARTS if device == "cpu" or name not in OF_CORES)]
    measure_part = add_entries(measure, device, repeats)
    return measure_parts(name_entries(names, ENTRIES), device, output, measure_part, format_tables, _format_entry)


def _format_entry(entry: Entry) -> str:
    """Format an entry as a line."""
    samples = entry["milliseconds"]
    elapsed = f"{entry['length']} in {statistics.median(samples):.4f} ms of {len(samples)}" if samples else ""
    text = ", ".join(filter(None, (elapsed, entry.get("refused", ""))))
    return f"{entry['instance']:20}{entry['way']:12}{entry['threads']:4}  {text}"
