"""Lin-Kernighan on a CUDA device and on one core: kicks per second, and lengths at given times.

The instances are from TSPLIB, fetched beforehand by ``python -m data fetch``, with shuffled cities; and a million
uniform cities, whose gap is relative to 0.7124 sqrt(n A). Seconds are on the run's clock, which excludes loading
kernels but includes candidates and the start tour.
"""

import math
import statistics
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.ants.tables import Entry, format_figure, format_table
from benchmarks.cities import load_shuffled
from benchmarks.parts import add_part_options, measure_parts
from benchmarks.runs import run_stage
from data.distances import tour_length
from data.instance import Instance
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.core.events import Finished, Progress, Started
from solvers.gpu.calibration import MAX_KICKS

NAME = "lin-kernighan"
#: Times in seconds at which lengths are recorded for each instance; the last is the time limit of a run.
MARKS = {
    "kroA200": (0.05,),
    "pr1002": (0.1,),
    "pr2392": (0.3, 2.0),
    "usa13509": (1.0,),
    "d18512": (0.2, 1.0, 4.0, 20.0),
    "uniform:1000000": (3.0, 10.0),
}
#: Number of kicks in a core's round: few enough for frequent reports.
_CPU_KICKS = 1000
#: Instances on which throughput is measured, and seconds of each sample.
_PACED, _SECONDS = ("pr2392", "d18512"), 1.0


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_part_options(parser, tuple(_PARTS))
    parser.add_argument("--instance", choices=MARKS, action="append", help="of the marks (default all)")
    parser.add_argument("--first-seed", type=int, default=1, help="seeds from here on (default 1)")


def main(
    repeats: int, output: Path | None, device: str, part: list[str] | None,
    instance: list[str] | None, first_seed: int,
) -> int:  # fmt: skip
    """Measure, print, and write the raw samples to `output`."""
    seeds, marks = range(first_seed, first_seed + repeats), instance or list(MARKS)
    names = part or [name for name in _PARTS if device == "cuda" or name != "pace"]
    return measure_parts(names, device, output, lambda name: _PARTS[name](seeds, device, marks), format_tables)


def measure_course(
    instance: Instance, params: dict[str, Any], seed: int, device: str, marks: Sequence[float], pictures: bool = False
) -> dict[str, Any]:
    """Return a run's best lengths at given seconds, the last of which is its time limit, with its rounds and device."""
    best: list[tuple[float, int]] = []
    used = ""
    for event in run_stage(instance, NAME, params, seed, device, pictures, seconds=marks[-1]):
        if isinstance(event, Started):
            used = event.device
        elif isinstance(event, Progress):
            best += zip(event.elapsed.tolist(), event.best.tolist(), strict=True)
        elif isinstance(event, Finished):
            end = event
    assert end.length == tour_length(instance, end.order)
    lengths = [min((length for at, length in best if at <= mark), default=math.inf) for mark in marks]
    lengths[-1] = min(lengths[-1], end.length)
    return {"lengths": lengths, "rounds": len(best), "device": used}


def measure_marks(seeds: range, device: str, instances: list[str]) -> Iterator[Entry]:
    """Yield the gaps after given seconds, with a different order of cities for each seed."""
    for name in instances:
        gaps, rounds = list[list[float]](), []
        for seed in seeds:
            instance, reference = load_shuffled(name, seed)
            params = {"variant": device, "rounds": 10_000_000, "kicks": 0 if device == "cuda" else _CPU_KICKS}
            course = measure_course(instance, params, seed, device, MARKS[name], pictures=True)
            gaps.append([round(100 * (length / reference - 1), 4) for length in course["lengths"]])
            rounds.append(course["rounds"])
        for at, mark in enumerate(MARKS[name]):
            yield {
                "instance": name, "variant": device, "seconds": mark, "gaps_percent": [gap[at] for gap in gaps],
                "rounds": rounds,
            }  # fmt: skip


def measure_pace(seeds: range, device: str, instances: list[str]) -> Iterator[Entry]:
    """Yield the kicks per second from a local optimum, including transfers but not the application of their results."""
    from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
    from solvers.algorithms.lin_kernighan.cuda import GpuSearch
    from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
    from solvers.parallel.thread_team import ThreadTeam

    for name in _PACED:
        instance, _ = load_shuffled(name, 1)
        team, params = ThreadTeam(1), LinKernighanParams()
        cities, names = number_cities(instance, params.neighbours, params.quadrants, team)
        order = build_greedy_tour(cities, team)
        search = GpuSearch(cities, order, tour_length(instance, names[order]), 1, params, None)
        while search.descending:
            search.advance(1 << 40)
            search.start_round()
        for size in (MAX_KICKS >> 2, MAX_KICKS >> 1, MAX_KICKS):
            samples, given_up, evaluated = [], 0, 0
            for _ in range(len(seeds) + 1):
                search.gpu.take(search.order, np.zeros(1, np.int32))
                start_time, kicks = perf_counter(), 0
                while perf_counter() - start_time < _SECONDS / 10:
                    begin = 0
                    while begin < size:
                        begin, _, seen = search.gpu.launch(kicks, begin, size)
                        given_up, evaluated = given_up + search.gpu.abandoned, evaluated + seen
                    kicks += size
                samples.append(round(kicks / (perf_counter() - start_time)))
            yield {
                "instance": name, "kicks": size, "kicks_a_second": samples[1:], "given_up": given_up,
                "evaluated": evaluated,
            }  # fmt: skip
        search.close()


_PARTS = {"pace": measure_pace, "marks": measure_marks}


def format_tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown."""
    parts = []
    if "pace" in results:
        rows = [
            [entry["instance"], f"{entry['kicks']:,}", format_figure(statistics.median(entry["kicks_a_second"]) / 1e6)]
            for entry in results["pace"]
        ]
        parts.append(format_table("Kicks a second, 10^6", ("instance", "kicks of a batch", "kicks"), rows))
    if "marks" in results:
        rows = [
            [
                entry["instance"], entry["variant"], f"{entry['seconds']:g}",
                f"{statistics.median(entry['gaps_percent']):.3f}",
                f"{min(entry['gaps_percent']):.3f} to {max(entry['gaps_percent']):.3f}",
                f"{len(entry['gaps_percent'])}",
            ]
            for entry in results["marks"]
        ]  # fmt: skip
        head = ("instance", "variant", "seconds", "median gap, %", "least to greatest", "seeds")
        parts.append(format_table("Lengths after so many seconds", head, rows))
    return "\n".join(parts)
