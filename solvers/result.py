"""The result of a run as JSON, and its gap to a reference."""

from typing import Any

from data.instance import Instance
from solvers.events import Finished
from solvers.params import Params
from solvers.spec import RunSpec

#: Note in the result of an exact solver that was stopped early.
NOT_PROVEN = "stopped before the last layer: not proven"


def gap_percent(length: int, optimum: int | None) -> float | None:
    """Return by how many per cent a tour is longer than the best known one; None if none is known."""
    return None if not optimum else 100.0 * (length - optimum) / optimum


def result(spec: RunSpec, instance: Instance, params: Params, end: Finished, proven: bool = False) -> dict[str, Any]:
    """Return a run's result as a JSON value, with the spec to run it again; `proven`: its tour is proven optimal."""
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
