"""Ant Colony System on a CUDA device or on this machine's cores, compared with Qin and Han (2022).

Each part prints its progress, and finally its tables in Markdown. Parts named after tables and figures of the paper are
its entries (`papers.cli`), except `figure7`, which has more cities.
"""

from argparse import ArgumentParser
from pathlib import Path

from benchmarks.ants.acs.tables import format_tables
from benchmarks.ants.acs.variants import PAPERS, VARIANTS, WHOLE, TimedVariant, run_completely, time_iterations
from benchmarks.ants.colonies import Entries, Plan, format_entry
from benchmarks.ants.published import INSTANCES
from benchmarks.entries import add_entries, name_entries
from benchmarks.parts import add_part_options, measure_parts
from data.generators import uniform

#: Instances of the part `quality`, and of the part `pace` on a CPU.
_SHOWN, _FEW = ("pr1002",), ("d198", "lin318", "pr1002")
#: Ants of runs, and the numbers of cities of figure 7.
_ANTS, _SIZES = 128, (256, 512, 1024, 2048, 4096, 8192, 20_000)
#: Entries of the paper by the names of their parts.
ENTRIES = {
    "table1": ("qin-han/table-1",), "figure2": ("qin-han/figure-2",),
    "figures5-6": ("qin-han/figure-5", "qin-han/figure-6"),
    "figures8-10": ("qin-han/figure-8", "qin-han/figure-9", "qin-han/figure-10"), "figure11": ("qin-han/figure-11",),
}  # fmt: skip


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark; `repeats` is the number of seeds, and of iterations on a CPU."""
    add_part_options(parser, (*ENTRIES, *PARTS))
    parser.add_argument("--instances", help="of pace and quality, names with commas between (default those of papers)")
    parser.add_argument(
        "--patience", type=float, default=30.0, help="seconds after which a run of other parts is cut (default 30)"
    )


def main(
    repeats: int, output: Path | None, device: str, part: list[str] | None, instances: str | None, patience: float
) -> int:
    """Measure, print, and write the raw samples to `output`."""

    def measure(name: str) -> Entries:
        own = _SHOWN if name == "quality" else _FEW if device == "cpu" else INSTANCES
        plan = Plan(tuple(instances.split(",")) if instances else own, repeats=repeats, patience=patience)
        return PARTS[name](plan, device)

    # Figure 2 measures a machine's cores.
    every = [name for name in (*ENTRIES, *PARTS) if device == "cpu" or name != "figure2"]
    names = name_entries(part or every, ENTRIES)
    return measure_parts(names, device, output, add_entries(measure, device, repeats), format_tables, format_entry)


def measure_figure_7(plan: Plan, device: str) -> Entries:
    """Measure figure 7: runs on increasing numbers of cities, for one seed."""
    for n in _SIZES:
        for variant in (PAPERS[device], WHOLE[device]):
            yield run_completely(plan, uniform(n, 1), variant, 1, ants=_ANTS, iterations=256, two_opt="none")


def measure_pace(plan: Plan, device: str) -> Entries:
    """Time an iteration with as many ants as cities, on the instances of papers and other programs."""
    for instance in plan.load_instances():
        for variant in VARIANTS[device]:
            yield time_iterations(plan, instance, variant, ants=0, two_opt="none")


def measure_quality(plan: Plan, device: str) -> Entries:
    """Yield the lengths and seconds of 100 iterations, with all tours shortened by local search."""
    for instance in plan.load_instances():
        for variant in (WHOLE[device], TimedVariant(WHOLE[device].row, "racy"), PAPERS[device]):
            yield run_completely(plan, instance, variant, plan.repeats, ants=_ANTS, iterations=100, two_opt="every")


PARTS = {"figure7": measure_figure_7, "pace": measure_pace, "quality": measure_quality}
