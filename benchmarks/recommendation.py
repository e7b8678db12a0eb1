"""Checks on new instances whether the recommended algorithm finds the best tour of all algorithms.

A third of the instances is directed. A recommendation is right if its tour is at most 0.1 % longer than the shortest.
"""

import math
import random
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine
from benchmarks.saving import save
from data.gaps import gap_percent
from solvers import SOLVERS
from studies.recommendation import recommend
from studies.recommendation.measuring import Reference, measure

#: Maximum gap in percent at which a recommendation counts as right.
RIGHT = 0.1
#: Minimum and maximum number of cities, by class.
SIZES = {"uniform": (10, 20_000), "clustered": (10, 20_000), "directed": (10, 600)}


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--instances", type=int, default=45)
    parser.add_argument("--first-seed", type=int, default=1001, help="seed of the first instance")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 5.0])


def main(repeats: int, output: Path | None, instances: int, first_seed: int, seconds: list[float]) -> int:
    """Run all algorithms once on fresh instances, each with one of the limits, and count right recommendations."""
    seeds = range(first_seed, first_seed + instances)
    rows: list[dict[str, Any]] = []
    for turn, limit in enumerate(seconds):
        fresh = [_generate(seed) for seed in seeds[turn :: len(seconds)]]
        rows += map(_judge, measure(fresh, [solver for solver in SOLVERS if solver.listed], limit))
    for row in rows:
        print({name: value for name, value in row.items() if name != "lengths"})
    right = sum(row["gap"] <= RIGHT for row in rows)
    print(f"{right} of {len(rows)} recommendations are right.")
    save({"machine": describe_machine(), "right": right, "results": rows}, output, depth=2)
    return 0


def _generate(seed: int) -> Reference:
    kind = list(SIZES)[seed % len(SIZES)]
    low, high = map(math.log, SIZES[kind])
    return {"generate": kind, "n": round(math.exp(random.Random(seed).uniform(low, high))), "seed": seed}


def _judge(row: dict[str, Any]) -> dict[str, Any]:
    lengths, best = row["lengths"], min(row["lengths"].values())
    algorithm = recommend(row["n"], row["directed"], row["limit"], proof=False).algorithm
    gap = gap_percent(lengths[algorithm], best) if algorithm in lengths else math.inf
    return {**row["instance"], "seconds": row["limit"], "recommended": algorithm, "gap": gap, "lengths": lengths}
