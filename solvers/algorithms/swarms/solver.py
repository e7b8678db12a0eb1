"""Base class of swarm algorithms."""

from typing import ClassVar

from data.instance import Instance
from data.limits import MAX_MATRIX
from solvers.core.params import Params
from solvers.parallel.population_solver import PopulationSolver


class SwarmSolver(PopulationSolver):
    """Base class of swarm algorithms, which have iterations instead of generations."""

    family: ClassVar[str] = "swarm"
    iteration_unit: ClassVar[str] = "iteration"
    comparison: ClassVar[str] = "The same tours, computed by one thread or by all: a seed's result is the same."

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.core.solver.Solver`; refuses instances whose distance matrix is too large."""
        n = instance.n
        if n <= MAX_MATRIX:
            return ""
        return (
            f"{instance.name} has {n:,} cities; with the distances between all of them at most {MAX_MATRIX:,} can run."
        )
