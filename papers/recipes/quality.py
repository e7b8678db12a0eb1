"""Algorithms at equal time: section 8.4 of Utne and Hansen (2023), left as future work in their report."""

from collections.abc import Sequence
from typing import Any

from benchmarks.runs import run_to_end
from data.collection.resolve import load
from data.instance import Instance
from papers.recipes.plan import Plan
from papers.recipes.tables import Cell, measure_cells
from papers.results import MeasuredTable

#: Algorithms named in the section, without local search; none of them ends within the time of a run.
ALGORITHMS: dict[str, tuple[str, dict[str, Any]]] = {
    "2-opt": ("two-opt", {"climbers": 10_000_000}),
    "ants": ("max-min-ant-system", {"iterations": 1_000_000, "local_search": "none"}),
    "annealing": ("simulated-annealing", {"chains": 1_000_000}),
}
#: Seconds of a run, and of a run in the short form.
SECONDS, QUICK = 1.0, 0.05


def measure_at_equal_time(plan: Plan, instances: Sequence[str]) -> MeasuredTable:
    """Return the gaps of each algorithm's tours to the optimum after equal time, with a run per seed."""
    seconds = QUICK if plan.quick else SECONDS

    def measure(instance: Instance, algorithm: tuple[str, dict[str, Any]]) -> Cell:
        assert instance.optimum is not None, instance.name
        options: dict[str, Any] = {"device": plan.device, "pictures": False, "seconds": seconds}
        ends = [run_to_end(instance, *algorithm, seed=seed, **options) for seed in range(1, plan.samples + 1)]
        return [100 * (end.length / instance.optimum - 1) for end in ends], ""

    rows = {name: load(name) for name in (instances[:1] if plan.quick else instances)}
    return measure_cells("Instance", rows, ALGORITHMS, "%", measure)
