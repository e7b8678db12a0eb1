"""Algorithms at equal time: section 8.4 of Utne and Hansen (2023), left as future work in their report."""

from collections.abc import Sequence
from typing import Any

from benchmarks.runs import run_to_end
from data.collection.resolve import load
from papers.recipes.plan import Plan
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
    seconds, rows = QUICK if plan.quick else SECONDS, {}
    for name in instances[:1] if plan.quick else instances:
        gaps = [
            [_measure_gap(name, plan.device, seed, seconds, *algorithm) for seed in range(1, plan.samples + 1)]
            for algorithm in ALGORITHMS.values()
        ]
        rows[name] = tuple(gaps)
    return MeasuredTable("Instance", tuple(ALGORITHMS), ("%",) * len(ALGORITHMS), rows)


def _measure_gap(name: str, device: str, seed: int, seconds: float, algorithm: str, params: dict[str, Any]) -> float:
    instance = load(name)
    end = run_to_end(instance, algorithm, params, seed=seed, device=device, pictures=False, seconds=seconds)
    assert instance.optimum is not None, name
    return 100 * (end.length / instance.optimum - 1)
