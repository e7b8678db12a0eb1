"""Tables of variants of ant algorithms. Plain Python, without Numba: pages may import it."""

from dataclasses import dataclass

from data.limits import MAX_MATRIX
from solvers.core.solver import Variant
from solvers.gpu.calibration import MAX_CITIES
from solvers.gpu.limits import Limits

#: Maximum number of cities on a GPU if ants walk in several launches; the limit for a full matrix.
LARGE = MAX_MATRIX
#: Bytes of a block's shared memory that the driver and the kernels' static arrays use.
_SPARE = 24 << 10
#: Selections that choose cities with probabilities proportional to their fitness, as in Ant System; `nearest-first` is
#: our own, the others are by Uchida et al.
ROULETTES = ("without-compression", "with-compression", "stochastic-trial", "hybrid", "nearest-first")
#: Rules for selecting an ant's next city; the last, by Cecilia et al., has different probabilities.
SELECTIONS = (*ROULETTES, "i-roulette")
#: Selections that make trials on prefix sums of whole rows.
TRIALS = ("stochastic-trial", "hybrid")


@dataclass(frozen=True, slots=True)
class AntVariant(Variant):
    """A variant of an ant algorithm.

    Attributes
    ----------
    selections : tuple of str
        Supported selections; the first is the default.
    city_bytes : float
        Bytes of shared memory per city that an ant's block needs; 0 if the need does not depend on the cities.
    cities : int
        Maximum number of cities on a GPU, regardless of its shared memory.
    """

    selections: tuple[str, ...] = ()
    city_bytes: float = 0.0
    cities: int = MAX_CITIES

    def max_cities(self, limits: Limits) -> int | None:
        """See `solvers.core.variant.Variant`."""
        if self.device == "cpu":
            return None
        return (
            min(self.cities, int((limits.shared_per_block - _SPARE) / self.city_bytes))
            if self.city_bytes
            else self.cities
        )

    def limit_reason(self, limits: Limits) -> str:
        """See `solvers.core.variant.Variant`."""
        maximum = self.max_cities(limits)
        if maximum is None:
            return ""
        if maximum < self.cities:
            return (
                f"a block takes {self.city_bytes:g} bytes for each city, and may have {limits.shared_kib} KB of shared "
                "memory"
            )
        return "a matrix of more cities is not made" if maximum == LARGE else "more would outlast a launch"


#: The CPU kernel of both Ant System and MAX-MIN Ant System, and a description of its memory.
CPU_KERNEL, CPU_MEMORY = "solvers.algorithms.ants.kernels.walk_cpu:advance", "Trails and fitness in float32."


def cpu_variants(kernel: str, memory: str, key_idea: str, selections: tuple[str, ...]) -> tuple[AntVariant, AntVariant]:
    """Return the variant on all cores, with its key idea, and the one on a single thread."""
    many, one = "Ants in parallel, one thread per core.", "One ant after the other, on one thread."
    baseline = "The baseline of the parallel variants."
    return (
        AntVariant("cpu", "cpu", kernel, many, "This program", memory, key_idea, selections, directed=True),
        AntVariant("sequential", "cpu", kernel, one, "This program", memory, baseline, selections, directed=True),
    )
