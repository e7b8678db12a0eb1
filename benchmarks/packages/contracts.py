"""Answers a question about a package: ``python -m benchmarks.packages.contracts PACKAGE QUESTION [NUMBER...]``.

Each question has its own process, since a package may end it or never return. Packages used by TourScope are called in
the same way, except for numbers that its distances never have, for which their own functions are called.
"""

import json
import resource
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from time import perf_counter, process_time
from typing import Any

import numpy as np

from data.distances import coordinate_matrix
from solvers import find

#: Computes a tour in visiting order from distances, a time limit in seconds, and a seed.
Solve = Callable[[Any, float, int], Sequence[int]]
Answer = dict[str, Any]


def make_adapter(name: str) -> Solve:
    """Return TourScope's own adapter of a package, with one thread."""
    return lambda distances, seconds, seed: find(name).call(np.asarray(distances), seconds, seed, 1)  # type: ignore[attr-defined]


def make_python_tsp(distances: Any, seconds: float, seed: int) -> Sequence[int]:
    """Return the package's 2-opt, which has a time limit and uses the seed of `random`."""
    import random

    from python_tsp.heuristics import solve_tsp_local_search

    random.seed(seed)
    return solve_tsp_local_search(np.asarray(distances), perturbation_scheme="two_opt", max_processing_time=seconds)[0]


def make_commiv(distances: Any, seconds: float, seed: int) -> Sequence[int]:
    """Return the package's solver, which has no time limit."""
    from commiv import solve_atsp

    return solve_atsp(distances, seed=seed)[1]


def make_pyvrp_floats(distances: Any, seconds: float, seed: int) -> Sequence[int]:
    """Return the package's `Model`, whose edges accept floats."""
    import pyvrp
    from pyvrp.stop import MaxRuntime

    model = pyvrp.Model()
    places = [model.add_location(x=0, y=0) for _ in distances]
    model.add_depot(places[0])
    for place in places[1:]:
        model.add_client(place)
    model.add_vehicle_type(1)
    for a, row in zip(places, distances, strict=True):
        for b, length in zip(places, row, strict=True):
            if a is not b:
                model.add_edge(a, b, distance=length)
    (route,) = model.solve(MaxRuntime(seconds), seed=seed, display=False).best.routes()
    return [0, *(stop.idx + 1 for stop in route if stop.is_client())]


def make_elkai_floats(distances: Any, seconds: float, seed: int) -> Sequence[int]:
    """Return the package's public class."""
    import elkai

    return elkai.DistanceMatrix(distances).solve_tsp()[:-1]


def make_or_tools_floats(distances: Any, seconds: float, seed: int) -> Sequence[int]:
    """Return a callback, as in the package's examples."""
    from ortools.constraint_solver import pywrapcp

    manager = pywrapcp.RoutingIndexManager(len(distances), 1, 0)
    model = pywrapcp.RoutingModel(manager)
    length = lambda a, b: distances[manager.IndexToNode(a)][manager.IndexToNode(b)]  # noqa: E731
    model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitCallback(length))
    results, order, at = model.Solve(), [], model.Start(0)
    while not model.IsEnd(at):
        order.append(manager.IndexToNode(at))
        at = results.Value(model.NextVar(at))
    return order


#: Distribution of each package, its function, and its function for fractional distances.
PACKAGES: dict[str, tuple[str, Solve, Solve]] = {
    "PyVRP": ("pyvrp", make_adapter("pyvrp"), make_pyvrp_floats),
    "OR-Tools": ("ortools", make_adapter("or-tools"), make_or_tools_floats),
    "elkai": ("elkai", make_adapter("elkai"), make_elkai_floats),
    "fast-tsp": ("fast-tsp", make_adapter("fast-tsp"), make_adapter("fast-tsp")),
    "python-tsp": ("python-tsp", make_python_tsp, make_python_tsp),
    "commiv": ("commiv", make_commiv, make_commiv),
}


def generate_distances(n: int) -> np.ndarray:
    """Return the distances of `n` random cities."""
    return coordinate_matrix("EUC_2D", np.random.default_rng(n).integers(0, 10_000, (n, 2)).astype(float))


def measure_tour(distances: Any, tour: Sequence[int]) -> float:
    """Return the length of a tour."""
    return sum(distances[a][b] for a, b in zip(tour, [*tour[1:], tour[0]], strict=True))


def find_optimum(distances: Any) -> float:
    """Return the length of the shortest tour of a few cities."""
    return min(measure_tour(distances, (0, *rest)) for rest in permutations(range(1, len(distances))))


def call_three_times(solve: Solve, distances: Any) -> Sequence[int]:
    """Return the shortest tour of three short calls, so that a single unlucky call does not count."""
    tours = [list(map(int, solve(distances, 0.2, seed))) for seed in (1, 2, 3)]
    wrong = [tour for tour in tours if sorted(tour) != list(range(len(distances)))]
    return wrong[0] if wrong else min(tours, key=lambda tour: measure_tour(distances, tour))


def classify(distances: Any, tour: Sequence[int], shortest: float) -> str:
    """Classify a tour."""
    if sorted(tour) != list(range(len(distances))):
        return "no tour"
    return "optimal" if measure_tour(distances, tour) == shortest else "worse"


