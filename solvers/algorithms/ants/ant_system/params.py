"""Parameters of Ant System."""

import copy
from dataclasses import dataclass
from typing import Self

from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.algorithms.ants.params import AntParams, colony_gpus_param
from solvers.algorithms.ants.variants import SELECTIONS
from solvers.core.params import param, variant_param

DEPOSITS = ("fixed-point", "rows", "histogram", "float-atomic")
#: Rules for the initial trails, their evaporation and their limits.
RULES = ("ant-system", "utne-hansen")
#: Which tours deposit pheromone: in Ant System, in elitist Ant System and in rank-based Ant System.
DEPOSITORS = ("all", "elitist", "rank-based")


@dataclass(frozen=True)
class AntSystemParams(AntParams):
    """Parameters of `AntSystem`."""

    selection: str = param(
        "auto", label="Choice of a city",
        help=(
            "How an ant draws its next city. The probabilities are the same for all but i-roulette, which favours "
            "the best."
        ),
        choices=("auto", *SELECTIONS), tune=False,
    )  # fmt: skip
    depositors: str = param(
        "all", label="Who deposits",
        help=(
            "Who deposits: all ants; all ants, and the best tour so far once for each elitist ant; or only the best "
            "ants of the iteration, more the higher their rank, and the best tour so far most of all."
        ),
        choices=DEPOSITORS,
    )  # fmt: skip
    elitists: int = param(
        8, label="Elitist ants", help="With elitist: the best tour so far deposits as much as this many more ants.",
        low=1, high=65_536, step=1, scale="log", symbol="e", advanced=True,
    )  # fmt: skip
    rank_weights: int = param(
        6, label="Weight of the best tour",
        help=(
            "With rank-based: the best tour so far deposits as much as this many ants, the iteration's best ant as "
            "much as one fewer, and so on down to one."
        ),
        low=1, high=100, step=1, symbol="σ", advanced=True,
    )  # fmt: skip
    trials: int = param(
        8, label="Trials", help="How often a stochastic trial is repeated before a full roulette decides.",
        low=1, high=64, step=1, symbol="w", advanced=True,
    )  # fmt: skip
    trials_at_once: str = param(
        "warps", label="Trials at once",
        help=(
            "For the variant block: whether its warps make trials at the same time, or one after the other as in "
            "their paper. The chosen cities are the same."
        ),
        choices=("warps", "one"), gpu=True, advanced=True,
    )  # fmt: skip
    switch: float = param(
        85.0, label="Switch at",
        help="The percentage of visited cities from which hybrid reads only the unvisited ones.",
        low=0.0, high=100.0, step=1.0, advanced=True,
    )  # fmt: skip
    q: float = param(
        1.0, label="Pheromone of an ant", help="Each ant deposits this much, divided by the length of its tour.",
        low=0.001, high=10_000.0, step=1.0, scale="log", symbol="Q", advanced=True,
    )  # fmt: skip
    scaled_deposit: bool = param(
        False, label="Deposit in longest distances",
        help=(
            "Whether tours that deposit are measured in units of the longest distance between two cities, as Bitner "
            "does. This multiplies Q by that distance."
        ),
        advanced=True,
    )  # fmt: skip
    least_weight: float = param(
        0.0, label="Minimum weight",
        help=(
            "The least weight of a city, trail^α / distance^β, on cores. In Utne and Hansen's program it is 0.0001, "
            "more than any weight in swiss42, so its ants walk at random."
        ),
        low=0.0, high=1.0, step=0.0001, advanced=True,
    )  # fmt: skip
    rules: str = param(
        "ant-system", label="Rules of trails",
        help=(
            "The rules of Ant System, or those of Utne and Hansen's program, on cores: trails start at 0.01, stay "
            "between 0.0001 and 100,000, and evaporate once for each ant."
        ),
        choices=RULES, advanced=True,
    )  # fmt: skip
    initial: str = param(
        "nearest-neighbour", label="Initial pheromone",
        help="The first trail on all edges: n divided by the length of the nearest-neighbour tour, or 1.",
        choices=("nearest-neighbour", "one"),
        symbol="τ₀", advanced=True,
    )  # fmt: skip
    deposit: str = param(
        "fixed-point", label="Deposit", help=(
            "How the ants' pheromone is added: as whole numbers in any order, row by row, or after sorting each row. "
            "With float-atomic the order changes the sum, so the same seed may give another tour."
        ),
        choices=DEPOSITS, gpu=True, advanced=True,
    )  # fmt: skip
    graph: bool = param(
        True, label="CUDA graph", help="Whether an iteration's kernels are launched as one CUDA graph.", gpu=True,
        advanced=True,
    )  # fmt: skip
    gpus: str = colony_gpus_param()
    variant: str = variant_param(
        (variant.name for variant in (*CPU_VARIANTS, *CUDA_VARIANTS)),
        "Where it runs: on a GPU by one of several kernels, on all cores, or in one thread.",
    )

    @property
    def needs_cores(self) -> bool:
        """Whether only the CPU supports these rules."""
        return self.rules != "ant-system" or self.least_weight > 0

    def deposits(self, n: int) -> int:
        """Return the most that an edge can receive per iteration with n cities, in units of one ant's deposit."""
        if self.depositors == "rank-based":
            return self.rank_weights * (self.rank_weights + 1) // 2
        return self.colony_size(n) + (self.elitists if self.depositors == "elitist" else 0)

    def scaled(self, longest: int) -> Self:
        """Return the parameters with Q scaled by the longest distance if `scaled_deposit` is set."""
        own = copy.copy(self)
        if self.scaled_deposit:  # the product may be outside the range of values that users can enter
            object.__setattr__(own, "q", self.q * max(longest, 1))
        return own
