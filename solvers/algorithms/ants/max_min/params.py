"""Parameters of MAX-MIN Ant System."""

from dataclasses import dataclass
from typing import Any

from solvers.algorithms.ants.max_min.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.algorithms.ants.params import AntParams, ListParams
from solvers.core.params import gpus_param, param, variant_param


@dataclass(frozen=True)
class MaxMinParams(ListParams, AntParams):
    """Parameters of `MaxMinAntSystem`."""

    # For 100 iterations with local search, a rho of 0.5 measured best.
    p_best: float = param(
        0.05, label="Probability of the best tour",
        help=(
            "The probability that a converged colony builds its best tour again, which sets the lower pheromone "
            "limit."
        ),
        low=0.001, high=0.999, step=0.001, symbol="p", advanced=True,
    )  # fmt: skip
    patience: int = param(
        250, label="Restart after",
        help=(
            "How many iterations without a better tour a converged colony makes before it restarts; 0 never restarts "
            "it."
        ),
        low=0, high=1_000_000, step=1, advanced=True,
    )  # fmt: skip
    colonies: int = param(
        1, label="Colonies",
        help="The number of colonies, each with its own pheromone; bai runs all at once, other variants in turn.",
        low=1, high=32, step=1, advanced=True,
    )  # fmt: skip
    gpus: str = gpus_param(
        "Whether one GPU runs the ants, or all GPUs share them; with several colonies, each GPU has its own."
    )
    variant: str = variant_param(
        (variant.name for variant in (*CPU_VARIANTS, *CUDA_VARIANTS)),
        "Where it runs: on a GPU, on all cores, or in one thread.",
    )

    @classmethod
    def from_version_1(cls, values: dict[str, Any]) -> dict[str, Any]:
        """See `solvers.core.params.Params`; in version 1, ``2-opt`` meant 2-opt and Or-opt on every tour."""
        return {**values, "local_search": "every"} if values.get("local_search") == "2-opt" else values

    def min_share(self, n: int) -> float:
        """Return the lower trail limit as a share of the upper one.

        Stützle and Hoos (2000), eq. 11, where an ant's mean number of options per step is half the number of candidates
        or, without lists, of cities. With local search, the share is 1 / 2n, as in their section 5.
        """
        if self.shortens_every_tour:
            return 1.0 / (2 * max(n, 1))
        root = self.p_best ** (1.0 / max(n, 1))
        choices = (self.candidates if self.lists else n) / 2
        return min(1.0, (1.0 - root) / (max(choices - 1.0, 1.0) * root))
