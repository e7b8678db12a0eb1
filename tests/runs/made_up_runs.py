"""Synthetic run files: any number of small ones, written as by the collector."""

import json
import secrets
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np

from data.collection import resolve
from data.instance import Instance
from runs.store.run_file import SUFFIX, Entry, RunWriter
from solvers.core.events import Finished
from solvers.spec import RunSpec
from solvers.worker.frames import encode, encode_event_frame, encode_instance_frame

INSTANCES = ("burma14", "ulysses16", "gr17", "fri26", "bays29", "berlin52", "kroA100", "pr1002")
ALGORITHMS = ("two-opt", "ant-system", "max-min-ant-system", "ant-colony-system", "greedy", "simulated-annealing")
CREATED = 1_700_000_000.0


def write_run(
    path: Path, instance: str | Instance = "berlin52", algorithm: str = "two-opt", length: int = 9000,
    created: float = CREATED, state: str = "finished", seconds: float = 1.0,
) -> Path:  # fmt: skip
    """A finished run whose tour is shorter or longer than its recorded length."""
    solved = resolve.load(instance) if isinstance(instance, str) else instance
    spec = RunSpec.from_json({"v": 1, "instance": {"name": solved.name}, "stages": [{"algorithm": algorithm}]})
    text = json.dumps(spec.to_json())
    writer = RunWriter.create(path, path.stem, created, text, encode_instance_frame(solved))
    end = Finished(
        order=np.arange(solved.n, dtype=np.int32), length=length, iterations=10, evaluations=1000, threads=1,
        seconds=seconds, seconds_to_best=seconds, compile_seconds=0.0, stop_reason="completed", device="CPU",
        versions={},
    )  # fmt: skip
    answer = encode("state", {"state": state, "reason": "completed", "at": created}, {})
    entries = [Entry(created, "finished", encode_event_frame(end, created)), Entry(created, "state", answer)]
    writer.append(entries, (state, "completed"))
    writer.finish()
    return path


def new_id() -> str:
    """An id in the form that the run service uses."""
    return secrets.token_urlsafe(9)


def write_runs(folder: Path, count: int) -> list[str]:
    """Write this many runs, cycling through every algorithm and instance; return their ids, oldest first."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = [(instance, algorithm) for instance in INSTANCES for algorithm in ALGORITHMS]
    with_ids = [new_id() for _ in range(count)]
    patterns: dict[int, Path] = {}
    for number, run in enumerate(with_ids):
        path, kind = folder / f"{run}{SUFFIX}", number % len(kinds)
        if kind not in patterns:
            patterns[kind] = write_run(path, *kinds[kind], length=10_000 + number, created=CREATED + number)
            continue
        shutil.copyfile(patterns[kind], path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            connection.execute("UPDATE run SET id = ?, created = ?", (run, CREATED + number))
    return with_ids


if __name__ == "__main__":
    write_runs(Path(sys.argv[1]), int(sys.argv[2]))
