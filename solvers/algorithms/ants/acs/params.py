"""Parameters of Ant Colony System."""

from dataclasses import dataclass

from solvers.algorithms.ants.acs.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.algorithms.ants.params import BEST_TWO_OPT, MOVES, AntParams, ColonyParams, ListParams, colony_gpus_param
from solvers.core.params import param, param_like, ranks_param, variant_param

#: The algorithm's name.
NAME = "ant-colony-system"
#: Maximum number of edges raised above tau_0, per city; see `solvers.algorithms.ants.acs.kernels.trails_cpu`.
RAISED = 64
LOCAL_UPDATES = ("deferred", "lockstep", "racy", "compare-and-swap")
#: The local updates for which the same seed gives the same tours for any number of threads.
REPEATABLE = ("deferred", "lockstep")


def max_raised_edges(n: int) -> int:
    """Return the maximum number of raised edges for n cities."""
    return max(1, min(n * (n - 1) // 2, RAISED * n))


@dataclass(frozen=True)
class AntColonySystemParams(ColonyParams):
    """Parameters of `AntColonySystem`."""

    ants: int = param_like(ColonyParams, "ants", default=128)
    local_search: str = param_like(
        ListParams, "local_search", former=("two_opt",), choices=("none", *MOVES, BEST_TWO_OPT),
        help=(
            "How tours are shortened: not at all, by replacing two edges (2-opt), also by moving up to three cities "
            "(Or-opt), or by replacing up to three edges (3-opt); or only the best ant's tour, by 2-opt among all "
            "pairs of edges with one change per launch (2-opt-of-best, on a GPU, as in Qin and Han's program)."
        ),
    )  # fmt: skip
    local_search_when: str = param_like(ListParams, "local_search_when")
    local_search_neighbours: int = param_like(ListParams, "local_search_neighbours")
    q0: float = param(
        0.9, label="Exploitation",
        help="The probability that an ant takes the best city; otherwise it draws one at random.",
        low=0.0, high=1.0, step=0.01, symbol="q₀",
    )  # fmt: skip
    beta: float = param_like(AntParams, "beta")
    local_update: str = param(
        "deferred", label="Local update",
        help=(
            "When an ant sees the others' local updates, which are the point of this algorithm. deferred: in the "
            "next iteration; lockstep: after each step of all ants; racy: at once, but some may be lost; "
            "compare-and-swap (variant block): at once, and none is lost. The last two are not repeatable."
        ),
        choices=LOCAL_UPDATES, tune=False,
    )  # fmt: skip
    rho: float = param(
        0.1, label="Local evaporation",
        help="The share of an edge's pheromone that evaporates each time an ant takes it.",
        low=0.0, high=1.0, step=0.01, symbol="ρ", advanced=True, tune=(0.01, 0.5),
    )  # fmt: skip
    alpha: float = param(
        0.1, label="Global evaporation",
        help="The share of the pheromone on the best tour that is renewed after each iteration.",
        low=0.001, high=1.0, step=0.01, symbol="α", advanced=True, tune=(0.01, 0.5),
    )  # fmt: skip
    lists: bool = param_like(ListParams, "lists")
    candidates: int = param_like(
        AntParams, "candidates", default=15, low=0,
        help=(
            "How many of the nearest cities an ant considers before all others, at most 31 on a GPU; 0 considers all "
            "cities at each step."
        ),
    )  # fmt: skip
    ranks: int = ranks_param()
    gpus: str = colony_gpus_param()
    variant: str = variant_param(
        (variant.name for variant in (*CPU_VARIANTS, *CUDA_VARIANTS)),
        "Where it runs: on a GPU, on all cores, in one thread, or in MPI processes.",
    )

    @property
    def uses_candidate_lists(self) -> bool:
        """Whether ants go only to candidates while one of these is unvisited."""
        return self.lists and self.candidates > 0
