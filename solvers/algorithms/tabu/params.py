"""Parameters of tabu search."""

from dataclasses import dataclass

from solvers.core.params import Params, param, variant_param

#: The default length of the list of removed edges, in moves: its share of the number of cities, and its two limits.
_SHARE, _MIN_TENURE, _MAX_TENURE = 0.25, 5, 60


@dataclass(frozen=True)
class TabuParams(Params):
    """Parameters of `TabuSearch`."""

    searches: int = param(
        10, label="Searches", help="How many searches run, each starting from a random tour.",
        low=1, high=1_000_000, step=1, scale="log", symbol="k",
    )  # fmt: skip
    steps_per_city: int = param(
        200, label="Steps per city", help="How many moves a search makes for each city before it ends.",
        low=1, high=100_000, step=1, scale="log", tune=(20, 2000),
    )  # fmt: skip
    tenure: int = param(
        0, label="Tenure", help="The number of steps for which a removed edge may not return; 0 derives it from n.",
        low=0, high=10_000, step=1, tune=(0, 100),
    )  # fmt: skip
    tenure_variation: float = param(
        1.0, label="Tenure variation", help="The share by which the tenure varies at random, up or down.",
        low=0.0, high=1.0, step=0.05,
    )  # fmt: skip
    added_tenure: int = param(
        0, label="Tenure of added edges", help="The number of steps for which an added edge must stay; 0 for none.",
        low=0, high=10_000, step=1, advanced=True,
    )  # fmt: skip
    tabu_if: str = param(
        "any", label="Tabu if", help="Whether a move is tabu if any edge that it adds is tabu, or only if both are.",
        choices=("any", "both"), advanced=True,
    )  # fmt: skip
    neighbours: int = param(
        10, label="Neighbours", help="A move joins a city with one of this many nearest cities; 0 tries all moves.",
        low=0, high=50, step=1, advanced=True,
    )  # fmt: skip
    variant: str = variant_param(("cpu", "sequential"), "Where it runs: on all cores, or in one thread.")

    def tenures(self, n: int) -> tuple[int, int]:
        """Return the minimum and the maximum tenure of removed edges for n cities, in steps."""
        tenure = self.tenure or min(_MAX_TENURE, max(_MIN_TENURE, round(_SHARE * n)))
        spread = int(self.tenure_variation * tenure)
        return max(1, tenure - spread), tenure + spread
