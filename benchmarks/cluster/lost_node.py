"""Runs of the page on a cluster that loses a node."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.cluster.nodes import Nodes
from runs.engine.ray.engine import RayEngine
from runs.service import RunService
from runs.store.reader import Meta
from runs.store.run_file import FINAL
from solvers.spec import VERSION, RunSpec

#: Timeout in seconds for all runs.
_PATIENCE = 600.0
#: Seconds from the end of a run until the next one is in progress.
_UNDER_WAY = 0.5


def run_with_loss(home: Path, engine: RayEngine, nodes: Nodes, count: int, climbers: int) -> dict[str, Any]:
    """Start runs, kill a busy node once a quarter of them has finished, and wait for all.

    Returns
    -------
    dict
        Seconds, number of seeds with a finished run, number of runs by state, and the sentence of a lost run.
    """
    service = RunService(home, lambda: engine)
    try:
        start_time = time.perf_counter()
        for seed in range(1, count + 1):
            service.start(_make_spec(climbers, seed))
        lost = ""
        while service.active_runs():
            if time.perf_counter() - start_time > _PATIENCE:
                raise TimeoutError("The runs do not end.")
            done = service.started - len([run for run in service.active_runs() if _is_running(service, run)])
            if not lost and done >= count // 4:
                time.sleep(_UNDER_WAY)
                lost = _kill_node(engine, nodes)
            time.sleep(0.05)
        seconds = time.perf_counter() - start_time
        results = [_read_meta(service, run["id"]) for run in service.recent(2 * count)]
        finished = {meta.spec["seed"] for meta in results if meta.state == "finished"}
        return {
            "seconds": seconds,
            "results": len(finished),
            "states": dict(Counter(meta.state for meta in results)),
            "interrupted": [meta.reason for meta in results if meta.state == "interrupted"],
        }
    finally:
        service.close()


def _read_meta(service: RunService, run: str) -> Meta:
    with service.open_reader(run) as reader:
        return reader.meta()


def _is_running(service: RunService, run: str) -> bool:
    at = service.active_run(run)
    return at is not None and at.state not in FINAL and at.state != "queued"


def _kill_node(engine: RayEngine, nodes: Nodes) -> str:
    """Kill a node with a run on it; return its name, empty if no node has a run."""
    busy = [node for node, titles in engine.titles().items() if node and titles]
    if busy:
        nodes.kill(busy[0])
    return busy[0] if busy else ""


def _make_spec(climbers: int, seed: int) -> RunSpec:
    stages = [{"algorithm": "two-opt", "params": {"climbers": climbers, "variant": "sequential"}}]
    return RunSpec.from_json({"v": VERSION, "instance": {"name": "kroA100"}, "stages": stages, "seed": seed})
