"""OR-Tools: Google's routing solver, with guided local search."""

from typing import Any, ClassVar

import numpy as np

from solvers.algorithms.reference.package import Package, package_variant
from solvers.algorithms.reference.solver import ReferenceSolver
from solvers.core.solver import Variant

_PACKAGE = Package("ortools", "ortools", "Apache 2.0", max_cities=5000)
_KERNEL = "ortools.constraint_solver.pywrapcp:RoutingModel"


class OrTools(ReferenceSolver):
    """The routing solver of OR-Tools with one vehicle."""

    package: ClassVar[Package] = _PACKAGE
    name: ClassVar[str] = "or-tools"
    title: ClassVar[str] = "OR-Tools routing"
    source: ClassVar[str] = (
        "L. Perron and V. Furnon, OR-Tools (https://developers.google.com/optimization); guided local search after C. "
        'Voudouris and E. Tsang, "Guided local search and its application to the traveling salesman problem" (1999)'
    )
    summary: ClassVar[str] = (
        "Google's solver for vehicle routing with a single vehicle, for comparison: called with rising time limits, "
        "of which each shows its final tour only. What it prepares comes on top of a limit: a third of a second for "
        "3,000 cities."
    )
    variants: ClassVar[tuple[Variant, ...]] = (
        package_variant("sequential", _KERNEL, "One thread, as the routing solver is.", _PACKAGE, directed=True),
    )

    @classmethod
    def call(cls, distances: np.ndarray, seconds: float, seed: int, threads: int) -> Any:
        """See `ReferenceSolver.call`; the routing solver takes no seed."""
        from ortools.constraint_solver import pywrapcp, routing_enums_pb2

        manager = pywrapcp.RoutingIndexManager(len(distances), 1, 0)
        model = pywrapcp.RoutingModel(manager)
        model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitMatrix(distances.tolist()))
        search = pywrapcp.DefaultRoutingSearchParameters()
        search.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PATH_CHEAPEST_ARC
        search.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
        search.time_limit.FromMilliseconds(max(1, round(1000 * seconds)))
        solution = model.SolveWithParameters(search)
        if solution is None:
            return []
        order: list[int] = []
        at = model.Start(0)
        while not model.IsEnd(at):
            order.append(manager.IndexToNode(at))
            at = solution.Value(model.NextVar(at))
        return order
