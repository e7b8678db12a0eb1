"""Particle swarm optimisation: tours move swap by swap towards their own best tours and the swarm's."""

from typing import TYPE_CHECKING, ClassVar

from solvers.algorithms.swarms.particles.params import ParticleParams
from solvers.algorithms.swarms.solver import SwarmSolver
from solvers.core.params import Params
from solvers.core.solver import Job, Variant

if TYPE_CHECKING:
    from solvers.algorithms.swarms.swarm import Swarm

_KERNEL = "solvers.algorithms.swarms.kernels.particles_cpu:move"
_CLERC = 'M. Clerc, "Discrete Particle Swarm Optimization, illustrated by the Traveling Salesman Problem" (2004)'
_MEMORY = "Tours, best tours and velocities, 16 bytes a city and particle, and a matrix of all distances."


class ParticleSwarm(SwarmSolver):
    """Discrete particle swarm optimisation with sequences of swaps as velocities."""

    name: ClassVar[str] = "particle-swarm"
    title: ClassVar[str] = "Particle swarm"
    source: ClassVar[str] = f'J. Kennedy and R. Eberhart, "Particle Swarm Optimization" (1995); for the TSP {_CLERC}'
    summary: ClassVar[str] = (
        "Tours move by swaps of cities towards their own best tour and the swarm's; far worse than 2-opt from random "
        "tours in the same time."
    )
    params: ClassVar[type[Params]] = ParticleParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "cpu", "cpu", _KERNEL, "Particles in parallel, one thread a core.", _CLERC, _MEMORY,
            "Within an iteration particles are independent of each other.", directed=True,
        ),
        Variant(
            "sequential", "cpu", _KERNEL, "One particle after the other, on one thread.", _CLERC, _MEMORY,
            "Subtracting two tours gives a sequence of swaps; a share of it is a step on the way.", directed=True,
        ),
    )  # fmt: skip

    def _population(self, job: Job, threads: int) -> "Swarm":
        from solvers.algorithms.swarms.particles.swarm import ParticleSwarm as Particles

        return Particles(job, threads)
