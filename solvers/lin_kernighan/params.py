"""Parameters of Lin-Kernighan."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solvers.params import VERSION, Params, param, variant_param

#: Kicks of a round, if they are chosen from the number of cities.
_FEWEST_KICKS, _MOST_KICKS = 100, 100_000
#: Fewest and most cities of tours that are crossed; kicks of such a tour for each city, where a child takes the best
#: AB-cycle of each few, and of others.
_CROSSED, _KICKS = (150, 20_000), (0.05, 0.2)
#: Fewest cities of directed tours that are crossed.
_CROSSED_DIRECTED = 5
#: Most cities whose distances are written into a table where tours are crossed.
_TABLED = 8000
#: Up to how many cities a child takes the best AB-cycle of each few; of more, for how many cities the best of how many,
#: and the share of the tours that a population has then.
_LARGE, _FEW, _GROUPED, _MANY, _LARGE_SHARE = 8000, 6, 4000, 30, 0.67
#: Most cities of tours that cores merge without crossing them.
_MERGED = 50_000
#: Below how many cities a tour is made in one call; how often the number of a population's tours is doubled at most.
_FEWER, _DOUBLED = 2000, 5
#: How often for each city tours of more than `_LARGE` are kicked side by side before the first population.
_CHAIN_ROUNDS = 3
#: Where a GPU kicks: most cities of tours that are crossed; the tours of a population of more cities than `_CROSSED`
#: has, and the share of the tours that the first one of fewer cities has; in how many batches a tour of so many cities
#: is kicked alone before; and how often each tour of a population is kicked for each city, of few and of many.
_CROSSED_BY_GPU, _LARGE_POPULATION, _SMALLER_ON_GPU, _CHAINED_BATCHES, _GPU_KICKS = 50_000, 10, 0.67, 20, (1.0, 25.0)
#: How many populations of tours of less than `_FEWER` cities cores kick first, since a batch takes a GPU some 30 ms;
#: and how many times as many tours as `tours` the first one has.
_OF_CORES, _LARGER_OF_CORES = 2, 4 / 3
#: Most cities whose tours a kick may lengthen.
_MOST_HEATED = 12_000


@dataclass(frozen=True)
class LinKernighanParams(Params):
    """Parameters of `LinKernighan`."""

    rounds: int = param(
        1000, label="Rounds",
        help="The tour is reported after each; the first ones make a local optimum, the others kick and cross.",
        low=1, high=10_000_000, step=1, scale="log",
    )  # fmt: skip
    kicks: int = param(
        0, label="Kicks per round", help="How many kicks a round has; 0 takes their number from that of the cities.",
        low=0, high=10_000_000, step=1000, tune=(0, 20_000),
    )  # fmt: skip
    tours: int = param(
        24, label="Tours",
        help="How many tours are made side by side and crossed; 0 kicks one tour alone, as above 50,000 cities.",
        low=0, high=1000, step=5, tune=(0, 60),
    )  # fmt: skip
    depth: int = param(
        5, label="Depth", help="How many edges a step replaces at most: 2 is 2-opt, 3 is 3-opt, 5 as Helsgaun has it.",
        low=2, high=6, step=1,
    )  # fmt: skip
    neighbours: int = param(
        8, label="Neighbours", help="An edge that is added joins a city with one of this many near ones.",
        low=1, high=30, step=1,
    )  # fmt: skip
    quadrants: int = param(
        1, label="Neighbours in each quadrant",
        help="How many of them are the nearest in each of the four directions, so that clusters are joined.",
        low=0, high=5, step=1, advanced=True,
    )  # fmt: skip
    alpha: int = param(
        5, label="Nearest by alpha",
        help="How many of them cores keep: those whose edge makes the minimum 1-tree least longer; 0 keeps all.",
        low=0, high=30, step=1, advanced=True,
    )  # fmt: skip
    walk: int = param(
        30, label="Kick walk",
        help="A kick's four edges are found by walks of so many steps, each to a random neighbour.",
        low=1, high=1000, step=1, scale="log", advanced=True,
    )  # fmt: skip
    temperature: float = param(
        0.03, label="Temperature",
        help="What a kick may lengthen the tour by on average, in mean edges; 0 accepts no longer tour.",
        low=0.0, high=10.0, step=0.01, symbol="T", advanced=True,
    )  # fmt: skip
    variant: str = variant_param(("cpu", "cuda"), "What computes: cores, or a GPU and a core.")

    @classmethod
    def renamed(cls, values: Mapping[str, Any], version: int = VERSION) -> dict[str, Any]:
        """See `solvers.params.Params`; what names all others and no `tours` or `alpha` is of before these."""
        named = super().renamed(values, version)
        missing = {each.name for each in cls.schema()} - set(named)
        return {**named, **dict.fromkeys(missing, 0)} if missing <= {"tours", "alpha"} else named

    def heat(self, n: int, length: int) -> float:
        """Return the temperature in units of length; 0 for so many cities that tours improve all the time."""
        return self.temperature * length / n if n <= _MOST_HEATED else 0.0

    def is_crossed(self, n: int) -> bool:
        """Whether tours of so many cities are crossed."""
        return self.tours > 1 and _CROSSED[0] <= n <= _CROSSED[1]

    def is_crossed_directed(self, n: int) -> bool:
        """Whether directed tours of so many cities are crossed."""
        return self.tours > 1 and n >= _CROSSED_DIRECTED

    def nearest_by_alpha(self, n: int) -> int:
        """Return how many candidates of each of so many cities cores keep; 0 keeps all."""
        return self.alpha if n <= _MERGED else 0

    def is_tabled(self, n: int) -> bool:
        """Whether all distances of so many cities are written into a table where tours are crossed."""
        return n <= _TABLED

    def groups(self, n: int) -> tuple[int, int]:
        """Return of how many groups of AB-cycles at most a child of cores takes the best one each, and of how many."""
        return (n // _GROUPED, _MANY) if n > _LARGE else (n, _FEW)

    def groups_beside_gpu(self, n: int) -> tuple[int, int]:
        """Return the same where there is a GPU, whose tours are alike once it has kicked them: a child takes one."""
        return self.groups(n) if n < _FEWER else (1, _MANY)

    def is_merged(self, n: int) -> bool:
        """Whether cores make and merge several tours of so many cities, be they crossed or not."""
        return self.tours > 1 and _CROSSED[0] <= n <= _MERGED

    def is_made_in_one_call(self, n: int) -> bool:
        """Whether a tour of so many cities is made within a slice."""
        return n < _FEWER

    def is_crossed_beside_gpu(self, n: int) -> bool:
        """Whether tours of so many cities are crossed where a GPU kicks them."""
        return self.tours > 1 and _CROSSED[0] <= n <= _CROSSED_BY_GPU

    def chained_batches(self, n: int) -> int:
        """Return in how many batches a GPU kicks one tour before others are made."""
        return _CHAINED_BATCHES if n > _LARGE else 0

    def populations_of_cores(self, n: int) -> int:
        """Return how many of the first populations of tours of so many cities cores kick, though there is a GPU."""
        return _OF_CORES if n < _FEWER else 0

    def population_on_gpu(self, n: int, number: int) -> int:
        """Return how many tours population 1, 2, ... has where there is a GPU."""
        if n > _LARGE:
            return min(_LARGE_POPULATION, self.tours)
        if number == 1:
            return max(2, int((_LARGER_OF_CORES if n < _FEWER else _SMALLER_ON_GPU) * self.tours))
        return self.tours << min(_DOUBLED, (number - 1 - (n >= _FEWER)) // 2)

    def population_kicks(self, n: int) -> float:
        """Return how often a GPU kicks each tour of a population for each city."""
        return _GPU_KICKS[n > _LARGE]

    def chain_rounds(self, n: int) -> int:
        """Return how many kicks for each city two tours get before others are crossed."""
        return _CHAIN_ROUNDS if n > _LARGE else 0

    def population(self, n: int, number: int) -> tuple[int, int]:
        """Return how many tours population 1, 2, ... of tours of n cities has, and how often each is kicked."""
        if n > _LARGE:
            return max(2, int(_LARGE_SHARE * self.tours)), self.kicks_of_a_tour(n)
        return self.tours << min(_DOUBLED, (number - 1) // 2), self.kicks_of_a_tour(n)

    def kicks_of_a_tour(self, n: int) -> int:
        """Return how many kicks of cores a tour of so many cities gets, be it the first or of a population."""
        return max(1, int(_KICKS[n > _LARGE] * n))

    def kicks_beside_gpu(self, n: int) -> int:
        """Return the same where there is a GPU, and with it more cores."""
        return max(1, int(_KICKS[1] * n))

    def kicks_of_a_round(self, n: int) -> int:
        """Return the kicks of a round for so many cities."""
        return self.kicks or min(_MOST_KICKS, max(_FEWEST_KICKS, n))
