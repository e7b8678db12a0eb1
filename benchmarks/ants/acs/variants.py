"""Variants of Ant Colony System for benchmarks, by name: samples of an iteration, complete runs.

Imports Numba only when a colony is created.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.ants.colonies import PLENTY, Plan, make_job, round_times, take_samples
from benchmarks.ants.pace_cpu import next_iteration
from benchmarks.runs import run_stage
from data.instance import Instance
from solvers.algorithms.ants.acs.params import LOCAL_UPDATES, AntColonySystemParams
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.events import Colony, Event, Finished
from solvers.plan import select_variants

#: Message for a variant that does not support the request.
REFUSALS = (DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed)


@dataclass(frozen=True, slots=True)
class TimedVariant:
    """A variant with one of its local updates, and with candidate lists or all cities as candidates."""

    row: str
    local_update: str
    lists: bool = True

    @property
    def name(self) -> str:
        """Label in tables."""
        return f"{self.row}, {self.local_update}{', lists' if self.lists else ''}"

    def params(self) -> dict[str, Any]:
        """Return the parameters of the algorithm for this variant."""
        reach = {} if self.lists else {"candidates": 32}
        return {"variant": self.row, "local_update": self.local_update, "lists": self.lists, **reach}


#: Variants that can be measured, by device.
VARIANTS = {
    "cuda": (
        *(TimedVariant("warp", mode) for mode in LOCAL_UPDATES),
        *(TimedVariant("warp", mode, False) for mode in LOCAL_UPDATES),
        TimedVariant("block", "deferred", False), TimedVariant("block", "racy", False),
    ),
    "cpu": (
        TimedVariant("sequential", "deferred"), *(TimedVariant("cpu", mode) for mode in LOCAL_UPDATES),
        TimedVariant("cpu", "deferred", False),
    ),
}  # fmt: skip
#: Variants of complete runs: the fastest repeatable one, and the paper's, where every city is a candidate.
WHOLE = {"cuda": TimedVariant("warp", "deferred"), "cpu": TimedVariant("cpu", "deferred")}
PAPERS = {device: TimedVariant(variant.row, variant.local_update, False) for device, variant in WHOLE.items()}


def create_colony(instance: Instance, variant: TimedVariant, /, threads: int = 0, **params: Any) -> Any:
    """Create a colony before its first iteration, on a CPU with this number of threads or the variant's default."""
    parameters = AntColonySystemParams.from_mapping({"iterations": PLENTY, **variant.params(), **params})
    row, *_ = select_variants(AntColonySystem(), parameters, "auto")
    assert isinstance(row, AntVariant)
    job = replace(make_job(instance, parameters, 1, "auto"), variant=row)
    if row.device == "cuda":
        from solvers.algorithms.ants.acs.cuda import build_colony

        return build_colony(job, row)
    if row.needs == "mpi":
        from solvers.algorithms.ants.acs.mpi_colony import MpiColony

        return MpiColony(job, parameters.ranks)
    from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
    from solvers.core.devices import cpu_threads

    return AntColonySystemColony(job, threads or (1 if row.name == "sequential" else cpu_threads()))


def sample_iterations(plan: Plan, colony: Any) -> list[float]:
    """Return the milliseconds of all iterations but the first, on the device's own clock or as reported."""
    if hasattr(colony, "launches"):
        from benchmarks.ants.pace import time_colony

        return take_samples(partial(time_colony, colony), plan.iterations, plan.seconds)
    return round_times(1e3 * next_iteration(colony, k).seconds[0] for k in range(1, plan.repeats + 2))[1:]


def time_iterations(plan: Plan, instance: Instance, variant: TimedVariant, /, **params: Any) -> dict[str, Any]:
    """Create an entry with an iteration's milliseconds, or the reason why there are none."""
    entry: dict[str, Any] = {"way": variant.name, "instance": instance.name}
    try:
        with closing(create_colony(instance, variant, **params)) as colony_run:
            return entry | {"ants": colony_run.ants, "milliseconds": sample_iterations(plan, colony_run)}
    except REFUSALS as refusal:
        return entry | {"refused": str(refusal)}


def run_completely(
    plan: Plan, instance: Instance, variant: TimedVariant, seeds: int, /, **params: Any
) -> dict[str, Any]:
    """Run a variant completely for each seed; reporting is included, pictures are not.

    A run ends after `Plan.patience` seconds; `done` is the number of completed iterations.
    """
    entry: dict[str, Any] = {"way": variant.name, "instance": instance.name, "n": instance.n}
    entry |= {"optimum": instance.optimum, **params}
    result: dict[str, Any] = {"seconds": [], "best": [], "done": []}
    for seed in range(1, seeds + 1):
        try:
            (*_, end) = collect_events(plan, instance, variant, seed, **params)
        except REFUSALS as refusal:
            return entry | {"refused": str(refusal)}
        assert isinstance(end, Finished)
        result["seconds"].append(round(end.seconds, 6))
        result["best"].append(end.length)
        result["done"].append(end.iterations)
    return entry | result


def collect_events(plan: Plan, instance: Instance, variant: TimedVariant, seed: int, /, **params: Any) -> list[Event]:
    """Collect all events of a run except pictures; it ends after `Plan.patience` seconds at the latest."""
    merged = {**variant.params(), **params}
    return list(run_stage(instance, "ant-colony-system", merged, seed, pictures=False, seconds=plan.patience))


def best_so_far(events: Sequence[Event]) -> np.ndarray:
    """Return the length of the ants' best tour after each iteration, (iterations,) int64."""
    return np.minimum.accumulate(np.concatenate([event.best for event in events if isinstance(event, Colony)]))
