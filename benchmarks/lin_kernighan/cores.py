"""Lin-Kernighan at equal time: compared with target gaps, and with the package fast-tsp on ten instances.

The seed shuffles the cities, in the same way for both programs, and every tour is measured here. On a busy machine,
`--clock processor` ends runs by processor time: a run of TourScope with several threads is charged their average; a
call of the package is repeated with a longer limit until it has used its time. Loading kernels is not counted, nor is
computing the package's matrix of distances.

On a machine with many cores, `--pairs 7` measures seven cases at a time, each in a process with two reserved cores; the
package runs on the same two. Remaining cores are left to the system.
"""

import multiprocessing
import statistics
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.ants.tables import Entry, format_table
from benchmarks.cities import expect_length, generate_square, load_any, shuffle_cities
from benchmarks.lin_kernighan.pinned import Case, measure_pinned
from benchmarks.parts import add_part_options, measure_parts
from benchmarks.runs import run_to_end
from data.collection.resolve import load
from data.distances import tour_length
from data.generators import clustered, uniform
from data.instance import Instance
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import ALONE, Schedule
from solvers.algorithms.reference.elkai import Elkai
from solvers.algorithms.reference.fast_tsp import FastTsp
from solvers.algorithms.reference.solver import ReferenceSolver
from solvers.core import stop
from solvers.core.devices import cpu_threads

NAME, PACKAGE, LKH = "lin-kernighan", "fast-tsp", "LKH"
_UNIFORM = "uniform-1000000"
#: Instances of the comparison, with 500 to 20,000 cities; a number is the seed of a generated one.
_INSTANCES = (
    "att532", "rat783", "pr1002", "pcb1173", "clustered 1500", "pr2392", "uniform 3000", "fnl4461", "clustered 8000",
    "d18512",
)  # fmt: skip
#: Cases of each part: instance, seconds, and the target gap in per cent above the optimum; for uniform cities above
#: .7124 sqrt(n A).
_CASES: dict[str, tuple[tuple[str, float, float], ...]] = {
    "marks": (
        ("kroA200", 0.05, 0.0), ("pr1002", 0.4, 0.0), ("pr2392", 0.8, 0.1), ("pr2392", 4.0, 0.01),
        ("usa13509", 2.5, 1.0), ("d18512", 1.0, 5.0), ("d18512", 2.5, 1.0), ("d18512", 8.0, 0.5),
        ("d18512", 25.0, 0.1),
    ),
    "against": tuple((name, seconds, 0.0) for name in _INSTANCES for seconds in (0.2, 1.0, 5.0, 20.0)),
    "million": ((_UNIFORM, 30.0, 10.0), (_UNIFORM, 120.0, 5.0)),
}  # fmt: skip
#: Maximum seconds for comparisons with LKH, if the package elkai is installed and supports the number of cities.
_LKH_SECONDS = 5.0
#: Maximum number of calls of the package, each with a longer limit, and the share of the seconds that is sufficient.
_CALLS, _ENOUGH = 4, 0.95


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_part_options(parser, tuple(_CASES))
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall", help="what ends a run (default wall)")
    parser.add_argument("--instances", type=Path, help="folder of .tsp files that are neither bundled nor the user's")
    parser.add_argument("--only", action="append", metavar="INSTANCE", help="of the part, these instances alone")
    parser.add_argument("--most-seconds", type=float, default=1e9, help="leave out longer runs")
    parser.add_argument("--seconds", type=float, help="runs of so many seconds alone")
    parser.add_argument("--pairs", type=int, default=0, help="cases to measure at a time, each on two cores of its own")
    parser.add_argument(
        "--seeds", action="append", default=[], metavar="PART=N", help="seeds of a part, if not as many as repeats"
    )


def main(
    repeats: int, output: Path | None, device: str, part: list[str] | None, clock: str, instances: Path | None,
    only: list[str] | None, most_seconds: float, seconds: float | None, pairs: int, seeds: list[str],
) -> int:  # fmt: skip
    """Measure, print, and write the raw samples to `output`."""
    number = {name: int(n) for name, _, n in (seed.partition("=") for seed in seeds)}

    request = _Request(repeats, device, clock, instances, only, most_seconds, seconds)
    names = part or [name for name in _CASES if device == "cpu" or name != "against"]
    if not pairs:
        requests = {name: replace(request, repeats=number.get(name, repeats)) for name in names}
        return measure_parts(names, device, output, lambda name: measure_part(name, requests[name]), format_tables)
    options = ["--device", device, "--clock", clock, *(["--instances", str(instances)] if instances else [])]
    cases = [
        Case(name, instance, limit, number.get(name, repeats), 3 if name == "against" else 1)
        for name in names for instance, limit, _ in _CASES[name] if request.is_measured(instance, limit)
    ]  # fmt: skip
    measured = measure_pinned(cases, pairs, options, output)
    return measure_parts(names, device, output, measured.__getitem__, format_tables)


@dataclass(frozen=True, slots=True)
class _Request:
    """The requested measurements."""

    repeats: int
    device: str
    clock: str
    folder: Path | None
    only: list[str] | None
    most: float
    seconds: float | None

    def is_measured(self, name: str, seconds: float) -> bool:
        """Return whether to measure an instance with this number of seconds."""
        return seconds <= self.most and self.seconds in (None, seconds) and (self.only is None or name in self.only)


