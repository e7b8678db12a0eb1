"""Parameters of the artificial bee colony."""

from dataclasses import dataclass

from solvers.algorithms.swarms.params import SwarmParams
from solvers.core.params import param, param_like

#: Kinds of changes of a tour, in the order of the constants of `solvers.algorithms.swarms.kernels.bees_cpu`.
CHANGES = ("swap", "insertion", "reversal", "mixed")


@dataclass(frozen=True)
class BeeParams(SwarmParams):
    """Parameters of `ArtificialBeeColony`."""

    iterations: int = param_like(SwarmParams, "iterations", default=10_000)
    sources: int = param(
        50, label="Food sources",
        help="How many tours the colony keeps, each with an employed bee. There are as many onlookers.",
        low=1, high=10_000, step=1, scale="log", symbol="SN", tune=(10, 500),
    )  # fmt: skip
    limit: int = param(
        0, label="Limit",
        help=(
            "After how many failed trials a scout replaces a food source; 0 uses the number of sources times that of "
            "cities."
        ),
        low=0, high=1_000_000_000, step=1, tune=(0, 20_000),
    )  # fmt: skip
    change: str = param(
        "mixed", label="Change of a tour",
        help="What a bee tries: to swap two cities, to move one, to reverse a part, or one of these at random.",
        choices=CHANGES,
    )  # fmt: skip
    local_search: str = param_like(SwarmParams, "local_search")
    variant: str = param_like(SwarmParams, "variant")

    @property
    def size(self) -> int:
        """Number of food sources."""
        return self.sources

    def trials(self, n: int) -> int:
        """Return the maximum number of failed trials for n cities."""
        return self.limit or self.sources * n
