"""``python -m benchmarks.sanitize``: every CUDA kernel under NVIDIA's compute-sanitizer, with few cities.

It needs a GPU and the tool. A missing tool is a failure, and so is a planted fault that goes unnoticed, since a check
that cannot fail is useless. The exit code is 0 if all kernels are clean and both faults were caught. Kernels for
several GPUs run with all parts on one.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import Any

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
#: Planted faults, each with the tool that must detect it.
PLANTED = {"out-of-bounds": "memcheck", "race": "racecheck"}
_FAULT = 86
_CITIES, _CLIMBERS = 24, 8
_ANTS, _ITERATIONS = 6, 3
#: Number of cities of tours to cross, and of rounds until a GPU has kicked some of them.
_CROSSED, _ROUNDS = 160, 8
_EXACT_CITIES = (12, 13)
#: Number of simulated GPUs, and iterations between two exchanges of their colonies.
_PARTS, _EXCHANGE = (0, 0, 0), 2
#: Prefixes of subjects for several GPUs, and for Held-Karp by Qin and Han.
_ISLANDS, _SPLIT, _QIN_HAN = "islands-", "held-karp-parts-", "held-karp-qin-han"
_KICKS_APART = "several-lin-kernighan"
#: Lines of a tool's output to show.
_LINES = 24
#: Parameters that change which kernels run, besides the selections of a variant.
_DEPOSITS = ("rows", "float-atomic")


def run_two_opt(name: str) -> None:
    """Run a few climbers of a variant, on distances from coordinates."""
    from data.generators import uniform
    from solvers.algorithms.two_opt.climbs_cuda import make_climbs
    from solvers.algorithms.two_opt.variants import CUDA_VARIANTS as VARIANTS

    (row,) = [row for row in VARIANTS if row.name == name]
    climbs = make_climbs(uniform(_CITIES, 1), row, 1, None, _CLIMBERS, recorded=0)
    climbs.differing_pairs()
    finished = sum(batch.length.size for batch in climbs.batches())
    if finished != _CLIMBERS:
        raise SystemExit(f"{name}: {finished} of {_CLIMBERS} climbers came to their end")


def run_ant_system(name: str) -> None:
    """Run a few iterations of an Ant System variant with every selection, or of MAX-MIN Ant System in all its forms."""
    from solvers.algorithms.ants.ant_system.params import DEPOSITORS, AntSystemParams
    from solvers.algorithms.ants.ant_system.solver import AntSystem
    from solvers.algorithms.ants.ant_system.variants import CUDA_VARIANTS as AS_CUDA_VARIANTS
    from solvers.algorithms.ants.max_min.params import MaxMinParams
    from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
    from solvers.algorithms.ants.max_min.variants import CUDA_VARIANTS as MMAS_CUDA_VARIANTS

    shared: dict[str, Any] = {"ants": _ANTS, "iterations": _ITERATIONS, "candidates": 5}
    if name == MaxMinAntSystem.name:
        for row, lists, search in product(MMAS_CUDA_VARIANTS, (True, False), ("2-opt+or-opt", "none")):
            params = MaxMinParams(lists=lists, local_search=search, variant=row.name, colonies=2, **shared)
            _iterate(MaxMinAntSystem(), params, row)
        return
    (row,) = [row for row in AS_CUDA_VARIANTS if f"{AntSystem.name}-{row.name}" == name]
    for selection in row.selections:
        _iterate(AntSystem(), AntSystemParams(variant=row.name, selection=selection, **shared), row)
    for deposit in _DEPOSITS if row is AS_CUDA_VARIANTS[0] else ():
        _iterate(AntSystem(), AntSystemParams(variant=row.name, deposit=deposit, **shared), row)
    for rule in DEPOSITORS[1:] if row is AS_CUDA_VARIANTS[0] else ():
        _iterate(AntSystem(), AntSystemParams(variant=row.name, depositors=rule, **shared), row)


def run_ant_colony_system(name: str) -> None:
    """Run a few iterations of an Ant Colony System variant with each of its local updates, with 2-opt and without."""
    from solvers.algorithms.ants.acs.params import AntColonySystemParams
    from solvers.algorithms.ants.acs.solver import AntColonySystem
    from solvers.algorithms.ants.acs.variants import CUDA_VARIANTS as ACS_CUDA_VARIANTS
    from solvers.algorithms.ants.acs.variants import local_updates

    (row,) = [row for row in ACS_CUDA_VARIANTS if f"{AntColonySystem.name}-{row.name}" == name]
    for update in local_updates(row):
        for candidates, search in ((5, "none"), (0, "2-opt+or-opt")):
            params = AntColonySystemParams(
                ants=_ANTS, iterations=_ITERATIONS, candidates=candidates, local_search=search, local_update=update,
                variant=row.name, q0=0.5,
            )  # fmt: skip
            _iterate(AntColonySystem(), params, row)


def _iterate(solver, params, row) -> None:
    from contextlib import closing

    from data.generators import uniform
    from solvers.core.solver import Job
    from solvers.core.stop import Budget

    colony = solver._colony(Job(uniform(_CITIES, 1), params, 1, "cuda", Budget().start()), row)[0]
    with closing(colony):
        _advance(colony, _ITERATIONS)


def _advance(colony: Any, iterations: int) -> None:
    finished = 0
    while finished < iterations:
        reports = colony.advance(iterations)
        finished += 0 if reports is None else reports.best.size


def run_colonies_on_gpus(name: str) -> None:
    """Run colonies on several GPUs, simulated on this one, through some exchanges; in MAX-MIN, parts of one colony."""
    from contextlib import closing
    from dataclasses import replace

    from data.generators import uniform
    from solvers.algorithms.ants import islands_cuda
    from solvers.algorithms.ants.acs.params import AntColonySystemParams
    from solvers.algorithms.ants.acs.solver import AntColonySystem
    from solvers.algorithms.ants.ant_system.params import AntSystemParams
    from solvers.algorithms.ants.ant_system.solver import AntSystem
    from solvers.algorithms.ants.max_min.cuda import build_colony
    from solvers.algorithms.ants.max_min.params import MaxMinParams
    from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
    from solvers.algorithms.ants.shared_cuda import SharedColony
    from solvers.core.machine import Machine
    from solvers.core.solver import Job
    from solvers.core.stop import Budget
    from solvers.plan import plan_stage

    islands_cuda.EXCHANGE = _EXCHANGE
    shared: dict[str, Any] = {"ants": _ANTS, "iterations": _ITERATIONS * _EXCHANGE, "candidates": 5}
    cases: dict[str, tuple[Any, list[Any]]] = {
        MaxMinAntSystem.name: (
            MaxMinAntSystem(),
            [MaxMinParams(variant=row, colonies=2, **shared) for row in ("warp", "bai")],
        ),
        AntColonySystem.name: (
            AntColonySystem(),
            [AntColonySystemParams(variant=row, **shared) for row in ("warp", "block")],
        ),
        AntSystem.name: (
            AntSystem(),
            [AntSystemParams(depositors=rule, **shared) for rule in ("elitist", "rank-based")],
        ),
    }
    solver, ways = cases[name.removeprefix(_ISLANDS)]
    for params in ways:
        stage = plan_stage(solver, params, "cuda", uniform(_CITIES, 1), Machine())
        job = stage.job(1, Budget().start())
        colonies = [solver._colony(replace(job, seed=1 + k), job.variant)[0] for k in range(len(_PARTS))]
        with closing(islands_cuda.Islands(colonies.__getitem__, _PARTS)) as islands:
            _advance(islands, params.iterations)
    if name.endswith(MaxMinAntSystem.name):
        params = MaxMinParams(variant="warp", **shared | {"ants": _ANTS * len(_PARTS)})
        job = Job(uniform(_CITIES, 1), params, 1, "cuda", Budget().start())
        own = [range(k * _ANTS, (k + 1) * _ANTS) for k in range(len(_PARTS))]
        with closing(SharedColony(lambda k: build_colony(job, own=own[k]), own, _PARTS)) as colony:
            _advance(colony, params.iterations)


def run_held_karp(name: str) -> None:
    """Run Held-Karp's layers with states of this many bytes: with a high city and without, whole and in pieces."""
    from data.distances import distance_matrix
    from data.generators import uniform
    from solvers.algorithms.held_karp.cuda import CudaLayers
    from solvers.algorithms.held_karp.plan import Plan

    for n in _EXACT_CITIES:
        plan, bests = Plan(n, int(name.rpartition("-")[2])), set()
        for together in (True, False):
            layers = CudaLayers(plan, distance_matrix(uniform(n, 1)), _PARTS if _SPLIT in name else (0,))
            if not together:
                layers.few, layers.piece = 0, plan.all_transitions // 8
            bests.add(_find_best(layers, plan))
        if len(bests) != 1:
            raise SystemExit(f"{name}: {n} cities have several shortest tours: {bests}")


