"""Checks how other packages read the files in ``tests/data/dialects``, and files that TourScope writes for them.

Requires ``pip install elkai pyvrp vrplib``; tsplib95 is a requirement. Each file is read in a process of its own.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import describe_machine
from benchmarks.packages.readers import READERS, Answer
from benchmarks.saving import save
from data import recognition
from data.collection.resolve import load, resolve
from data.distances import distance_matrix, tour_length
from data.instance import Instance
from data.tsplib.exchange import format_exchange, format_route
from data.tsplib.instances import format_tour

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "tests" / "data" / "dialects"
#: Instances to write, of every kind of distances: names, a reference, and a file that counts from 0.
EXPORTS = ("berlin52", "burma14", "att48", "gr17", "br17", '{"places": "de", "n": 30}', "from-0.tsp")
#: Packages that read TSPLIB tours; the others read VRPLIB routes.
_TSPLIB_TOURS = ("tsplib95", "LKH")
_NO_ANSWER = {"error": "no answer"}


def main(repeats: int, output: Path | None) -> int:
    """Make every package read every file, print the answers, and write them to `output`."""
    rows = json.loads((FILES / "rows.json").read_text("utf-8"))
    with ThreadPoolExecutor(2) as pool:
        asked = {row["file"]: {name: pool.submit(read_row, row, name) for name in READERS} for row in rows}
        files = {file: {name: answer.result() for name, answer in answers.items()} for file, answers in asked.items()}
        trips = {
            name: {reader: pool.submit(survives_round_trip, name, reader) for reader in READERS} for name in EXPORTS
        }
        written = {name: {reader: trip.result() for reader, trip in each.items()} for name, each in trips.items()}
    versions = {name: f"{package} {version(package)}" for name, (package, _) in READERS.items()}
    results = {"machine": describe_machine(), "versions": versions, "files": files, "exports": written}
    print(json.dumps(results, indent=1))
    save(results, output, depth=2)
    return 0


def read_row(row: dict[str, Any], name: str) -> Answer:
    """Describe how a package reads a file: the tour it returns, or the shortest tour under the distances it read."""
    given = _ask_reader(name, FILES / row["file"], FILES / row["tour_of"] if "tour_of" in row else None)
    if "bound" in given:
        return {"n": len(given["tour"]), "length": given["bound"], "tour": given["tour"]}
    return find_shortest(given["nodes"], given["distances"]) if "nodes" in given else given


def find_shortest(nodes: Sequence[int], distances: Sequence[Sequence[float]]) -> Answer:
    """Return the shortest tour of a few cities by brute force, as node numbers; none if there is no square matrix."""
    if not nodes or any(len(row) != len(nodes) for row in distances):
        return {"n": len(nodes), "length": None, "tour": None}

    def measure(order: Sequence[int]) -> float:
        return sum(distances[a][b] for a, b in zip(order, [*order[1:], order[0]], strict=True))

    best = min(((0, *rest) for rest in permutations(range(1, len(nodes)))), key=measure)
    return {"n": len(nodes), "length": round(measure(best), 3), "tour": [nodes[city] for city in best]}


def is_same_cycle(tour: list[int], other: list[int], directed: bool = False) -> bool:
    """Return whether two tours are the same cycle, from any start and in either direction."""
    if sorted(tour) != sorted(other):
        return False
    start = other.index(tour[0])
    turned = [*other[start:], *other[:start]]
    return tour == turned or (not directed and tour == [turned[0], *turned[:0:-1]])


def survives_round_trip(name: str, reader: str) -> Answer:
    """Return whether a package reads the distances of an instance written for it, and a tour of it."""
    instance = load_instance(name)
    order = np.random.default_rng(1).permutation(instance.n).astype(np.int32)
    length = tour_length(instance, order)
    with tempfile.TemporaryDirectory() as folder:
        tsp = Path(folder) / "written.tsp"
        tsp.write_text(format_exchange(instance), "utf-8")
        format_text = format_tour if reader in _TSPLIB_TOURS else format_route
        tour = tsp.with_suffix(".tour")
        tour.write_text(format_text(recognition.read(tsp.read_bytes(), tsp.name), order, length), "utf-8")
        given, tours = _ask_reader(reader, tsp), _ask_reader(reader, tour, tsp)
    if "error" in given or "error" in tours:
        return {"error": given.get("error") or tours["error"]}
    same_tour = all(is_same_cycle(tour, (order + 1).tolist(), instance.directed) for tour in tours["tours"])
    same_tour = same_tour and len(tours["tours"]) == 1
    if "bound" in given:  # these only return tours
        optimum = instance.optimum
        same = sorted(given["tour"]) == list(range(1, instance.n + 1)) and (
            optimum is None or tour_length(instance, np.array(given["tour"], np.int32) - 1) == optimum
        )
        return {"cities": len(given["tour"]), "tour": same_tour, "optimum": same}
    read = np.rint(np.array(given["distances"])).astype(np.int64)
    same = given["nodes"] == list(range(1, instance.n + 1)) and np.array_equal(read, distance_matrix(instance))
    return {"cities": len(read), "tour": same_tour, "distances": same}


def load_instance(name: str) -> Instance:
    """Load an instance of `EXPORTS`."""
    if name.startswith("{"):
        return resolve(json.loads(name), None)
    return recognition.read((FILES / name).read_bytes(), name) if "." in name else load(name)


def _ask_reader(name: str, path: Path, instance: Path | None = None) -> Answer:
    command = [
        sys.executable,
        "-m",
        "benchmarks.packages.readers",
        name,
        str(path),
        *([str(instance)] if instance else []),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    last = done.stdout.strip().rpartition("\n")[2]
    return json.loads(last) if last.startswith("{") else _NO_ANSWER
