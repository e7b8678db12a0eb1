"""The variants of ant algorithms, as tables. Plain Python, without Numba: pages may import it."""

from dataclasses import dataclass

from data.limits import MAX_MATRIX
from solvers.gpu.calibration import MOST_CITIES
from solvers.solver import Variant

#: Cities that a card takes where ants walk in several launches: as many as a whole matrix is made of.
LARGE = MAX_MATRIX
#: Shared memory of a block that is not an ant's: the driver's, and what kernels name, bytes.
_SPARE = 24 << 10
#: How an ant chooses its next city; `nearest-first` is this program's own, the others are those of Uchida et al.
SELECTIONS = ("without-compression", "with-compression", "stochastic-trial", "hybrid", "nearest-first")
#: Those of them that make trials, on prefix sums of whole rows.
TRIALS = ("stochastic-trial", "hybrid")


@dataclass(frozen=True, slots=True)
class AntVariant(Variant):
    """A variant of an ant algorithm.

    Attributes
    ----------
    selections : tuple of str
        Which it can, the first by itself.
    city_bytes : float
        Shared memory that an ant's block takes for a city, bytes; 0 where it takes none.
    cities : int
        That a card takes at most, however much shared memory it has.
    """

    selections: tuple[str, ...] = ()
    city_bytes: float = 0.0
    cities: int = MOST_CITIES

    def unavailable_reason(self, kind: str, n: int, shared: int, memory: int = 0) -> str:
        """See `solvers.solver.Variant`."""
        most = self.most_cities(shared)
        return f"{self.name} takes at most {most:,} cities on this device." if most is not None and n > most else ""

    def most_cities(self, shared: int) -> int | None:
        """See `solvers.solver.Variant`."""
        if self.device == "cpu":
            return None
        return min(self.cities, int((shared - _SPARE) / self.city_bytes)) if self.city_bytes else self.cities


#: What computes on cores for Ant System and MAX-MIN Ant System alike.
CPU_KERNEL = "solvers.ants.kernels.walk_cpu:advance"
