"""Ant System on this machine's cores: milliseconds of an iteration for each selection, on one core and on all."""

from contextlib import closing

from benchmarks.ants.colonies import Entries, Plan, create_ant_system, list_variants
from benchmarks.ants.pace_cpu import PHASES, measure_phases

#: Instances; the last is only measured with the fastest selection.
INSTANCES = ("d198", "pr1002", "pr2392")
_LARGE, _FASTEST = "pr2392", "nearest-first"


def measure(plan: Plan) -> Entries:
    """Sample every variant and its phases; the first iteration is not counted."""
    for instance in plan.load_instances():
        for variant in list_variants("cpu"):
            if instance.name == _LARGE and variant.selection != _FASTEST:
                continue
            with closing(create_ant_system(instance, variant, ants=plan.ants)) as colony:
                rows = list(measure_phases(colony, plan.repeats))
            phases = {phase: [one[phase] for one in rows] for phase in PHASES}
            milliseconds = [one["iteration"] for one in rows]
            yield {"way": variant.name, "instance": instance.name, "milliseconds": milliseconds, **phases}
