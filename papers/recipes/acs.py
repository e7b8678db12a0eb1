"""Ant Colony System: the entries of Qin and Han (2022). Imports Numba only when colonies run.

Instances are the authors' if their files are in the data folder, else random ones. Columns and rows named after the
paper's variant use the paper's parameters, where every city is a candidate. Ours use candidate lists, and local updates
for which a seed always gives the same tours.
"""

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.ants.acs.variants import REFUSALS, WHOLE, TimedVariant, best_so_far, collect_events, time_iterations
from benchmarks.ants.colonies import PLENTY
from benchmarks.ants.colonies import Plan as Colonies
from data.instance import Instance
from papers.recipes.instances import describe_origin, load_qin_han_cities
from papers.recipes.plan import Plan
from papers.recipes.tables import Cell, measure_cells, take_samples
from papers.recipes.tours import describe_final_tour
from papers.recipes.workers import WORKERS, list_worker_counts, warn_oversubscribed
from papers.results import MeasuredTable
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.core.events import Finished

#: Numbers of cities, ants and iterations in most entries, and of threads in table 1.
CITIES, ANTS, ITERATIONS, THREADS = 2048, 128, 256, WORKERS[-1]
#: Figure 2: the numbers of cities, and the ratio of ants to cities, which is the same in table 1 (section 3.1.2, and
#: the authors' records).
FEW, SHARE = (128, 256, 512, 1024, 2048), 0.6
#: Figures 5 and 6: the numbers of ants, and of iterations.
COLONIES, LONG = (32, 64, 128, 256, 512), 1024
#: Figures 7 and 11: the numbers of cities.
SIZES, MAX_SIZE = (256, 512, 1024, 2048, 4096, 8192), 8192
#: Strategies of 2-opt: our parameters, under the names of the paper's presets.
STRATEGIES = {
    "none": {"local_search": "none"}, "last": {"local_search_when": "last"}, "every": {"local_search_when": "every"},
}  # fmt: skip
#: Numbers of cities in the short form, which are smaller except for table 1.
QUICK = (256, 512)
#: Timeouts in seconds for a run, and for the runs of a figure.
PATIENCE, ALL_SEEDS = 60.0, 180.0
#: An instance, and parameters of the ants on it.
_Case = tuple[Instance, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ColonySettings:
    """The colony of a column or row.

    Attributes
    ----------
    name : str
    variant : TimedVariant
    params : dict
        Parameters in addition to `variant`'s own.
    """

    name: str
    variant: TimedVariant
    params: dict[str, Any]


def make_paper_colony(device: str, two_opt: str = "none", variant: str = "") -> ColonySettings:
    """Return the paper's colony, with 2-opt as in one of its presets; in lockstep on cores (sections 2.4 and 2.6)."""
    params = next(preset.params for preset in AntColonySystem.presets if preset.name == f"qin-han-{two_opt}")
    variant = variant or {"cuda": "block", "cpu": "qin-han-openmp"}[device]
    update = params["local_update"] if variant == "block" else "lockstep"
    params = {**params, "variant": variant, "local_update": update, "ants": ANTS, "iterations": ITERATIONS}
    return ColonySettings("qin-han", TimedVariant(variant, update, False), params)


def make_own_colony(device: str, two_opt: str = "none", variant: str = "") -> ColonySettings:
    """Return this program's colony with its own local search."""
    timed = TimedVariant(variant, "deferred") if variant else WHOLE[device]
    return ColonySettings("ours", timed, {"ants": ANTS, "iterations": ITERATIONS, **STRATEGIES[two_opt]})


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs of a colony on an instance.

    Attributes
    ----------
    seconds : list of float
    ends : list of Finished
    best : list of ndarray, shape (iterations,)
        Length of the best tour after each iteration; the last one is the length of the run.
    refused : str
        Why there are no runs.
    """

    seconds: list[float]
    ends: list[Finished]
    best: list[np.ndarray]
    refused: str = ""


def _run_seeds(plan: Plan, instance: Instance, colony: ColonySettings, **params: Any) -> Runs:
    """Run the requested number of seeds, or as many as time allows; none if a run is cut short."""
    params = colony.params | params
    key = (instance.name, instance.n, colony.variant, *sorted(params.items()))
    return plan.once(key, lambda: _run_colony(plan.samples, instance, colony.variant, params))


def _run_colony(samples: int, instance: Instance, variant: TimedVariant, params: Mapping[str, Any]) -> Runs:
    runs, limits = Runs([], [], []), Colonies(patience=PATIENCE)
    for seed in range(1, samples + 1):
        try:
            events = collect_events(limits, instance, variant, seed, **params)
        except REFUSALS as refusal:
            return Runs([], [], [], str(refusal))
        end = events[-1]
        assert isinstance(end, Finished)
        if end.iterations < params["iterations"]:
            progress = f"{end.iterations:,} of {params['iterations']:,} iterations"
            return Runs([], [], [], f"{progress} took {PATIENCE:g} s.")
        best = best_so_far(events)
        best[-1] = end.length
        runs.seconds.append(end.seconds)
        runs.ends.append(end)
        runs.best.append(best)
        if sum(runs.seconds) > ALL_SEEDS:
            break
    return runs


def _make_instance(plan: Plan) -> Instance:
    """Make the random cities of most entries."""
    return load_qin_han_cities(QUICK[0] if plan.quick else CITIES)


def _choose_iterations(iterations: int) -> list[int]:
    """Return the iterations to show: 1, 2, 4, ... and the last."""
    return sorted({*(2**k for k in range(iterations.bit_length())), iterations})


def measure_iteration(plan: Plan) -> list[tuple[list[float], str]]:
    """Measure table 1: seconds per iteration on one core, with threads and on a GPU, the paper's colony before ours."""
    cells, instance = [], load_qin_han_cities(CITIES)
    count = {"ants": int(SHARE * instance.n)}
    for make, variants in ((make_paper_colony, ("qin-han-openmp",) * 2), (make_own_colony, ("sequential", "cpu"))):
        for threads in (1, THREADS, *([0] if plan.device == "cuda" else [])):
            ants = make("cpu", variant=variants[threads > 1]) if threads else make("cuda")
            entry = _time_iterations(plan, instance, ants, threads=threads, **count)
            cells.append(take_samples(entry, "milliseconds", lambda each: each / 1e3))
    return cells


def _time_iterations(plan: Plan, instance: Instance, colony: ColonySettings, **params: Any) -> dict[str, Any]:
    """Return times of iterations in milliseconds: as many samples as requested on cores, up to a hundred on a GPU."""
    colonies = Colonies(repeats=plan.samples, iterations=plan.samples if plan.quick else 100)
    return time_iterations(colonies, instance, colony.variant, **(colony.params | {"iterations": PLENTY} | params))


def measure_speed_up(plan: Plan) -> MeasuredTable:
    """Measure figure 2: speed-up of several workers over one, by number of cities."""
    counts, sizes = list_worker_counts(plan), FEW[:1] if plan.quick else FEW
    columns = {f"{kind}, {n} cities": (kind, n) for kind in ("threads", "processes") for n in sizes}
    baselines: dict[tuple[str, int], list[float]] = {}

    def measure(count: int, column: tuple[str, int]) -> Cell:
        kind, n = column
        variant, number = {"threads": ("qin-han-openmp", "threads"), "processes": ("qin-han-mpi", "ranks")}[kind]
        ants, params = make_paper_colony("cpu", variant=variant), {"ants": int(SHARE * n), number: count}
        samples, refused = take_samples(_time_iterations(plan, load_qin_han_cities(n), ants, **params), "milliseconds")
        baselines[column] = baselines.get(column) or samples
        return [statistics.median(baselines[column]) / sample for sample in samples], refused

    notes = {f"{count}": note for count, note in warn_oversubscribed(counts).items()}
    notes |= describe_origin([load_qin_han_cities(n) for n in sizes])
    return measure_cells("Workers", {f"{count}": count for count in counts}, columns, "x", measure, notes)


def measure_convergence(plan: Plan) -> MeasuredTable:
    """Measure figure 5: best lengths over iterations, by number of ants."""
    counts = COLONIES[:2] if plan.quick else COLONIES
    by_count = {
        f"{count} ants": _run_seeds(
            plan, _make_instance(plan), make_paper_colony(plan.device), ants=count, iterations=LONG
        )
        for count in counts
    }
    return _build_length_table(plan, by_count, LONG)


def _build_length_table(plan: Plan, runs_by_name: Mapping[str, Runs], iterations: int) -> MeasuredTable:
    """Return the best lengths over iterations, with a column for each of the runs."""
    refusals = {f"all, {name}": runs.refused for name, runs in runs_by_name.items() if runs.refused}
    rows = {
        f"{k:,}": tuple([float(best[k - 1]) for best in runs.best] for runs in runs_by_name.values())
        for k in _choose_iterations(iterations)
    }
    return MeasuredTable(
        "Iterations",
        tuple(runs_by_name),
        ("",) * len(runs_by_name),
        rows,
        refusals,
        describe_origin([_make_instance(plan)]),
    )


def measure_over_ants(plan: Plan) -> MeasuredTable:
    """Measure figure 6: seconds of long runs by number of ants."""
    instance, counts = _make_instance(plan), COLONIES[:2] if plan.quick else COLONIES
    cases = {f"{count}": (instance, {"ants": count, "iterations": LONG}) for count in counts}
    return _measure_times(plan, "Ants", cases)


def measure_over_cities(plan: Plan) -> MeasuredTable:
    """Measure figure 7: seconds of runs by number of cities."""
    cases: dict[str, _Case] = {f"{n:,}": (load_qin_han_cities(n), {}) for n in (QUICK if plan.quick else SIZES)}
    return _measure_times(plan, "Cities", cases)


def _measure_times(plan: Plan, head: str, cases: Mapping[str, _Case]) -> MeasuredTable:
    """Time runs of growing cases by the paper's colony and by ours.

    Once a run is cut short, its colony gets no larger cases.
    """
    columns, ended = [make_paper_colony(plan.device), make_own_colony(plan.device)], dict[str, str]()

    def measure(case: _Case, ants: ColonySettings) -> Cell:
        if ants.name in ended:
            return [], ended[ants.name]
        runs = _run_seeds(plan, case[0], ants, **case[1])
        if runs.refused:
            ended[ants.name] = runs.refused
        return runs.seconds, runs.refused

    notes = describe_origin([instance for instance, _ in cases.values()])
    return measure_cells(head, cases, {ants.name: ants for ants in columns}, "s", measure, notes)


def measure_two_opt_lengths(plan: Plan) -> MeasuredTable:
    """Measure figure 8: best lengths over iterations, by strategy of 2-opt, the paper's before ours."""
    return _build_length_table(plan, dict(_run_strategies(plan)), ITERATIONS)


def _run_strategies(plan: Plan) -> Iterator[tuple[str, Runs]]:
    for make, suffix in ((make_paper_colony, ""), (make_own_colony, ", ours")):
        for strategy in STRATEGIES:
            yield f"{strategy}{suffix}", _run_seeds(plan, _make_instance(plan), make(plan.device, strategy))


def measure_two_opt_ends(plan: Plan) -> MeasuredTable:
    """Measure figure 10: final best lengths, by strategy of 2-opt."""
    return _build_final_table(plan, "", lambda runs: [float(best[-1]) for best in runs.best])


def measure_two_opt_time(plan: Plan) -> MeasuredTable:
    """Measure figure 9: seconds of runs, by strategy of 2-opt."""
    return _build_final_table(plan, "s", lambda runs: runs.seconds)


def _build_final_table(plan: Plan, unit: str, samples: Callable[[Runs], list[float]]) -> MeasuredTable:
    by_name = dict(_run_strategies(plan))

    def measure(strategy: str, suffix: str) -> Cell:
        runs = by_name[f"{strategy}{suffix}"]
        return samples(runs), runs.refused

    strategies, columns = {each: each for each in STRATEGIES}, {"qin-han": "", "ours": ", ours"}
    return measure_cells("2-opt", strategies, columns, unit, measure, describe_origin([_make_instance(plan)]))


def measure_tour(plan: Plan) -> MeasuredTable:
    """Measure figure 11: a tour of many cities with 2-opt at the end; the paper's colony draws it."""
    instance = load_qin_han_cities(QUICK[1] if plan.quick else MAX_SIZE)
    rows, refusals, tours = {}, {}, []
    for ants in (make_paper_colony(plan.device, "last"), make_own_colony(plan.device, "last")):
        runs = _run_seeds(plan, instance, ants)
        rows[ants.name] = [float(end.length) for end in runs.ends], runs.seconds
        tours += [describe_final_tour(instance, end) for end in runs.ends[:1]]
        if runs.refused:
            refusals[f"{ants.name}, length"] = runs.refused
    first_tour = tours[0] if tours else {}
    return MeasuredTable("Ants", ("length", "time"), ("", "s"), rows, refusals, describe_origin([instance]), first_tour)
