"""Compares Ant System and MAX-MIN Ant System, on a GPU or on this machine's cores, with papers and other programs.

Each part prints its progress, and finally its tables in Markdown.
"""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.ants.colonies import Plan, format_entry
from benchmarks.ants.published import INSTANCES
from benchmarks.ants.tables import format_tables
from benchmarks.entries import add_entries, name_entries
from benchmarks.parts import add_part_options, measure_parts

#: Parts of the benchmark on a GPU, in order; on a CPU there is a single part.
PARTS = ("iterations", "runs", "trials", "switch", "quality", "max-min")
#: Parts that are entries of papers (`papers.cli`).
ENTRIES = {"trials": ("uchida/figure-8",), "switch": ("uchida/figure-9",), "quality": ("bitner/figure-1",)}


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark; `repeats` is the number of seeds, and of iterations on a CPU."""
    add_part_options(parser, PARTS)
    parser.add_argument(
        "--instances",
        help="of parts that are no entries of papers, names with commas between (default those of the papers)",
    )


def main(repeats: int, output: Path | None, device: str, part: list[str] | None, instances: str | None) -> int:
    """Measure, print, and write the raw samples to `output`."""
    chosen_names = tuple(instances.split(",")) if instances else None
    names = name_entries(part or PARTS if device == "cuda" else ("cpu",), ENTRIES)
    measure_part = add_entries(lambda name: measure(name, chosen_names, repeats), device, repeats)
    return measure_parts(names, device, output, measure_part, format_tables, format_entry)


def measure(part: str, instances: tuple[str, ...] | None, repeats: int) -> Any:
    """Measure a part, on the given instances or on its default ones."""
    if part == "cpu":
        from benchmarks.ants.ant_system import cpu

        return cpu.measure(Plan(instances or cpu.INSTANCES, repeats=repeats))
    from benchmarks.ants.ant_system import gpu

    measures: dict[str, Callable[[Plan], Any]] = {
        "iterations": gpu.measure_iterations, "runs": gpu.measure_runs, "max-min": gpu.measure_max_min,
    }  # fmt: skip
    return measures[part](Plan(instances or INSTANCES, repeats=repeats))
