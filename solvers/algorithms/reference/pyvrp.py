"""PyVRP: iterated local search for vehicle routing."""

from typing import Any, ClassVar

import numpy as np

from solvers.algorithms.reference.package import Package, package_variant
from solvers.algorithms.reference.solver import ReferenceSolver
from solvers.core.neighbours import nearest_neighbour_tour
from solvers.core.solver import Variant

_PACKAGE = Package("pyvrp", "pyvrp", "MIT", max_cities=5000)


class PyVrp(ReferenceSolver):
    """PyVRP with one vehicle."""

    package: ClassVar[Package] = _PACKAGE
    name: ClassVar[str] = "pyvrp"
    title: ClassVar[str] = "PyVRP"
    source: ClassVar[str] = (
        'N. A. Wouda, L. Lan and W. Kool, "PyVRP: a high-performance VRP solver package" (2024), '
        "https://github.com/PyVRP/PyVRP"
    )
    summary: ClassVar[str] = (
        "PyVRP, a solver for vehicle routing, with a single vehicle, for comparison: called with rising time limits,"
        " of which each shows its final tour only. What it prepares comes on top of a limit: nearly a second for "
        "3,000 cities."
    )
    variants: ClassVar[tuple[Variant, ...]] = (
        package_variant("sequential", "pyvrp:solve", "One thread, as PyVRP is.", _PACKAGE, directed=True),
    )

    @classmethod
    def call(cls, distances: np.ndarray, seconds: float, seed: int, threads: int) -> Any:
        """See `ReferenceSolver.call`; city 0 is the depot.

        The search begins with the nearest-neighbour tour. The default, a random tour, is worse: the first local search
        ignores the time limit, and takes more than a minute for 5,000 cities; for 1,000 cities, tours are longer after
        equal time.
        """
        import pyvrp
        from pyvrp.stop import MaxRuntime

        n, lengths = len(distances), distances.astype(np.int64)
        data = pyvrp.ProblemData(
            locations=[pyvrp.Location(0, 0)] * n,
            clients=[pyvrp.Client(city) for city in range(1, n)],
            depots=[pyvrp.Depot(0)],
            vehicle_types=[pyvrp.VehicleType()],
            distance_matrices=[lengths],
            duration_matrices=[np.zeros_like(lengths)],
        )
        start = pyvrp.Solution(data, [(nearest_neighbour_tour(distances)[1:] - 1).tolist()])
        solution = pyvrp.solve(
            data, MaxRuntime(seconds), seed=seed, collect_stats=False, display=False, initial_solution=start
        )
        (route,) = solution.best.routes()
        return [0, *(stop.idx + 1 for stop in route if stop.is_client())]
