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
#: The tours that deposit pheromone, in Ant System, elitist Ant System and rank-based Ant System.
DEPOSITORS = ("all", "elitist", "rank-based")


@dataclass(frozen=True)
class AntSystemParams(AntParams):
    """Parameters of `AntSystem`."""

    selection: str = param(
        "auto", label="Choice of a city",
        help="How an ant draws its next city; all have the same probabilities but i-roulette, which favours the best.",
        choices=("auto", *SELECTIONS), tune=False,
    )  # fmt: skip
    depositors: str = param(
        "all", label="Who deposits",
        help="All ants; all ants, and the best tour so far as often as there are elitist ants; or only the iteration's "
        "best ants, more the higher their rank, and most of all the best tour so far.",
        choices=DEPOSITORS,
    )  # fmt: skip
    elitists: int = param(
        8, label="Elitist ants", help="With elitist, the best tour so far deposits like this many additional ants.",
        low=1, high=65_536, step=1, scale="log", symbol="e", advanced=True,
    )  # fmt: skip
    rank_weights: int = param(
        6, label="Weight of the best tour",
        help="With rank-based, the best tour so far deposits as so many ants, the best ant of the iteration as one "
        "fewer, and so on down to one.",
        low=1, high=100, step=1, symbol="σ", advanced=True,
    )  # fmt: skip
    trials: int = param(
        8, label="Trials", help="How often a stochastic trial is repeated before a full roulette decides.",
        low=1, high=64, step=1, symbol="w", advanced=True,
    )  # fmt: skip
    trials_at_once: str = param(
        "warps", label="Trials at once",
        help="Of the variant block: each warp makes a trial at the same time; or one follows the other, as in their "
        "paper. The cities are the same.",
        choices=("warps", "one"), gpu=True, advanced=True,
    )  # fmt: skip
    switch: float = param(
        85.0, label="Switch at", help="Per cent of cities visited from which hybrid reads only the unvisited ones.",
        low=0.0, high=100.0, step=1.0, advanced=True,
    )  # fmt: skip
    q: float = param(
        1.0, label="Pheromone of an ant", help="Each ant deposits this much, divided by the length of its tour.",
        low=0.001, high=10_000.0, step=1.0, scale="log", symbol="Q", advanced=True,
    )  # fmt: skip
    scaled_deposit: bool = param(
        False, label="Deposit in longest distances",
        help="Whether tours that deposit are measured in the longest distance of two cities, as Bitner does; so Q is "
        "multiplied by that distance.",
        advanced=True,
    )  # fmt: skip
    least_weight: float = param(
        0.0, label="Minimum weight",
        help="No city's weight, trail^α / distance^β, is less than this; on cores. It is 0.0001 in Utne and Hansen's "
        "program, more than any weight of swiss42, so that its ants walk at random.",
        low=0.0, high=1.0, step=0.0001, advanced=True,
    )  # fmt: skip
    rules: str = param(
        "ant-system", label="Rules of trails",
        help="As in Ant System; or as in Utne and Hansen's program: trails begin at 0.01, stay from 0.0001 to 100,000, "
        "and evaporate once for each ant. On cores.",
        choices=RULES, advanced=True,
    )  # fmt: skip
    initial: str = param(
        "nearest-neighbour", label="Initial pheromone",
        help="n over the length of the nearest-neighbour tour, or 1 everywhere.", choices=("nearest-neighbour", "one"),
        symbol="τ₀", advanced=True,
    )  # fmt: skip
    deposit: str = param(
        "fixed-point", label="Deposit", help="How ants' pheromone is added: whole numbers in any order, row by row, or "
        "after sorting each row; with float-atomic the order changes the sum, and the same seed may give another tour.",
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
        """Whether only the CPU supports these update rules."""
        return self.rules != "ant-system" or self.least_weight > 0

    def deposits(self, n: int) -> int:
        """Return the maximum deposit on an edge per iteration with n cities, in units of one ant's deposit."""
        if self.depositors == "rank-based":
            return self.rank_weights * (self.rank_weights + 1) // 2
        return self.colony_size(n) + (self.elitists if self.depositors == "elitist" else 0)

    def scaled(self, longest: int) -> Self:
        """Return the parameters with Q scaled by the longest distance if `scaled_deposit` is set."""
        own = copy.copy(self)
        if self.scaled_deposit:  # the product may be outside the range of values that can be entered
            object.__setattr__(own, "q", self.q * max(longest, 1))
        return own
