"""Space-filling curve: visit the cities in the order of Sierpinski's curve."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.algorithms.construction.tries import Construction, ConstructionSolver, make_variants
from solvers.core.events import Edges
from solvers.core.params import Params
from solvers.core.solver import Job, Variant
from solvers.reporting.constructions import make_tour_event

#: Number of cities whose places on the curve are found between two heartbeats: about 20 ms.
_CITIES = 50_000


@dataclass(frozen=True)
class SpaceFillingCurveParams(Params):
    """`SpaceFillingCurve` has no parameters."""


class SpaceFillingCurve(ConstructionSolver):
    """Visits cities in the order of Sierpinski's curve; ties go to the lowest city."""

    name: ClassVar[str] = "space-filling-curve"
    title: ClassVar[str] = "Space-filling curve"
    source: ClassVar[str] = (
        'L. K. Platzman and J. J. Bartholdi, "Spacefilling Curves and the Planar Travelling Salesman Problem" '
        "(Journal of the ACM 36, 1989)"
    )
    summary: ClassVar[str] = "Visits the cities in the order in which one line through the whole map meets them."
    params: ClassVar[type[Params]] = SpaceFillingCurveParams
    variants: ClassVar[tuple[Variant, ...]] = make_variants(
        "solvers.algorithms.construction.kernels.curve_cpu:curve_keys",
        "One city after the other.",
        directed=False,
        supports_large=True,
    )
    chance: ClassVar[bool] = False

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        return _CurveConstruction(job)


class _CurveConstruction(Construction):
    """Finds the places of some cities on the curve in each slice, and sorts the cities in the last one."""

    def __init__(self, job: Job) -> None:
        from solvers.algorithms.construction.kernels import curve_cpu

        super().__init__(job)
        self._kernel, self._points = curve_cpu, np.ascontiguousarray(job.instance.display, np.float64)
        self._low = self._points.min(axis=0)
        self._extent = float(np.ptp(self._points, axis=0).max()) or 1.0
        self.begin(0)
        self._place(0)

    def begin(self, climber: int) -> None:
        """Start with no city placed on the curve."""
        self._keys, self._placed = np.empty(self._job.instance.n, np.int64), 0
        self._order: np.ndarray | None = None
        self.seconds = 0.0

    def _place(self, last: int) -> None:
        self._kernel.curve_keys(self._points, self._low, self._extent, self._placed, last, self._keys)
        self._placed = last

    def _continue(self) -> None:
        if self._placed < self._keys.size:
            self._place(min(self._placed + _CITIES, self._keys.size))
        else:
            self._order = np.argsort(self._keys, kind="stable").astype(np.int32)

    @property
    def complete(self) -> bool:
        """Whether the cities are sorted."""
        return self._order is not None

    @property
    def evaluations(self) -> int:
        """Number of edges in the tour; the curve needs no distances."""
        return self._keys.size if self.complete else 0

    def order(self) -> np.ndarray:
        """Return the cities in the order of the curve; until they are sorted, in the order of their indices."""
        return np.arange(self._keys.size, dtype=np.int32) if self._order is None else self._order

    def record(self, climber: int) -> Iterator[Edges]:
        """Yield the edges in the order of the curve."""
        yield make_tour_event(self._job, climber, self.order())
