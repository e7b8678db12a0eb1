"""Algorithms at equal time: section 8.4 of Utne and Hansen (2023), which their report left for later."""

from collections.abc import Sequence
from typing import Any

from data.collection.resolve import load
from papers.recipes.plan import Plan
from papers.results import Measured
from solvers.events import Finished
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage
from solvers.stop import Budget

#: The algorithms that the section names, without local search; none comes to its end in the time of a run.
ALGORITHMS: dict[str, tuple[str, dict[str, Any]]] = {
    "2-opt": ("two-opt", {"climbers": 10_000_000}),
    "ants": ("max-min-ant-system", {"iterations": 1_000_000, "local_search": "none"}),
    "annealing": ("simulated-annealing", {"chains": 1_000_000}),
}
#: Seconds of a run, and of one of the short form.
SECONDS, QUICK = 1.0, 0.05


def at_equal_time(plan: Plan, instances: Sequence[str]) -> Measured:
    """How far above the optimum the tours of each algorithm are after as much time; a run a seed."""
    seconds, rows = QUICK if plan.quick else SECONDS, {}
    for name in instances[:1] if plan.quick else instances:
        gaps = [
            [_gap(name, plan.device, seed, seconds, *each) for seed in range(1, plan.samples + 1)]
            for each in ALGORITHMS.values()
        ]
        rows[name] = tuple(gaps)
    return Measured("Instance", tuple(ALGORITHMS), ("%",) * len(ALGORITHMS), rows)


def _gap(name: str, device: str, seed: int, seconds: float, algorithm: str, params: dict[str, Any]) -> float:
    instance = load(name)
    spec = RunSpec({"name": name}, (Stage(algorithm, params),), seed, Budget(seconds=seconds), device)
    *_, end = run(prepare(spec), instance, pictures=False)
    assert isinstance(end, Finished)
    assert instance.optimum is not None, name
    return 100 * (end.length / instance.optimum - 1)