def measure_time(solve: Solve, floats: Solve, n: float, seconds: float) -> Answer:
    """Return the seconds of a call for `n` cities with a limit, processor time, and additional memory."""
    distances = generate_distances(int(n))
    solve(generate_distances(5), 0.01, 1)  # for its imports
    before, clock, processor = measure_peak_memory(), perf_counter(), process_time()
    solve(distances, seconds, 1)
    elapsed = perf_counter() - clock
    return {
        "seconds": round(elapsed, 3),
        "processor": round(process_time() - processor, 3),
        "mb": round(measure_peak_memory() - before),
    }


def measure_peak_memory() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check_seed(solve: Solve, floats: Solve, n: float = 200) -> Answer:
    """Return whether three calls of a second with the same seed give the same tour."""
    return {"same": len({tuple(solve(generate_distances(int(n)), 1.0, 7)) for _ in range(3)}) == 1}


def classify_fractions(solve: Solve, floats: Solve) -> Answer:
    """Return the kind of lengths that a package minimises: fractional, rounded, or truncated."""
    rng = np.random.default_rng(1)
    while True:
        half = np.triu(rng.uniform(0, 3, (7, 7)).round(2), 1)
        matrix = half + half.T
        treated = {"kept": matrix, "rounded": np.rint(matrix), "cut": np.trunc(matrix), "all 0": 0 * matrix}
        lengths = {name: find_optimum(matrix.tolist()) for name, matrix in treated.items()}
        tours = {name: find_best_order(matrix.tolist()) for name, matrix in treated.items()}
        crossed = [name for name in tours for other in treated if name != other and other != "all 0"
                   and measure_tour(treated[other].tolist(), tours[name]) <= lengths[other] + 1e-9]  # fmt: skip
        if not crossed:
            break
    tour = call_three_times(floats, matrix.tolist())
    fits = [name for name, matrix in treated.items() if measure_tour(matrix.tolist(), tour) <= lengths[name] + 1e-9]
    return {"fractions": fits[0]}


def find_best_order(distances: Any) -> Sequence[int]:
    """Return the shortest tour of a few cities."""
    return min(
        ((0, *rest) for rest in permutations(range(1, len(distances)))), key=lambda tour: measure_tour(distances, tour)
    )


def classify_large(solve: Solve, floats: Solve, power: float) -> Answer:
    """Classify a tour for distances that are a power of ten plus a few hundred."""
    rng = np.random.default_rng(3)
    half = np.triu(rng.integers(0, 1000, (7, 7)), 1)
    small = half + half.T
    distances = [[0 if a == b else 10 ** int(power) + int(small[a][b]) for b in range(7)] for a in range(7)]
    matrix = np.array(distances, np.int64)
    return {"tour": classify(distances, call_three_times(solve, matrix), find_optimum(distances))}


def classify_directed(solve: Solve, floats: Solve) -> Answer:
    """Classify a tour of 30 cities whose shortest tour is a circle in one direction."""
    order = np.random.default_rng(4).permutation(30)
    matrix = np.random.default_rng(5).integers(50, 100, (30, 30))
    np.fill_diagonal(matrix, 0)
    matrix[order, np.roll(order, -1)] = 1
    tour = call_three_times(solve, matrix)
    return {"tour": classify(matrix.tolist(), tour, 30)}


def classify_few(solve: Solve, floats: Solve, n: float) -> Answer:
    """Classify a tour of one, two or three cities."""
    matrix = generate_distances(int(n)).tolist()
    return {
        "tour": classify(
            matrix, call_three_times(solve, np.array(matrix, np.int32)), measure_tour(matrix, range(int(n)))
        )
    }


def classify_equal(solve: Solve, floats: Solve, distance: float) -> Answer:
    """Classify a tour of 30 cities at equal distances."""
    matrix = np.full((30, 30), int(distance), np.int32)
    np.fill_diagonal(matrix, 0)
    return {"tour": classify(matrix.tolist(), call_three_times(solve, matrix), 30 * int(distance))}


def classify_duplicates(solve: Solve, floats: Solve) -> Answer:
    """Classify a tour of 28 cities, seven at each of four places."""
    points = np.repeat([[0.0, 0.0], [3.0, 0.0], [3.0, 4.0], [0.0, 4.0]], 7, axis=0)
    matrix = coordinate_matrix("EUC_2D", points)
    return {"tour": classify(matrix.tolist(), call_three_times(solve, matrix), 14)}


def classify_negative(solve: Solve, floats: Solve) -> Answer:
    """Classify a tour for mostly negative distances; the shortest tour stays the same with 500 added to each."""
    half = np.triu(np.random.default_rng(3).integers(0, 1000, (7, 7)), 1) - 500
    matrix = (half + half.T).astype(np.int32)
    np.fill_diagonal(matrix, 0)
    return {"tour": classify(matrix.tolist(), call_three_times(solve, matrix), find_optimum(matrix.tolist()))}


QUESTIONS: dict[str, Callable[..., Answer]] = {
    "time": measure_time, "seed": check_seed, "fractions": classify_fractions, "largest": classify_large,
    "directed": classify_directed, "few": classify_few, "equal": classify_equal, "duplicates": classify_duplicates,
    "negative": classify_negative,
}  # fmt: skip


def main(package: str, question: str, *numbers: str) -> None:
    """Print the answer, or the error raised by the package."""
    _, solve, floats = PACKAGES[package]
    try:
        answer = QUESTIONS[question](solve, floats, *map(float, numbers))
    except Exception as error:  # noqa: BLE001 (any error of a package is its answer)
        answer = {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"}
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
