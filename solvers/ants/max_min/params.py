"""Parameters of MAX-MIN Ant System."""

from dataclasses import dataclass

from solvers.ants.max_min.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.ants.params import AntParams, local_search
from solvers.params import param

#: Nearest cities that local search looks at.
SEARCHED = 10
#: Between the seeds of two colonies.
APART = 2**53


@dataclass(frozen=True)
class MaxMinParams(AntParams):
    """Parameters of `MaxMinAntSystem`."""

    # 0.5 was the best of those measured for 100 iterations with local search.
    rho: float = param(
        0.5, label="Evaporation", help="The share of the pheromone that evaporates in each iteration.",
        low=0.001, high=1.0, step=0.001, symbol="ρ",
    )  # fmt: skip
    local_search: str = local_search(former_choices={"2-opt": "every"})
    lists: bool = param(
        True, label="Candidate lists",
        help="Whether an ant goes to a candidate as long as one is unvisited. If off, any unvisited city is possible.",
    )  # fmt: skip
    p_best: float = param(
        0.05, label="Probability of the best tour",
        help="Sets the lower pheromone limit: the probability that a converged colony builds its best tour again.",
        low=0.001, high=0.999, step=0.001, symbol="p", advanced=True,
    )  # fmt: skip
    patience: int = param(
        250, label="Restart after",
        help="Iterations without a better tour after which a converged colony restarts; 0: never.",
        low=0, high=1_000_000, step=1, advanced=True,
    )  # fmt: skip
    colonies: int = param(
        1, label="Colonies", help="How many colonies run side by side, each with its own pheromone.",
        low=1, high=32, step=1, advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant", help="What computes: a GPU, all cores, or one thread.",
        choices=("auto", *(row.name for row in (*CPU_VARIANTS, *CUDA_VARIANTS))),
    )  # fmt: skip

    @property
    def shortens_at_the_end(self) -> bool:
        """See `solvers.ants.params.ColonyParams.shortens_at_the_end`."""
        return self.local_search == "last"

    def least_share(self, n: int) -> float:
        """The lower limit of the trails as a share of the upper one.

        Stützle and Hoos (2000), eq. 11, with the mean number of choices that an ant has at a step: half the candidates
        or, without lists, half the cities. With local search 1 / 2n, as in their section 5.
        """
        if self.local_search == "every":
            return 1.0 / (2 * max(n, 1))
        root = self.p_best ** (1.0 / max(n, 1))
        choices = (self.candidates if self.lists else n) / 2
        return min(1.0, (1.0 - root) / (max(choices - 1.0, 1.0) * root))
