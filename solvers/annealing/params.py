"""Parameters of simulated annealing."""

import math
from dataclasses import dataclass

from solvers.annealing.variants import CUDA_VARIANTS
from solvers.params import Params, param, variant_param


@dataclass(frozen=True)
class AnnealingParams(Params):
    """Parameters of `SimulatedAnnealing`."""

    chains: int = param(
        10, label="Chains", help="How many tours are annealed, each starting from a random tour.",
        low=1, high=1_000_000, step=1, scale="log", symbol="k",
    )  # fmt: skip
    moves_per_city: int = param(
        500, label="Moves per city",
        help="How many moves are drawn for each city at each temperature; with more, tours get shorter.",
        low=1, high=100_000, step=1, scale="log", former=("steps",),
    )  # fmt: skip
    cooling: float = param(
        0.95, label="Cooling", help="Factor from each temperature to the next.",
        low=0.5, high=0.9999, step=0.01, symbol="α",
    )  # fmt: skip
    acceptance: float = param(
        0.01, label="First acceptance",
        help="The probability at the first temperature of accepting a move that lengthens a local optimum by the mean.",
        low=0.0001, high=0.99, step=0.01, scale="log", symbol="χ₀",
    )  # fmt: skip
    temperature: float = param(
        0.0, label="First temperature", help="In units of length; 0 computes it from the first acceptance.",
        low=0.0, high=1e12, step=1.0, symbol="T₀", advanced=True,
    )  # fmt: skip
    final_temperature_ratio: float = param(
        0.05, label="Final temperature",
        help="As a share of the first temperature; below it only moves that shorten the tour are accepted.",
        low=1e-9, high=1.0, step=0.01, scale="log", advanced=True, former=("final",),
    )  # fmt: skip
    neighbours: int = param(
        10, label="Neighbours", help="A move joins a city with one of this many nearest cities.",
        low=1, high=50, step=1, advanced=True,
    )  # fmt: skip
    far_move_rate: float = param(
        0.0, label="Far-move rate", help="The share of moves that join a city with any other one.",
        low=0.0, high=1.0, step=0.05, advanced=True, former=("far",),
    )  # fmt: skip
    variant: str = variant_param(
        ("cpu", "sequential", *(each.name for each in CUDA_VARIANTS)),
        "What computes: a GPU, all cores, or one thread.",
    )

    @property
    def levels(self) -> int:
        """Return the number of temperatures of a chain."""
        return 1 + math.floor(math.log(self.final_temperature_ratio) / math.log(self.cooling))
