"""Parameters of simulated annealing."""

from dataclasses import dataclass

from solvers.algorithms.annealing.schedules import SCHEDULES, count_levels
from solvers.algorithms.annealing.variants import CUDA_VARIANTS, EXCHANGE, ROUNDS
from solvers.core.params import Params, gpus_param, param, variant_param


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
        low=1, high=100_000, step=1, scale="log", former=("steps",), tune=(20, 2000),
    )  # fmt: skip
    cool_after: str = param(
        "moves-per-city", label="Cool after",
        help="When the temperature changes: after the moves per city, or after each draw, as Utne and Hansen do.",
        choices=("moves-per-city", "draw"),
    )  # fmt: skip
    schedule: str = param(
        "geometric", label="Schedule",
        help=(
            "How the temperature falls: by a factor, by a difference, or as 1 / ln t. The number of temperatures is "
            "the same."
        ),
        choices=SCHEDULES, symbol="T(t)",
    )  # fmt: skip
    cooling: float = param(
        0.95, label="Cooling",
        help=(
            "The factor from each temperature to the next in the geometric schedule. It sets the number of "
            "temperatures in all schedules."
        ),
        low=0.5, high=0.9999, step=0.01, symbol="α", tune=(0.8, 0.99),
    )  # fmt: skip
    acceptance: float = param(
        0.01, label="First acceptance",
        help="The probability at the first temperature of accepting a move that lengthens a local optimum by the mean.",
        low=0.0001, high=0.99, step=0.01, scale="log", symbol="χ₀",
    )  # fmt: skip
    first_temperature: str = param(
        "acceptance", label="First temperature from",
        help=(
            "What sets the first temperature: the first acceptance, or the cube of the number of cities or of edges, "
            "n(n - 1)/2."
        ),
        choices=("acceptance", "cities-cubed", "edges-cubed"), advanced=True,
    )  # fmt: skip
    temperature: float = param(
        0.0, label="First temperature",
        help="The first temperature in units of length; 0 computes it as the menu above says.",
        low=0.0, high=1e12, step=1.0, symbol="T₀", advanced=True,
    )  # fmt: skip
    final_temperature_ratio: float = param(
        0.05, label="Final temperature",
        help="The last temperature as a share of the first. Below it, only moves that shorten the tour are accepted.",
        low=1e-15, high=1.0, step=0.01, scale="log", advanced=True, former=("final",),
    )  # fmt: skip
    neighbours: int = param(
        10, label="Neighbours", help="A move joins a city with one of this many nearest cities.",
        low=1, high=50, step=1, advanced=True,
    )  # fmt: skip
    far_move_rate: float = param(
        0.0, label="Far-move rate", help="The share of moves that join a city with any other one.",
        low=0.0, high=1.0, step=0.05, advanced=True, former=("far",),
    )  # fmt: skip
    idle_rate: float = param(
        0.0, label="Idle draws", help="The share of draws that change nothing, but count for the cooling.",
        low=0.0, high=1.0, step=0.05, advanced=True,
    )  # fmt: skip
    exchange_after: int = param(
        50, label="Exchange after",
        help="How many moves per city the variant replica-exchange draws between two exchanges of temperatures.",
        low=1, high=100_000, step=1, scale="log", advanced=True,
    )  # fmt: skip
    proposals: int = param(
        128, label="Proposals",
        help=(
            "Threads per block in the variant wei-wu-yu: each draws a move of the same tour, and one of these moves "
            "is made."
        ),
        low=2, high=1024, step=32, symbol="p", gpu=True, advanced=True,
    )  # fmt: skip
    finish: str = param(
        "2-opt", label="Finish",
        help="What a chain ends with: its last tour, its best tour, or 2-opt from its best tour.",
        choices=("none", "best", "2-opt"),
    )  # fmt: skip
    gpus: str = gpus_param("Whether one GPU anneals, or all of them share the chains.")
    variant: str = variant_param(
        ("cpu", "sequential", EXCHANGE, *(variant.name for variant in CUDA_VARIANTS)),
        "Where it runs: on a GPU, on all cores, or in one thread.",
    )

    @property
    def periods(self) -> int:
        """Number of periods between exchanges, such that a replica makes as many draws as a cooling chain."""
        return -(-self.moves_per_city * self.levels // self.exchange_after)

    @property
    def proposals_per_round(self) -> int:
        """Number of draws per round, all made on the same tour."""
        return self.proposals if self.variant == ROUNDS.name else 1

    @property
    def levels(self) -> int:
        """Number of temperatures through which a chain cools."""
        return count_levels(self.cooling, self.final_temperature_ratio)

    def draws_per_temperature(self, n: int) -> int:
        """Return the number of draws at each temperature: one round if the chain cools after each round."""
        return self.proposals_per_round if self.cool_after == "draw" else self.moves_per_city * n

    def start_temperature(self, n: int) -> float:
        """Return the first temperature for `n` cities; 0 if it is estimated from a sample."""
        if self.temperature or self.first_temperature == "acceptance":
            return self.temperature
        return float(n if self.first_temperature == "cities-cubed" else n * (n - 1) // 2) ** 3
