"""The Held-Karp bound on one core or a GPU: its value over time, and the duration of each stage.

The instances are from TSPLIB, the larger ones fetched beforehand by ``python -m data fetch``. Seconds are wall-clock
time with loaded kernels, from the instance in memory: they include candidates, all proofs and all transfers.
"""

import statistics
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.ants.tables import Entry, format_figure, format_table
from benchmarks.parts import add_part_options, measure_parts
from data.collection.resolve import load

#: References for the bound: the bounds of the subtour relaxation if known, otherwise the optimum.
SUBTOUR = {"kroA100": 20_936.5, "pr1002": 256_766.0}
INSTANCES = ("kroA100", "pr1002", "pr2392", "d18512", "usa13509")
#: Maximum distances from the references that count as near: 0.1 % for the subtour bound, 1 % for the optimum.
_NEAR = {"subtour": 0.999, "optimum": 0.99}
#: Number of iterations in a sample of the ascent.
_ITERATIONS = 200


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_part_options(parser, tuple(_PARTS))
    parser.add_argument("--instance", choices=INSTANCES, action="append", help="default all")


def main(repeats: int, output: Path | None, device: str, part: list[str] | None, instance: list[str] | None) -> int:
    """Measure, print, and write the raw samples to `output`."""

    def measure(part: str) -> Iterator[Entry]:
        return (_PARTS[part](name, device, repeats) for name in instance or INSTANCES)

    return measure_parts(part or list(_PARTS), device, output, measure, format_tables)


def measure_progress(name: str, device: str, repeats: int) -> Entry:
    """Return the progress of an instance's bound: time and value of each increase, for each repetition."""
    from solvers.bounds.load import load as load_kernels
    from solvers.bounds.lower_bound import compute_lower_bounds

    instance = load(name)
    load_kernels(instance, device)
    curves, ends, iterations = [], [], 0
    for _ in range(repeats):
        start_time, rows = perf_counter(), [[0.0, 0]]
        for results in compute_lower_bounds(instance, device=device):
            if results is not None and results.length > rows[-1][1]:
                rows.append([round(perf_counter() - start_time, 4), results.length])
                iterations = results.iterations
        ends.append(round(perf_counter() - start_time, 4))
        curves.append(rows[1:])
    return {
        "instance": name, "n": instance.n, "optimum": instance.optimum, "iterations": iterations, "seconds": ends,
        "curves": curves,
    }  # fmt: skip


def measure_stages(name: str, device: str, repeats: int) -> Entry:
    """Measure the candidates, their graph, a 1-tree over all edges, and an iteration of the ascent, in milliseconds."""
    from solvers.bounds.candidates import build_graph, list_nearest_pairs
    from solvers.bounds.kernels import sparse_tree_cpu as kernel
    from solvers.bounds.load import load as load_kernels
    from solvers.bounds.lower_bound import make_tree_solver
    from solvers.bounds.problem import build_problem

    instance = load(name)
    load_kernels(instance, device)
    problem, trees = make_tree_solver(device, build_problem(instance))
    samples: dict[str, list[float]] = {key: [] for key in ("candidates", "graph", "full_tree", "iteration")}

    def time_stage(stage: str, work: Any, share: int = 1) -> Any:
        start_time = perf_counter()
        done = work()
        samples[stage].append(round(1000 * (perf_counter() - start_time) / share, 5))
        return done

    zero = np.zeros(problem.n, np.int64)
    for _ in range(repeats + 1):
        pairs = time_stage("candidates", lambda: _run_to_result(list_nearest_pairs(problem)))
        tree = time_stage("full_tree", lambda: _run_to_result(trees.full_tree(zero)))
        graph = time_stage("graph", lambda pairs=pairs, tree=tree: build_graph(problem, np.vstack((pairs, tree.edges))))
        trees.take(graph)
        state = np.zeros(kernel.STATE, np.int64)
        state[[kernel.PERIOD, kernel.LEFT]] = 10 * _ITERATIONS
        state[kernel.STEP] = max(1, int(tree.weight.sum()) // problem.n // 64)
        state[kernel.BEST], prices, best, before = -kernel.FAR, zero.copy(), zero.copy(), np.zeros(problem.n, np.int32)

        def climb(prices=prices, before=before, best=best, state=state) -> int:
            return trees.ascend(prices, before, best, state, _ITERATIONS)

        time_stage("iteration", climb, _ITERATIONS)
    trees.close()
    return {"instance": name, "n": instance.n, **{key: values[1:] for key, values in samples.items()}}


def _run_to_result(work: Any) -> Any:
    """Exhaust a generator and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def _find_seconds_to_reference(entry: Entry) -> list[float | None]:
    """Return the seconds until the bound is near its reference, in each repetition."""
    name = entry["instance"]
    target = _NEAR["subtour"] * SUBTOUR[name] if name in SUBTOUR else _NEAR["optimum"] * entry["optimum"]
    return [next((at for at, bound in rows if bound >= target), None) for rows in entry["curves"]]


_PARTS = {"stages": measure_stages, "course": measure_progress}


def format_tables(results: dict[str, Any]) -> str:
    """Format the results in Markdown."""
    parts = []
    if "stages" in results:
        head = ("instance", "candidates", "their graph", "1-tree over all edges", "iteration of the ascent")
        rows = [
            [result["instance"], *(format_figure(statistics.median(result[key])) for key in list(result)[2:])]
            for result in results["stages"]
        ]
        parts.append(format_table("Milliseconds of each stage", head, rows))
    if "course" in results:
        columns = ("instance", "cities", "bound", "optimum above it", "1-trees", "seconds until near", "seconds in all")
        parts.append(format_table("The bound", columns, map(_format_progress_row, results["course"])))
    return "\n".join(parts)


def _format_progress_row(each: Entry) -> list[str]:
    bound, near = each["curves"][0][-1][1], [at for at in _find_seconds_to_reference(each) if at is not None]
    return [
        each["instance"], f"{each['n']:,}", f"{bound:,}", f"{100 * (each['optimum'] / bound - 1):.2f} %",
        f"{each['iterations']:,}", format_figure(statistics.median(near)) if near else "never",
        format_figure(statistics.median(each["seconds"])),
    ]  # fmt: skip