@cache
def _load_instance(name: str, folder: Path | None) -> Instance | None:
    """Load an instance by its name or as ``uniform 2000``; None if it is missing."""
    kind, _, n = name.partition(" ")
    if n:
        return {"uniform": uniform, "clustered": clustered}[kind](int(n), 1)
    if name == _UNIFORM:
        return generate_square(_UNIFORM, 1_000_000, 1)
    if folder and (path := folder / f"{name}.tsp").exists():
        return load_any(str(path))
    try:
        return load(name)
    except Exception:  # noqa: BLE001 (missing instances are left out)
        print(f"{name} is not here: left out")
        return None


def measure_lengths(request: _Request, instance: Instance, seconds: float) -> tuple[list[int], list[float]]:
    """Return the lengths for the seeds 1, 2, ..., and wall-clock seconds."""
    results, elapsed = [], []
    if request.clock == "processor":
        shared = cpu_threads() if Schedule.for_cities(LinKernighanParams(), instance.n).kind != ALONE else 1
        stop.time = SimpleNamespace(perf_counter=lambda: time.process_time() / shared)  # type: ignore[assignment]
    for seed in range(1, request.repeats + 1):
        mixed = instance if instance.name == _UNIFORM else shuffle_cities(instance, seed)  # these are uniform
        end = run_to_end(mixed, NAME, {"rounds": 10_000_000}, seed=seed, device=request.device, seconds=seconds)
        results.append(end.length)
        elapsed.append(round(end.seconds, 3))
    return results, elapsed


def measure_package_lengths(
    request: _Request, instance: Instance, seconds: float, kind: type[ReferenceSolver]
) -> tuple[list[int], list[float]]:
    """Return the lengths of a package on one thread, its default, and its wall-clock seconds."""
    results, elapsed = [], []
    for seed in range(1, request.repeats + 1):
        mixed = shuffle_cities(instance, seed)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            order, had = pool.apply(_call_package, (kind, mixed, seconds, seed, request.clock == "processor"))
        results.append(tour_length(mixed, order))
        elapsed.append(round(had, 3))
    return results, elapsed


def _call_package(
    kind: type[ReferenceSolver], instance: Instance, seconds: float, seed: int, by_processor: bool
) -> tuple[np.ndarray, float]:
    from data.distances import distance_matrix

    distances = distance_matrix(instance)
    divisor = kind.package.divisor(int(distances.max()))
    distances = np.rint(distances / divisor) if divisor > 1 else distances
    distances = distances.astype(np.uint16 if kind is FastTsp else np.int64)
    clock = time.process_time if by_processor else time.perf_counter
    limit = seconds
    for _ in range(_CALLS):
        start_time = clock()
        order = np.array(kind.call(distances, limit, seed, 1), np.int32)
        had = clock() - start_time
        if had >= _ENOUGH * seconds:
            break
        limit *= seconds / max(had, 0.1 * seconds)
    return order, had


def measure_part(part: str, request: _Request) -> Iterator[Entry]:
    """Yield the lengths after so many seconds; in ``against`` also the packages' lengths, each after TourScope's."""
    for name, seconds, gap in _CASES[part]:
        if not request.is_measured(name, seconds) or (instance := _load_instance(name, request.folder)) is None:
            continue
        lengths, elapsed = measure_lengths(request, instance, seconds)
        entry: Entry = {
            "instance": name, **({"n": instance.n} if part == "against" else {"gap": gap}), "seconds": seconds,
            "best": round(expect_length(instance.n)) if name == _UNIFORM else instance.optimum,
            "lengths": lengths, "took": elapsed,
        }  # fmt: skip
        if part == "against":
            entry["package"], entry["package_took"] = measure_package_lengths(request, instance, seconds, FastTsp)
            fits = instance.n <= Elkai.package.max_cities and seconds <= _LKH_SECONDS
            if fits and find_spec(Elkai.package.module):
                entry["lkh"], entry["lkh_took"] = measure_package_lengths(request, instance, seconds, Elkai)
        yield entry


def format_tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown."""
    parts = []
    for part, title in (("marks", "Marks"), ("million", "A million uniform cities")):
        if part in results:
            head = ("instance", "seconds", "mark, %", "median gap, %", "least to greatest", "reached")
            parts.append(format_table(title, head, [_format_mark_row(entry) for entry in results[part]]))
    if "against" in results:
        columns = ("instance", "seconds", "gap, %", f"{PACKAGE}, %", f"{LKH}, %", "not above the package")
        parts.append(
            format_table(f"Beside {PACKAGE}, medians", columns, [*_format_comparison_rows(results["against"])])
        )
    return "\n".join(parts)


def _format_mark_row(entry: Entry) -> list[str]:
    gaps = [100 * (length / entry["best"] - 1) for length in entry["lengths"]]
    reached = statistics.median(gaps) <= entry["gap"]
    return [
        entry["instance"], f"{entry['seconds']:g}", f"{entry['gap']:g}", f"{statistics.median(gaps):.3f}",
        f"{min(gaps):.3f} to {max(gaps):.3f}", "yes" if reached else "no",
    ]  # fmt: skip


def _format_comparison_rows(entries: list[Entry]) -> Iterator[list[str]]:
    """Yield one row per entry; without a known optimum, gaps are relative to the entries' shortest tour."""
    for entry in entries:
        same = [each for each in entries if each["instance"] == entry["instance"]]
        best = entry["best"] or min(
            length for entry in same for key in ("lengths", "package", "lkh") for length in entry.get(key, ())
        )
        ours, theirs = (100 * (statistics.median(entry[key]) / best - 1) for key in ("lengths", "package"))
        lkh = f"{100 * (statistics.median(entry['lkh']) / best - 1):.3f}" if "lkh" in entry else ""
        yield [
            entry["instance"], f"{entry['seconds']:g}", f"{ours:.3f}", f"{theirs:.3f}", lkh,
            "yes" if ours <= theirs else "no",
        ]  # fmt: skip
