"""fast-tsp: iterated Lin-Kernighan in Rust."""

from typing import Any, ClassVar

import numpy as np

from solvers.algorithms.reference.package import Package, package_variant
from solvers.algorithms.reference.params import ThreadedParams
from solvers.algorithms.reference.solver import ReferenceSolver
from solvers.core.params import Params
from solvers.core.solver import Variant

_PACKAGE = Package("fast-tsp", "fast_tsp", "MIT", max_cities=20_000, largest=65_535)
_KERNEL = "fast_tsp:find_tour"


class FastTsp(ReferenceSolver):
    """The package fast-tsp."""

    package: ClassVar[Package] = _PACKAGE
    name: ClassVar[str] = "fast-tsp"
    title: ClassVar[str] = "fast-tsp"
    source: ClassVar[str] = (
        "S. Mulvad, fast-tsp (https://github.com/shmulvad/fast-tsp); Lin-Kernighan moves with candidates after K. "
        'Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic" (2000)'
    )
    summary: ClassVar[str] = (
        "The package fast-tsp, iterated Lin-Kernighan in Rust, for comparison: called with rising time limits, of "
        "which each shows its final tour only. It keeps its limit, and accepts no seed."
    )
    params: ClassVar[type[Params]] = ThreadedParams
    variants: ClassVar[tuple[Variant, ...]] = (
        package_variant("cpu", _KERNEL, "Threads that share the best tour, one for each core.", _PACKAGE),
        package_variant("sequential", _KERNEL, "One thread, the package's own default.", _PACKAGE),
    )

    @classmethod
    def call(cls, distances: np.ndarray, seconds: float, seed: int, threads: int) -> Any:
        """See `ReferenceSolver.call`; the package takes no seed."""
        import fast_tsp

        return fast_tsp.find_tour(distances, seconds, threads)
