"""Measures what a run on a GPU costs besides its kernels, through the Python interface, with and without pictures.

Kernels: launches alone, without reports, on the device's clock or between two synchronisations. Runs: the clock of
`tourscope.run`, whose events are read as they come; and of `tourscope.solve`.
"""

from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import tourscope as ts
from benchmarks.ants import colonies
from benchmarks.ants.acs import variants as acs
from benchmarks.held_karp import variants as held_karp
from benchmarks.held_karp.instances import generate_square
from benchmarks.parts import describe_hardware
from benchmarks.saving import save
from benchmarks.two_opt import gpu as two_opt
from data.collection.resolve import load

#: Number of iterations of an ant run; seconds in which to sample an iteration.
_ITERATIONS, _SECONDS = 1000, 2.0
_PLAN = colonies.Plan(iterations=300, seconds=_SECONDS)


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--only", choices=_CASES, nargs="+", help="measure these alone")


def main(repeats: int, output: Path | None, only: list[str] | None) -> int:
    """Measure kernels and runs in turn, print milliseconds, and write the raw samples to `output`."""
    results: dict[str, Any] = {"machine": describe_hardware("cuda"), "unit": "ms, of ants per iteration", "samples": {}}
    print(f"{'':<28}{'kernels':>10}{'solve':>10}{'pictures':>10}")
    for name in only or _CASES:
        instance, algorithm, share, kernels = _CASES[name]()
        rows: dict[str, list[float]] = {"kernels": [], "solve": [], "pictures": []}
        for turn in range(repeats + 1):
            sample = {"kernels": kernels(), "solve": _solve(instance, algorithm, turn) / share}
            sample["pictures"] = _run_to_end(instance, algorithm, turn) / share
            for key, value in sample.items() if turn else ():  # the first turn loads the kernels
                rows[key].append(round(value, 5))
        results["samples"][name] = rows
        values = {key: median(samples) for key, samples in rows.items()}
        ratios = (f"{values[key] / values['kernels']:10.3f}" for key in ("solve", "pictures"))
        print(f"{name:<28}{''.join(f'{value:10.4f}' for value in values.values())} {''.join(ratios)}", flush=True)
        save(results, output)
    return 0


#: The instance's name or coordinates, the algorithm, the number of iterations, and the kernel milliseconds of one
#: iteration.
_Case = tuple[Any, Any, int, Callable[[], float]]


def _solve(instance: Any, algorithm: Any, seed: int) -> float:
    return 1e3 * ts.solve(instance, algorithm, seed=seed + 1, device="cuda").seconds


def _run_to_end(instance: Any, algorithm: Any, seed: int) -> float:
    with ts.run(instance, algorithm, seed=seed + 1, device="cuda", pictures=True) as run:
        for _ in run:
            continue
    assert run.result is not None
    return 1e3 * run.result.seconds


def _make_colony_case(make: Callable[[], Any]) -> float:
    with closing(make()) as colony:
        return median(acs.sample_iterations(_PLAN, colony))


def _make_ant_system() -> _Case:
    make = partial(colonies.create_ant_system, load("pr1002"), colonies.find_variant("warp, nearest-first"))
    algorithm = ts.AntSystem(iterations=_ITERATIONS, variant="warp", selection="nearest-first")
    return "pr1002", algorithm, _ITERATIONS, partial(_make_colony_case, make)


def _make_max_min() -> _Case:
    params: dict[str, Any] = {"local_search": "none", "lists": True, "rho": 0.5}
    make = partial(colonies.create_max_min, load("pr1002"), **params)
    algorithm = ts.MaxMinAntSystem(iterations=_ITERATIONS, variant="warp", **params)
    return "pr1002", algorithm, _ITERATIONS, partial(_make_colony_case, make)


def _make_acs() -> _Case:
    timed = acs.TimedVariant("warp", "deferred")
    algorithm = ts.AntColonySystem(iterations=_ITERATIONS, **timed.params())
    return (
        "pr1002",
        algorithm,
        _ITERATIONS,
        partial(_make_colony_case, partial(acs.create_colony, load("pr1002"), timed)),
    )


def _make_climbs_case(name: str, variant: Any, climbers: int) -> _Case:
    timed = two_opt.parse_variant(f"{variant}, exact")

    def finish() -> float:
        return 1e3 * median(two_opt.measure_finish(timed, load(name), climbers, 1)["seconds"])

    return name, ts.TwoOpt(climbers=climbers, variant=variant), 1, finish


def _make_held_karp_case() -> _Case:
    instance, timed = generate_square(20, 1000), held_karp.TimedVariant("cuda")

    def compute_layers() -> float:
        return 1e3 * held_karp.time_layers(instance, timed, 9)[0]

    return instance.coordinates, ts.HeldKarp(variant="cuda"), 1, compute_layers


_CASES: dict[str, Callable[[], _Case]] = {
    "ant-system pr1002": _make_ant_system,
    "max-min lists pr1002": _make_max_min,
    "acs pr1002": _make_acs,
    "strip 1,000 pr1002": partial(_make_climbs_case, "pr1002", "strip", 1000),
    "multi-move 100,000 kroA100": partial(_make_climbs_case, "kroA100", "multi-move", 100_000),
    "held-karp 20": _make_held_karp_case,
}
