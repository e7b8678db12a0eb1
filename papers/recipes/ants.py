"""Ant System: the entries of Uchida et al. (2012) and of Bitner (2025). Imports Numba only when colonies run."""

import statistics
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import accumulate
from typing import Any

from benchmarks.ants.colonies import Plan as Colonies
from benchmarks.ants.colonies import TimedVariant, create_ant_system, find_variant, list_variants, run_completely
from benchmarks.ants.pace_cpu import measure_phases
from benchmarks.ants.published import INSTANCES
from data.instance import Instance
from papers.recipes.plan import Plan
from papers.recipes.tables import Cell, measure_cells
from papers.results import MeasuredTable

#: Selections of Uchida et al.: for table I, and for the other tables on a GPU and on a core.
SELECTIONS = ("without-compression", "with-compression", "stochastic-trial", "hybrid")
_GPU, _CORE = "block, hybrid", "sequential, without-compression"
#: Uchida et al.'s sequential trials (section IV.B.3) and their two update kernels (section IV.C); Bitner's deposits
#: ("Pheromone update").
_UCHIDA: dict[str, Any] = {"deposit": "rows", "trials_at_once": "one"}
_BITNER: dict[str, Any] = {"initial": "one", "scaled_deposit": True, "deposit": "float-atomic"}
#: Ways to deposit, three of which Bitner compares.
DEPOSITS = ("float-atomic", "fixed-point", "rows", "histogram")
#: Instances of the short form, and of runs on one core, where larger ones take minutes.
_QUICK, _CORE_INSTANCES = INSTANCES[:2], INSTANCES[:6]
#: Iterations of a complete run.
_ITERATIONS = 100
_SPEED_UP = ("CPU", "GPU", "speed-up"), ("ms", "ms", "x")


def _make_colonies(plan: Plan, instances: tuple[str, ...] = INSTANCES) -> Colonies:
    names = _QUICK if plan.quick else instances
    return Colonies(names, studied=names[-1] if plan.quick else "pr1002", repeats=plan.repeats, iterations=_ITERATIONS)


def _make_core_variant(name: str) -> TimedVariant:
    return next(variant for variant in list_variants("cpu") if variant.name == name)


def measure_selections(plan: Plan) -> MeasuredTable:
    """Measure table I: construction of all tours on pr1002, by selection."""
    colonies = _make_colonies(plan)
    (instance,) = Colonies((colonies.studied,)).load_instances()

    def measure(selection: str, _: str) -> Cell:
        if plan.device == "cuda":
            return _time_on_gpu(colonies, instance, f"block, {selection}", "construction", **_UCHIDA), ""
        return _time_on_core(plan, instance, f"sequential, {selection}", "construction"), ""

    column = {"cuda": "GPU", "cpu": "CPU"}[plan.device]
    return measure_cells("Selection", {each: each for each in SELECTIONS}, {column: column}, "ms", measure)


def measure_construction(plan: Plan) -> MeasuredTable:
    """Measure table II: construction of all tours, by instance."""
    return _time_phase(plan, "construction")


def measure_update(plan: Plan) -> MeasuredTable:
    """Measure table III: evaporation and deposits, by instance."""
    return _time_phase(plan, "update")


def _time_phase(plan: Plan, phase: str) -> MeasuredTable:
    """Return a phase on a core and, if requested, on a GPU, with the ratio of the medians."""
    return _measure_by_instance(
        plan, partial(_time_on_core, name=_CORE, phase=phase), partial(_time_on_gpu, name=_GPU, phase=phase, **_UCHIDA)
    )


def measure_hundred_iterations(plan: Plan) -> MeasuredTable:
    """Measure table IV: set-up and 100 iterations."""

    def on_core(plan: Plan, instance: Instance) -> list[float]:
        return [_ITERATIONS * seconds for seconds in _time_on_core(plan, instance, _CORE, "iteration")]

    def on_gpu(colonies: Colonies, instance: Instance) -> list[float]:
        variant = find_variant(_GPU)
        result = run_completely(
            instance, lambda seed: create_ant_system(instance, variant, seed, **_UCHIDA), colonies.repeats, _ITERATIONS
        )
        return [1e3 * (begin + rest) for begin, rest in zip(result["set_up_seconds"], result["seconds"], strict=True)]

    return _measure_by_instance(plan, on_core, on_gpu)


def _measure_by_instance(
    plan: Plan, on_core: Callable[..., list[float]], on_gpu: Callable[..., list[float]]
) -> MeasuredTable:  # fmt: skip
    rows, refusals, colonies = {}, {}, _make_colonies(plan)
    for instance in colonies.load_instances():
        core_samples = on_core(plan, instance) if instance.name in _CORE_INSTANCES else []
        gpu_samples = on_gpu(colonies, instance) if plan.device == "cuda" else []
        if not core_samples:
            refusals[f"{instance.name}, CPU"] = "An iteration takes more than ten seconds on one core."
        ratio = (
            [statistics.median(core_samples) / statistics.median(gpu_samples)] if core_samples and gpu_samples else []
        )
        rows[instance.name] = core_samples, gpu_samples, ratio
    return MeasuredTable("Instance", *_SPEED_UP, rows, refusals)


