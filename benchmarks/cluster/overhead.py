"""The overhead of a run on a cluster, and the delay of its cancellation."""

import time
from typing import Any

from data.collection.resolve import load
from runs.engine.protocol import Engine
from solvers.spec import VERSION, RunSpec
from solvers.worker.frames import decode, read_kind

_INSTANCE = "berlin52"
#: Number of unmeasured runs, during which workers load.
_WARM = 5


def _make_spec(climbers: int, seed: int) -> RunSpec:
    params = {"climbers": climbers, "variant": "sequential"}
    stages = [{"algorithm": "two-opt", "params": params}]
    return RunSpec.from_json({"v": VERSION, "instance": {"name": _INSTANCE}, "stages": stages, "seed": seed})


def measure_overheads(engine: Engine, count: int) -> dict[str, list[float]]:
    """Return the milliseconds of consecutive runs in a warm worker.

    ``first`` is the time to the first frame; ``result`` the time to the result, and ``overhead`` the time until the
    worker is free for the next run, both without the run's own seconds.
    """
    while engine.status()["spare"] != "ready":  # kernels are still being loaded meanwhile
        time.sleep(0.1)
    instance = load(_INSTANCE)
    samples: dict[str, list[float]] = {"first": [], "result": [], "overhead": []}
    for number in range(_WARM + count):
        start_time = time.perf_counter()
        handle, first, own, end = engine.start(_make_spec(5, number + 1), instance), 0.0, 0.0, 0.0
        for frame in handle.frames():
            first = first or time.perf_counter() - start_time
            if read_kind(frame) == "finished":
                end, values = time.perf_counter() - start_time, decode(frame).values
                own = values["seconds"] + values["compile_seconds"]
        handle.wait()
        if number >= _WARM:
            samples["overhead"].append(1000 * (time.perf_counter() - start_time - own))
            samples["first"].append(1000 * first)
            samples["result"].append(1000 * (end - own))
    return samples


def measure_cancellations(engine: Engine, count: int) -> list[float]:
    """Return the milliseconds from cancelling an endless run until its worker is free."""
    instance, elapsed = load(_INSTANCE), []
    for number in range(count):
        handle: Any = engine.start(_make_spec(10_000_000, number + 1), instance)
        sent = 0.0
        for seen, _ in enumerate(handle.frames()):
            if seen == 10:
                sent = time.perf_counter()
                handle.send("cancel")
        handle.wait()
        elapsed.append(1000 * (time.perf_counter() - sent))
    return elapsed
