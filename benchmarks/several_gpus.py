"""Compares one GPU with all GPUs of a machine: Held-Karp, 2-opt, annealing, ants, Lin-Kernighan, a study, Ray.

Times are measured on the host: per layer for Held-Karp, otherwise per complete run, excluding compilation. Colonies and
Lin-Kernighan get equal time and are compared by their best lengths. Runs on one GPU and on all GPUs alternate.
"""

import argparse
import statistics
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.cities import load_any
from benchmarks.device import describe_device
from benchmarks.held_karp.instances import generate_square
from benchmarks.machine import describe_machine
from benchmarks.runs import run_to_end
from benchmarks.saving import save
from data.collection.resolve import load
from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.held_karp.plan import Plan, plan_for
from solvers.core.devices import cuda_devices
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Finished
from solvers.spec import VERSION, Stage
from studies.file.writer import StudyFile
from studies.pool.pool import Pool
from studies.pool.process import WORKER, StartProcess, start_interpreter
from studies.spec.spec import StudySpec

_PARTS = ("held-karp", "two-opt", "annealing", "ants", "lin-kernighan", "study", "ray")
_SIDE = 1000
_INSTANCE = "kroA200"
#: Seconds of the run in which kernels load.
_WARM = 1.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--only", choices=_PARTS, action="append", help="measure these parts alone")
    parser.add_argument("--cities", type=int, nargs="+", default=[31, 33, 34, 35], help="of Held-Karp")
    parser.add_argument("--climbers", type=int, default=10_000_000, help="of 2-opt and studies, altogether")
    parser.add_argument("--chains", type=int, default=20_000, help="of annealing")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run of ants or kicks (default 1)")
    parser.add_argument("--ants", nargs="+", default=["max-min-ant-system"], help="algorithms of ants")
    parser.add_argument(
        "--instance",
        nargs="+",
        default=["pr1002"],
        help="of ants and kicks: names, files of TSPLIB or .npy files; of kicks also uniform:CITIES",
    )
    parser.add_argument("--seeds", type=int, default=5, help="of ants and kicks (default 5)")
    parser.add_argument("--runs", type=int, default=10, help="into which a study cuts the climbers (default 10)")


def main(
    repeats: int, output: Path | None, only: list[str] | None, cities: list[int], climbers: int, chains: int,
    seconds: float, ants: list[str], instance: list[str], seeds: int, runs: int,
) -> int:  # fmt: skip
    """Measure, print, and write the results to `output` after each part."""
    names = [device.name for device in cuda_devices()]
    results: dict[str, Any] = {
        "machine": {**describe_machine(), "device": describe_device(), "gpus": names},
        "samples": {},
    }
    parts = {
        "held-karp": lambda: _measure_held_karp(cities, repeats, len(names)),
        "two-opt": lambda: _measure_runs("two-opt", "climbers", climbers, repeats),
        "annealing": lambda: _measure_runs("simulated-annealing", "chains", chains, repeats),
        "ants": lambda: [
            _measure_at_equal_time(algorithm, {"iterations": 1_000_000}, load_any(name), seconds, seeds)
            for algorithm in ants
            for name in instance
        ],
        "lin-kernighan": lambda: [
            _measure_at_equal_time("lin-kernighan", {"rounds": 1_000_000}, load_any(name), seconds, seeds)
            for name in instance
        ],
        "study": lambda: _measure_studies(climbers, runs, repeats, len(names)),
        "ray": lambda: _measure_on_ray(climbers, runs, repeats, len(names)),
    }
    for name in only or _PARTS:
        results["samples"][name] = parts[name]()
        save(results, output)
    return 0


def _measure_held_karp(cities: list[int], repeats: int, count: int) -> list[dict[str, Any]]:
    """Return the milliseconds of all layers with states of 2 bytes, on one GPU and on all."""
    entries: list[dict[str, Any]] = []
    for n in cities:
        distances = distance_matrix(generate_square(n, _SIDE))
        plan, of = plan_for(distances), {"one": range(1), "all": range(count)}
        entry: dict[str, Any] = {"n": n, "bytes": plan.peak_bytes, "one": [], "all": [], "length": set()}
        for _ in range(repeats + 1):
            for name, devices in of.items():
                try:
                    milliseconds, length = _compute_layers(plan, distances, devices)
                except InstanceTooLarge as error:
                    entry[f"{name}_refused"] = str(error)
                    continue
                entry[name].append(milliseconds)
                entry["length"].add(length)
        entry |= {name: entry[name][1:] for name in of}  # the GPU warms up in the first round
        (entry["length"],) = entry["length"]
        entries.append(entry)
        print(f"held-karp {n}: {_compare(entry['one'], entry['all'])}", flush=True)
    return entries


def _compute_layers(plan: Plan, distances: Any, devices: range) -> tuple[float, int]:
    from solvers.algorithms.held_karp.cuda import CudaLayers

    with closing(CudaLayers(plan, distances, devices)) as layers:
        start_time = perf_counter()
        while not (done := layers.advance()).is_last(plan):
            pass
        milliseconds = 1000 * (perf_counter() - start_time)
    assert done.best is not None
    return milliseconds, done.best.length