def _time_on_core(plan: Plan, instance: Instance, name: str, phase: str) -> list[float]:
    """Return the time of a phase, or of a whole ``iteration``, on one core in milliseconds."""
    count = 2 if plan.quick else plan.repeats
    with closing(create_ant_system(instance, _make_core_variant(name))) as colony:
        return [seconds[phase] for seconds in measure_phases(colony, count)]


def _time_on_gpu(colonies: Colonies, instance: Instance, name: str, phase: str, **params: Any) -> list[float]:
    """Return the time of a phase on a GPU in milliseconds, with the pheromone of the first iterations."""
    from benchmarks.ants.ant_system.gpu import measure_each_phase
    from benchmarks.ants.pace import time_colony

    with closing(create_ant_system(instance, find_variant(name), **params)) as colony:
        time_colony(colony, 3)
        return measure_each_phase(colonies, colony)[phase]


def measure_selection_trials(plan: Plan) -> MeasuredTable:
    """Measure figure 8: share of selections decided within each number of trials, with a run per seed.

    The last count is of selections that no trial decided.
    """
    from benchmarks.ants.ant_system.trials_gpu import measure_trials

    colonies = _make_colonies(plan)
    runs = [measure_trials(colonies, seed) for seed in range(1, plan.samples + 1)]
    shares = [[100 * count / sum(counts) for count in accumulate(counts[:-1])] for counts in runs]
    rows = {str(k): (list(column),) for k, column in enumerate(zip(*shares, strict=True), 1)}
    return MeasuredTable("Trials", ("cities decided",), ("%",), rows)


def measure_hybrid(plan: Plan) -> MeasuredTable:
    """Measure figure 9: construction by the hybrid over the switch and the number of trials."""
    from benchmarks.ants.ant_system.trials_gpu import TRIALS, measure_switch

    samples = measure_switch(_make_colonies(plan))
    shares = sorted({share for share, _ in samples})
    rows = {f"{share:g}": tuple(samples.get((share, count), []) for count in TRIALS) for share in shares}
    return MeasuredTable("Visited (%)", tuple(f"{count} trials" for count in TRIALS), ("ms",) * len(TRIALS), rows)


def measure_iterations(plan: Plan) -> MeasuredTable:
    """Measure Bitner's table 1: an iteration of worker and queen, launched kernel by kernel and as a graph."""
    from benchmarks.ants.ant_system.gpu import measure_iteration

    codes = {
        f"{name}, graph" if graph else name: (name, graph) for name in ("worker", "queen") for graph in (False, True)
    }
    return _measure_bitner(
        plan, "Code", codes,
        lambda colonies, instance, code: measure_iteration(
            colonies, instance, find_variant(code[0]), code[1], **_BITNER
        ).get("milliseconds", []),
    )  # fmt: skip


def measure_kernels(plan: Plan) -> MeasuredTable:
    """Measure Bitner's table 2: each kernel of an iteration."""
    parts = {
        "choice": ("queen", "choice"), "construction, worker": ("worker", "construction"),
        "construction, queen": ("queen", "construction"), "update": ("queen", "update"), "best": ("queen", "best"),
    }  # fmt: skip
    return _measure_bitner(
        plan, "Kernel", parts, lambda colonies, instance, part: _time_on_gpu(colonies, instance, *part, **_BITNER)
    )


def measure_deposits(plan: Plan) -> MeasuredTable:
    """Measure Bitner's pheromone update: evaporation and deposits, by method of deposit."""
    return _measure_bitner(
        plan, "Deposits", {each: each for each in DEPOSITS},
        lambda colonies, instance, deposit: _time_on_gpu(
            colonies, instance, "queen", "update", **_BITNER | {"deposit": deposit}
        ),
    )  # fmt: skip


def measure_quality(plan: Plan) -> MeasuredTable:
    """Measure Bitner's figure 1: gaps of workers and queens to the optimum after 1,000 iterations."""
    colonies = _make_colonies(plan, INSTANCES[:-1])
    count = 50 if plan.quick else colonies.quality

    def measure(instance: Instance, name: str) -> Cell:
        make = partial(_run_bitner, instance, find_variant(name))
        best = run_completely(instance, make, colonies.repeats, count)["best"]
        assert instance.optimum is not None, instance.name
        return [100 * (length / instance.optimum - 1) for length in best], ""

    instances = {instance.name: instance for instance in colonies.load_instances()}
    return measure_cells("Instance", instances, {"worker": "worker", "queen": "queen"}, "%", measure)


def _run_bitner(instance: Instance, variant: TimedVariant, seed: int) -> Any:
    return create_ant_system(instance, variant, seed, **_BITNER)


def _measure_bitner(
    plan: Plan, head: str, rows: dict[str, Any], measure: Callable[[Colonies, Instance, Any], list[float]]
) -> MeasuredTable:
    """Measure a table with a column for each of Bitner's instances."""
    colonies = _make_colonies(plan, INSTANCES[:-1])
    instances = {instance.name: instance for instance in colonies.load_instances()}
    return measure_cells(head, rows, instances, "ms", lambda row, instance: (measure(colonies, instance, row), ""))
