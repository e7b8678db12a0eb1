"""Parameters of Ant Colony System."""

from dataclasses import dataclass

from solvers.ants.acs.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.ants.params import ColonyParams, local_search
from solvers.params import param

#: The algorithm's name.
NAME = "ant-colony-system"
#: Nearest cities that 2-opt looks at.
SEARCHED = 10
#: Edges that can be raised above tau_0, for each city; see `solvers.ants.acs.kernels.trails_cpu`.
RAISED = 64
LOCAL_UPDATES = ("deferred", "lockstep", "racy")


def room(n: int) -> int:
    """How many edges of n cities can be raised."""
    return max(1, min(n * (n - 1) // 2, RAISED * n))


@dataclass(frozen=True)
class AntColonySystemParams(ColonyParams):
    """Parameters of `AntColonySystem`."""

    ants: int = param(
        128, label="Ants", help="Tours built in an iteration; 0: as many ants as cities.",
        low=0, high=65_536, step=1, symbol="m",
    )  # fmt: skip
    local_search: str = local_search(former=("two_opt",))
    q0: float = param(
        0.9, label="Exploitation", help="The probability that an ant takes the best city; else it draws one at random.",
        low=0.0, high=1.0, step=0.01, symbol="q₀",
    )  # fmt: skip
    beta: float = param(
        2.0, label="Weight of distance", help="The exponent of 1 / distance in an ant's choice.",
        low=0.0, high=10.0, step=0.1, symbol="β",
    )  # fmt: skip
    local_update: str = param(
        "deferred", label="Local update",
        help="When ants see each other's local updates: in the next iteration, at the next step, or at once in "
        "any order; the last is not repeatable.",
        choices=LOCAL_UPDATES,
    )  # fmt: skip
    rho: float = param(
        0.1, label="Local evaporation",
        help="The share of an edge's pheromone that evaporates each time an ant takes it.",
        low=0.0, high=1.0, step=0.01, symbol="ρ", advanced=True,
    )  # fmt: skip
    alpha: float = param(
        0.1, label="Global evaporation",
        help="The share of the pheromone on the best tour that is renewed after each iteration.",
        low=0.001, high=1.0, step=0.01, symbol="α", advanced=True,
    )  # fmt: skip
    lists: bool = param(
        True, label="Candidate lists",
        help="Whether an ant goes to a candidate as long as one is unvisited. If off, any unvisited city is possible.",
    )  # fmt: skip
    candidates: int = param(
        15, label="Candidates",
        help="How many nearest cities an ant considers before all others, at most 31 on a GPU; 0: all "
        "cities at each step.",
        low=0, high=32, step=1, symbol="nn", advanced=True,
    )  # fmt: skip
    ranks: int = param(
        0, label="Ranks", help="Processes of the variant mpi; 0 for one per core.",
        low=0, high=256, step=1, advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant", help="What computes: a GPU, all cores, one thread, or MPI processes.",
        choices=("auto", *(row.name for row in (*CPU_VARIANTS, *CUDA_VARIANTS))),
    )  # fmt: skip

    @property
    def goes_by_lists(self) -> bool:
        """Whether there are candidate lists, and ants keep to them."""
        return self.lists and self.candidates > 0

    @property
    def shortens_at_the_end(self) -> bool:
        """See `solvers.ants.params.ColonyParams.shortens_at_the_end`."""
        return self.local_search == "last"
