"""Ant Colony System on a CUDA device or on this machine's cores, compared with Qin and Han (2022).

Each part prints its progress, and finally its tables in Markdown.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.ants.acs.parts import OF_CORES, PARTS
from benchmarks.ants.acs.tables import format_tables
from benchmarks.ants.colonies import Plan, format_entry
from benchmarks.ants.published import INSTANCES
from benchmarks.parts import add_part_options, measure_parts

#: Instances of the part `quality`, and of the part `pace` on a CPU.
_SHOWN, _FEW = ("pr1002",), ("d198", "lin318", "pr1002")


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark; `repeats` is the number of seeds, and of iterations on a CPU."""
    add_part_options(parser, tuple(PARTS))
    parser.add_argument("--instances", help="of pace and quality, names with commas between (default those of papers)")
    parser.add_argument("--patience", type=float, default=30.0, help="seconds after which a run is cut (default 30)")


def main(
    repeats: int, output: Path | None, device: str, part: list[str] | None, instances: str | None, patience: float
) -> int:
    """Measure, print, and write the raw samples to `output`."""

    def measure(name: str) -> Iterator[dict[str, Any]]:
        own = _SHOWN if name == "quality" else _FEW if device == "cpu" else INSTANCES
        plan = Plan(tuple(instances.split(",")) if instances else own, repeats=repeats, patience=patience)
        return PARTS[name](plan, device)

    names = part or [name for name in PARTS if device == "cpu" or name not in OF_CORES]
    return measure_parts(names, device, output, measure, format_tables, format_entry)
