"""The result of a run as JSON."""

from typing import Any

import numpy as np

from data.gaps import gap_percent
from data.instance import Instance
from data.tour_edges import shared_edges
from solvers.core.events import Finished
from solvers.core.params import Params
from solvers.spec import RunSpec

#: The note in the result of an exact solver that was stopped early.
NOT_PROVEN = "stopped before the last layer: not proven"


def describe_missing_edges(instance: Instance, length: int) -> str:
    """Describe how many missing edges a tour of this length uses; empty if it uses none."""
    count = instance.missing_in(length)
    return f"uses {count:,} missing edge{'' if count == 1 else 's'}" if count else ""


def _count_shared(instance: Instance, order: np.ndarray) -> dict[str, int]:
    """Return, as an item of the result, how many edges a tour has in common with the optimal tour, if that is known."""
    best = instance.optimal_tour
    return {} if best is None else {"shared_edges": shared_edges(order, best, instance.directed)}


def build_result(
    spec: RunSpec, instance: Instance, params: Params, end: Finished, proven: bool = False
) -> dict[str, Any]:
    """Return a run's result as a JSON value, including the spec that repeats the run.

    `proven` says whether the run's tour is proven optimal. If an optimal or best known tour is available, the result
    contains the number of edges that the run's tour has in common with it. If the instance has missing edges, the
    result contains the number of these that the tour uses; if there are any, `gap_percent` is None.
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
