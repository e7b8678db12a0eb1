"""The schedule of a search for a number of cities. Plain Python."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from solvers.lin_kernighan.params import LinKernighanParams

#: Kinds of search: kick one tour alone; kick it in many regions side by side; make populations of tours, and cross
#: them.
ALONE, REGIONS, POPULATIONS = "alone", "regions", "populations"
#: The fewest cities for several tours; the most for crossed tours, on cores and with a GPU; the most for candidates by
#: alpha.
_FEWEST, _CROSSED, _CROSSED_BY_GPU, _BY_ALPHA = 150, 20_000, 50_000, 50_000
#: Kicks per tour and city: if a child takes the best AB-cycle of each small group, and if it takes the best of many.
_KICKS = (0.05, 0.2)
#: The most cities whose distances are stored in a matrix for crossing.
_TABLED = 8000
#: Number of cities up to which a child takes the best AB-cycle of each small group, and the size of a group; above, the
#: number of cities per group, the size of a group, and the share of tours in a population.
_LARGE, _FEW, _GROUPED, _MANY, _LARGE_SHARE = 8000, 6, 4000, 30, 0.67
#: Number of cities below which a tour is made in one call; the most doublings of a population's number of tours.
_FEWER, _DOUBLED = 2000, 5
#: Kicks per city of the tours that are kicked side by side before the first population, for more than `_LARGE` cities.
_CHAIN_ROUNDS = 3
#: Number of tours that cores make and merge in a round; with a GPU, where more cores would wait, only the shortest is
#: merged.
_MERGED_A_ROUND, _MERGED_BESIDE_GPU = 8, 1
#: With a GPU: the number of tours of a population of more than `_LARGE` cities, and the share of the tours in the first
#: population of fewer cities; the number of batches in which a tour of more cities is kicked alone before; and the
#: kicks per tour and city, for few and for many cities.
_LARGE_POPULATION, _SMALLER_ON_GPU, _CHAINED_BATCHES, _GPU_KICKS = 10, 0.67, 20, (1.0, 25.0)
#: Number of first populations of fewer than `_FEWER` cities that cores kick, since a batch takes a GPU about 30 ms; and
#: the size of the first one, in units of `tours`.
_OF_CORES, _LARGER_OF_CORES = 2, 4 / 3


class Population(NamedTuple):
    """The number of tours of a population, the kicks per tour and city, and whether a GPU makes them."""

    size: int
    kicks: float
    on_gpu: bool


@dataclass(frozen=True, slots=True)
class Schedule:
    """The kind and the sizes of a search for a number of cities.

    Attributes
    ----------
    n, tours : int
    gpu : bool
        Whether a GPU makes the kicks.
    way : str
        `ALONE`, `REGIONS` or `POPULATIONS`.
    candidates : int
        Number of candidates per city on cores, the nearest by alpha; 0 for all.
    first_kicks : int
        Number of kicks of the first tour.
    chain_rounds : int
        Kicks per city of two tours before others are crossed.
    chained_batches : int
        Number of batches in which a GPU kicks one tour before others are made.
    of_cores : int
        Number of first populations that cores kick, although there is a GPU.
    gpu_kicks : float
        Kicks on a GPU per tour of a population and city.
    tabled : bool
        Whether all distances are stored in a matrix for crossing.
    in_one_call : bool
        Whether a tour is made in one call, within a slice.
    merged : int
        Number of a round's shortest tours that are merged into the best one.
    groups : tuple of int
        The most groups of AB-cycles from which a child takes the best one each, and the size of a group.
    """

    n: int
    tours: int
    gpu: bool
    way: str
    candidates: int
    first_kicks: int
    chain_rounds: int
    chained_batches: int
    of_cores: int
    gpu_kicks: float
    tabled: bool
    in_one_call: bool
    merged: int
    groups: tuple[int, int]

    @classmethod
    def for_cities(cls, params: LinKernighanParams, n: int, gpu: bool = False) -> Self:
        """Return the schedule for n cities, on cores or with a GPU."""
        several, large, fewer = params.tours > 1 and n >= _FEWEST, n > _LARGE, n < _FEWER
        crossed = several and n <= (_CROSSED_BY_GPU if gpu else _CROSSED)
        groups = (n // _GROUPED, _MANY) if large else (n, _FEW)
        return cls(
            n=n,
            tours=params.tours,
            gpu=gpu,
            way=POPULATIONS if crossed else REGIONS if several and not gpu else ALONE,
            candidates=params.alpha if n <= _BY_ALPHA else 0,
            first_kicks=max(1, int(_KICKS[large] * n)),
            chain_rounds=_CHAIN_ROUNDS if large and not gpu else 0,
            chained_batches=_CHAINED_BATCHES if large and gpu else 0,
            of_cores=_OF_CORES if fewer and gpu else 0,
            gpu_kicks=_GPU_KICKS[large],
            tabled=n <= _TABLED,
            in_one_call=fewer,
            merged=_MERGED_BESIDE_GPU if gpu else _MERGED_A_ROUND,
            groups=(1, _MANY) if gpu and not fewer else groups,  # tours kicked by a GPU are alike
        )

    def population(self, number: int) -> Population:
        """Return the sizes of population 1, 2, ..., which grow up to a bound."""
        on_gpu = self.gpu and number > self.of_cores
        kicks = self.gpu_kicks if on_gpu else _KICKS[self.gpu or self.n > _LARGE]
        return Population(self._gpu_size(number) if self.gpu else self._size(number), kicks, on_gpu)

    def _size(self, number: int) -> int:
        if self.n > _LARGE:
            return max(2, int(_LARGE_SHARE * self.tours))
        return self.tours << min(_DOUBLED, (number - 1) // 2)

    def _gpu_size(self, number: int) -> int:
        if self.n > _LARGE:
            return min(_LARGE_POPULATION, self.tours)
        if number == 1:
            return max(2, int((_LARGER_OF_CORES if self.in_one_call else _SMALLER_ON_GPU) * self.tours))
        return self.tours << min(_DOUBLED, (number - 1 - (self.n >= _FEWER)) // 2)
