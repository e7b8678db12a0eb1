"""2-opt: the entries of Utne and Hansen (2023) and of O'Neil and Burtscher (2015)."""

from collections.abc import Sequence

import numpy as np

from benchmarks.two_opt.cpu import measure_cores_pace
from benchmarks.two_opt.gpu import SIZES, count_moves, load_cities, measure_finish, parse_variant
from benchmarks.two_opt.gpu import measure_throughput as filled
from data.collection.resolve import load
from papers.recipes.plan import Plan
from papers.recipes.tables import Cell, measure_cells, take_samples
from papers.results import MeasuredTable
from solvers.core.devices import cpu_threads
from solvers.core.events import Rows
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage

#: Numbers of climbers in the accuracy tables, by instance.
CLIMBERS = {
    "berlin52": (1, 2, 5, 10, 20, 50, 100, 200),
    "kroA100": (1, 10, 100, 1000, 10_000, 20_000, 50_000, 75_000, 100_000, 125_000),
    "kroA200": (1, 100, 1000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 1_500_000, 5_000_000, 10_000_000),
}
#: Maximum number of climbers in the short form, and in a run on cores.
_QUICK_CLIMBERS, _MAX_CPU_CLIMBERS = 100, 10_000
#: Numbers of climbers in tables 2 and 3, and the variants compared.
TIMED = {
    "kroA100": (300_000, 200_000, 100_000, 50_000, 10_000, 1_000),
    "berlin52": (100_000, 50_000, 10_000, 1_000),
}
_PAPER_VARIANTS = ("original", "hundred-cities", "calculated")
#: Variant of each row, by name. `matr_s` maps climbers to threads like the code of O'Neil et al. The paper's rows come
#: from its program; with the reduction described in its text, a climb continues to a local optimum.
TIMED_VARIANTS = {
    "O'Neil et al.": "matr_s",
    **{name: f"{name}, program" for name in _PAPER_VARIANTS},
    **{f"{name}, local optima": f"{name}, paper" for name in _PAPER_VARIANTS},
    **{f"{name}, ours": name for name in _PAPER_VARIANTS},
    "strip": "strip", "multi-move": "multi-move",
}  # fmt: skip
#: Number of equal steps of a chart over climbers, after its points one and ten.
_STEPS = 10
#: Numbers of cities in the short form, and in runs on cores, where a scan takes long.
_QUICK_CITIES, _CPU_CITIES = (100, 200), (100, 200, 439, 1000, 2000)


def measure_accuracy(plan: Plan, instance: str) -> MeasuredTable:
    """Return the shortest length among the first climbers, and its gap to the optimum, with one run per seed."""
    limit = _QUICK_CLIMBERS if plan.quick else _MAX_CPU_CLIMBERS if plan.device == "cpu" else CLIMBERS[instance][-1]
    counts = [count for count in CLIMBERS[instance] if count <= limit]
    optimum = load(instance).optimum
    assert optimum is not None
    seeds = range(1, plan.repeats + 1)
    bests = plan.once(instance, lambda: [_measure_best_lengths(instance, counts, seed, plan.device) for seed in seeds])
    lengths = {count: [float(best[k]) for best in bests] for k, count in enumerate(counts)}
    rows = {f"{count:,}": (values, [100 * optimum / value for value in values]) for count, values in lengths.items()}
    return MeasuredTable("Climbers", ("lowest length", "accuracy"), ("", "%"), rows)


def _measure_best_lengths(instance: str, counts: Sequence[int], seed: int, device: str) -> np.ndarray:
    """Return the shortest length of the first climbers of a run, for each count."""
    spec = RunSpec({"name": instance}, (Stage("two-opt", {"climbers": counts[-1]}),), seed, device=device)
    climbers, lengths = [], []
    for event in run(prepare(spec), load(instance), spec.budget.start()):
        if isinstance(event, Rows):
            climbers.append(event.climber)
            lengths.append(event.length)
    order = np.argsort(np.concatenate(climbers))
    best = np.minimum.accumulate(np.concatenate(lengths)[order])
    return best[np.array(counts) - 1]