def run_qin_han() -> None:
    """Run the layers of Qin and Han, as one graph and in pieces."""
    from data.distances import distance_matrix
    from data.generators import uniform
    from solvers.algorithms.held_karp.qin_han.cuda import QinHanCudaLayers
    from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan

    for n in _EXACT_CITIES:
        plan, distances = QinHanPlan(n), distance_matrix(uniform(n, 1))
        lengths = {
            _find_best(QinHanCudaLayers(plan, distances, piece), plan).length
            for piece in (0, plan.all_transitions // 8)
        }
        if len(lengths) != 1:
            raise SystemExit(f"{n} cities have several shortest tours: {lengths}")


def _find_best(layers: Any, plan: Any) -> Any:
    while not (done := layers.advance()).is_last(plan):
        continue
    layers.close()
    return done.best


def run_annealing(name: str) -> None:
    """Run a few more chains than slots on each kind of distance with its own kernel."""
    from data.collection.resolve import load
    from data.generators import uniform
    from solvers.algorithms.annealing import chains_cuda
    from solvers.algorithms.annealing.cpu import make_chain_workers
    from solvers.algorithms.annealing.params import AnnealingParams
    from solvers.algorithms.annealing.variants import CUDA_VARIANTS
    from solvers.core.solver import Job
    from solvers.core.stop import Budget

    variant = next(row for row in CUDA_VARIANTS if name.endswith(row.name))
    params = AnnealingParams(
        chains=_CLIMBERS, moves_per_city=2, neighbours=4, final_temperature_ratio=0.5, far_move_rate=0.2,
        variant=variant.name,
    )  # fmt: skip
    chains_cuda._MAX_SLOTS = _CLIMBERS // 2
    for instance in (uniform(_CITIES, 1), load("gr24"), load("att48"), load("berlin52")):
        job = Job(instance, params, 1, "cuda", Budget().start())
        card, finished = chains_cuda.GpuChains(job, variant, make_chain_workers(job, 1)[0], _CLIMBERS, None), 0
        while card.is_busy:
            finished += len(card.launch().finished)
        card.close()
        if finished != _CLIMBERS:
            raise SystemExit(f"{name}: {finished} of {_CLIMBERS} chains came to their end")


def run_lin_kernighan() -> None:
    """Make a few kicks on each kind of distance with its own kernel, and on several tours at a time."""
    from benchmarks.runs import run_to_end
    from data.collection.resolve import load
    from data.generators import uniform
    from solvers.algorithms.lin_kernighan.cuda import GpuKicks

    tours, launch = [], GpuKicks.launch

    def count_kicks(gpu: GpuKicks, first: int, begin: int, kicks: int) -> Any:
        tours.append(gpu.tours)
        return launch(gpu, first, begin, kicks)

    GpuKicks.launch = count_kicks  # type: ignore[assignment, method-assign]
    for instance in (uniform(_CITIES, 1), load("gr24"), load("att48"), load("berlin52"), uniform(_CROSSED, 1)):
        params = {"variant": "cuda", "rounds": _ROUNDS, "kicks": 8 * _CLIMBERS, "tours": 3}
        tours.clear()
        if run_to_end(instance, "lin-kernighan", params).iterations != _ROUNDS:
            raise SystemExit(f"{instance.name}: not all rounds came to their end")
        if not tours or (max(tours) > 1) != (instance.n == _CROSSED):
            raise SystemExit(f"{instance.name}: the GPU kicked so many tours: {tours}")


def run_lin_kernighan_on_gpus() -> None:
    """Kick a tour of many cities, and populations, on all GPUs, or on this one as if it were two."""
    from data.distances import tour_length
    from data.generators import uniform
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


def run_lower_bound() -> None:
    """Compute the lower bound on each kind of distance with its own kernel, and in pieces."""
    from data.collection.resolve import load
    from data.generators import uniform
    from solvers.bounds import ascent, cuda
    from solvers.bounds.lower_bound import compute_lower_bound

    ascent._PERIODS = 8, 8
    for pairs in (cuda.BOUND_PAIRS, 64 * _CITIES):
        cuda.BOUND_PAIRS = pairs
        for instance in (uniform(_CITIES, 1), uniform(600, 1), load("gr24"), load("att48"), load("berlin52")):
            found = compute_lower_bound(instance, "cuda")
            if found.length <= 0 or found.degrees.sum() != 2 * instance.n:
                raise SystemExit(f"{instance.name}: no 1-tree proves {found.length}")


def list_subjects() -> list[str]:
    """Return all subjects: variants of 2-opt, ants, annealing, Held-Karp's state sizes, work for several GPUs."""
    from solvers.algorithms.annealing.solver import SimulatedAnnealing
    from solvers.algorithms.annealing.variants import CUDA_VARIANTS as ANNEALING_CUDA_VARIANTS
    from solvers.algorithms.ants.acs.solver import AntColonySystem
    from solvers.algorithms.ants.acs.variants import CUDA_VARIANTS as ACS_CUDA_VARIANTS
    from solvers.algorithms.ants.ant_system.solver import AntSystem
    from solvers.algorithms.ants.ant_system.variants import CUDA_VARIANTS as AS_CUDA_VARIANTS
    from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
    from solvers.algorithms.held_karp.plan import UNREACHED
    from solvers.algorithms.two_opt.variants import CUDA_VARIANTS as VARIANTS

    ants = [f"{AntSystem.name}-{row.name}" for row in AS_CUDA_VARIANTS]
    ants += [f"{AntColonySystem.name}-{row.name}" for row in ACS_CUDA_VARIANTS]
    exact = [f"{begin}{item}" for begin in ("held-karp-", _SPLIT) for item in UNREACHED]
    islands = [f"{_ISLANDS}{solver.name}" for solver in (AntSystem, AntColonySystem, MaxMinAntSystem)]
    annealing = [f"{SimulatedAnnealing.name}-{row.name}" for row in ANNEALING_CUDA_VARIANTS]
    return [
        *(row.name for row in VARIANTS),
        *ants,
        MaxMinAntSystem.name,
        *islands,
        *annealing,
        "lin-kernighan",
        _KICKS_APART,
        "lower-bound",
        *exact,
        _QIN_HAN,
    ]


def run_subject(name: str) -> None:
    """Run the subject with this name."""
    if name == _KICKS_APART:
        run_lin_kernighan_on_gpus()
    elif name.startswith(_ISLANDS):
        run_colonies_on_gpus(name)
    elif name.startswith("ant-colony-system"):
        run_ant_colony_system(name)
    elif "ant-system" in name:
        run_ant_system(name)
    elif name == _QIN_HAN:
        run_qin_han()
    elif name.startswith("held-karp"):
        run_held_karp(name)
    elif name.startswith("simulated-annealing"):
        run_annealing(name)
    elif name == "lin-kernighan":
        run_lin_kernighan()
    elif name == "lower-bound":
        run_lower_bound()
    else:
        run_two_opt(name)


def plant_fault(fault: str) -> None:
    """Run a kernel with a deliberate fault."""
    import numpy as np
    from numba import int32

    from solvers.kernels.device_cuda import cuda

    @cuda.jit
    def out_of_bounds(values):
        # Far enough past the array to lie outside the rounded-up allocation.
        values[cuda.threadIdx.x + (1 << 20)] = 1

    @cuda.jit
    def race(values):
        shared = cuda.shared.array(64, int32)
        shared[cuda.threadIdx.x] = cuda.threadIdx.x
        values[cuda.threadIdx.x] = shared[63 - cuda.threadIdx.x]

    kernel = {"out-of-bounds": out_of_bounds, "race": race}[fault]
    kernel[1, 64](cuda.to_device(np.zeros(64, np.int32)))
    cuda.synchronize()


def run_sanitizer(tool: str, *arguments: str) -> tuple[int, str]:
    """Run this module under a tool of the sanitizer: return its exit code, `_FAULT` for a finding, and its output.

    Without a tool, the module just runs.
    """
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(_FAULT)] if tool else []
    child = [sys.executable, "-m", "benchmarks.sanitize", *arguments]
    done = subprocess.run([*command, *child], check=False, capture_output=True, text=True)
    output = [line for line in done.stdout.splitlines() if line.startswith("=====")]
    output = output or (done.stderr.splitlines()[-_LINES:] if done.returncode else [])
    return done.returncode, "\n".join(output[:_LINES])


