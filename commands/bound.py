"""``python -m solvers bound INSTANCE``: computes a lower bound on tour lengths."""

import json
from time import perf_counter
from typing import Any

from commands.interrupt import on_ctrl_c
from commands.report import describe_instance
from data.city_names import format_city_count
from data.gaps import gap_percent, gap_text
from data.instance import Instance
from solvers.core.devices import cpu_text, cuda_devices


def bound(instance: Instance, seconds: float | None, as_json: bool, device: str = "auto") -> int:
    """Compute and print the Held-Karp bound; return the exit status.

    Parameters
    ----------
    instance : Instance
    seconds : float or None
        Time limit, after which the best bound so far is the result.
    as_json : bool
    device : str
        ``cpu``, ``cuda``, or ``auto``: see `solvers.bounds.load.choose_device`.
    """
    outcome = _compute_outcome(instance, seconds, device)
    print(json.dumps(outcome, indent=2) if as_json else _format_outcome(outcome, instance))
    return 130 if outcome["stop_reason"] == "cancelled" else 0


def _compute_outcome(instance: Instance, seconds: float | None, device: str) -> dict[str, Any]:
    from solvers.bounds.load import choose_device, load
    from solvers.bounds.lower_bound import LowerBound, compute_lower_bounds

    device = choose_device(instance, device)
    load(instance, device)
    lower: LowerBound | None = None
    reasons: list[str] = []
    start_time = perf_counter()
    with on_ctrl_c(lambda: reasons.append("cancelled")):
        for lower in compute_lower_bounds(instance, device=device):
            timed_out = seconds is not None and perf_counter() - start_time >= seconds
            if lower is not None and (timed_out or reasons):
                reasons.append("time")
                break
    assert lower is not None
    optimum = instance.optimum
    return {
        "instance": instance.name,
        "n": instance.n,
        "bound": lower.length,
        "optimum": optimum,
        "gap_percent": None if optimum is None else gap_percent(optimum, lower.length),
        "iterations": lower.iterations,
        "seconds": perf_counter() - start_time,
        "stop_reason": reasons[0] if reasons else "completed",
        "device": cpu_text(1) if device == "cpu" else cuda_devices()[0].name,
        "instance_sha256": instance.sha256,
        **describe_instance(instance),
    }


def _format_outcome(outcome: dict[str, Any], instance: Instance) -> str:
    if outcome["optimum"] is None:
        gap = "no optimum known"
    else:
        reference = "optimum" if instance.proven else "best known tour"
        optimum = instance.with_unit(f"{outcome['optimum']:,}")
        tight, above = outcome["gap_percent"] == 0, gap_text(outcome["optimum"], outcome["bound"])
        gap = f"the {reference}, {optimum}" + (" is as long" if tight else f", is {above} above it")
    length = instance.with_unit(f"{outcome['bound']:,}")
    return (
        f"{outcome['instance']}, {format_city_count(outcome['n'])}: no tour is shorter than {length} ({gap})\n"
        f"Held-Karp bound: {outcome['iterations']:,} 1-trees in {outcome['seconds']:.3f} s; "
        f"stopped by: {outcome['stop_reason']}\n"
        f"Device: {outcome['device']}"
    )
