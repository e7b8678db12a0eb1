"""A run's result as text, instances' warnings, and the list of algorithms as JSON."""

import sys
from typing import Any

import numpy as np

from data.city_names import format_city_count
from data.gaps import gap_text
from data.instance import Instance
from exports.itinerary.stops import list_stops, repeat_first
from solvers.core.devices import Device
from solvers.core.solver import Solver, is_exact, plural
from solvers.core.stop import PREPARATION
from solvers.result import NOT_PROVEN, describe_missing_edges

_PRESET = ("name", "title", "params", "source")
_SHOWN = ("name", "kind", "default", "low", "high", "step", "choices", "label", "help")

#: Maximum number of cities that are named in the result.
_MAX_LISTED = 50


def list_route(instance: Instance, order: np.ndarray) -> list[str]:
    """Return a line with the names of a tour's cities in order; no line if they have no names or are too many."""
    if not instance.names or instance.n > _MAX_LISTED:
        return []
    return [" → ".join(stop.label for stop in repeat_first(instance, list_stops(instance, order)))]


def format_run_result(result: dict[str, Any], solver: Solver, instance: Instance) -> str:
    """Format a run's result as a few lines of text."""
    if result["optimum"] is None:
        gap = "no optimum known"
    else:
        reference = "optimum" if instance.proven else "best known"
        optimum = instance.with_unit(f"{result['optimum']:,}")
        gap = f"{gap_text(result['length'], result['optimum'])} above the {reference}, {optimum}"
        if result["gap_percent"] != 0 and "shared_edges" in result:
            tour = "optimal" if instance.proven else "best known"
            gap += f"; {result['shared_edges']:,} of {instance.n:,} edges are in the {tour} tour"
    if is_exact(solver):
        gap = "proven optimal" if result["proven"] else f"{NOT_PROVEN}; {gap}"
    if uses := describe_missing_edges(instance, result["length"]):
        proof = "no tour without missing edges exists, proven; " if result["proven"] else ""
        gap = f"{proof}{uses}{', as few as possible' if result['proven'] else ''}"
    pace = result["evaluations_per_second"]
    speed = f", {pace:,.0f} a second" if pace else ""
    length = instance.with_unit(f"{result['length']:,}")
    return (
        f"{result['instance']}, {format_city_count(result['n'])}: length {length} ({gap})\n"
        f"{solver.title}, seed {result['seed']}: {result['evaluations']:,} {plural(solver.evaluation_unit)} "
        f"evaluated in {result['seconds']:.3f} s{speed}\n"
        f"{result['device']}; stopped by: {_describe_reason(result['stop_reason'])}"
    )


def _describe_reason(reason: str) -> str:
    return "time, which was up before the algorithm began" if reason == PREPARATION else reason


def print_warnings(*instances: Instance) -> None:
    """Print the warnings about instances on standard error, one per line."""
    for instance in instances:
        for warning in instance.warnings:
            print(f"{instance.name}: {warning}", file=sys.stderr)


def describe_instance(instance: Instance) -> dict[str, Any]:
    """Return an instance's JSON fields: the unit of its lengths, and any warnings."""
    return {name: value for name, value in (("unit", instance.unit), ("warnings", list(instance.warnings))) if value}


def list_algorithms(solvers: tuple[Solver, ...], devices: tuple[Device, ...]) -> list[dict[str, Any]]:
    """Return every algorithm with devices, parameters and presets, as JSON."""
    return [_describe_solver(solver, devices) for solver in solvers]


def _describe_solver(solver: Solver, devices: tuple[Device, ...]) -> dict[str, Any]:
    kinds = sorted({variant.device for variant in solver.variants})
    own_devices = [device for device in devices if device.kind in kinds]
    missing = solver.missing()
    available = not missing and any(device.available for device in own_devices)
    return {
        "name": solver.name,
        "title": solver.title,
        "family": solver.family,
        "source": solver.source,
        "devices": kinds,
        "available": available,
        "reason": "" if available else missing or " ".join(device.reason for device in own_devices),
        "lacking": _find_reasons(solver, devices),
        "params": [{name: getattr(declared, name) for name in _SHOWN} for declared in solver.params.schema()],
        "presets": [{name: getattr(preset, name) for name in _PRESET} for preset in solver.presets if preset.listed],
    }


def _find_reasons(solver: Solver, devices: tuple[Device, ...]) -> list[str]:
    """Return why some variants cannot run on this machine, one sentence each."""
    needs = {need for variant in solver.variants for need in (variant.device, variant.needs) if need}
    ready = {device.kind for device in devices if device.available}
    return list(dict.fromkeys(one.reason for one in devices if one.kind in needs - ready))
