"""Proves the optima of bundled instances: all directed ones, others up to 200 cities; tsplib95 checks the tours.

Kernels are loaded before the clock starts.
"""

from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import tsplib95

from benchmarks.ants.tables import Entry, format_figure, format_table
from benchmarks.machine import describe_machine
from benchmarks.parts import format_entry
from benchmarks.runs import run_stage
from benchmarks.saving import save
from data.collection.listing import BUNDLED, bundled_files
from data.collection.resolve import load
from data.instance import Instance
from solvers.core.events import Finished, Tree

MAX_CITIES = 200
_ALGORITHM = "branch-and-cut"


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--instance", action="append", help="default all directed ones, others up to 200 cities")


def main(repeats: int, output: Path | None, instance: list[str] | None) -> int:
    """Prove each instance once, print, and write the results to `output`."""
    results: dict[str, Any] = {"machine": describe_machine(), "proofs": []}
    names = instance or [file for file in bundled_files() if load(file).directed or load(file).n <= MAX_CITIES]
    for name in ("burma14", "br17"):
        run_to_proof(load(name))
    for each in sorted(names, key=lambda name: load(name).n):
        results["proofs"].append(prove(each))
        print(format_entry(results["proofs"][-1]), flush=True)
    print("\n" + format_tables(results))
    save(results, output, depth=2)
    return 0 if all(entry["proven"] for entry in results["proofs"]) else 1


def prove(name: str) -> Entry:
    """Prove an instance's optimum, and measure its tour by other code."""
    instance = load(name)
    start_time, spent = perf_counter(), process_time()
    end, tree = run_to_proof(instance)
    elapsed, spent = perf_counter() - start_time, process_time() - spent
    added = measure_tour(name, end.order)
    return {
        "instance": name, "n": instance.n, "directed": instance.directed, "seconds": round(elapsed, 3),
        "processor_seconds": round(spent, 3), "nodes": int(tree.node[-1]), "cuts": int(tree.cuts[-1]),
        "linear_programs": int(tree.relaxations[-1]), "length": end.length, "added_up": added,
        "optimum": instance.optimum,
        "proven": bool(tree.proven) and end.length == added == instance.optimum,
    }  # fmt: skip


def run_to_proof(instance: Instance) -> tuple[Finished, Tree]:
    """Return the last event of a run of branch-and-cut, and its last report on the tree."""
    tree: Tree | None = None
    end: Any = None
    for end in run_stage(instance, _ALGORITHM, {}):
        tree = end if isinstance(end, Tree) else tree
    assert isinstance(end, Finished)
    assert tree is not None
    return end, tree


def measure_tour(name: str, order: np.ndarray) -> int:
    """Return the length of a tour as computed by the package tsplib95, which reads the file itself."""
    (path,) = Path(BUNDLED).glob(f"{name}.*tsp")
    read = tsplib95.load(path)
    nodes = list(read.get_nodes())
    cities = [nodes[city] for city in order]
    assert sorted(cities) == sorted(nodes)
    return sum(read.get_weight(a, b) for a, b in zip(cities, [*cities[1:], cities[0]], strict=True))


def format_tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown."""
    entries: list[Entry] = results["proofs"]
    head = ("instance", "cities", "processor seconds", "nodes", "cuts", "linear programs")
    rows = [
        [
            entry["instance"] + ", directed" * entry["directed"], f"{entry['n']}",
            format_figure(entry["processor_seconds"]),
            f"{entry['nodes']:,}", f"{entry['cuts']:,}", f"{entry['linear_programs']:,}",
        ]
        for entry in entries
    ]  # fmt: skip
    seconds, spent = (sum(entry[key] for entry in entries) for key in ("seconds", "processor_seconds"))
    proven = sum(entry["proven"] for entry in entries)
    title = f"{proven} of {len(entries)} proven in {seconds:.1f} s, {spent:.1f} s of processor time"
    return format_table(title, head, rows)
