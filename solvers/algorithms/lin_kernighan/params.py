"""Parameters of Lin-Kernighan."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solvers.core.params import VERSION, Params, gpus_param, param, variant_param

#: Minimum and maximum number of kicks per round, if the number of cities decides.
_MIN_KICKS, _MAX_KICKS = 100, 100_000
#: Maximum number of cities for which a kick may lengthen the tour.
_MAX_HEATED = 12_000


@dataclass(frozen=True)
class LinKernighanParams(Params):
    """Parameters of `LinKernighan`."""

    rounds: int = param(
        1000, label="Rounds",
        help=(
            "How many rounds to make. The tour is reported after each. The first rounds find a local optimum; the "
            "others kick and cross tours."
        ),
        low=1, high=10_000_000, step=1, scale="log",
    )  # fmt: skip
    kicks: int = param(
        0, label="Kicks per round", help="How many kicks a round makes; 0 derives it from the number of cities.",
        low=0, high=10_000_000, step=1000, tune=(0, 20_000),
    )  # fmt: skip
    tours: int = param(
        24, label="Tours",
        help=(
            "How many tours are built side by side and crossed; 0 kicks a single tour, which is also done above "
            "20,000 cities (200,000 with a GPU)."
        ),
        low=0, high=1000, step=5, tune=(0, 60),
    )  # fmt: skip
    depth: int = param(
        5, label="Depth", help="The most edges that a step may replace: 2 gives 2-opt, 3 gives 3-opt; Helsgaun uses 5.",
        low=2, high=6, step=1,
    )  # fmt: skip
    neighbours: int = param(
        8, label="Neighbours", help="How many near cities are the candidates for a new edge from a city.",
        low=1, high=30, step=1,
    )  # fmt: skip
    quadrants: int = param(
        1, label="Neighbours in each quadrant",
        help=(
            "How many of these candidates are the nearest cities in each of the four directions, which connects "
            "clusters."
        ),
        low=0, high=5, step=1, advanced=True,
    )  # fmt: skip
    alpha: int = param(
        5, label="Nearest by alpha",
        help=(
            "How many of these candidates the cores keep: those whose edges lengthen the minimum 1-tree least; 0 "
            "keeps all."
        ),
        low=0, high=30, step=1, advanced=True,
    )  # fmt: skip
    walk: int = param(
        30, label="Kick walk",
        help=(
            "The number of steps of the random walks, from neighbour to neighbour, by which a kick finds its four "
            "edges."
        ),
        low=1, high=1000, step=1, scale="log", advanced=True,
    )  # fmt: skip
    temperature: float = param(
        0.03, label="Temperature",
        help="By how much a kick may lengthen the tour on average, in mean edge lengths; 0 accepts no longer tour.",
        low=0.0, high=10.0, step=0.01, symbol="T", advanced=True,
    )  # fmt: skip
    variant: str = variant_param(
        ("cpu", "cuda"),
        "Where it runs: on cores alone, or on a GPU with cores; auto uses cores alone up to 8,000 cities.",
    )
    gpus: str = gpus_param(
        "Whether one GPU makes the kicks, or all share them; up to 200,000 cities, each GPU has its own populations."
    )

    @classmethod
    def renamed(cls, values: Mapping[str, Any], version: int = VERSION) -> dict[str, Any]:
        """Also translate the values of older releases, which lack `gpus`, `tours` or `alpha`.

        See `solvers.core.params.Params`.
        """
        current = super().renamed(values, version)
        missing = {param.name for param in cls.schema()} - set(current)
        is_older = "gpus" in missing and missing <= {"gpus", "tours", "alpha"}
        return {**current, **dict.fromkeys(missing - {"gpus"}, 0)} if is_older else current

    def heat(self, n: int, length: int) -> float:
        """Return the temperature in units of length; 0 for many cities, whose tours improve all the time."""
        return self.temperature * abs(length) / n if n <= _MAX_HEATED else 0.0

    def kicks_per_round(self, n: int) -> int:
        """Return the number of kicks per round for n cities."""
        return self.kicks or min(_MAX_KICKS, max(_MIN_KICKS, n))
