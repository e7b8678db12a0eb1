"""``python -m benchmarks.sanitize``: every CUDA kernel under NVIDIA's compute-sanitizer, few cities.

It needs a card and the tool. A missing tool is a failure, and so is a planted fault that goes unnoticed: a check that
cannot fail is none. The exit code is 0 if all kernels are clean and both faults were caught.
"""

import argparse
import shutil
import subprocess
import sys
from itertools import product
from typing import Any

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
#: What is planted, and the tool that must see it.
PLANTED = {"out-of-bounds": "memcheck", "race": "racecheck"}
_FAULT = 86
_CITIES, _CLIMBERS = 24, 8
_ANTS, _ITERATIONS = 6, 3
#: Cities of tours that are crossed.
_CROSSED = 160
_EXACT_CITIES = (12, 13)
#: Lines of a tool's words that are shown.
_LINES = 24
#: Parameters that change which kernels run, beside the selections of a row.
_DEPOSITS = ("rows", "float-atomic")


def climb(name: str) -> None:
    """Run a few climbers of a row, on distances from coordinates."""
    from data.generators import uniform
    from solvers.two_opt.climbs_cuda import climbs_of
    from solvers.two_opt.variants import CUDA_VARIANTS as VARIANTS

    (row,) = [row for row in VARIANTS if row.name == name]
    climbs = climbs_of(uniform(_CITIES, 1), row, 1, None, _CLIMBERS, recorded=0)
    climbs.differing_pairs()
    finished = sum(batch.length.size for batch in climbs.batches())
    if finished != _CLIMBERS:
        raise SystemExit(f"{name}: {finished} of {_CLIMBERS} climbers came to their end")


def walk(name: str) -> None:
    """Run a few iterations of a row of Ant System by every selection, or of MAX-MIN Ant System in all its ways."""
    from solvers.ants.ant_system.params import DEPOSITORS, AntSystemParams
    from solvers.ants.ant_system.solver import AntSystem
    from solvers.ants.ant_system.variants import CUDA_VARIANTS as AS_CUDA_VARIANTS
    from solvers.ants.max_min.params import MaxMinParams
    from solvers.ants.max_min.solver import MaxMinAntSystem
    from solvers.ants.max_min.variants import CUDA_VARIANTS as MMAS_CUDA_VARIANTS

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


def walk_as_colony_system(name: str) -> None:
    """Run a few iterations of a row of Ant Colony System with every local update it has, with 2-opt and without."""
    from solvers.ants.acs.params import AntColonySystemParams
    from solvers.ants.acs.solver import AntColonySystem
    from solvers.ants.acs.variants import CUDA_VARIANTS as ACS_CUDA_VARIANTS
    from solvers.ants.acs.variants import local_updates

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
    from solvers.solver import Job
    from solvers.stop import Budget

    colony = solver._colony(Job(uniform(_CITIES, 1), params, 1, "cuda", Budget().start()), row)[0]
    with closing(colony):
        finished = 0
        while finished < _ITERATIONS:
            finished += colony.advance(_ITERATIONS).best.size


def solve_exactly(name: str) -> None:
    """Run Held-Karp's layers with states of so many bytes: with a high city and without, together and in pieces."""
    from data.distances import distance_matrix
    from data.generators import uniform
    from solvers.held_karp.cuda import CudaLayers
    from solvers.held_karp.plan import Plan

    for n in _EXACT_CITIES:
        plan, bests = Plan(n, int(name.rpartition("-")[2])), set()
        for together in (True, False):
            layers = CudaLayers(plan, distance_matrix(uniform(n, 1)))
            if not together:
                layers.few, layers.piece = 0, plan.all_transitions // 8
            while not (done := layers.advance()).is_last(plan):
                continue
            layers.close()
            bests.add(done.best)
        if len(bests) != 1:
            raise SystemExit(f"{name}: {n} cities have several shortest tours: {bests}")


def anneal(name: str) -> None:
    """Run a few chains, more than slots, on each kind of distance that has a kernel of its own."""
    from data.collection.resolve import load
    from data.generators import uniform
    from solvers.annealing import chains_cuda
    from solvers.annealing.cpu import workers_of
    from solvers.annealing.params import AnnealingParams
    from solvers.annealing.variants import CUDA_VARIANTS
    from solvers.solver import Job
    from solvers.stop import Budget

    variant = next(row for row in CUDA_VARIANTS if name.endswith(row.name))
    params = AnnealingParams(
        chains=_CLIMBERS, moves_per_city=2, neighbours=4, final_temperature_ratio=0.5, far_move_rate=0.2,
        variant=variant.name,
    )  # fmt: skip
    chains_cuda._SLOTS = _CLIMBERS // 2
    for instance in (uniform(_CITIES, 1), load("gr24"), load("att48"), load("berlin52")):
        job = Job(instance, params, 1, "cuda", Budget().start())
        card, cold = chains_cuda.GpuChains(job, variant, workers_of(job, 1)[0], _CLIMBERS, None), 0
        while card.busy:
            cold += len(card.launch().cold)
        card.close()
        if cold != _CLIMBERS:
            raise SystemExit(f"{name}: {cold} of {_CLIMBERS} chains came to their end")


