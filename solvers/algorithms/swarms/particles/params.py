"""Parameters of particle swarm optimisation."""

from dataclasses import dataclass

from solvers.algorithms.swarms.params import SwarmParams
from solvers.core.params import param, param_like


@dataclass(frozen=True)
class ParticleParams(SwarmParams):
    """Parameters of `ParticleSwarm`."""

    iterations: int = param_like(SwarmParams, "iterations")
    particles: int = param(
        100, label="Particles",
        help="The number of particles. Each is a tour that moves.", low=1, high=10_000, step=1, scale="log", symbol="m",
        tune=(10, 500),
    )  # fmt: skip
    inertia: float = param(
        0.3, label="Inertia", help="The share of its velocity that a particle keeps.",
        low=0.0, high=1.0, step=0.05, symbol="ω",
    )  # fmt: skip
    cognitive: float = param(
        2.0, label="Cognitive weight", help="How far a particle goes towards its own best tour.",
        low=0.0, high=4.0, step=0.1, symbol="c₁",
    )  # fmt: skip
    social: float = param(
        0.1, label="Social weight", help="How far a particle goes towards the swarm's best tour.",
        low=0.0, high=4.0, step=0.1, symbol="c₂",
    )  # fmt: skip
    share: str = param(
        "random", label="Share of a velocity",
        help=(
            "What remains of a velocity that is multiplied by a number below 1: its first swaps, or each swap with "
            "that probability."
        ),
        choices=("first", "random"), advanced=True,
    )  # fmt: skip
    local_search: str = param_like(SwarmParams, "local_search")
    variant: str = param_like(SwarmParams, "variant")

    @property
    def size(self) -> int:
        """Number of particles."""
        return self.particles
