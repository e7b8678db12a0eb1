"""What a run came to, for people and as JSON; and the list of what can be run."""

from typing import Any

from data.instance import Instance
from solvers.devices import Device
from solvers.events import Finished
from solvers.params import Params
from solvers.solver import Solver
from solvers.spec import RunSpec

_SHOWN = ("name", "kind", "default", "low", "high", "step", "choices", "label", "help")


def gap_percent(length: int, optimum: int | None) -> float | None:
    """By how much a tour is longer than the best one known, in per cent; None where none is known."""
    return None if not optimum else 100.0 * (length - optimum) / optimum


def result(spec: RunSpec, instance: Instance, params: Params, end: Finished) -> dict[str, Any]:
    """A run's result as a JSON value, with the spec that runs it again."""
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
        "evaluations": end.evaluations,
        "evaluations_per_second": end.evaluations / end.seconds if end.seconds else None,
        "seconds": end.seconds,
        "compile_seconds": end.compile_seconds,
        "stop_reason": end.stop_reason,
        "versions": end.versions,
        "instance_sha256": instance.sha256,
        "spec": spec.to_json(),
    }


def sentences(found: dict[str, Any], solver: Solver, instance: Instance) -> str:
    """A run's result in a few lines."""
    if found["gap_percent"] is None:
        gap = "no optimum known"
    else:
        known = "optimum" if instance.proven else "best known"
        gap = f"{found['gap_percent']:.2f} % above the {known}, {found['optimum']:,}"
    pace = found["evaluations_per_second"]
    speed = f", {pace:,.0f} a second" if pace else ""
    return (
        f"{found['instance']}, {found['n']:,} cities: length {found['length']:,} ({gap})\n"
        f"{solver.title}, seed {found['seed']}: {found['evaluations']:,} {solver.evaluation_unit}s evaluated in "
        f"{found['seconds']:.3f} s{speed}\n"
        f"{found['device']}; stopped by: {found['stop_reason']}"
    )


def listing(solvers: tuple[Solver, ...], devices: tuple[Device, ...]) -> list[dict[str, Any]]:
    """Every algorithm, where it can run, and its parameters, as a JSON value."""
    return [_entry(solver, devices) for solver in solvers]


def _entry(solver: Solver, devices: tuple[Device, ...]) -> dict[str, Any]:
    kinds = sorted({row.device for row in solver.variants})
    here = [device for device in devices if device.kind in kinds]
    available = any(device.available for device in here)
    return {
        "name": solver.name,
        "title": solver.title,
        "family": solver.family,
        "source": solver.source,
        "devices": kinds,
        "available": available,
        "reason": "" if available else " ".join(device.reason for device in here),
        "params": [{name: getattr(declared, name) for name in _SHOWN} for declared in solver.params.schema()],
    }
