"""Prints what a package reads from a file, as JSON: ``python -m benchmarks.packages.readers PACKAGE FILE [INSTANCE]``.

Each file has its own process, since a package may end it. `INSTANCE` is the instance's file if `FILE` contains a tour.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

Answer = dict[str, Any]


def read_tsplib95(path: str, instance: str | None) -> Answer:
    import tsplib95

    problem = tsplib95.load(path)
    if instance:
        return {"tours": problem.tours}
    nodes = list(problem.get_nodes())
    listed = {frozenset(edge) for edge in problem.get_edges()} if problem.edge_data_format else None
    missing = lambda a, b: listed is not None and a != b and frozenset((a, b)) not in listed  # noqa: E731
    rows = [[1e9 if missing(a, b) else problem.get_weight(a, b) for b in nodes] for a in nodes]
    return {"nodes": nodes, "distances": rows}


def read_vrplib(path: str, instance: str | None) -> Answer:
    """Read without node numbers: VRPLIB counts nodes from 1, and in routes from the depot, which is 0."""
    import vrplib

    if instance:
        return {"tours": [[1, *(city + 1 for city in route)] for route in vrplib.read_solution(path)["routes"]]}
    return _classify_distances(vrplib.read_instance(path)["edge_weight"])


def read_lkh(path: str, instance: str | None) -> Answer:
    """Read with elkai, which takes text and returns neither distances nor lengths, only LKH's tour and lower bound.

    Without trials, LKH's tour is the initial one, which comes from the file.
    """
    from elkai import _elkai

    problem = Path(instance or path).read_text(encoding="utf-8")
    settings = "RUNS = 1\nSEED = 1\nTRACE_LEVEL = 1\nPROBLEM_FILE = :stdin:\n"
    settings += f"MAX_TRIALS = 0\nINITIAL_TOUR_FILE = {path}\n" if instance else ""
    output = os.dup(1)
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)
        try:
            tour = _elkai.solve_problem(settings, problem)
        finally:
            os.dup2(output, 1)
        printed.seek(0)
        bound = re.search(r"Lower bound = ([-\d.]+)", printed.read().decode())
    return {"tours": [tour]} if instance else {"tour": tour, "bound": float(bound[1]) if bound else None}


def read_pyvrp(path: str, instance: str | None) -> Answer:
    import pyvrp

    data = pyvrp.read(instance or path, round_func="round")
    if instance:
        solution = pyvrp.read_solution(path, data)
        return {"tours": [[1, *(stop.idx + 2 for stop in route if stop.is_client())] for route in solution.routes()]}
    return _classify_distances(data.distance_matrices()[0])


def _classify_distances(distances: Any) -> Answer:
    rows = [[float(length) for length in row] for row in distances]
    return {"nodes": list(range(1, len(rows) + 1)), "distances": rows}


#: Distribution of each package, and its reader.
READERS = {
    "tsplib95": ("tsplib95", read_tsplib95),
    "vrplib": ("vrplib", read_vrplib),
    "LKH": ("elkai", read_lkh),
    "PyVRP": ("pyvrp", read_pyvrp),
}


def main(name: str, path: str, instance: str | None = None) -> None:
    """Print what a package reads, or the error raised by it."""
    try:
        answer = READERS[name][1](path, instance)
    except Exception as error:  # noqa: BLE001 (any error of a package is its answer)
        # without the folder, which differs between machines
        sentence = " ".join(str(error).split()).replace(f"{Path(path).parent}/", "")[:120]
        answer = {"error": f"{type(error).__name__}: {sentence}"}
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
