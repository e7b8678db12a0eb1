"""The schedule of a search for a number of cities. Plain Python."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from solvers.lin_kernighan.params import LinKernighanParams

#: Kinds of search: kick a single tour; kick it in many regions in parallel; build and cross populations of tours.
ALONE, REGIONS, POPULATIONS = "alone", "regions", "populations"
#: Minimum number of cities for several tours; maximum for crossing tours, on the CPU and with a GPU; maximum for
#: candidates by alpha.
_MIN_POPULATION_CITIES, _MAX_CROSSED_CITIES, _MAX_GPU_CROSSED_CITIES, _MAX_ALPHA_CITIES = 150, 20_000, 50_000, 50_000
#: Kicks per tour and city: if a child takes the best AB-cycle of each small group, and if it takes the best of many.
_KICKS = (0.05, 0.2)
#: Maximum number of cities whose distances are stored in a matrix for crossing.
_MAX_MATRIX_CITIES = 8000
#: Number of cities up to which a child takes the best AB-cycle of each small group, and the size of a group; above, the
#: number of cities per group, the size of a group, and the share of tours in a population.
_LARGE, _SMALL_GROUP, _CITIES_PER_GROUP, _LARGE_GROUP, _LARGE_SHARE = 8000, 6, 4000, 30, 0.67
#: Number of cities below which a tour is built in one call; maximum number of times that the size of populations is
#: doubled.
_ONE_CALL_CITIES, _MAX_DOUBLINGS = 2000, 5
#: Kicks per city of the tours that are kicked in parallel before the first population, for more than `_LARGE` cities.
_CHAIN_ROUNDS = 3
#: Number of tours that the CPU builds and merges in a round; with a GPU, only the shortest is merged, so that cores do
#: not wait.
_MERGED_PER_ROUND, _MERGED_WITH_GPU = 8, 1
#: With a GPU: the number of tours of a population of more than `_LARGE` cities, and the share of the tours in the first
#: population of fewer cities; the number of batches in which a single tour of more cities is kicked before; and the
#: kicks per tour and city, for few and for many cities.
_LARGE_POPULATION, _GPU_POPULATION_SHARE, _CHAINED_BATCHES, _GPU_KICKS = 10, 0.67, 20, (1.0, 25.0)
#: Maximum number of cities for which the CPU builds and crosses every second population while a GPU kicks the next one.
_MAX_ALTERNATING_CITIES = 20_000
#: Number of initial populations that the CPU kicks for fewer than `_ONE_CALL_CITIES` cities, because a batch takes a
#: GPU about 30 ms; size of the first population, in units of `tours`.
_CPU_POPULATIONS, _FIRST_CPU_POPULATION = 2, 4 / 3


class Population(NamedTuple):
    """A population's number of tours, its kicks per tour and city, and whether a GPU makes them."""

    size: int
    kicks: float
    on_gpu: bool


@dataclass(frozen=True, slots=True)
class Schedule:
    """The kind and the sizes of a search for a given number of cities.

    Attributes
    ----------
    n, tours : int
    gpu : bool
        Whether a GPU makes the kicks.
    kind : str
        `ALONE`, `REGIONS` or `POPULATIONS`.
    candidates : int
        Number of candidates per city on cores, the nearest by alpha; 0 for all.
    first_kicks : int
        Number of kicks of the first tour.
    chain_rounds : int
        Kicks per city of two tours before any tours are crossed.
    chained_batches : int
        Number of batches in which a GPU kicks one tour before others are built.
    cpu_populations : int
        Number of initial populations that the CPU kicks, although there is a GPU.
    gpu_kicks : float
        Kicks on a GPU per tour of a population and city.
    uses_matrix : bool
        Whether all distances are stored in a matrix for crossing.
    builds_in_one_call : bool
        Whether a tour is built in one call, within a slice.
    merged_per_round : int
        Number of a round's shortest tours that are merged into the best one.
    alternates : bool
        Whether the CPU builds every second population, although there is a GPU.
    """

    n: int
    tours: int
    gpu: bool
    kind: str
    candidates: int
    first_kicks: int
    chain_rounds: int
    chained_batches: int
    cpu_populations: int
    gpu_kicks: float
    uses_matrix: bool
    builds_in_one_call: bool
    merged_per_round: int
    alternates: bool

    @classmethod
    def for_cities(cls, params: LinKernighanParams, n: int, gpu: bool = False) -> Self:
        """Return the schedule for n cities, on the CPU or with a GPU."""
        several, large, fewer = params.tours > 1 and n >= _MIN_POPULATION_CITIES, n > _LARGE, n < _ONE_CALL_CITIES
        beside = gpu and not fewer and n <= _MAX_ALTERNATING_CITIES
        crossed = several and n <= (_MAX_GPU_CROSSED_CITIES if gpu else _MAX_CROSSED_CITIES)
        return cls(
            n=n,
            tours=params.tours,
            gpu=gpu,
            kind=POPULATIONS if crossed else REGIONS if (n > _MAX_GPU_CROSSED_CITIES if gpu else several) else ALONE,
            candidates=params.alpha if n <= _MAX_ALPHA_CITIES else 0,
            first_kicks=max(1, int(_KICKS[large] * n)),
            chain_rounds=_CHAIN_ROUNDS if large and not gpu else 0,
            chained_batches=_CHAINED_BATCHES if large and gpu else 0,
            cpu_populations=_CPU_POPULATIONS if fewer and gpu else 0,
            gpu_kicks=_GPU_KICKS[large],
            uses_matrix=n <= _MAX_MATRIX_CITIES,
            builds_in_one_call=fewer,
            merged_per_round=_MERGED_WITH_GPU if gpu and not beside else _MERGED_PER_ROUND,
            alternates=beside,
        )

    def groups(self, number: int) -> tuple[int, int]:
        """Return the maximum number of groups of AB-cycles (a child takes the best of each), and a group's size."""
        if self.gpu and self.n >= _ONE_CALL_CITIES and self.population(number).on_gpu:
            return 1, _LARGE_GROUP  # tours that a GPU has kicked are similar
        return (self.n // _CITIES_PER_GROUP, _LARGE_GROUP) if self.n > _LARGE else (self.n, _SMALL_GROUP)

    def population(self, number: int) -> Population:
        """Return the sizes of population 1, 2, ..., which grow up to a limit."""
        cpu_populations = self.alternates and number % 2 == 0
        on_gpu = self.gpu and number > self.cpu_populations and not cpu_populations
        kicks = self.gpu_kicks if on_gpu else _KICKS[self.n > _LARGE or (self.gpu and not cpu_populations)]
        if self.gpu and not cpu_populations:
            return Population(self._gpu_size(number // 2 + 1 if self.alternates else number), kicks, on_gpu)
        return Population(self._size(number // 2 if self.alternates else number), kicks, on_gpu)

    def _size(self, number: int) -> int:
        if self.n > _LARGE:
            return max(2, int(_LARGE_SHARE * self.tours))
        return self.tours << min(_MAX_DOUBLINGS, (number - 1) // 2)

    def _gpu_size(self, number: int) -> int:
        if self.n > _LARGE:
            return min(_LARGE_POPULATION, self.tours)
        if number == 1:
            return max(
                2, int((_FIRST_CPU_POPULATION if self.builds_in_one_call else _GPU_POPULATION_SHARE) * self.tours)
            )
        return self.tours << min(_MAX_DOUBLINGS, (number - 1 - (self.n >= _ONE_CALL_CITIES)) // 2)
