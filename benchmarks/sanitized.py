"""The subjects that `benchmarks.sanitize` runs: every CUDA kernel, on a few cities."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from benchmarks.runs import run_to_end
from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from data.instance import Instance
from solvers import find
from solvers.algorithms.ants.acs.variants import local_updates
from solvers.algorithms.ants.ant_system.params import DEPOSITORS
from solvers.algorithms.held_karp.plan import UNREACHED, Plan
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.core.machine import Machine
from solvers.core.stop import Budget
from solvers.plan import plan_stage

_CITIES, _CLIMBERS = 24, 8
_ANTS, _ITERATIONS = 6, 3
#: Number of cities in tours to cross, and number of rounds until a GPU has kicked some of these tours.
_CROSSED, _ROUNDS = 160, 8
_EXACT_CITIES = (12, 13)
#: Number of simulated GPUs, and iterations between two exchanges of their colonies.
_PARTS, _EXCHANGE = (0, 0, 0), 2
_COLONY = {"ants": _ANTS, "iterations": _ITERATIONS, "candidates": 5}
#: Parameters of colonies on several GPUs, by algorithm.
_ISLANDS: dict[str, list[dict[str, Any]]] = {
    "ant-system": [{"depositors": rule} for rule in ("elitist", "rank-based")],
    "ant-colony-system": [{"variant": name} for name in ("warp", "block")],
    "max-min-ant-system": [{"variant": name, "colonies": 2} for name in ("warp", "bai")],
}


def list_subjects() -> dict[str, Callable[[], None]]:
    """Return all subjects by name: variants of 2-opt, ants, annealing, Held-Karp's state sizes, several GPUs."""
    ants = {"ant-system": _list_ant_systems, "ant-colony-system": _list_ant_colony_systems}
    tables = {"held-karp-": (0,), "held-karp-parts-": _PARTS}
    return {
        **{each.name: partial(_run_two_opt, each) for each in _list_cuda_variants("two-opt")},
        **{
            f"{name}-{each.name}": partial(_run_colonies, name, list_params(each))
            for name, list_params in ants.items()
            for each in _list_cuda_variants(name)
        },
        "max-min-ant-system": partial(_run_colonies, "max-min-ant-system", _list_max_min()),
        **{f"islands-{name}": partial(_run_colonies_on_gpus, name) for name in _ISLANDS},
        **{
            f"simulated-annealing-{each.name}": partial(_run_annealing, each.name)
            for each in _list_cuda_variants("simulated-annealing")
        },
        "lin-kernighan": _run_lin_kernighan,
        "several-lin-kernighan": _run_lin_kernighan_on_gpus,
        "lower-bound": _run_lower_bound,
        **{
            f"{begin}{item}": partial(_run_held_karp, item, devices)
            for begin, devices in tables.items()
            for item in UNREACHED
        },
        "held-karp-qin-han": _run_qin_han,
    }


def _list_cuda_variants(algorithm: str) -> list[Any]:
    return [variant for variant in find(algorithm).variants if variant.device == "cuda"]


def _list_matrices() -> tuple[Instance, ...]:
    """Return an instance for each kind of distance with its own kernel."""
    return uniform(_CITIES, 1), load("gr24"), load("att48"), load("berlin52")


def _run_two_opt(variant: Any) -> None:
    """Run a few climbers of a variant, on distances from coordinates."""
    from solvers.algorithms.two_opt.climbs_cuda import make_climbs

    climbs = make_climbs(uniform(_CITIES, 1), variant, 1, None, _CLIMBERS, recorded=0)
    climbs.differing_pairs()
    _check_count(variant.name, sum(batch.length.size for batch in climbs.batches()), _CLIMBERS)


def _check_count(name: str, finished: int, count: int) -> None:
    if finished != count:
        raise SystemExit(f"{name}: {finished} of {count} came to their end")


def _list_ant_systems(variant: Any) -> list[dict[str, Any]]:
    """Return a variant with every selection; the first also with all other parameters that change which kernels run."""
    params = [{"variant": variant.name, "selection": selection} for selection in variant.selections]
    if variant is _list_cuda_variants("ant-system")[0]:
        params += [{"variant": variant.name, "deposit": deposit} for deposit in ("rows", "float-atomic")]
        params += [{"variant": variant.name, "depositors": rule} for rule in DEPOSITORS[1:]]
    return params


