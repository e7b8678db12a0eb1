"""One GPU against all of a machine: Held-Karp's layers, 2-opt's climbers, and the same climbers on a Ray cluster.

Times are those of layers, by the host's clock, or of whole runs without compiling. One and all take turns on the same
machine.
"""

import argparse
import json
import statistics
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.device import describe_device
from benchmarks.held_karp.instances import square
from benchmarks.machine import describe
from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.devices import cuda_devices
from solvers.errors import InstanceTooLarge
from solvers.events import Finished
from solvers.held_karp.plan import Plan, plan_for
from solvers.run import prepare, run
from solvers.spec import VERSION, RunSpec, Stage
from studies.file.writer import StudyFile
from studies.pool.pool import Pool
from studies.pool.process import WORKER, StartProcess
from studies.spec.spec import StudySpec

_PARTS = ("held-karp", "two-opt", "ray")
_SIDE = 1000
_INSTANCE = "kroA200"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark has of its own."""
    parser.add_argument("--only", choices=_PARTS, action="append", help="measure these parts alone")
    parser.add_argument("--cities", type=int, nargs="+", default=[31, 33, 34, 35], help="of Held-Karp")
    parser.add_argument("--climbers", type=int, default=10_000_000, help="of 2-opt, altogether")
    parser.add_argument("--runs", type=int, default=10, help="into which a study cuts the climbers (default 10)")


def main(repeats: int, output: Path | None, only: list[str] | None, cities: list[int], climbers: int, runs: int) -> int:
    """Measure, print, and write what was found to `output` after each part."""
    names = [each.name for each in cuda_devices()]
    found: dict[str, Any] = {"machine": {**describe(), "device": describe_device(), "gpus": names}, "samples": {}}
    parts = {
        "held-karp": lambda: _held_karp(cities, repeats, len(names)),
        "two-opt": lambda: _two_opt(climbers, repeats),
        "ray": lambda: _on_ray(climbers, runs, repeats, len(names)),
    }
    for name in only or _PARTS:
        found["samples"][name] = parts[name]()
        if output:
            output.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def _held_karp(cities: list[int], repeats: int, count: int) -> list[dict[str, Any]]:
    """Milliseconds of all layers on one GPU and on all, of states of 2 bytes."""
    entries: list[dict[str, Any]] = []
    for n in cities:
        distances = distance_matrix(square(n, _SIDE))
        plan, of = plan_for(distances), {"one": range(1), "all": range(count)}
        entry: dict[str, Any] = {"n": n, "bytes": plan.most_bytes, "one": [], "all": [], "length": set()}
        for _ in range(repeats + 1):
            for name, devices in of.items():
                try:
                    milliseconds, length = _layers(plan, distances, devices)
                except InstanceTooLarge as error:
                    entry[f"{name}_refused"] = str(error)
                    continue
                entry[name].append(milliseconds)
                entry["length"].add(length)
        entry |= {name: entry[name][1:] for name in of}  # the first time a GPU warms up
        (entry["length"],) = entry["length"]
        entries.append(entry)
        print(f"held-karp {n}: {_compared(entry['one'], entry['all'])}", flush=True)
    return entries


def _layers(plan: Plan, distances: Any, devices: range) -> tuple[float, int]:
    from solvers.held_karp.cuda import CudaLayers

    with closing(CudaLayers(plan, distances, devices)) as layers:
        began = perf_counter()
        while not (done := layers.advance()).is_last(plan):
            pass
        milliseconds = 1000 * (perf_counter() - began)
    assert done.best is not None
    return milliseconds, done.best.length


def _two_opt(climbers: int, repeats: int) -> dict[str, Any]:
    """Seconds of a run without compiling, on one GPU and on all."""
    samples: dict[str, Any] = {"one": [], "all": [], "length": set()}
    for _ in range(repeats):
        for gpus in ("one", "all"):
            stage = Stage("two-opt", {"climbers": climbers, "gpus": gpus})
            spec = RunSpec({"name": _INSTANCE}, (stage,), 1, device="cuda")
            for event in run(prepare(spec), load(_INSTANCE), pictures=False):
                end = event
            assert isinstance(end, Finished)
            samples[gpus].append(end.seconds)
            samples["length"].add(end.length)
    samples["length"] = sorted(samples["length"])
    print(f"two-opt {climbers:,}: {_compared(samples['one'], samples['all'])}, lengths {samples['length']}", flush=True)
    return samples


def _on_ray(climbers: int, runs: int, repeats: int, count: int) -> dict[str, Any]:
    """Seconds of a study whose runs share the climbers, on a node with one GPU and on one with all."""
    from functools import partial

    from benchmarks.cluster.nodes import joined, nodes_here

    samples: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, gpus in (("one", 1), ("all", count)):
            with nodes_here(1, cores=2 * count, gpus=gpus) as nodes, joined(nodes) as (cluster, _):
                start = partial(cluster.start, WORKER)
                took = []
                for k in range(repeats + 1):
                    path = Path(folder) / f"{name}{k}.tourstudy"
                    took.append(_study(path, climbers if k else runs, runs, gpus, start))
                    print(f"ray {name}, {climbers if k else runs:,} climbers: {took[-1]:.2f} s", flush=True)
            samples[name], samples[f"{name}_starting"] = took[1:], took[0]
    print(f"ray {climbers:,}: {_compared(samples['one'], samples['all'])}", flush=True)
    return samples


def _study(path: Path, climbers: int, runs: int, gpus: int, start: StartProcess) -> float:
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
    began = perf_counter()
    with StudyFile(path, spec) as file:
        pool = Pool(file, 2, gpus, start=start)
        pool.start()
        progress = pool.join()
    if progress.finished != runs:
        raise RuntimeError(f"{progress.failed} of {runs} runs failed")
    return perf_counter() - began


def _compared(one: list[float], every: list[float]) -> str:
    if not one or not every:
        return f"one {one}, all {every}"
    first, second = statistics.median(one), statistics.median(every)
    return f"one {first:.4g}, all {second:.4g}: {first / second:.2f} times as fast"
