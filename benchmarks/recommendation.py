"""Whether the recommended algorithm has the best tour of all algorithms, on instances that were not measured before.

A third of the instances is directed. A recommendation is right if its tour is at most 0.1 % longer than the shortest.
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from benchmarks.machine import describe
from data.gaps import gap_percent
from solvers import SOLVERS
from solvers.spec import VERSION, Stage
from studies.file.reader import StudyReader
from studies.recommendation import recommend
from studies.spec.open_ended import until_budget
from studies.spec.spec import stages_json

#: Greatest gap in percent of a right recommendation.
RIGHT = 0.1
#: Least and greatest number of cities, by class.
SIZES = {"uniform": (10, 20_000), "clustered": (10, 20_000), "directed": (10, 600)}


def add_options(parser: ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--instances", type=int, default=45)
    parser.add_argument("--first-seed", type=int, default=1001, help="seed of the first instance")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 5.0])


def main(repeats: int, output: Path | None, instances: int, first_seed: int, seconds: list[float]) -> int:
    """Run all algorithms once on fresh instances, each with one of the limits, and count right recommendations."""
    seeds = range(first_seed, first_seed + instances)
    rows: list[dict[str, Any]] = []
    for turn, limit in enumerate(seconds):
        rows += measure([_fresh(seed) for seed in seeds[turn :: len(seconds)]], limit)
    for row in rows:
        print(row)
    right = sum(row["gap"] is not None and row["gap"] <= RIGHT for row in rows)
    print(f"{right} of {len(rows)} recommendations are right.")
    if output:
        lines = ",\n  ".join(map(json.dumps, rows))
        head = f'"machine": {json.dumps(describe(), indent=1)},\n "right": {right}'
        output.write_text(f'{{{head},\n "results": [\n  {lines}\n ]}}\n')
    return 0


def _fresh(seed: int) -> dict[str, Any]:
    kind = list(SIZES)[seed % len(SIZES)]
    low, high = map(math.log, SIZES[kind])
    return {"generate": kind, "n": round(math.exp(random.Random(seed).uniform(low, high))), "seed": seed}


def measure(references: list[dict[str, Any]], limit: float) -> list[dict[str, Any]]:
    """Run all algorithms on instances for `limit` seconds each; a row per instance."""
    names = [solver.name for solver in SOLVERS if solver.listed and not solver.missing()]
    entries = [{"label": name, "stages": stages_json(until_budget([Stage(name, {})]))} for name in names]
    spec = {
        "v": VERSION, "instances": references, "entries": entries, "seeds": {"count": 1}, "budget": {"seconds": limit},
        "device": "cpu",
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path, study = Path(folder, "fresh.json"), Path(folder, "fresh.tourstudy")
        path.write_text(json.dumps(spec))
        subprocess.run([sys.executable, "-m", "solvers", "study", path, "--out", study], check=True)
        return [_row(number, study, references[number], limit, names) for number in range(len(references))]


def _row(number: int, path: Path, reference: dict[str, Any], limit: float, names: list[str]) -> dict[str, Any]:
    with StudyReader(path) as study:
        cells = {row.cell.number: names[row.cell.entry] for row in study.cells() if row.cell.instance == number}
        lengths = {cells[cell]: result["length"] for cell, result in study.results() if cell in cells}
        directed = study.instance(number).directed
    chosen = recommend(reference["n"], directed, limit, proof=False).algorithm
    gap = gap_percent(lengths[chosen], min(lengths.values())) if chosen in lengths else None
    return {**reference, "seconds": limit, "recommended": chosen, "gap": gap, "lengths": lengths}
