"""The result of a run as JSON, and how far it is above a reference."""

from typing import Any

from data.instance import Instance
from solvers.events import Finished
from solvers.params import Params
from solvers.spec import RunSpec

#: What is said of an exact solution that was ended before its time.
NOT_PROVEN = "stopped before the last layer: not proven"


def gap_percent(length: int, optimum: int | None) -> float | None:
    """By how much a tour is longer than the best one known, in per cent; None where none is known."""
    return None if not optimum else 100.0 * (length - optimum) / optimum


def result(spec: RunSpec, instance: Instance, params: Params, end: Finished, proven: bool = False) -> dict[str, Any]:
    """A run's result as a JSON value, with the spec that runs it again; `proven` if it showed that none is shorter."""
    return {
        "instance": instance.name,
        "n": instance.n,
        "algorithm": spec.stages[-1].algorithm,
        "params": {declared.name: getattr(params, declared.name) for declared in params.schema()},
        "seed": spec.seed,
        "device": end.device,
        "length": end.length,
        "optimum": instance.optimum,
        "gap_percent": gap_percent(end.length, instance.optimum),
        "proven": proven,
        "evaluations": end.evaluations,
        "evaluations_per_second": end.evaluations / end.seconds if end.seconds else None,
        "seconds": end.seconds,
        "compile_seconds": end.compile_seconds,
        "stop_reason": end.stop_reason,
        "versions": end.versions,
        "instance_sha256": instance.sha256,
        "spec": spec.to_json(),
    }
