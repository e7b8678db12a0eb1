"""Compares TourScope's Lin-Kernighan, commiv and elkai's LKH on directed instances at equal wall-clock time.

Each tour is added up by tsplib95 from the instance's file, or in plain Python from a generated matrix. TourScope ends
at the optimum, if it is known. For LKH, the limit includes the preparation, which is measured before. commiv has no
time limit, so it runs the number of trials that fills the limit. Some of their work cannot be shortened, so the results
contain the actual seconds. With ``--json``, results are added to those in the file.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.ants.tables import Entry, format_figure, format_table
from benchmarks.machine import describe_machine
from benchmarks.proofs import measure_tour
from benchmarks.runs import run_to_end
from benchmarks.saving import save
from data.collection.listing import bundled_files
from data.collection.lookup import look_up
from data.instance import Instance
from solvers.algorithms.reference.elkai import Elkai

#: Shares of the time limit that a package should fill: minimum, maximum and target; and the number of attempts.
_MIN_SHARE, _AIM, _MAX_SHARE, _ATTEMPTS = 0.85, 0.95, 1.02, 6


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--instance", action="append", default=[])
    parser.add_argument("--solver", action="append", choices=SOLVERS, help="default all")
    parser.add_argument("--seconds", type=float, action="append", default=[])
    parser.add_argument("--first-seed", type=int, default=1)


def main(
    repeats: int, output: Path | None, instance: list[str], solver: list[str] | None, seconds: list[float],
    first_seed: int,
) -> int:  # fmt: skip
    """Measure each instance with each solver and limit, once for each seed."""
    results = load_results(output)
    for name in instance:
        loaded, _ = look_up(name, Path(name))
        for named in solver or SOLVERS:
            for limit in seconds:
                for seed in range(first_seed, first_seed + repeats):
                    results["results"].append(measure(loaded, named, limit, seed))
                    print(results["results"][-1], flush=True)
                    save(results, output, depth=2)
    return 0


def load_results(output: Path | None) -> dict[str, Any]:
    """Load the results in a file, to which new ones are added; without a file, describe this machine only."""
    if output and output.exists():
        results: dict[str, Any] = json.loads(output.read_text())
        return results
    return {"machine": describe_machine(), "results": []}


def measure(instance: Instance, solver: str, limit: float, seed: int) -> Entry:
    """Measure a run of a solver: its seconds, and the length of its tour, computed again."""
    assert instance.weights is not None
    order, elapsed = SOLVERS[solver](instance, limit, seed)
    assert sorted(order) == list(range(instance.n))
    if instance.name in bundled_files():
        length = measure_tour(instance.name, np.array(order))
    else:
        length = sum(int(instance.weights[a, b]) for a, b in zip(order, [*order[1:], order[0]], strict=True))
    return {
        "instance": instance.name, "n": instance.n, "optimum": instance.optimum, "solver": solver, "limit": limit,
        "seed": seed, "seconds": round(elapsed, 3), "length": length,
    }  # fmt: skip


def solve_here(instance: Instance, limit: float, seed: int) -> tuple[list[int], float]:
    """Run Lin-Kernighan, after a short run that loads its kernels, until the limit or the known optimum."""
    for each in (0.1, limit):
        budget = {"seconds": each} | ({} if instance.optimum is None else {"target": instance.optimum})
        start_time = perf_counter()
        end = run_to_end(instance, "lin-kernighan", {"variant": "cpu"}, seed=seed, **budget)
    return end.order.tolist(), perf_counter() - start_time


def solve_by_commiv(instance: Instance, limit: float, seed: int) -> tuple[list[int], float]:
    """Run commiv on one core with its defaults."""
    import commiv

    matrix = np.asarray(instance.weights, np.int64)
    return _solve_within(
        instance, limit, lambda trials: commiv.solve_atsp(matrix, seed=seed, trials=round(trials))[1], 1.0
    )


def solve_by_elkai(instance: Instance, limit: float, seed: int) -> tuple[list[int], float]:
    """Run LKH on one core, with its own parameters for the seed and the seconds of its search."""
    matrix = np.asarray(instance.weights, np.int64)
    return _solve_within(instance, limit, lambda seconds: Elkai.call(matrix, seconds, seed, 1), 0.01)


#: Amounts of work (trials, or seconds of search) and the seconds that they took, by package and instance.
_KNOWN: dict[tuple[float, str], list[tuple[float, float]]] = {}


def _solve_within(
    instance: Instance, limit: float, solve: Callable[[float], list[int]], least: float
) -> tuple[list[int], float]:
    """Return the tour found with the most work, at least `least`, that stays within the limit."""
    samples, found = _KNOWN.setdefault((least, instance.name), []), []
    for _ in range(_ATTEMPTS):
        amount = _choose_amount(samples, limit, least)
        start_time = perf_counter()
        order = [int(city) for city in solve(amount)]
        samples.append((amount, perf_counter() - start_time))
        found.append((samples[-1][1], order))
        if _MIN_SHARE * limit <= samples[-1][1] <= _MAX_SHARE * limit or (amount == least and samples[-1][1] > limit):
            break
    within = [point for point in found if point[0] <= _MAX_SHARE * limit]
    elapsed, order = max(within) if within else min(found)
    return order, elapsed


def _choose_amount(samples: list[tuple[float, float]], limit: float, least: float) -> float:
    """Choose an amount of work that should take slightly less than the limit, given how long other amounts took."""
    below = max((point for point in samples if point[1] <= limit), key=lambda each: each[1], default=None)
    above = min((point for point in samples if point[1] > limit), key=lambda each: each[1], default=None)
    if below is None:
        return least if above is None else max(least, above[0] * _AIM * limit / above[1])
    if above is None:
        return below[0] * min(10.0, max(1.1, _AIM * limit / below[1]))
    share = (_AIM * limit - below[1]) / (above[1] - below[1])
    return max(least, below[0] + max(0.0, share) * (above[0] - below[0]))


SOLVERS: dict[str, Callable[[Instance, float, int], tuple[list[int], float]]] = {
    "here": solve_here,
    "commiv": solve_by_commiv,
    "elkai": solve_by_elkai,
}


def format_tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown: medians over the seeds."""
    entries: list[Entry] = results["results"]
    groups: dict[tuple[str, float], dict[str, list[Entry]]] = {}
    for entry in entries:
        groups.setdefault((entry["instance"], entry["limit"]), {}).setdefault(entry["solver"], []).append(entry)
    rows = []
    for (name, limit), by_solver in groups.items():
        alike = [entry for entry in entries if entry["instance"] == name]
        best = alike[0]["optimum"] or min(run["length"] for run in alike)
        cells = []
        for solver in SOLVERS:
            some = by_solver.get(solver, [])
            gap = median(100 * (run["length"] / best - 1) for run in some) if some else None
            elapsed = median(run["seconds"] for run in some) if some else None
            cells.append("" if gap is None or elapsed is None else f"{gap:.2f} % in {format_figure(elapsed)} s")
        rows.append([name, format_figure(limit), *cells])
    title = "Gap to the optimum, or to the best length that any of them found; medians"
    return format_table(title, ("instance", "seconds", *SOLVERS), rows)
