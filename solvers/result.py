"""The result of a run as JSON."""

from typing import Any

import numpy as np

from data.gaps import gap_percent
from data.instance import Instance
from data.tour_edges import shared_edges
from solvers.core.events import Finished
from solvers.core.params import Params
from solvers.spec import RunSpec

#: Note in the result of an exact solver that was stopped early.
NOT_PROVEN = "stopped before the last layer: not proven"


def describe_missing_edges(instance: Instance, length: int) -> str:
    """Describe the number of missing edges in a tour of this length; empty if there are none."""
    count = instance.missing_in(length)
    return f"uses {count:,} missing edge{'' if count == 1 else 's'}" if count else ""


def _count_shared(instance: Instance, order: np.ndarray) -> dict[str, int]:
    """Return the number of edges that a tour shares with the optimal one, if that is known."""
    best = instance.optimal_tour
    return {} if best is None else {"shared_edges": shared_edges(order, best, instance.directed)}


def build_result(
    spec: RunSpec, instance: Instance, params: Params, end: Finished, proven: bool = False
) -> dict[str, Any]:
    """Return a run's result as a JSON value, including the spec to run it again; `proven`: its tour is proven optimal.

    If an optimal or best known tour is available, the result contains the number of edges that both share. If edges are
    missing, it contains the number of missing edges in the tour; if there are any, there is no gap.
    """
    lacking = instance.missing_in(end.length)
    return {
        "instance": instance.name,
        "n": instance.n,
        "algorithm": spec.stages[-1].algorithm,
        "params": {declared.name: getattr(params, declared.name) for declared in params.schema()},
        "seed": spec.seed,
        "device": end.device,
        "length": end.length,
        "optimum": instance.optimum,
        "gap_percent": None if lacking else gap_percent(end.length, instance.optimum),
        **({"missing_edges": lacking} if instance.missing else {}),
        **_count_shared(instance, end.order),
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
