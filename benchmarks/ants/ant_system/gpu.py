"""Ant System on a CUDA device, in parts: iterations and phases of every variant, complete runs, MAX-MIN Ant System.

Figures are medians; compilation and the creation of a colony are timed separately. An iteration is measured between two
events on the device's stream, including the gaps between its launches.
"""

import statistics
from contextlib import closing
from functools import partial
from typing import Any

from benchmarks.ants.colonies import (
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

#: Variants of complete runs: this program's own, and that of Uchida et al.
WHOLE = ("warp, nearest-first", "block, hybrid")
#: MAX-MIN Ant System with the settings of other programs in `published_ants`; rho 0.5 for all.
SETTINGS: dict[str, dict[str, Any]] = {
    "32 candidates": {"local_search": "none", "lists": True},
    "every city": {"local_search": "none", "lists": False},
    "2-opt": {"local_search": "2-opt+or-opt", "lists": True},
}
#: Samples of a phase, if there is time for them.
_PHASE_SAMPLES = 20


def measure_iterations(plan: Plan) -> list[dict[str, Any]]:
    """Measure every variant on every instance, launched as one graph and kernel by kernel."""
    results = []
    for instance in plan.load_instances():
        for variant in list_variants("cuda"):
            for graph in (True, False):
                entry = measure_iteration(plan, instance, variant, graph)
                results.append(entry)
                print(
                    f"{instance.name:8}{variant.name:28}{'graph' if graph else 'kernels':9}{_format_entry(entry)}",
                    flush=True,
                )
    return results


def measure_iteration(
    plan: Plan, instance: Instance, variant: TimedVariant, graph: bool, **params: Any
) -> dict[str, Any]:
    """Sample an iteration's milliseconds; with a graph also those of its phases, on the resulting pheromone."""
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


def measure_runs(plan: Plan) -> list[dict[str, Any]]:
    """Run every variant completely for each seed."""
    results = []
    for instance in plan.load_instances():
        for variant in map(find_variant, WHOLE):
            make = partial(_measure_seed, plan, instance, variant)
            entry = {"way": variant.name, "instance": instance.name, "optimum": instance.optimum}
            results.append(entry | run_completely(instance, make, plan.repeats, plan.iterations))
            _print_run(results[-1])
    return results


def _measure_seed(plan: Plan, instance: Instance, variant: TimedVariant, seed: int, **params: Any) -> Any:
    return create_ant_system(instance, variant, seed, ants=plan.ants, **params)


def measure_quality(plan: Plan) -> list[dict[str, Any]]:
    """Return the best lengths of workers and queens with pheromone initialised to 1, as far as time allows."""
    results = []
    for instance in plan.load_instances():
        for variant in map(find_variant, ("worker", "queen")):
            entry: dict[str, Any] = {"way": variant.name, "instance": instance.name, "optimum": instance.optimum}
            with closing(_measure_seed(plan, instance, variant, 1)) as colony:
                median = statistics.median(take_samples(partial(time_colony, colony), 10, plan.seconds))
            if median * plan.quality * plan.repeats > 1e3 * plan.patience:
                entry["refused"] = f"more than {plan.patience:.0f} s"
            else:
                make = partial(_measure_seed, plan, instance, variant, initial="one")
                entry |= run_completely(instance, make, plan.repeats, plan.quality)
            results.append(entry)
            _print_run(entry)
    return results


def measure_max_min(plan: Plan) -> list[dict[str, Any]]:
    """Measure MAX-MIN Ant System: milliseconds of an iteration after the first ones, and complete runs."""
    results = []
    for instance in plan.load_instances():
        for name, setting in SETTINGS.items():
            make = partial(_measure_max_min_seed, plan, instance, setting)
            entry: dict[str, Any] = {"way": name, "instance": instance.name, "optimum": instance.optimum}
            with closing(make(1)) as colony:
                entry["milliseconds"] = take_samples(partial(time_colony, colony), plan.iterations, plan.seconds)
            results.append(entry | run_completely(instance, make, plan.repeats, plan.iterations))
            print(f"{instance.name:8}{name:28}{_format_entry(entry)}", flush=True)
            _print_run(results[-1])
    return results


def _measure_max_min_seed(plan: Plan, instance: Instance, setting: dict[str, Any], seed: int) -> Any:
    return create_max_min(instance, seed, ants=plan.ants, rho=0.5, **setting)


def _format_entry(entry: dict[str, Any]) -> str:
    """Format the median and the number of samples, or the reason why there are none."""
    if "refused" in entry:
        return entry["refused"]
    return f"{statistics.median(entry['milliseconds']):9.4f} ms of {len(entry['milliseconds'])}"


def _print_run(entry: dict[str, Any]) -> None:
    text = entry.get("refused") or f"{entry['best']} in {statistics.median(entry['seconds']):.3f} s"
    print(f"{entry['instance']:8}{entry['way']:28}{text}", flush=True)
