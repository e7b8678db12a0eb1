"""The Ray engine on several nodes of this machine: a lost node, a study here and on the cluster, a run's overhead.

The nodes share the machine's cores, so the figures show the cost of the engine, not the benefit of more machines.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.cluster.lost_node import run_with_loss
from benchmarks.cluster.nodes import connect, start_nodes
from benchmarks.cluster.overhead import measure_cancellations, measure_overheads
from benchmarks.cluster.study import count_differences, make_cluster_start, make_study_spec, run_study
from benchmarks.machine import describe_machine
from benchmarks.pages.browser import print_progress
from benchmarks.saving import save
from runs.engine.process import ProcessEngine
from runs.engine.ray.engine import RayEngine
from solvers.core.devices import cpu_threads

_PARTS = ("overhead", "study", "lost")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--only", choices=_PARTS, help="measure this part alone")
    parser.add_argument("--runs", type=int, default=64, help="runs while a node is lost (default %(default)s)")
    parser.add_argument("--seeds", type=int, default=100, help="seeds of the study of 30 entries (default %(default)s)")
    parser.add_argument("--climbers", type=int, default=8_000, help="climbers of such a run (default %(default)s)")


def main(
    repeats: int, output: Path | None, only: str | None = None, runs: int = 64, seeds: int = 100, climbers: int = 8_000
) -> int:
    """Measure, print, and write the results to `output`; each repeat of the overhead has 20 runs."""
    results: dict[str, Any] = {"machine": describe_machine(), "samples": {}}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if only in (None, "overhead"):
            results["samples"] |= _measure_overheads(repeats)
        if only in (None, "study"):
            results["samples"] |= {"study": _measure_studies(home, seeds)}
        if only in (None, "lost"):
            results["samples"] |= {"lost_node": _measure_loss(home / "home", runs, climbers)}
    for name, values in results["samples"].items():
        print(f"{name:28} {_format_short(values)}")
    save(results, output)
    return 0


def _measure_overheads(repeats: int) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {}
    print_progress("What a run takes in a process of this machine")
    engine: Any = ProcessEngine()
    try:
        samples |= {f"here_{name}_ms": ms for name, ms in measure_overheads(engine, 20 * repeats).items()}
        samples["here_cancel_ms"] = measure_cancellations(engine, 2 * repeats)
    finally:
        engine.close()
    print_progress("What it takes on a node")
    with start_nodes(1) as nodes, connect(nodes) as (cluster, options):
        engine = RayEngine(cluster, options)
        try:
            samples |= {f"ray_{name}_ms": ms for name, ms in measure_overheads(engine, 20 * repeats).items()}
            samples["ray_cancel_ms"] = measure_cancellations(engine, 2 * repeats)
        finally:
            engine.close()
    return samples


def _measure_studies(home: Path, seeds: int) -> dict[str, Any]:
    spec, nodes_count = make_study_spec(seeds), 4
    print_progress(f"A study of {30 * seeds:,} runs here")
    local = run_study(home / "here.tourstudy", spec, cpu_threads())
    print_progress(f"and on {nodes_count} nodes")
    with start_nodes(nodes_count) as nodes, connect(nodes) as (cluster, _):
        there = run_study(home / "there.tourstudy", spec, nodes_count, make_cluster_start(cluster))
    count = 30 * seeds
    return {
        "runs": count,
        "here": local | {"beyond_runs_ms": _compute_overhead(local, cpu_threads(), count)},
        "ray": there | {"nodes": nodes_count, "beyond_runs_ms": _compute_overhead(there, nodes_count, count)},
        "differing": count_differences(home / "here.tourstudy", home / "there.tourstudy"),
    }


def _compute_overhead(study: dict[str, float], workers: int, count: int) -> float:
    """Return the milliseconds of a worker's time per run beyond the run itself, including the start of the workers."""
    return 1000 * (study["seconds"] * workers - study["runs_took"]) / count


def _measure_loss(home: Path, runs: int, climbers: int) -> dict[str, Any]:
    count = 3
    print_progress(f"{runs} runs on {count} nodes, of which one is killed")
    with start_nodes(count) as nodes, connect(nodes) as (cluster, options):
        return {"nodes": count, "runs": runs} | run_with_loss(home, RayEngine(cluster, options), nodes, runs, climbers)


def _format_short(values: Any) -> str:
    if not isinstance(values, list):
        return json.dumps(values)
    ends = f"{min(values):.1f} to {max(values):.1f}"
    return f"{statistics.median(values):8.1f}   {ends}, of {len(values)}"
