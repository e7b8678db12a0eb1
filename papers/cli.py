"""``python -m papers list | show ENTRY | measure ENTRY | headline | pick``."""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Hashable, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from data import command_line
from papers import headline
from papers.catalogue import ALL_PAPERS, PAPERS, NoSuchEntry, find, format_command, list_entries, name_entry
from papers.model import DRAWING_ONLY, Entry, Paper
from papers.recipes.plan import Plan
from papers.results import Result, save
from papers.shipped import load_shipped
from papers.table_text import format_table
from solvers.core.devices import cuda_devices
from solvers.core.errors import DeviceUnavailable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status."""
    options = _build_parser().parse_args(arguments)
    try:
        return options.run(options)
    except (NoSuchEntry, DeviceUnavailable) as error:
        print(error, file=sys.stderr)
        return 2


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog=command_line.name_command("papers"), description="The results of five papers beside TourScope's."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list all tables and figures")
    listing.add_argument("--json", action="store_true", help="print JSON, with published and measured values")
    listing.set_defaults(run=_print_list)
    showing = commands.add_parser("show", help="show published and measured values")
    showing.add_argument("entry", help="for example uchida/table-ii")
    showing.set_defaults(run=_print_entry)
    measuring = commands.add_parser("measure", help="measure an entry on this machine")
    measuring.add_argument("entries", nargs="+", metavar="ENTRY", help="for example uchida/table-ii, or all")
    measuring.add_argument("--device", choices=("cuda", "cpu"), help="default: a GPU if there is one")
    measuring.add_argument("--quick", action="store_true", help="small instances and few samples")
    measuring.add_argument("--repeats", type=int, default=5, help="samples of each value (default 5)")
    output = measuring.add_mutually_exclusive_group()
    output.add_argument("--json", type=Path, metavar="FILE", help="write the raw samples of one entry to FILE")
    output.add_argument("--folder", type=Path, metavar="FOLDER", help="write one file of raw samples per entry there")
    measuring.set_defaults(run=_measure_entries)
    heading = commands.add_parser("headline", help="the table of docs/gpu.md, from the results that are committed")
    heading.add_argument("--write", type=Path, metavar="FILE", help="put it between its marks in this file")
    heading.set_defaults(run=_print_headline)
    picking = commands.add_parser("pick", help="draw published values at random, to check them against the papers")
    picking.add_argument("--count", type=int, default=25, help="number of values (default 25)")
    picking.add_argument("--seed", type=int, default=1, help="seed of the draw (default 1)")
    picking.set_defaults(run=_print_draw)
    return parser


def _print_list(options: Namespace) -> int:
    if options.json:
        print(json.dumps([to_json(paper, entry) for paper, entry in list_entries()], indent=1))
        return 0
    for paper, entry in _find_entries(["all"]):
        figures = "" if entry.published or paper not in PAPERS else f" ({DRAWING_ONLY})"
        print(f"{name_entry(paper, entry):32}{entry.title}{figures}")
    return 0


def to_json(paper: Paper, entry: Entry) -> dict[str, Any]:
    """Convert an entry to JSON, with its published figures and the shipped results."""
    name = name_entry(paper, entry)
    by_device = load_shipped(name)
    measured = by_device.get("cuda") or by_device.get("cpu")  # some entries were only measured on a CPU
    return {
        "id": name,
        "paper": f"{paper.authors} ({paper.year})",
        "place": entry.place,
        "title": entry.title,
        "published": entry.published.to_json() if entry.published else DRAWING_ONLY,
        "authors": entry.authors_code.to_json() if entry.authors_code else None,
        "likeness": asdict(entry.likeness) if entry.likeness else None,
        "measured": measured.to_json() if measured else None,
        "recipe": {"summary": entry.recipe.summary, "command": format_command(paper, entry)},
    }


def _print_entry(options: Namespace) -> int:
    paper, entry = find(options.entry)
    print(f"{paper.authors} ({paper.year}), {entry.place}\n{entry.title}\n{entry.headline}\n")
    print(format_table(entry, load_shipped(options.entry).values(), here=False))
    if entry.likeness:
        print("\n" + "\n".join(f"{name}: {words}" for name, words in asdict(entry.likeness).items()))
    return 0


def _measure_entries(options: Namespace) -> int:
    entries = _find_entries(options.entries)
    if options.json and len(entries) > 1:
        print("--json takes the samples of one entry; --folder those of several.", file=sys.stderr)
        return 2
    failures, cache = 0, dict[Hashable, Any]()
    for paper, entry in entries:
        try:
            result = measure(name_entry(paper, entry), options.device, options.quick, options.repeats, cache)
        except DeviceUnavailable as error:
            if len(entries) == 1:
                raise
            print(error, file=sys.stderr)
            failures += 1
            continue
        if options.json:
            options.json.write_text(json.dumps(result.to_json(), indent=1) + "\n")
        elif options.folder:
            save(result, options.folder)
        if len(entries) > 1:
            print(f"{name_entry(paper, entry)}, {result.device}, {result.seconds:.1f} s")
        print(format_table(entry, [result]), flush=True)
    return 1 if failures else 0


def _find_entries(names: Sequence[str]) -> list[tuple[Paper, Entry]]:
    """Find the entries with these names; ``all`` selects every entry, including the program's own charts."""
    every = [(paper, entry) for paper in ALL_PAPERS for entry in paper.entries]
    return [pair for name in names for pair in (every if name == "all" else [find(name)])]


