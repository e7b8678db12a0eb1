"""Compares TourScope's Lin-Kernighan, commiv and elkai's LKH on directed instances at equal time.

Each tour is measured again from the matrix. Neither package has a time limit, so the duration of one trial determines
the number of trials; the results contain the actual seconds. With ``--json``, results are added to those in the file.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.ants.tables import Entry, figure, table
from benchmarks.machine import describe
from data.collection.lookup import look_up
from data.instance import Instance
from solvers.events import Finished
from solvers.run import prepare, run
from solvers.spec import VERSION, RunSpec

#: Share of the time limit to fill with trials, by the duration of one.
_SHARE = 0.95
_MAX_TRIALS = 100_000


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--instance", action="append", default=[])
    parser.add_argument("--solver", action="append", choices=SOLVERS, help="default all")
    parser.add_argument("--seconds", type=float, action="append", default=[])
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="measure nothing, print the table of results")


def main(
    repeats: int, output: Path | None, instance: list[str], solver: list[str] | None, seconds: list[float],
    first_seed: int, markdown: Path | None,
) -> int:  # fmt: skip
    """Measure each instance with each solver and limit, once for each seed."""
    if markdown:
        print(tables(json.loads(markdown.read_text())["results"]))
        return 0
    results: dict[str, Any] = {"machine": describe(), "results": []}
    if output and output.exists():
        results = json.loads(output.read_text())
    for name in instance:
        loaded, _ = look_up(name, Path(name))
        for named in solver or SOLVERS:
            for limit in seconds:
                for seed in range(first_seed, first_seed + repeats):
                    results["results"].append(measure(loaded, named, limit, seed))
                    print(results["results"][-1], flush=True)
    if output:
        lines = ",\n  ".join(map(json.dumps, results["results"]))
        output.write_text(f'{{"machine": {json.dumps(results["machine"], indent=1)},\n "results": [\n  {lines}\n ]}}\n')
    return 0


def measure(instance: Instance, solver: str, limit: float, seed: int) -> Entry:
    """Measure a run of a solver: the seconds, and the length of the tour, added up again."""
    assert instance.weights is not None
    order, elapsed = SOLVERS[solver](instance, limit, seed)
    assert sorted(order) == list(range(instance.n))
    length = sum(int(instance.weights[a, b]) for a, b in zip(order, [*order[1:], order[0]], strict=True))
    return {
        "instance": instance.name, "n": instance.n, "optimum": instance.optimum, "solver": solver, "limit": limit,
        "seed": seed, "seconds": round(elapsed, 3), "length": length,
    }  # fmt: skip


def solve_here(instance: Instance, limit: float, seed: int) -> tuple[list[int], float]:
    """Run Lin-Kernighan after a short run that loads its kernels."""
    for each in (0.1, limit):
        fields = {
            "v": VERSION, "instance": {"name": instance.name}, "seed": seed, "budget": {"seconds": each},
            "stages": [{"algorithm": "lin-kernighan", "params": {"variant": "cpu"}}],
        }  # fmt: skip
        start_time = perf_counter()
        *_, end = run(prepare(RunSpec.from_json(fields)), instance)
    assert isinstance(end, Finished)
    return end.order.tolist(), perf_counter() - start_time


def solve_by_commiv(instance: Instance, limit: float, seed: int) -> tuple[list[int], float]:
    """Run commiv on one core with its defaults."""
    import commiv

    matrix = np.asarray(instance.weights, np.int64)
    return _run_trials(lambda trials: commiv.solve_atsp(matrix, seed=seed, trials=trials)[1], limit)


def solve_by_elkai(instance: Instance, limit: float, seed: int) -> tuple[list[int], float]:
    """Run LKH on one core; elkai passes it no seed."""
    import elkai

    assert instance.weights is not None
    matrix = elkai.DistanceMatrix(instance.weights.tolist())
    return _run_trials(lambda runs: matrix.solve_tsp(runs)[:-1], limit)


def _run_trials(solve: Callable[[int], list[int]], limit: float) -> tuple[list[int], float]:
    """Return the tour of as many trials as fit into the limit, at least one."""
    trials, elapsed = 1, 0.0
    while True:
        start_time = perf_counter()
        order = solve(trials)
        elapsed = perf_counter() - start_time
        more = min(_MAX_TRIALS, int(trials * _SHARE * limit / elapsed))
        if elapsed > limit / 3 or more <= trials:
            return [int(city) for city in order], elapsed
        trials = more if elapsed > limit / 50 else min(more, 10 * trials)


SOLVERS: dict[str, Callable[[Instance, float, int], tuple[list[int], float]]] = {
    "here": solve_here,
    "commiv": solve_by_commiv,
    "elkai": solve_by_elkai,
}


def tables(entries: list[Entry]) -> str:
    """Format the results in Markdown: medians over the seeds."""
    groups: dict[tuple[str, float], dict[str, list[Entry]]] = {}
    for each in entries:
        groups.setdefault((each["instance"], each["limit"]), {}).setdefault(each["solver"], []).append(each)
    rows = []
    for (name, limit), by_solver in groups.items():
        alike = [each for each in entries if each["instance"] == name]
        best = alike[0]["optimum"] or min(each["length"] for each in alike)
        cells = []
        for solver in SOLVERS:
            some = by_solver.get(solver, [])
            gap = median(100 * (each["length"] / best - 1) for each in some) if some else None
            elapsed = median(each["seconds"] for each in some) if some else None
            cells.append("" if gap is None or elapsed is None else f"{gap:.2f} % in {figure(elapsed)} s")
        rows.append([name, figure(limit), *cells])
    title = "Gap to the optimum, or to the best length that any of them found; medians"
    return table(title, ("instance", "seconds", *SOLVERS), rows)
