"""Parameters shared by ant algorithms."""

from dataclasses import dataclass

from solvers.params import Params, param


@dataclass(frozen=True)
class ColonyParams(Params):
    """Parameters of every ant algorithm."""

    iterations: int = param(
        100, label="Iterations", help="How often all ants build a tour each, guided by the pheromone left so far.",
        low=1, high=1_000_000, step=1, scale="log",
    )  # fmt: skip
    ants: int = param(
        0, label="Ants", help="Tours built in an iteration; 0: as many ants as cities.",
        low=0, high=65_536, step=1, symbol="m",
    )  # fmt: skip

    def colony_size(self, n: int) -> int:
        """Number of ants for n cities."""
        return self.ants or n

    @property
    def shortens_at_the_end(self) -> bool:
        """Whether local search runs once, on the best tour after the last iteration."""
        return getattr(self, "local_search", "none") == "last"


@dataclass(frozen=True)
class ListParams(ColonyParams):
    """Parameters of the algorithms with candidate lists, whose ants' tours may be shortened."""

    local_search: str = param(
        "every", label="Local search",
        help="Which tours are shortened by 2-opt and by moving up to three cities: none, the best one at the end, or "
        "all of every iteration.",
        choices=("none", "last", "every"),
    )  # fmt: skip
    lists: bool = param(
        True, label="Candidate lists",
        help="Whether an ant goes to a candidate as long as one is unvisited. If off, any unvisited city is possible.",
    )  # fmt: skip


@dataclass(frozen=True)
class AntParams(ColonyParams):
    """Parameters of the algorithms in which all trails evaporate."""

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
        32, label="Candidates", help="How many nearest cities an ant considers before all others.",
        low=1, high=32, step=1, symbol="nn", advanced=True,
    )  # fmt: skip
