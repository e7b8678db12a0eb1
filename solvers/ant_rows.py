"""The ways to run ant algorithms, as rows of tables. Plain Python, without Numba: pages may read it."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.limits import MAX_MATRIX
from solvers.solver import Job, Solver, Taught, row_that_runs

UCHIDA = (
    'A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the '
    'Traveling Salesman Problem" (2012)'
)
BITNER = 'S. Bitner, "ACOTSP" (2025)'
QIN_HAN = 'Y. Qin and D. Han, "Parallel TSP Solvers" (2022)'
#: Cities that a card takes: of more, the fewest ants that keep it busy would walk for more than 100 ms in one launch,
#: to judge by an H200 and 2,392 and 10,000 cities.
MOST_CITIES = 10_000
#: Cities that a card takes where ants walk in several launches: as many as a whole matrix is made of.
LARGE = MAX_MATRIX
#: Shared memory of a block that is not an ant's: the driver's, and what kernels name, bytes.
_SPARE = 24 << 10
#: How an ant chooses its next city; `nearest-first` is this program's own, the others are those of Uchida et al.
SELECTIONS = ("without-compression", "with-compression", "stochastic-trial", "hybrid", "nearest-first")
#: Those of them that make trials, on prefix sums of whole rows.
TRIALS = ("stochastic-trial", "hybrid")


@dataclass(frozen=True, slots=True)
class AntRow(Taught):
    """A way to run an ant algorithm.

    Attributes
    ----------
    selections : tuple of str
        Which it can, the first by itself.
    city_bytes : float
        Shared memory that an ant's block takes for a city, bytes; 0 where it takes none.
    cities : int
        That a card takes at most, however much shared memory it has.
    """

    selections: tuple[str, ...]
    city_bytes: float = 0.0
    cities: int = MOST_CITIES

    def why_not(self, kind: str, n: int, shared: int, memory: int = 0) -> str:
        """See `solvers.solver.Taught`."""
        most = self.most_cities(shared)
        return f"{self.name} takes at most {most:,} cities on this device." if most is not None and n > most else ""

    def most_cities(self, shared: int) -> int | None:
        """See `solvers.solver.Taught`."""
        if self.device == "cpu":
            return None
        return min(self.cities, int((shared - _SPARE) / self.city_bytes)) if self.city_bytes else self.cities


_CPU = "solvers.kernels.ants_cpu:advance"
AS_CPU_ROWS = (
    AntRow(
        "cpu", "cpu", _CPU, "Ants in parallel, one thread a core.", "This program", "Trails and fitness in float32.",
        "Ants know nothing of each other while they walk: each core can have its own.",
        ("nearest-first", "hybrid", "stochastic-trial", "with-compression", "without-compression"),
    ),
    AntRow(
        "sequential", "cpu", _CPU, "One ant after the other, on one thread.", "This program",
        "Trails and fitness in float32.", "What the parallel ways are measured against.",
        ("nearest-first", "hybrid", "stochastic-trial", "with-compression", "without-compression"),
    ),
)  # fmt: skip
AS_CUDA_ROWS = (
    AntRow(
        "warp", "cuda", "solvers.kernels.ant_warp_cuda:warp", "A warp an ant, the nearest cities first.",
        "This program", "Shared: which cities were visited, and a list of those that are not; the weights of all "
        "cities' nearest, 256 bytes a city, where they fit (up to about 880 cities), else in the caches.",
        "Most choices fall among few near cities; only where the rest is drawn must a row be read.",
        ("nearest-first", "without-compression"), city_bytes=3.0,
    ),
    AntRow(
        "block", "cuda", "solvers.kernels.ant_block_cuda:block", "A block an ant, four ways to choose a city.",
        UCHIDA + ", section IV.B", "Shared: prefix sums, unvisited cities, a bit a city.",
        "Prefix sums cost most: trials on sums of the whole row avoid nearly all of them.",
        ("hybrid", "stochastic-trial", "with-compression", "without-compression"), city_bytes=8.125,
    ),
    AntRow(
        "worker", "cuda", "solvers.kernels.ant_worker_cuda:worker", "A thread an ant, alone in its block.",
        BITNER + ", worker ant", "Shared: tour, unvisited cities, prefix sums.",
        "One thread a block leaves 31 of 32 lanes of a warp empty.", ("with-compression",), city_bytes=8.0,
    ),
    AntRow(
        "queen", "cuda", "solvers.kernels.ant_queen_cuda:queen", "A block an ant, a thread a city.",
        BITNER + ", queen ant", "Shared: the sums of the warps. Which cities were visited: registers.",
        "A thread a city makes each step short, and most threads watch visited cities.", ("without-compression",),
    ),
)  # fmt: skip
MMAS_CPU_ROWS = (
    AntRow(
        "cpu", "cpu", _CPU, "Ants in parallel, one thread a core.", "This program", "Trails and fitness in float32.",
        "With lists, an ant looks at 32 cities rather than at all.", ("nearest-first",),
    ),
    AntRow(
        "sequential", "cpu", _CPU, "One ant after the other, on one thread.", "This program",
        "Trails and fitness in float32.", "What the parallel ways are measured against.", ("nearest-first",),
    ),
)  # fmt: skip
MMAS_CUDA_ROWS = (
    AntRow(
        "warp", "cuda", "solvers.kernels.ant_warp_cuda:warp", "A warp an ant, and a warp a tour that is shortened.",
        "This program", "Shared: which cities were visited; a tour and its queue of cities while it is shortened.",
        "Only one ant leaves pheromone: what is left to do is to build tours and to shorten them.", ("nearest-first",),
        city_bytes=6.125,
    ),
)  # fmt: skip
_ACS_CPU = "solvers.kernels.acs_ants_cpu:advance"
ACS_CPU_ROWS = (
    AntRow(
        "cpu", "cpu", _ACS_CPU, "Ants in parallel, one thread a core.", "This program",
        "The trails of each city's nearest; of all other edges those that ever were part of a best tour.",
        "Nearly all trails are what they were at the beginning: only those of best tours must be kept.",
        ("nearest-first",),
    ),
    AntRow(
        "sequential", "cpu", _ACS_CPU, "One ant after the other, on one thread.", "This program",
        "The trails of each city's nearest; of all other edges those that ever were part of a best tour.",
        "What the parallel ways are measured against.", ("nearest-first",),
    ),
    AntRow(
        "mpi", "cpu", _ACS_CPU, "Ants in several processes, which exchange what they did after each iteration.",
        QIN_HAN + ", section 2.6", "Distances and nearness once for all processes of a machine; trails in each.",
        "Processes need not exchange tours: how often each raised edge was taken is enough.", ("nearest-first",),
        needs="mpi",
    ),
)  # fmt: skip
ACS_CUDA_ROWS = (
    AntRow(
        "warp", "cuda", "solvers.kernels.acs_warp_cuda:warp", "A warp an ant, the nearest cities first.",
        "This program", "Shared: which cities were visited, and a list of those that are not; the weights of all "
        "cities' nearest, 196 bytes a city, where they fit, unless they change while ants walk.",
        "Exploitation needs the greatest weight of all cities: that of the nearest, unless one of the others has more.",
        ("nearest-first",), city_bytes=3.0, cities=LARGE,
    ),
    AntRow(
        "block", "cuda", "solvers.kernels.acs_block_cuda:block", "A block an ant, which looks at all cities.",
        QIN_HAN + ", section 2.2", "Shared: a bit a city, sums of the threads.",
        "Each thread has the cities of one remainder: their sum chooses the thread, then the thread its city.",
        ("without-compression",), city_bytes=0.125, cities=LARGE,
    ),
)  # fmt: skip


def ant_row(solver: Solver, job: Job, cards: Sequence[AntRow]) -> AntRow:
    """See `solvers.solver.row_that_runs`."""
    row = row_that_runs(solver, job, cards)
    assert isinstance(row, AntRow)
    return row