def measure_times(plan: Plan, instance: str) -> MeasuredTable:
    """Return the time in milliseconds until this many climbers have finished."""
    counts = TIMED[instance][-1:] if plan.quick else TIMED[instance]
    return measure_cells(
        "Code", TIMED_VARIANTS, {f"{count:,}": count for count in counts}, "ms",
        lambda name, count: _time_climbs(plan, name, instance, count),
    )  # fmt: skip


def measure_bandwidth(plan: Plan, instances: Sequence[str], most: int) -> MeasuredTable:
    """Return the rate at which the published ``calculated`` reads the matrix, by number of climbers."""
    counts = (1, 10) if plan.quick else (1, 10, *(most * k // _STEPS for k in range(1, _STEPS + 1)))
    return measure_cells(
        "Climbers", {f"{count:,}": count for count in counts}, {name: name for name in instances}, "GB/s",
        lambda count, name: _measure_scans(plan, name, count)[1:],
    )  # fmt: skip


def measure_scans(plan: Plan, instances: Sequence[str]) -> MeasuredTable:
    """Return the scans per climb, and bytes of the matrix read per second, with 1,000 climbers."""
    by_name = {name: _measure_scans(plan, name, _QUICK_CLIMBERS if plan.quick else 1000) for name in instances}
    rows = {name: (scans, rates) for name, (scans, rates, _) in by_name.items()}
    refusals = {f"{name}, throughput": reason for name, (_, _, reason) in by_name.items() if reason}
    return MeasuredTable("Instance", ("scans a climb", "throughput"), ("", "GB/s"), rows, refusals)


def _measure_scans(plan: Plan, name: str, climbers: int) -> tuple[list[float], list[float], str]:
    """Return the mean scans per climb and gigabytes per second of the authors' program, or why there are none."""
    instance, variant = load(name), parse_variant("calculated, program")
    result = plan.once((name, climbers), lambda: measure_finish(variant, instance, climbers, plan.repeats))
    if "refused" in result:
        return [], [], result["refused"]
    bytes_read = result["scans"] * count_moves(instance.n) * variant.row.move_bytes
    return [result["scans"] / climbers], [bytes_read / each / 1e9 for each in result["seconds"]], ""


def measure_throughput(plan: Plan, variants: Sequence[str]) -> MeasuredTable:
    """Return the moves evaluated per second in billions, by number of cities, on a fully loaded device."""
    sizes = _QUICK_CITIES if plan.quick else SIZES if plan.device == "cuda" else _CPU_CITIES
    names = variants if plan.device == "cuda" else ("cpu",)
    return measure_cells(
        "Cities", {f"{n:,}": n for n in sizes}, {name: name for name in names}, "billion moves/s",
        lambda n, name: _measure_cores(plan, n) if name == "cpu" else _measure_gpu(plan, name, n),
    )  # fmt: skip


def measure_first_solution(plan: Plan, variants: Sequence[str], instances: Sequence[str]) -> MeasuredTable:
    """Return the time of a single climb in milliseconds."""
    rows = {name: name for name in (instances[:1] if plan.quick else instances)}
    return measure_cells(
        "Instance", rows, {name: name for name in variants}, "ms",
        lambda instance, name: _time_climbs(plan, name, instance, 1),
    )  # fmt: skip


def _time_climbs(plan: Plan, name: str, instance: str, climbers: int) -> Cell:
    """Return the time of complete climbs in milliseconds."""
    result = measure_finish(parse_variant(name), load(instance), climbers, plan.repeats)
    return take_samples(result, "seconds", lambda seconds: 1e3 * seconds)


def _measure_gpu(plan: Plan, name: str, n: int) -> Cell:
    result = filled(parse_variant(name), load_cities(n), plan.repeats)
    return take_samples(result, "moves_per_second", lambda rate: rate / 1e9)


def _measure_cores(plan: Plan, n: int) -> Cell:
    """Return the throughput of climbs on all cores for a second."""
    instance, seconds = load_cities(n), 0.2 if plan.quick else 1.0
    return [measure_cores_pace(instance, cpu_threads(), seconds, seed) / 1e9 for seed in range(1, plan.repeats + 1)], ""
