"""Ant System on this machine's cores: milliseconds of an iteration, selection by selection, on one core and on all."""

from contextlib import closing
from typing import Any

from benchmarks.ants.colonies import Plan, ant_system, rounded, ways

#: Instances, of which the last is measured with the fastest selection alone.
INSTANCES = ("d198", "pr1002", "pr2392")
_LARGE, _FASTEST = "pr2392", "nearest-first"
_PHASES = ("choice", "construction", "update", "best")


def measure(plan: Plan) -> list[dict[str, Any]]:
    """Samples of every way and its phases, printed as they come; the first iteration is not counted."""
    found = []
    for instance in plan.loaded():
        for way in ways("cpu"):
            if instance.name == _LARGE and way.selection != _FASTEST:
                continue
            with closing(ant_system(instance, way, ants=plan.ants)) as colony:
                told = [next_iteration(colony, k) for k in range(1, plan.repeats + 2)][1:]
            entry: dict[str, Any] = {"way": way.name, "instance": instance.name}
            entry["milliseconds"] = rounded(1e3 * one.seconds[0] for one in told)
            for k, phase in enumerate(_PHASES):
                entry[phase] = rounded(one.phases[0, k] for one in told)
            found.append(entry)
            print(f"{instance.name:8}{way.name:34}", *(f"{value:.1f}" for value in entry["milliseconds"]), flush=True)
    return found


def next_iteration(colony: Any, iteration: int) -> Any:
    """What is told of the next iteration, which may take many slices."""
    found = None
    while found is None:
        found = colony.advance(iteration)
    return found
