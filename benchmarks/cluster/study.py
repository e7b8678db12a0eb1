"""Runs the same study here and on a cluster, and compares times and results."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from solvers.spec import VERSION
from solvers.worker.ray.connection import Cluster
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.pool import Pool
from studies.pool.process import WORKER, StartProcess, start_interpreter
from studies.spec.spec import StudySpec

_INSTANCES = ("burma14", "ulysses16", "gr17", "fri26", "bays29", "berlin52")
_ENTRIES: dict[str, list[dict[str, Any]]] = {
    "2-opt": [{"algorithm": "two-opt", "params": {"climbers": 5}}],
    "ants": [{"algorithm": "ant-system", "params": {"ants": 8}}],
    "nearest": [{"algorithm": "nearest-neighbour"}],
    "nearest, 2-opt": [{"algorithm": "nearest-neighbour"}, {"algorithm": "two-opt", "params": {"climbers": 2}}],
    "random": [{"algorithm": "random", "params": {"samples": 20}}],
}
#: Fields of a result that depend on the clock.
_CLOCK = ("seconds", "seconds_to_best", "compile_seconds", "evaluations_per_second")


def make_study_spec(seeds: int) -> StudySpec:
    """Return the study of five entries on six instances, thirty runs per seed, limited by iterations."""
    return StudySpec.from_json(
        {
            "v": VERSION,
            "title": "Here and there",
            "instances": [{"name": name} for name in _INSTANCES],
            "entries": [{"label": label, "stages": stages} for label, stages in _ENTRIES.items()],
            "seeds": {"first": 1, "count": seeds},
            "budget": {"iterations": 10},
            "device": "cpu",
            "threads": 1,
        }
    )


def run_study(path: Path, spec: StudySpec, cores: int, start: StartProcess = start_interpreter) -> dict[str, float]:
    """Run a study to its end; return its seconds, and the total seconds of its runs."""
    start_time = time.perf_counter()
    with StudyFile(path, spec) as file:
        pool = Pool(file, cores, start=start)
        pool.start()
        progress = pool.join()
    wall = time.perf_counter() - start_time
    with StudyReader(path) as reader:
        elapsed = sum(row.seconds or 0.0 for row in reader.cells())
    return {"seconds": wall, "runs_took": elapsed, "finished": progress.finished, "failed": progress.failed}


def make_cluster_start(cluster: Cluster) -> StartProcess:
    """Make a function that starts a study's workers on the cluster."""
    return partial(cluster.start, WORKER)


def count_differences(one: Path, other: Path) -> int:
    """Count the runs whose result, tour or improvements differ between two files of a study, ignoring times."""
    with StudyReader(one) as first, StudyReader(other) as second:
        results = [dict(reader.results()) for reader in (first, second)]
        tours = [[reader.tour(number) for number in sorted(results[0])] for reader in (first, second)]
        logs = [reader.table().logs for reader in (first, second)]
    if results[0].keys() != results[1].keys():
        return len(results[0].keys() ^ results[1].keys())
    count = 0
    for place, number in enumerate(sorted(results[0])):
        count += not (
            _drop_times(results[0][number]) == _drop_times(results[1][number])
            and np.array_equal(tours[0][place], tours[1][place])
            and all(map(np.array_equal, *(_list_improvements(log, place) for log in logs)))
        )
    return count


def _drop_times(result: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name not in _CLOCK}


def _list_improvements(logs: Any, place: int) -> tuple[np.ndarray, ...]:
    rows = slice(logs.offsets[place], logs.offsets[place + 1])
    return tuple(column[rows] for column in (logs.evaluations, logs.iterations, logs.length))
