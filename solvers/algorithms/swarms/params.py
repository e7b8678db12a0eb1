"""Parameters shared by particles and bees."""

from dataclasses import dataclass

from solvers.core.params import Params, param, variant_param


@dataclass(frozen=True)
class SwarmParams(Params):
    """Parameters of `solvers.algorithms.swarms.solver.SwarmSolver`."""

    iterations: int = param(
        1000, label="Iterations", help="How many iterations the swarm makes.",
        low=1, high=10_000_000, step=1, scale="log",
    )  # fmt: skip
    local_search: str = param(
        "none", label="Local search",
        help="Whether tours are shortened by 2-opt and by moving up to three cities. The papers do neither.",
        choices=("none", "every"),
    )  # fmt: skip
    variant: str = variant_param(("cpu", "sequential"), "Where it runs: on all cores, or in one thread.")

    @property
    def size(self) -> int:
        """Number of tours."""
        raise NotImplementedError