def kick() -> None:
    """Make a few kicks on each kind of distance that has a kernel of its own, and on several tours at a time."""
    from data.collection.resolve import load
    from data.generators import uniform
    from solvers.events import Finished
    from solvers.run import prepare, run
    from solvers.spec import VERSION, RunSpec

    for instance in (uniform(_CITIES, 1), load("gr24"), load("att48"), load("berlin52"), uniform(_CROSSED, 1)):
        params = {"variant": "cuda", "rounds": 4, "kicks": 8 * _CLIMBERS, "tours": 3}
        stage = {"algorithm": "lin-kernighan", "params": params}
        fields = {"v": VERSION, "instance": {"name": instance.name}, "stages": [stage], "seed": 1, "budget": {}}
        *_, end = run(prepare(RunSpec.from_json(fields)), instance)
        if not isinstance(end, Finished) or end.iterations != params["rounds"]:
            raise SystemExit(f"{instance.name}: not all rounds came to their end")


def subjects() -> list[str]:
    """Everything that is checked: rows of 2-opt, of ants and of annealing, and Held-Karp by the bytes of its states."""
    from solvers.annealing.solver import SimulatedAnnealing
    from solvers.annealing.variants import CUDA_VARIANTS as ANNEALING_CUDA_VARIANTS
    from solvers.ants.acs.solver import AntColonySystem
    from solvers.ants.acs.variants import CUDA_VARIANTS as ACS_CUDA_VARIANTS
    from solvers.ants.ant_system.solver import AntSystem
    from solvers.ants.ant_system.variants import CUDA_VARIANTS as AS_CUDA_VARIANTS
    from solvers.ants.max_min.solver import MaxMinAntSystem
    from solvers.held_karp.plan import UNREACHED
    from solvers.two_opt.variants import CUDA_VARIANTS as VARIANTS

    ants = [f"{AntSystem.name}-{row.name}" for row in AS_CUDA_VARIANTS]
    ants += [f"{AntColonySystem.name}-{row.name}" for row in ACS_CUDA_VARIANTS]
    exact = [f"held-karp-{item}" for item in UNREACHED]
    annealing = [f"{SimulatedAnnealing.name}-{row.name}" for row in ANNEALING_CUDA_VARIANTS]
    return [*(row.name for row in VARIANTS), *ants, MaxMinAntSystem.name, *annealing, "lin-kernighan", *exact]


def run(name: str) -> None:
    """Run what a subject's name stands for."""
    if name.startswith("ant-colony-system"):
        walk_as_colony_system(name)
    elif "ant-system" in name:
        walk(name)
    elif name.startswith("held-karp"):
        solve_exactly(name)
    elif name.startswith("simulated-annealing"):
        anneal(name)
    elif name == "lin-kernighan":
        kick()
    else:
        climb(name)


def plant(fault: str) -> None:
    """Run a kernel that is wrong on purpose."""
    import numpy as np
    from numba import int32

    from solvers.kernels.device_cuda import cuda

    @cuda.jit
    def out_of_bounds(values):
        # Far enough behind the array not to fall into what the allocation was rounded up to.
        values[cuda.threadIdx.x + (1 << 20)] = 1

    @cuda.jit
    def race(values):
        shared = cuda.shared.array(64, int32)
        shared[cuda.threadIdx.x] = cuda.threadIdx.x
        values[cuda.threadIdx.x] = shared[63 - cuda.threadIdx.x]

    kernel = {"out-of-bounds": out_of_bounds, "race": race}[fault]
    kernel[1, 64](cuda.to_device(np.zeros(64, np.int32)))
    cuda.synchronize()


def sanitized(tool: str, *arguments: str) -> tuple[int, str]:
    """Exit code of this module under a tool of the sanitizer, `_FAULT` where it found something; and what it said."""
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(_FAULT)]
    child = [sys.executable, "-m", "benchmarks.sanitize", *arguments]
    done = subprocess.run([*command, *child], check=False, capture_output=True, text=True)
    said = [line for line in done.stdout.splitlines() if line.startswith("=====")]
    return done.returncode, "\n".join(said[:_LINES])


def check_all(only: str) -> int:
    """Plant the faults, then check every subject whose name has `only` in it with every tool."""
    if shutil.which("compute-sanitizer") is None:
        print("compute-sanitizer is not on the path: install the CUDA toolkit.", file=sys.stderr)
        return 1
    wrong = 0
    for fault, tool in PLANTED.items():
        caught = sanitized(tool, "--plant", fault)[0] == _FAULT
        print(f"{tool:9}  planted {fault:15} {'caught' if caught else 'NOT CAUGHT'}")
        wrong += not caught
    for name in [name for name in subjects() if only in name]:
        for tool in TOOLS:
            code, said = sanitized(tool, "--subject", name)
            print(f"{tool:9}  {name:23} {'clean' if code == 0 else f'exit code {code}'}", flush=True)
            if code:
                print(said, flush=True)
            wrong += code != 0
    return min(wrong, 1)


def main() -> int:
    """Check all, or be what is checked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sanitize", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="check what has this in its name")
    parser.add_argument("--subject", help=argparse.SUPPRESS)
    parser.add_argument("--plant", choices=PLANTED, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.subject:
        run(given.subject)
    elif given.plant:
        plant(given.plant)
    else:
        return check_all(given.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
