"""The schedule of a search, by number of cities. Plain Python."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from solvers.lin_kernighan.params import LinKernighanParams

#: What a search does: kick one tour alone; kick it in many regions side by side; make populations of tours, and cross
#: them.
ALONE, REGIONS, POPULATIONS = "alone", "regions", "populations"
#: Fewest cities of several tours; most of crossed ones, on cores and beside a GPU; most with candidates by alpha.
_FEWEST, _CROSSED, _CROSSED_BY_GPU, _BY_ALPHA = 150, 20_000, 50_000, 50_000
#: Kicks of a tour for each city: where a child takes the best AB-cycle of each few, and where it takes that of many.
_KICKS = (0.05, 0.2)
#: Most cities whose distances are written into a table where tours are crossed.
_TABLED = 8000
#: Up to how many cities a child takes the best AB-cycle of each few; of more, for how many cities the best of how many,
#: and the share of the tours that a population has then.
_LARGE, _FEW, _GROUPED, _MANY, _LARGE_SHARE = 8000, 6, 4000, 30, 0.67
#: Below how many cities a tour is made in one call; how often the number of a population's tours is doubled at most.
_FEWER, _DOUBLED = 2000, 5
#: How often for each city tours of more than `_LARGE` are kicked side by side before the first population.
_CHAIN_ROUNDS = 3
#: Tours that cores make, and merge, in a round; beside a GPU more cores would all wait, and the shortest is merged.
_MERGED_A_ROUND, _MERGED_BESIDE_GPU = 8, 1
#: Where a GPU kicks: the tours of a population of more than `_LARGE` cities, and the share of the tours that the first
#: one of fewer cities has; in how many batches a tour of so many cities is kicked alone before; and how often each tour
#: of a population is kicked for each city, of few and of many.
_LARGE_POPULATION, _SMALLER_ON_GPU, _CHAINED_BATCHES, _GPU_KICKS = 10, 0.67, 20, (1.0, 25.0)
#: Up to how many cities cores make and cross every second population while a GPU kicks the next one.
_CORES_BESIDE = 20_000
#: How many populations of tours of less than `_FEWER` cities cores kick first, since a batch takes a GPU some 30 ms;
#: and how many times as many tours as `tours` the first one has.
_OF_CORES, _LARGER_OF_CORES = 2, 4 / 3


class Population(NamedTuple):
    """How many tours a population has, how often each is kicked for each city, and whether a GPU does that."""

    size: int
    kicks: float
    on_gpu: bool


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a search does with this many cities, and how often.

    Attributes
    ----------
    n, tours : int
    gpu : bool
        Whether a GPU kicks.
    way : str
        `ALONE`, `REGIONS` or `POPULATIONS`.
    candidates : int
        Candidates of each city that cores keep, those nearest by alpha; 0 keeps all.
    first_kicks : int
        Kicks of the first tour.
    chain_rounds : int
        How many kicks for each city two tours get before others are crossed.
    chained_batches : int
        In how many batches a GPU kicks one tour before others are made.
    of_cores : int
        How many of the first populations cores kick, though there is a GPU.
    gpu_kicks : float
        How often a GPU kicks each tour of a population for each city.
    tabled : bool
        Whether all distances are written into a table where tours are crossed.
    in_one_call : bool
        Whether a tour is made within a slice.
    merged : int
        Tours of a round that are merged into the best one, the shortest.
    cores_beside : bool
        Whether cores make every second population, though there is a GPU.
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
    cores_beside: bool

    @classmethod
    def for_cities(cls, params: LinKernighanParams, n: int, gpu: bool = False) -> Self:
        """Return the schedule for n cities, on cores or beside a GPU."""
        several, large, fewer = params.tours > 1 and n >= _FEWEST, n > _LARGE, n < _FEWER
        beside = gpu and not fewer and n <= _CORES_BESIDE
        crossed = several and n <= (_CROSSED_BY_GPU if gpu else _CROSSED)
        return cls(
            n=n,
            tours=params.tours,
            gpu=gpu,
            way=POPULATIONS if crossed else REGIONS if (n > _CROSSED_BY_GPU if gpu else several) else ALONE,
            candidates=params.alpha if n <= _BY_ALPHA else 0,
            first_kicks=max(1, int(_KICKS[large] * n)),
            chain_rounds=_CHAIN_ROUNDS if large and not gpu else 0,
            chained_batches=_CHAINED_BATCHES if large and gpu else 0,
            of_cores=_OF_CORES if fewer and gpu else 0,
            gpu_kicks=_GPU_KICKS[large],
            tabled=n <= _TABLED,
            in_one_call=fewer,
            merged=_MERGED_BESIDE_GPU if gpu and not beside else _MERGED_A_ROUND,
            cores_beside=beside,
        )

    def groups(self, number: int) -> tuple[int, int]:
        """Return of how many groups of AB-cycles at most a child takes the best one each, and of how many."""
        if self.gpu and self.n >= _FEWER and self.population(number).on_gpu:
            return 1, _MANY  # tours that a GPU has kicked are alike
        return (self.n // _GROUPED, _MANY) if self.n > _LARGE else (self.n, _FEW)

    def population(self, number: int) -> Population:
        """Return population 1, 2, ..., which are larger and larger, up to a bound."""
        of_cores = self.cores_beside and number % 2 == 0
        on_gpu = self.gpu and number > self.of_cores and not of_cores
        kicks = self.gpu_kicks if on_gpu else _KICKS[self.n > _LARGE or (self.gpu and not of_cores)]
        if self.gpu and not of_cores:
            return Population(self._gpu_size(number // 2 + 1 if self.cores_beside else number), kicks, on_gpu)
        return Population(self._size(number // 2 if self.cores_beside else number), kicks, on_gpu)

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