def _list_ant_colony_systems(variant: Any) -> list[dict[str, Any]]:
    """Return a variant with each of its local updates, with 2-opt and without."""
    searches = ({"candidates": 5, "local_search": "none"}, {"candidates": 0, "local_search": "2-opt+or-opt"})
    return [
        {"variant": variant.name, "local_update": update, "q0": 0.5, **search}
        for update in local_updates(variant)
        for search in searches
    ]


def _list_max_min() -> list[dict[str, Any]]:
    forms = product(_list_cuda_variants("max-min-ant-system"), (True, False), ("2-opt+or-opt", "none"))
    return [
        {"variant": variant.name, "lists": lists, "local_search": search, "colonies": 2}
        for variant, lists, search in forms
    ]


def _run_colonies(name: str, forms: Iterable[dict[str, Any]]) -> None:
    """Run a few iterations of each form of an ant algorithm."""
    for params in forms:
        end = run_to_end(uniform(_CITIES, 1), name, _COLONY | params, device="cuda", pictures=False)
        _check_count(f"{name}, {params}", end.iterations, _ITERATIONS)


def _run_colonies_on_gpus(name: str) -> None:
    """Run colonies on several GPUs, simulated on this one, through some exchanges; in MAX-MIN, parts of one colony."""
    from solvers.algorithms.ants import islands_cuda
    from solvers.algorithms.ants.max_min.cuda import build_colony
    from solvers.algorithms.ants.shared_cuda import SharedColony

    islands_cuda.EXCHANGE = _EXCHANGE
    solver: Any = find(name)
    iterations = _ITERATIONS * _EXCHANGE

    def make_job(params: dict[str, Any]) -> Any:
        checked = solver.params.from_mapping({**_COLONY, "iterations": iterations, **params})
        return plan_stage(solver, checked, "cuda", uniform(_CITIES, 1), Machine()).job(1, Budget().start())

    for params in _ISLANDS[name]:
        job = make_job(params)
        colonies = [solver._colony(replace(job, seed=1 + k), job.variant)[0] for k in range(len(_PARTS))]
        with closing(islands_cuda.Islands(colonies.__getitem__, _PARTS)) as islands:
            _advance(islands, iterations)
    if name == "max-min-ant-system":
        job = make_job({"variant": "warp", "ants": _ANTS * len(_PARTS)})
        own = [range(k * _ANTS, (k + 1) * _ANTS) for k in range(len(_PARTS))]
        with closing(SharedColony(lambda k: build_colony(job, own=own[k]), own, _PARTS)) as colony:
            _advance(colony, iterations)


def _advance(colony: Any, iterations: int) -> None:
    finished = 0
    while finished < iterations:
        reports = colony.advance(iterations)
        finished += 0 if reports is None else reports.best.size


def _run_held_karp(item: int, devices: tuple[int, ...]) -> None:
    """Run Held-Karp's layers with states of this many bytes: with a high city and without, whole and in pieces."""
    from solvers.algorithms.held_karp.cuda import CudaLayers

    for n in _EXACT_CITIES:
        plan, bests = Plan(n, item), set()
        for together in (True, False):
            layers = CudaLayers(plan, distance_matrix(uniform(n, 1)), devices)
            if not together:
                layers.few, layers.piece = 0, plan.all_transitions // 8
            bests.add(_find_best(layers, plan))
        if len(bests) != 1:
            raise SystemExit(f"{n} cities have several shortest tours: {bests}")