def _measure_runs(algorithm: str, unit: str, count: int, repeats: int) -> dict[str, Any]:
    """Return the seconds of a run without compilation, on one GPU and on all; the first run of each does not count."""
    samples: dict[str, Any] = {unit: count, "one": [], "all": [], "length": set()}
    for turn in range(repeats + 1):
        for gpus in ("one", "all"):
            end = _run(load(_INSTANCE), Stage(algorithm, {unit: count, "gpus": gpus}), 1)
            if turn:
                samples[gpus].append(end.seconds)
            samples["length"].add(end.length)
    samples["length"] = sorted(samples["length"])
    print(f"{algorithm} {count:,}: {_compare(samples['one'], samples['all'])}, lengths {samples['length']}", flush=True)
    return samples


def _measure_at_equal_time(
    algorithm: str, params: dict[str, Any], instance: Instance, seconds: float, seeds: int
) -> dict[str, Any]:
    """Return the best lengths at given times, on one GPU and on all."""
    name, optimum = instance.name, instance.optimum
    samples: dict[str, Any] = {"algorithm": algorithm, "instance": name, "seconds": seconds, "optimum": optimum}
    stages = {gpus: Stage(algorithm, {**params, "gpus": gpus}) for gpus in ("one", "all")}
    for gpus, stage in stages.items():
        _run(instance, stage, 1, _WARM)
        samples[gpus], samples[f"{gpus}_iterations"] = [], []
    for seed in range(1, seeds + 1):
        for gpus, stage in stages.items():
            end = _run(instance, stage, seed, seconds)
            samples[gpus].append(end.length)
            samples[f"{gpus}_iterations"].append(end.iterations)
    one, all_gpus = (statistics.median(samples[gpus]) for gpus in stages)
    over = [
        f"{length:,} ({100 * (length / optimum - 1):.3f} %)" if optimum else f"{length:,}" for length in (one, all_gpus)
    ]
    print(f"{algorithm} {name} {seconds:g} s: one {over[0]}, all {over[1]}", flush=True)
    return samples


def _run(instance: Instance, stage: Stage, seed: int, seconds: float | None = None) -> Finished:
    """Return the final event of a run on a GPU."""
    options = {"seed": seed, "device": "cuda", "pictures": False, "seconds": seconds}
    return run_to_end(instance, stage.algorithm, stage.params, **options)


def _measure_on_ray(climbers: int, runs: int, repeats: int, count: int) -> dict[str, Any]:
    """Return the seconds of a study whose runs share the climbers, on a node with one GPU and on one with all."""
    from functools import partial

    from benchmarks.cluster.nodes import connect, start_nodes

    samples: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, gpus in (("one", 1), ("all", count)):
            with start_nodes(1, cores=2 * count, gpus=gpus) as nodes, connect(nodes) as (cluster, _):
                start = partial(cluster.start, WORKER)
                elapsed = []
                for k in range(repeats + 1):
                    path = Path(folder) / f"{name}{k}.tourstudy"
                    elapsed.append(_run_study(path, climbers if k else runs, runs, gpus, start))
                    print(f"ray {name}, {climbers if k else runs:,} climbers: {elapsed[-1]:.2f} s", flush=True)
            samples[name], samples[f"{name}_starting"] = elapsed[1:], elapsed[0]
    print(f"ray {climbers:,}: {_compare(samples['one'], samples['all'])}", flush=True)
    return samples


def _measure_studies(climbers: int, runs: int, repeats: int, count: int) -> dict[str, Any]:
    """Return the seconds of a study whose runs share the climbers, with one GPU and with all, each with new workers."""
    samples: dict[str, Any] = {"climbers": climbers, "runs": runs, "one": [], "all": []}
    with tempfile.TemporaryDirectory() as folder:
        for k in range(repeats + 1):
            for name, gpus in (("one", 1), ("all", count)):
                elapsed = _run_study(Path(folder) / f"{name}{k}.tourstudy", climbers if k else runs, runs, gpus)
                samples[name] += [elapsed] if k else []
    print(f"study of {runs} runs, {climbers:,} climbers: {_compare(samples['one'], samples['all'])}", flush=True)
    return samples


def _run_study(path: Path, climbers: int, runs: int, gpus: int, start: StartProcess = start_interpreter) -> float:
    stages = [{"algorithm": "two-opt", "params": {"climbers": climbers // runs}}]
    spec = StudySpec.from_json(
        {
            "v": VERSION,
            "title": "Climbers on GPUs",
            "instances": [{"name": _INSTANCE}],
            "entries": [{"label": "2-opt", "stages": stages}],
            "seeds": {"first": 1, "count": runs},
            "device": "cuda",
            "threads": 1,
        }
    )
    start_time = perf_counter()
    with StudyFile(path, spec) as file:
        pool = Pool(file, 2, gpus, start=start)
        pool.start()
        progress = pool.join()
    if progress.finished != runs:
        raise RuntimeError(f"{progress.failed} of {runs} runs failed")
    return perf_counter() - start_time


def _compare(one: list[float], all_gpus: list[float]) -> str:
    if not one or not all_gpus:
        return f"one {one}, all {all_gpus}"
    first, second = statistics.median(one), statistics.median(all_gpus)
    return f"one {first:.4g}, all {second:.4g}: {first / second:.2f} times as fast"
