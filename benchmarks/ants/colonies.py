"""Colonies for benchmarks: variants by name, milliseconds of iterations and phases, complete runs.

Imports Numba only when a colony is created.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.ants.published import INSTANCES
from data.collection.resolve import load
from data.command_line import format_command
from data.distances import distance_matrix, tour_length
from data.errors import InvalidInstance
from data.instance import Instance
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.params import ColonyParams
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.solver import Job
from solvers.core.stop import Budget

#: Minimum number of samples, taken before it is known how many more fit into the time.
_MIN_COLONIES = 3
Entries = Iterator[dict[str, Any]]
#: A limit that no colony here reaches.
PLENTY = 1_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a measurement.

    Attributes
    ----------
    instances : tuple of str
    studied : str
        Instance of the figures on trials and on the switch.
    repeats : int
        Number of seeds of complete runs; on a CPU also the number of measured iterations.
    iterations : int
        Number of iterations of a complete run, and of samples of an iteration's time.
    quality : int
        Number of iterations after which lengths are compared.
    ants : int
        Number of ants; 0 for the number of cities.
    seconds : float
        Time limit for the samples of one figure; at least three are taken in any case.
    patience : float
        Time limit for the complete runs of a variant on an instance; longer ones are not started.
    """

    instances: tuple[str, ...] = INSTANCES
    studied: str = "pr1002"
    repeats: int = 5
    iterations: int = 100
    quality: int = 1000
    ants: int = 0
    seconds: float = 3.0
    patience: float = 20.0

    def load_instances(self) -> Iterator[Instance]:
        """Load the listed instances; missing ones are reported with their source."""
        for name in self.instances:
            try:
                yield load(name)
            except InvalidInstance:
                print(f"{name} is not in the instance list: {format_command('data')} fetch {name}", flush=True)


@dataclass(frozen=True, slots=True)
class TimedVariant:
    """A variant with one of its selections; `name` is printed."""

    name: str
    row: AntVariant
    selection: str


def format_entry(entry: dict[str, Any]) -> str:
    """Format an entry of one of the parts as a line."""
    head = f"{entry['instance']:16}{entry['way']:34}{'graph   ' * entry.get('graph', False)}"
    if "refused" in entry:
        return head + entry["refused"]
    facts = []
    if "milliseconds" in entry:
        facts.append(f"{statistics.median(entry['milliseconds']):.4f} ms of {len(entry['milliseconds'])}")
    if "seconds" in entry:
        facts.append(f"{entry['best']} in {entry['seconds']} s")
    if "done" in entry:
        facts.append(f"{entry['done']} iterations of {entry['iterations']}")
    return head + ", ".join(facts)


def list_variants(device: str) -> list[TimedVariant]:
    """Return a device's variants, each with all its selections."""
    rows = CUDA_VARIANTS if device == "cuda" else CPU_VARIANTS
    return [
        TimedVariant(row.name if len(row.selections) == 1 else f"{row.name}, {selection}", row, selection)
        for row in rows
        for selection in row.selections
    ]


def find_variant(name: str) -> TimedVariant:
    """Find a GPU variant by its name."""
    return next(variant for variant in list_variants("cuda") if variant.name == name)


def make_job(instance: Instance, params: ColonyParams, seed: int, device: str) -> Job:
    """Make the job of a colony, without limits."""
    return Job(instance, params, seed, device, Budget().start())


def create_ant_system(instance: Instance, variant: TimedVariant, seed: int = 1, **params: Any) -> Any:
    """Create a colony of Ant System on the variant's device, before its first iteration."""
    parameters = AntSystemParams(iterations=PLENTY, variant=variant.row.name, selection=variant.selection, **params)
    if parameters.scaled_deposit:
        parameters = parameters.scaled(int(distance_matrix(instance).max()))
    job = make_job(instance, parameters, seed, variant.row.device)
    if variant.row.device == "cuda":
        from solvers.algorithms.ants.ant_system.cuda import build_colony

        return build_colony(job, variant.row)
    from solvers.algorithms.ants.ant_system.cpu import AntSystemColony
    from solvers.core.devices import cpu_threads

    return AntSystemColony(job, variant.row, cpu_threads() if variant.row.name == "cpu" else 1)


def create_max_min(instance: Instance, seed: int = 1, **params: Any) -> Any:
    """Create a colony of MAX-MIN Ant System on a GPU, before its first iteration."""
    from solvers.algorithms.ants.max_min.cuda import build_colony

    return build_colony(make_job(instance, MaxMinParams(iterations=PLENTY, variant="warp", **params), seed, "cuda"))


def take_samples(measure: Callable[[int], np.ndarray], count: int, seconds: float) -> list[float]:
    """Take samples in milliseconds, fewer if time is short, and drop the first few."""
    lower = measure(_MIN_COLONIES)
    fit = int(1e3 * seconds / max(float(np.median(lower)), 1e-3))
    return round_times(measure(min(count, fit)) if min(count, fit) > _MIN_COLONIES else lower)


def round_times(values: Iterable[float]) -> list[float]:
    """Round milliseconds to nanoseconds, since no clock is more precise."""
    return [round(float(value), 6) for value in values]


def run_completely(instance: Instance, make: Callable[[int], Any], seeds: int, iterations: int) -> dict[str, Any]:
    """Run a colony completely for each seed; return seconds of set-up and iterations, and best lengths.

    Kernels that are not compiled yet are compiled during a set-up. Every best length is measured again from its tour.
    """
    entry: dict[str, Any] = {"set_up_seconds": [], "seconds": [], "best": []}
    for seed in range(1, seeds + 1):
        start_time = time.perf_counter()
        with closing(make(seed)) as colony:
            entry["set_up_seconds"].append(round(time.perf_counter() - start_time, 6))
            done, best, order, start_time = 0, np.inf, np.empty(0), time.perf_counter()
            while done < iterations:
                results = colony.advance(iterations)
                done += 0 if results is None else results.best.size
                if results is not None and results.best.min() < best:
                    best, order = results.best.min(), results.order[results.best.argmin()]
            entry["seconds"].append(round(time.perf_counter() - start_time, 6))
        if tour_length(instance, order) != best:
            raise SystemExit(f"{instance.name}: a tour of {best} measures {tour_length(instance, order)}.")
        entry["best"].append(int(best))
    return entry