def _run_qin_han() -> None:
    """Run the layers of Qin and Han, as one graph and in pieces."""
    from solvers.algorithms.held_karp.qin_han.cuda import QinHanCudaLayers

    for n in _EXACT_CITIES:
        plan, distances = QinHanPlan(n), distance_matrix(uniform(n, 1))
        pieces = (0, plan.all_transitions // 8)
        lengths = {_find_best(QinHanCudaLayers(plan, distances, piece), plan).length for piece in pieces}
        if len(lengths) != 1:
            raise SystemExit(f"{n} cities have several shortest tours: {lengths}")


def _find_best(layers: Any, plan: Any) -> Any:
    while not (done := layers.advance()).is_last(plan):
        continue
    layers.close()
    return done.best


def _run_annealing(variant: str) -> None:
    """Run a few more chains than slots on each kind of distance with its own kernel."""
    from solvers.algorithms.annealing import chains_cuda

    params = {
        "chains": _CLIMBERS, "moves_per_city": 2, "neighbours": 4, "final_temperature_ratio": 0.5,
        "far_move_rate": 0.2, "variant": variant,
    }  # fmt: skip
    chains_cuda._MAX_SLOTS = _CLIMBERS // 2
    for instance in _list_matrices():
        end = run_to_end(instance, "simulated-annealing", params, device="cuda", pictures=False)
        _check_count(variant, end.iterations, _CLIMBERS)


def _run_lin_kernighan() -> None:
    """Make a few kicks on each kind of distance with its own kernel, and on several tours at a time."""
    from solvers.algorithms.lin_kernighan.cuda import GpuKicks

    tours, launch = [], GpuKicks.launch

    def count_kicks(gpu: GpuKicks, first: int, begin: int, kicks: int) -> Any:
        tours.append(gpu.tours)
        return launch(gpu, first, begin, kicks)

    GpuKicks.launch = count_kicks  # type: ignore[assignment, method-assign]
    for instance in (*_list_matrices(), uniform(_CROSSED, 1)):
        params = {"variant": "cuda", "rounds": _ROUNDS, "kicks": 8 * _CLIMBERS, "tours": 3}
        tours.clear()
        _check_count(instance.name, run_to_end(instance, "lin-kernighan", params).iterations, _ROUNDS)
        if not tours or (max(tours) > 1) != (instance.n == _CROSSED):
            raise SystemExit(f"{instance.name}: the GPU kicked so many tours: {tours}")


def _run_lin_kernighan_on_gpus() -> None:
    """Kick a tour of many cities, and populations, on all GPUs, or on this one as if it were two."""
    from solvers.algorithms.lin_kernighan import merged_cuda
    from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
    from solvers.algorithms.lin_kernighan.islands_cuda import IslandSearch
    from solvers.algorithms.lin_kernighan.large_cuda import LargeSearch
    from solvers.algorithms.lin_kernighan.params import LinKernighanParams
    from solvers.algorithms.lin_kernighan.schedule import Schedule
    from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
    from solvers.core.devices import cuda_devices
    from solvers.parallel.thread_team import ThreadTeam

    merged_cuda.POPULATION_KICKS = 1
    devices, instance, team = range(len(cuda_devices())), uniform(_CROSSED, 1), ThreadTeam(2)
    params = LinKernighanParams(kicks=8 * _CLIMBERS, tours=3)
    cities, names = number_cities(instance, params.neighbours, params.quadrants, team)
    order = build_greedy_tour(cities, team)
    start = cities, order, tour_length(instance, names[order]), 1, params, None, team
    numbers = devices if len(devices) > 1 else (0, 0)
    schedule = Schedule.for_cities(params, instance.n, gpu=True)
    for search in (LargeSearch(*start, numbers), IslandSearch(*start, schedule, numbers)):
        for _ in range(_ROUNDS):
            while not search.round_over:
                search.advance(1 << 30)
            result = search.end_round()
            if result.length != tour_length(instance, names[result.order]):
                raise SystemExit("a tour has another length than reported")
            search.start_round()
        search.close()


def _run_lower_bound() -> None:
    """Compute the lower bound on each kind of distance with its own kernel, and in pieces."""
    from solvers.bounds import ascent, cuda
    from solvers.bounds.lower_bound import compute_lower_bound

    ascent._PERIODS = 8, 8
    for pairs in (cuda.BOUND_PAIRS, 64 * _CITIES):
        cuda.BOUND_PAIRS = pairs
        for instance in (*_list_matrices(), uniform(600, 1)):
            found = compute_lower_bound(instance, "cuda")
            if found.length <= 0 or found.degrees.sum() != 2 * instance.n:
                raise SystemExit(f"{instance.name}: no 1-tree proves {found.length}")
