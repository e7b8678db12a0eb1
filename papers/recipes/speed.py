"""Throughput of 2-opt over climbers and over threads, and the energy of a climb: three of this program's charts."""

import os
import time
from collections.abc import Sequence

from benchmarks.runs import run_to_end
from benchmarks.two_opt.gpu import CLIMBERS, TimedVariant, count_moves, list_variants, measure_finish
from data.collection.resolve import load
from papers.recipes.plan import Plan
from papers.recipes.tables import Cell, measure_cells, take_samples
from papers.results import MeasuredTable
from solvers.core.devices import cpu_threads
from solvers.gpu.energy import MIN_SECONDS, EnergyMeter

#: Climber counts for the quick version, and for the energy measurement.
_QUICK_CLIMBERS, _ENERGY_CLIMBERS = (1, 10), 100_000


def _find_variants(variants: Sequence[str]) -> dict[str, TimedVariant]:
    by_name = {variant.name: variant for variant in list_variants()}
    return {name: by_name[name] for name in variants}


def measure_over_climbers(plan: Plan, variants: Sequence[str]) -> MeasuredTable:
    """Return the moves per second of complete climbs in billions, by number of climbers."""
    instance, counts = load("kroA100"), _QUICK_CLIMBERS if plan.quick else CLIMBERS

    def measure(count: int, variant: TimedVariant) -> Cell:
        result = measure_finish(variant, instance, count, plan.repeats)
        moves = result.get("scans", 0) * count_moves(instance.n)
        return take_samples(result, "seconds", lambda seconds: moves / seconds / 1e9)

    rows = {f"{count:,}": count for count in counts}
    return measure_cells("Climbers", rows, _find_variants(variants), "billion moves/s", measure)


def measure_rate(variant: str, threads: int, instance: str, seed: int, seconds: float) -> float:
    """Return the moves per second of a CPU run."""
    params = {"climbers": 1_000_000, "variant": variant}
    options = {"seed": seed, "device": "cpu", "pictures": False, "seconds": seconds}
    before = os.environ.get("NUMBA_NUM_THREADS")
    os.environ["NUMBA_NUM_THREADS"] = str(threads)  # which `solvers.core.devices.cpu_threads` respects
    try:
        end = run_to_end(load(instance), "two-opt", params, **options)
    finally:
        if before is None:
            del os.environ["NUMBA_NUM_THREADS"]
        else:
            os.environ["NUMBA_NUM_THREADS"] = before
    return end.evaluations / end.seconds


def measure_over_threads(plan: Plan) -> MeasuredTable:
    """Return the moves per second in billions by number of threads, up to the number of cores."""
    counts = [1]
    while 2 * counts[-1] < cpu_threads():
        counts.append(2 * counts[-1])
    counts = sorted({*counts, cpu_threads()})
    seconds = 0.2 if plan.quick else 2.0
    seeds = range(1, plan.repeats + 1)

    def measure(count: int, variant: str) -> Cell:
        return [measure_rate(variant, count, "kroA200", seed, seconds) / 1e9 for seed in seeds], ""

    return measure_cells("Threads", {f"{count}": count for count in counts}, {"cpu": "cpu"}, "billion moves/s", measure)


def measure_energy(plan: Plan, variants: Sequence[str]) -> MeasuredTable:
    """Return the energy per climb of each variant in millijoules, or the reason why the driver does not report it."""
    instance, count = load("kroA100"), _QUICK_CLIMBERS[-1] if plan.quick else _ENERGY_CLIMBERS

    def measure(variant: TimedVariant, _: str) -> Cell:
        samples: list[float] = []
        measure_finish(variant, instance, count, 1)  # compilation is not counted
        for _turn in range(plan.samples):
            meter, began, climbs = EnergyMeter("cuda"), time.perf_counter(), 0
            if meter.reason:
                return samples, meter.reason
            while time.perf_counter() - began < MIN_SECONDS:
                measure_finish(variant, instance, count, 1)
                climbs += 2 * count  # each climbs once untimed, and once timed
            samples.append(1e3 * (meter.joules() or 0.0) / climbs)
        return samples, ""

    return measure_cells("Variant", _find_variants(variants), {"energy of a climb": ""}, "mJ", measure)