def _print_headline(options: Namespace) -> int:
    if options.write:
        options.write.write_text(headline.replace_table(options.write.read_text("utf-8")), encoding="utf-8")
    else:
        print(headline.format_table())
    return 0


def _print_draw(options: Namespace) -> int:
    for figure in draw_figures(options.count, options.seed):
        print(figure)
    return 0


def draw_figures(count: int, seed: int) -> list[str]:
    """Draw random published figures, the same number from each paper, with their locations.

    Parameters
    ----------
    count : int
        Minimum number of figures, if there are enough.
    seed : int

    Returns
    -------
    list of str
        ``uchida/table-ii (Table II, section V.A): d198, CPU = 19.84 ms``.
    """
    by_paper: dict[str, list[str]] = {}
    for paper, entry in list_entries():
        units = dict(zip(entry.published.columns, entry.published.units, strict=True)) if entry.published else {}
        for row, figures in entry.figures().items():
            for column, figure in figures.items():
                location = f"{name_entry(paper, entry)} ({entry.place}): {row}, {column}"
                by_paper.setdefault(paper.id, []).append(f"{location} = {figure:,} {units[column]}".rstrip())
    random = Random(seed)
    each = -(-count // max(1, len(by_paper)))
    return [line for lines in by_paper.values() for line in random.sample(lines, min(each, len(lines)))]


def measure(
    name: str, device: str | None, quick: bool, repeats: int = 5, cache: dict[Hashable, Any] | None = None
) -> Result:
    """Measure an entry on this machine.

    Parameters
    ----------
    name : str
        Name of the entry.
    device : str or None
        ``cuda`` or ``cpu``; None for a GPU if there is one and the recipe supports it.
    quick : bool
    repeats : int
    cache : dict, optional
        Measurements shared with other entries; extended by this one.

    Raises
    ------
    NoSuchEntry
    DeviceUnavailable
        If the recipe does not support the device, or the machine does not have it.
    """
    _, entry = find(name)
    device = device or _choose_device(entry)
    if device not in entry.recipe.devices:
        raise DeviceUnavailable(f"{name} is not measured on {device}, but on {' or '.join(entry.recipe.devices)}.")
    return follow_recipe(name, Plan(device, repeats, quick, {} if cache is None else cache))


def follow_recipe(name: str, plan: Plan) -> Result:
    """Measure an entry, even on a device on which the paper has no figures; the errors are those of `measure`."""
    from benchmarks.parts import describe_hardware

    _, entry = find(name)
    if plan.device == "cuda":
        cuda_devices()
    began = time.perf_counter()
    measured = entry.recipe.load()(plan, **entry.recipe.arguments)
    seconds = round(time.perf_counter() - began, 3)
    return Result(name, measured, plan.device, plan.quick, seconds, describe_hardware(plan.device))


def _choose_device(entry: Entry) -> str:
    if "cuda" in entry.recipe.devices:
        try:
            cuda_devices()
        except DeviceUnavailable:
            if "cpu" not in entry.recipe.devices:
                raise
        else:
            return "cuda"
    return "cpu"
