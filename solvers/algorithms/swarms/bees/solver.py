"""Artificial bee colony: bees try changes of tours, most often of short ones."""

from typing import TYPE_CHECKING, ClassVar

from solvers.algorithms.swarms.bees.params import BeeParams
from solvers.algorithms.swarms.solver import SwarmSolver
from solvers.core.params import Params
from solvers.core.solver import Job, Variant

if TYPE_CHECKING:
    from solvers.algorithms.swarms.swarm import Swarm

_KERNEL = "solvers.algorithms.swarms.kernels.bees_cpu:visit"
_KARABOGA = (
    'D. Karaboga and B. Basturk, "A powerful and efficient algorithm for numerical function optimization: artificial '
    'bee colony (ABC) algorithm" (2007)'
)
_KIRAN = (
    'M. S. Kiran, H. Iscan and M. Gunduz, "The analysis of discrete artificial bee colony algorithm with neighborhood '
    'operator on traveling salesman problem" (2013)'
)
_MEMORY = "Tours, 4 bytes a city and food source, and a matrix of all distances."


class ArtificialBeeColony(SwarmSolver):
    """Artificial bee colony with random changes of tours."""

    name: ClassVar[str] = "artificial-bee-colony"
    title: ClassVar[str] = "Artificial bee colony"
    source: ClassVar[str] = f"{_KARABOGA}; for the TSP {_KIRAN}"
    summary: ClassVar[str] = (
        "Bees try random changes of tours, more often of shorter ones, and give up tours that do not improve; worse "
        "than 2-opt from random tours in the same time."
    )
    params: ClassVar[type[Params]] = BeeParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "cpu", "cpu", _KERNEL, "Food sources in parallel, one thread a core.", _KIRAN, _MEMORY,
            "Within a phase food sources are independent of each other.", directed=True,
        ),
        Variant(
            "sequential", "cpu", _KERNEL, "One food source after the other, on one thread.", _KIRAN, _MEMORY,
            "Each food source is a climb by random changes; onlookers give the better ones more of the work.",
            directed=True,
        ),
    )  # fmt: skip

    def _population(self, job: Job, threads: int) -> "Swarm":
        from solvers.algorithms.swarms.bees.colony import BeeColony

        return BeeColony(job, threads)
