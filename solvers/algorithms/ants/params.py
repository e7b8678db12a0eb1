"""Parameters shared by ant algorithms."""

from dataclasses import dataclass
from typing import Any

from solvers.core.params import Params, gpus_param, param

#: The move types of local search, named as in `solvers.kernels.local_search_cpu.KINDS`.
MOVES = ("2-opt", "2-opt+or-opt", "3-opt")
#: The local search of Qin and Han (2022), section 2.2.5, which improves only the best ant's tour.
BEST_TWO_OPT = "2-opt-of-best"
#: Maximum number of cities for which 3-opt, or 2-opt with Or-opt on a GPU, may count all other cities as nearest: up to
#: there, no slice takes 100 ms.
MAX_SEARCHED = 1_000
#: Difference between the seeds of successive colonies.
COLONY_SEED_STEP = 2**53


def colony_gpus_param() -> Any:
    """Declare the parameter that puts colonies on one GPU or on all."""
    return gpus_param("Whether one GPU runs the ants, or each GPU its own colony; colonies exchange their best tours.")


@dataclass(frozen=True)
class ColonyParams(Params):
    """Parameters of every ant algorithm."""

    iterations: int = param(
        100, label="Iterations",
        help="How many iterations to make. In each, every ant builds a tour, guided by the pheromone so far.",
        low=1, high=1_000_000, step=1, scale="log",
    )  # fmt: skip
    ants: int = param(
        0, label="Ants", help="How many ants build a tour in each iteration; 0 uses as many ants as cities.",
        low=0, high=65_536, step=1, symbol="m", tune=(8, 256),
    )  # fmt: skip

    def colony_size(self, n: int) -> int:
        """Return the number of ants for n cities."""
        return self.ants or n

    @property
    def moves(self) -> str:
        """The move type of local search, one of `MOVES` or `BEST_TWO_OPT`; empty if there is no local search."""
        moves = getattr(self, "local_search", "none")
        return "" if moves == "none" else moves

    @property
    def shortens_at_the_end(self) -> bool:
        """Whether local search improves only the best tour, at the end."""
        return self.moves != "" and getattr(self, "local_search_when", "") == "last"

    @property
    def shortens_every_tour(self) -> bool:
        """Whether local search improves all tours in every iteration."""
        return self.moves != "" and getattr(self, "local_search_when", "") == "every"

    def search_neighbours(self, n: int) -> int:
        """Return how many nearest cities local search considers, out of n."""
        return getattr(self, "local_search_neighbours", 0) or max(n - 1, 0)

    def search_bytes(self, n: int) -> int:
        """Return the bytes of local search's lists if they contain all cities; otherwise 0."""
        return 8 * n * n if self.shortens_every_tour and self.search_neighbours(n) == n - 1 else 0

    def search_refusal(self, n: int, device: str) -> str:
        """Return a sentence saying why local search cannot run on ``cpu`` or ``cuda``; empty if it can."""
        if self.moves == BEST_TWO_OPT:
            return "" if device != "cpu" else f"{BEST_TWO_OPT} needs a GPU; on the CPU use 2-opt."
        whole = self.moves != "" and self.search_neighbours(n) == n - 1
        too_many = f"considers all cities as neighbours for at most {MAX_SEARCHED:,} cities: use fewer neighbours"
        if self.moves == "3-opt" and whole and n > MAX_SEARCHED:
            return f"3-opt {too_many}."
        if device == "cpu" or not self.shortens_every_tour:
            return ""
        if self.moves == "3-opt":
            return "3-opt of every tour runs on a CPU alone: use 2-opt, or the device auto or cpu."
        if self.moves != "2-opt" and whole and n > MAX_SEARCHED:
            return f"On a GPU 2-opt with Or-opt {too_many}, 2-opt alone, or the device auto or cpu."
        return ""


@dataclass(frozen=True)
class ListParams(ColonyParams):
    """Parameters of algorithms with candidate lists and local search."""

    local_search: str = param(
        "2-opt+or-opt", label="Local search",
        help="How tours are shortened: not at all, by replacing two edges (2-opt), also by moving up to three cities "
        "(Or-opt), or by replacing up to three edges (3-opt).",
        choices=("none", *MOVES),
        former_choices={
            when: {"local_search": "2-opt+or-opt", "local_search_when": when} for when in ("last", "every")
        },
    )  # fmt: skip
    local_search_when: str = param(
        "every", label="Tours to shorten", choices=("last", "every"),
        help="Whether it improves the best tour after the last iteration, or all ants' tours in every iteration.",
        advanced=True,
    )  # fmt: skip
    local_search_neighbours: int = param(
        10, label="Neighbours searched",
        help="How many of the nearest cities local search tries for a new edge from a city; 0 tries all cities.",
        low=0, high=1_000, step=1, advanced=True,
    )  # fmt: skip
    lists: bool = param(
        True, label="Candidate lists",
        help=(
            "Whether an ant chooses among its candidates as long as one is unvisited. If off, it may choose any "
            "unvisited city."
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class AntParams(ColonyParams):
    """Parameters of algorithms in which all trails evaporate."""

    alpha: float = param(
        1.0, label="Weight of pheromone", help="The exponent of the pheromone in an ant's choice.",
        low=0.0, high=5.0, step=0.1, symbol="α",
    )  # fmt: skip
    beta: float = param(
        2.0, label="Weight of distance", help="The exponent of 1 / distance in an ant's choice.",
        low=0.0, high=10.0, step=0.1, symbol="β",
    )  # fmt: skip
    rho: float = param(
        0.5, label="Evaporation", help="The share of the pheromone that evaporates in each iteration.",
        low=0.001, high=1.0, step=0.001, symbol="ρ",
    )  # fmt: skip
    candidates: int = param(
        32, label="Candidates", help="How many of the nearest cities an ant considers before all others.",
        low=1, high=32, step=1, symbol="nn", advanced=True,
    )  # fmt: skip