def check_all(only: Sequence[str], jobs: int, record: Path | None) -> int:
    """Plant the faults, then check every subject whose name contains one of `only` with every tool, `jobs` at a time.

    Each subject runs without a tool first, which compiles its kernels once. Findings are written to `record`.
    """
    if shutil.which("compute-sanitizer") is None:
        print("compute-sanitizer is not on the path: install the CUDA toolkit.", file=sys.stderr)
        return 1
    names = [name for name in list_subjects() if any(pattern in name for pattern in only)]
    results: dict[str, dict[str, str]] = {name: {} for name in names}
    report: dict[str, Any] = {**(_describe_machine() if record else {}), "planted": {}, "subjects": results}
    with ThreadPoolExecutor(jobs) as pool:
        planted = {pool.submit(run_sanitizer, tool, "--plant", fault): fault for fault, tool in PLANTED.items()}
        for future in as_completed(planted):
            fault = planted[future]
            report["planted"][fault] = "caught" if future.result()[0] == _FAULT else "NOT CAUGHT"
            print(f"{PLANTED[fault]:9}  planted {fault:15} {report['planted'][fault]}", flush=True)
        plain_runs = {pool.submit(run_sanitizer, "", "--subject", name): (name, "") for name in names}
        checked: dict[Any, tuple[str, str]] = {}
        for future in as_completed(plain_runs):
            name, _ = plain_runs[future]
            if code := future.result()[0]:
                results[name]["alone"] = f"exit code {code}"
                print(f"{'alone':9}  {name:23} exit code {code}\n{future.result()[1]}", flush=True)
            checked |= {pool.submit(run_sanitizer, tool, "--subject", name): (name, tool) for tool in TOOLS}
        for future in as_completed(checked):
            name, tool = checked[future]
            code, output = future.result()
            results[name][tool] = "clean" if code == 0 else f"exit code {code}"
            print(f"{tool:9}  {name:23} {results[name][tool]}", flush=True)
            if code:
                print(output, flush=True)
            if record:
                record.write_text(json.dumps(report, indent=1) + "\n")
    clean = all(set(tools) == set(TOOLS) and set(tools.values()) == {"clean"} for tools in results.values())
    return 0 if clean and set(report["planted"].values()) == {"caught"} else 1


def _describe_machine() -> dict[str, Any]:
    """Describe the machine and the tool."""
    from benchmarks.device import describe_device
    from benchmarks.machine import describe_machine

    version = subprocess.run(["compute-sanitizer", "--version"], check=False, capture_output=True, text=True).stdout
    return {"machine": {**describe_machine(), "device": describe_device()}, "tool": version.strip().splitlines()[-1:]}


def main() -> int:
    """Run all checks or, in the child process, the code to check."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sanitize", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], metavar="TEXT", help="check what has one of these in it")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="run so many at a time (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there")
    parser.add_argument("--subject", help=argparse.SUPPRESS)
    parser.add_argument("--plant", choices=PLANTED, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.subject:
        run_subject(options.subject)
    elif options.plant:
        plant_fault(options.plant)
    else:
        return check_all(options.only, options.jobs, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
