"""Compares paths with round trips through the same uniform cities at equal time, by Lin-Kernighan.

Each tour is added up in plain Python. The gap is to the shortest tour of its problem in all runs, so the seconds should
include a limit that is several times the others. With ``--json``, results are added to those in the file.
"""

from argparse import ArgumentParser
from math import hypot
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.ants.tables import Entry, format_figure, format_table
from benchmarks.directed import load_results
from benchmarks.runs import run_to_end
from benchmarks.saving import save
from data.generators import uniform
from data.instance import Instance
from data.paths import ANY, open_order, with_path
from solvers.core.events import Finished

#: The ends of each problem, as indices of cities.
ENDS: dict[str, tuple[int | str | None, int | str | None]] = {
    "round trip": (None, None), "between two": (0, 1), "from one": (0, None), "open": (ANY, ANY),
}  # fmt: skip


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--cities", type=int, action="append", default=[])
    parser.add_argument("--seconds", type=float, action="append", default=[])
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--problem", action="append", choices=ENDS, help="default all")


def main(
    repeats: int, output: Path | None, cities: list[int], seconds: list[float], first_seed: int,
    problem: list[str] | None,
) -> int:  # fmt: skip
    """Measure each problem with each limit, once for each seed."""
    results = load_results(output)
    for n in cities:
        for limit in seconds:
            for seed in range(first_seed, first_seed + repeats):
                for named in problem or ENDS:  # by turns
                    results["results"].append(measure(n, named, limit, seed))
                    print(results["results"][-1], flush=True)
                    save(results, output, depth=2)
    return 0


def measure(n: int, problem: str, limit: float, seed: int) -> Entry:
    """Measure a run after a short one that loads the kernels: its seconds, and its length, added up again."""
    base = uniform(n, 1)
    instance = with_path(base, *ENDS[problem])
    solve(instance, 0.1, seed)
    start_time = perf_counter()
    end = solve(instance, limit, seed)
    elapsed = perf_counter() - start_time
    order = open_order(instance, end.order).tolist()
    assert sorted(order) == list(range(n))
    start, last = ENDS[problem]
    assert not isinstance(start, int) or order[0] == start
    assert not isinstance(last, int) or order[-1] == last
    assert base.coordinates is not None
    points = base.coordinates.tolist()
    after = [*order[1:], order[0]] if problem == "round trip" else order[1:]
    pairs = zip(order, after, strict=False)
    length = sum(int(hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]) + 0.5) for a, b in pairs)
    assert length == end.length
    return {
        "n": n, "problem": problem, "limit": limit, "seed": seed, "seconds": round(elapsed, 3), "length": length,
    }  # fmt: skip


def solve(instance: Instance, limit: float, seed: int) -> Finished:
    """Return the last event of a run of Lin-Kernighan on cores."""
    return run_to_end(instance, "lin-kernighan", {"variant": "cpu"}, seed=seed, seconds=limit)


def format_tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown: medians over the seeds."""
    entries: list[Entry] = results["results"]
    best: dict[tuple[int, str], int] = {}
    groups: dict[tuple[int, float], dict[str, list[Entry]]] = {}
    for entry in entries:
        problem = (entry["n"], entry["problem"])
        best[problem] = min(entry["length"], best.get(problem, entry["length"]))
        groups.setdefault((entry["n"], entry["limit"]), {}).setdefault(entry["problem"], []).append(entry)
    rows = []
    for (n, limit), by_problem in sorted(groups.items()):
        gaps = [
            f"{median(100 * (run['length'] / best[n, problem] - 1) for run in by_problem[problem]):.3f} %"
            if problem in by_problem
            else ""
            for problem in ENDS
        ]
        rows.append([f"{n:,}", format_figure(limit), str(len(next(iter(by_problem.values())))), *gaps])
    title = "Gap to the shortest tour of the problem in all runs; medians"
    return format_table(title, ("cities", "seconds", "seeds", *ENDS), rows)
