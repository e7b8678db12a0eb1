"""Ant System on a CUDA device, in parts: iterations and phases of every variant, complete runs, MAX-MIN Ant System.

Figures are medians; compilation and the creation of a colony are timed separately. An iteration is measured between two
events on the device's stream, including the gaps between its launches.
"""

from contextlib import closing
from functools import partial
from typing import Any

from benchmarks.ants.colonies import (
    Entries,
    Plan,
    TimedVariant,
    create_ant_system,
    create_max_min,
    find_variant,
    list_variants,
    run_completely,
    take_samples,
)
from benchmarks.ants.pace import measure_phase, time_colony
from data.instance import Instance
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge

#: Variants of complete runs: this program's own, and Uchida et al.'s.
WHOLE = ("warp, nearest-first", "block, hybrid")
#: MAX-MIN Ant System with the settings of other programs in `published_ants`; rho 0.5 for all.
SETTINGS: dict[str, dict[str, Any]] = {
    "32 candidates": {"local_search": "none", "lists": True},
    "every city": {"local_search": "none", "lists": False},
    "2-opt": {"local_search": "2-opt+or-opt", "lists": True},
}
#: Number of samples of a phase, if there is time for them.
_PHASE_SAMPLES = 20


def measure_iterations(plan: Plan) -> Entries:
    """Measure every variant on every instance, launched as one graph and kernel by kernel."""
    for instance in plan.load_instances():
        for variant in list_variants("cuda"):
            for graph in (True, False):
                yield measure_iteration(plan, instance, variant, graph)


def measure_iteration(
    plan: Plan, instance: Instance, variant: TimedVariant, graph: bool, **params: Any
) -> dict[str, Any]:
    """Sample an iteration's milliseconds and, with a graph, its phases' milliseconds on the resulting pheromone."""
    entry: dict[str, Any] = {"way": variant.name, "instance": instance.name, "graph": graph}
    try:
        colony = create_ant_system(instance, variant, ants=plan.ants, graph=graph, **params)
    except (DeviceUnavailable, InstanceTooLarge) as refusal:
        return entry | {"refused": str(refusal)}
    with closing(colony):
        entry["milliseconds"] = take_samples(partial(time_colony, colony), plan.iterations, plan.seconds)
        return entry | (measure_each_phase(plan, colony) if graph else {})


def measure_each_phase(plan: Plan, colony: Any) -> dict[str, list[float]]:
    """Sample each phase; the update comes last, since it changes the pheromone."""
    from solvers.algorithms.ants.cuda import BEST, CHOICE, CONSTRUCTION, PHASES, UPDATE

    return {
        PHASES[phase]: take_samples(partial(measure_phase, colony, phase), _PHASE_SAMPLES, plan.seconds / 5)
        for phase in (CONSTRUCTION, CHOICE, BEST, UPDATE)
    }


def measure_runs(plan: Plan) -> Entries:
    """Run every variant completely for each seed."""
    for instance in plan.load_instances():
        for variant in map(find_variant, WHOLE):
            make = partial(create_ant_system, instance, variant, ants=plan.ants)
            entry = {"way": variant.name, "instance": instance.name, "optimum": instance.optimum}
            yield entry | run_completely(instance, make, plan.repeats, plan.iterations)


def measure_max_min(plan: Plan) -> Entries:
    """Measure MAX-MIN Ant System: milliseconds per iteration after warm-up, and complete runs."""
    for instance in plan.load_instances():
        for name, setting in SETTINGS.items():
            make: Any = partial(create_max_min, instance, ants=plan.ants, rho=0.5, **setting)
            entry: dict[str, Any] = {"way": name, "instance": instance.name, "optimum": instance.optimum}
            with closing(make(1)) as colony:
                entry["milliseconds"] = take_samples(partial(time_colony, colony), plan.iterations, plan.seconds)
            yield entry | run_completely(instance, make, plan.repeats, plan.iterations)
