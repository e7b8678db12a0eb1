"""elkai: LKH, Helsgaun's Lin-Kernighan, as a Python package."""

from typing import Any, ClassVar

import numpy as np

from solvers.algorithms.reference.package import Package, package_variant
from solvers.algorithms.reference.solver import ReferenceSolver
from solvers.core.solver import Variant

#: LKH stores distances in hundredths, and sums of two of them, in 32 bits.
_MAX_DISTANCE = 10_000_000
_PACKAGE = Package(
    "elkai", "elkai", "for non-commercial use only", max_cities=2400, largest=_MAX_DISTANCE, negative=True
)


class Elkai(ReferenceSolver):
    """LKH through the package elkai."""

    package: ClassVar[Package] = _PACKAGE
    name: ClassVar[str] = "elkai"
    title: ClassVar[str] = "LKH (elkai)"
    source: ClassVar[str] = (
        'K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic" (2000), by F. '
        "Dimitrovski's package elkai (https://github.com/fikisipi/elkai); free for non-commercial use only"
    )
    summary: ClassVar[str] = (
        "LKH, the strongest published heuristic, by the package elkai, for comparison: called with rising time "
        "limits, of which each shows its final tour only. It ends early on few cities; for 1,000 it needs a second "
        "more than its limit."
    )
    variants: ClassVar[tuple[Variant, ...]] = (
        package_variant("sequential", "elkai._elkai:solve_problem", "One thread, as LKH is.", _PACKAGE, directed=True),
    )

    @classmethod
    def call(cls, distances: np.ndarray, seconds: float, seed: int, threads: int) -> Any:
        """See `ReferenceSolver.call`.

        Its public functions have neither a time limit nor a seed, so these are passed to LKH as its own parameters. The
        limit ends the search, but not the preparation before it.
        """
        from elkai import _elkai

        kind = "TSP" if np.array_equal(distances, distances.T) else "ATSP"
        settings = f"RUNS = 1\nSEED = {seed}\nTIME_LIMIT = {seconds:.6f}\nPROBLEM_FILE = :stdin:\n"
        rows = "\n".join(" ".join(map(str, row)) for row in distances.tolist())
        problem = (
            f"TYPE : {kind}\nDIMENSION : {len(distances)}\nEDGE_WEIGHT_TYPE : EXPLICIT\n"
            f"EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n{rows}\n"
        )
        return [city - 1 for city in _elkai.solve_problem(settings, problem)]
