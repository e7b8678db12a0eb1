"""Genetic algorithm, tabu search, particle swarm and artificial bee colony, each run on two reserved cores.

A run is a process restricted to a pair of cores, however many the machine has. So figures for two cores can be measured
on a larger machine, `--pairs 12` runs at a time; by default all pairs except one, which is left free. Each case is run
with seeds 1, 2, ...; a run loads its kernels before its clock starts.
"""

import argparse
import multiprocessing
import os
import statistics
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.core_pairs import choose_pairs, run_on_pairs
from benchmarks.machine import describe_machine
from benchmarks.runs import run_to_end
from benchmarks.saving import save
from data.collection.resolve import load
from data.gaps import gap_percent

#: The algorithm, instance, parameters and seconds of each case. The swarms are compared with repeated 2-opt from random
#: tours.
CASES: dict[str, tuple[str, str, dict[str, Any], float]] = {
    "genetic": ("genetic-algorithm", "pr1002", {}, 60.0),
    "tabu": ("tabu-search", "kroA100", {"searches": 100_000}, 5.0),
    "swarm": ("particle-swarm", "berlin52", {"iterations": 10_000_000}, 3.0),
    "bees": ("artificial-bee-colony", "berlin52", {"iterations": 10_000_000}, 3.0),
    "restarts": ("two-opt", "berlin52", {"climbers": 10_000_000, "variant": "cpu"}, 3.0),
}
#: Seconds of the run in which kernels load.
_WARM = 1.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--only", choices=tuple(CASES), action="append", help="measure these cases alone")
    parser.add_argument("--pairs", type=int, default=0, help="runs at a time, each on two cores of its own")


def main(repeats: int, output: Path | None, only: list[str] | None = None, pairs: int = 0) -> int:
    """Measure each case with several seeds, print medians, and write the raw samples to `output`."""
    names = only or list(CASES)
    chosen = choose_pairs(sorted(os.sched_getaffinity(0)), pairs)
    results: dict[str, Any] = {
        "machine": {**describe_machine(), "pairs": chosen},
        "samples": {name: [] for name in names},
    }
    cases = list(product(names, range(1, repeats + 1)))
    for (name, _), sample in zip(cases, run_on_pairs(chosen, _run_in_process, cases), strict=True):
        results["samples"][name].append(sample)
        save(results, output)
    for name in names:
        gaps = [sample["gap_percent"] for sample in results["samples"][name]]
        algorithm, instance, _, seconds = CASES[name]
        print(
            f"{algorithm:24}{instance:10}{seconds:4.0f} s  median {statistics.median(gaps):.3f} %, "
            f"{min(gaps):.3f} to {max(gaps):.3f}, of {len(gaps)}"
        )
    return 0


def _run_in_process(case: tuple[str, int], pair: Sequence[int]) -> dict[str, Any]:
    context = multiprocessing.get_context("spawn")
    receiver, there = context.Pipe(duplex=False)
    process = context.Process(target=_measure_case, args=(*case, tuple(pair), there))
    process.start()
    there.close()
    try:
        return receiver.recv()
    finally:
        process.join()


def _measure_case(name: str, seed: int, pair: Sequence[int], answer: Any) -> None:
    """Run a case on a pair of cores, and send the result."""
    os.sched_setaffinity(0, pair)
    algorithm, place, params, seconds = CASES[name]
    instance = load(place)
    for limit in (_WARM, seconds):
        end = run_to_end(instance, algorithm, params, seed=seed, device="cpu", pictures=False, seconds=limit)
    gap = gap_percent(end.length, instance.optimum)
    answer.send({"seed": seed, "length": end.length, "gap_percent": gap, "seconds": end.seconds})
