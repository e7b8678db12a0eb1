"""The settings of a search, given the number of cities. Plain Python."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from solvers.algorithms.lin_kernighan.params import LinKernighanParams

#: Kinds of search: kick a single tour; kick a tour in many regions in parallel; build and cross populations of tours.
ALONE, REGIONS, POPULATIONS = "alone", "regions", "populations"
#: Minimum number of cities for several tours, and maximum number for crossing tours, on the CPU and with a GPU.
_MIN_POPULATION_CITIES, _MAX_CROSSED_CITIES, _MAX_GPU_CROSSED_CITIES = 150, 20_000, 200_000
#: Maximum number of cities for kicking tours side by side on a GPU, and for choosing candidates by alpha.
_MAX_SIDE_BY_SIDE, _MAX_ALPHA_CITIES = 50_000, 2_000_000
#: With more cities than this, work on the whole tour is avoided.
MANY = 200_000
#: Number of kicks per tour and city if a child takes the best AB-cycle of each small group, and if it takes the best of
#: many.
_KICKS = (0.05, 0.2)
#: Maximum number of cities whose distances are stored in a matrix for crossing.
_MAX_MATRIX_CITIES = 8000
#: `LARGE`, `_SMALL_GROUP`: number of cities up to which a child takes the best AB-cycle of each small group, and the
#: size of such a group. `_CITIES_PER_GROUP`, `_LARGE_GROUP`, `_LARGE_SHARE`: for more cities, the number of cities per
#: group, the size of a group, and the share of the tours in a population.
LARGE, _SMALL_GROUP, _CITIES_PER_GROUP, _LARGE_GROUP, _LARGE_SHARE = 8000, 6, 4000, 30, 0.6
#: Number of cities below which a tour is built in one call; maximum number of times that the size of populations is
#: doubled, for up to `LARGE` cities and for more.
_ONE_CALL_CITIES, _MAX_DOUBLINGS = 2000, (5, 2)
#: Number of rounds in which the first tour of more than `LARGE` cities is kicked in regions.
_REGION_ROUNDS = 18
#: With a GPU, `_LARGE_POPULATION`: the maximum number of tours in a population with more than `LARGE` cities.
#: `_CHAINED_CITIES`: a single tour is first kicked in one batch for every so many cities, before others are kicked side
#: by side or one by one. `_GPU_KICKS`: the number of kicks per tour and city for few cities, for many, and if tours are
#: kicked one by one.
_LARGE_POPULATION, _CHAINED_CITIES, _GPU_KICKS = 10, (900, 2500), (1.0, 25.0, 12.0)


class Population(NamedTuple):
    """A population's number of tours, its number of kicks per tour and city, and its device."""

    size: int
    kicks: float
    on_gpu: bool


@dataclass(frozen=True, slots=True)
class Schedule:
    """The kind of search and its sizes, for a number of cities.

    Attributes
    ----------
    n, tours : int
    gpu : bool
        Whether a GPU makes the kicks.
    kind : str
        `ALONE`, `REGIONS` or `POPULATIONS`.
    candidates : int
        Number of candidates per city on cores, the nearest by alpha; 0 for all candidates.
    first_kicks : int
        Number of kicks that the first tour gets.
    chained_rounds : int
        Number of rounds in which one tour is kicked before others are crossed with it: in regions, or in batches on a
        GPU while cores build the others.
    gpu_kicks : float
        Number of kicks on a GPU per tour of a population and per city.
    one_by_one : bool
        Whether a GPU kicks all tours, one after another, instead of every second population side by side.
    uses_matrix : bool
        Whether all distances are stored in a matrix for crossing.
    builds_in_one_call : bool
        Whether a tour is built in one call, within a slice.
    group : int
        Up to `LARGE` cities, the size of a group of AB-cycles, of which a child takes the best.
    """

    n: int
    tours: int
    gpu: bool
    kind: str
    candidates: int
    first_kicks: int
    chained_rounds: int
    gpu_kicks: float
    one_by_one: bool
    uses_matrix: bool
    builds_in_one_call: bool
    group: int

    @classmethod
    def for_cities(cls, params: LinKernighanParams, n: int, gpu: bool = False, doubled: bool = False) -> Self:
        """Return the schedule for n cities, on the CPU or with a GPU.

        For many doubled cities, groups are large, since populations would otherwise soon consist of similar tours. More
        than `LARGE` doubled cities have the schedule for `LARGE`: their distances are stored, and there are no regions.
        """
        n = min(n, LARGE) if doubled else n
        several, large, one_by_one = params.tours > 1 and n >= _MIN_POPULATION_CITIES, n > LARGE, n > _MAX_SIDE_BY_SIDE
        crossed = several and n <= (_MAX_GPU_CROSSED_CITIES if gpu else _MAX_CROSSED_CITIES)
        return cls(
            n=n,
            tours=params.tours,
            gpu=gpu,
            kind=POPULATIONS if crossed else REGIONS if (one_by_one if gpu else several) else ALONE,
            candidates=params.alpha if n <= _MAX_ALPHA_CITIES else 0,
            first_kicks=max(1, int(_KICKS[large] * n)),
            chained_rounds=(n // _CHAINED_CITIES[one_by_one] if gpu else _REGION_ROUNDS) if large else 0,
            gpu_kicks=_GPU_KICKS[large + one_by_one],
            one_by_one=gpu and one_by_one,
            uses_matrix=n <= _MAX_MATRIX_CITIES,
            builds_in_one_call=n < _ONE_CALL_CITIES,
            group=_LARGE_GROUP if doubled and n > _ONE_CALL_CITIES else _SMALL_GROUP,
        )

    def groups(self, number: int) -> tuple[int, int]:
        """Return the maximum number and the size of groups of AB-cycles; a child applies the best of each group."""
        if self.n >= _ONE_CALL_CITIES and self.population(number).on_gpu and not self.one_by_one:
            return 1, _LARGE_GROUP  # since tours that a GPU has kicked are similar
        return (self.n // _CITIES_PER_GROUP, _LARGE_GROUP) if self.n > LARGE else (self.n, self.group)

    def population(self, number: int) -> Population:
        """Return the sizes of population 1, 2, ..., growing up to a limit; a GPU kicks every second one, or all.

        Populations with more than `LARGE` cities grow only where cores and a GPU build them in turn.
        """
        on_gpu, large = self.gpu and (number % 2 == 0 or self.one_by_one), self.n > LARGE
        if self.gpu:
            number = (number + 1) // 2
        size, doublings = self.tours, (number - 1) // 2
        if large:
            size = min(_LARGE_POPULATION, size) if on_gpu else max(2, int(_LARGE_SHARE * size))
            doublings = number - 1 if self.gpu and not self.one_by_one else 0
        return Population(
            size << min(_MAX_DOUBLINGS[large], doublings), self.gpu_kicks if on_gpu else _KICKS[large], on_gpu
        )
