"""A tour given by the user, which is shown as it is or is the start of later stages."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from data.distances import check_tour
from solvers.algorithms.construction.tries import make_variants
from solvers.core.devices import cpu_text
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params, param
from solvers.core.solver import Job, Solver, Variant
from solvers.reporting.constructions import make_tour_event, report_tour
from solvers.reporting.statistics import RunStatistics


@dataclass(frozen=True)
class GivenParams(Params):
    """Parameters of `Given`."""

    tour: tuple[int, ...] = param(
        (), label="Tour",
        help="The cities in visiting order, counted from 0; by default the tour in the instance's file.",
    )  # fmt: skip


class Given(Solver[GivenParams]):
    """Reports the given tour in a single step."""

    name: ClassVar[str] = "given"
    title: ClassVar[str] = "Your tour"
    family: ClassVar[str] = "given"
    source: ClassVar[str] = (
        'Whoever sent it; the tour in the order of the file is the canonical one of G. Reinelt, "TSPLIB 95" (1995)'
    )
    summary: ClassVar[str] = "Shows a tour that you provide; other algorithms can start from it."
    params: ClassVar[type[Params]] = GivenParams
    variants: ClassVar[tuple[Variant, ...]] = make_variants("data.distances:edge_lengths", "The one tour, measured.")
    iteration_unit: ClassVar[str] = "tour"
    evaluation_unit: ClassVar[str] = "tour"
    chance: ClassVar[bool] = False
    listed: ClassVar[bool] = False

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Report the tour and its edges.

        Raises
        ------
        InvalidInstance
            With ``NOT_A_TOUR``, if it is not a tour of this instance.
        """
        yield Compiling()
        order = _read_order(job)
        yield Started(self.name, "sequential", cpu_text(1), 1, 0.0)
        start_time = perf_counter()
        statistics = RunStatistics(job, 1)
        yield from report_tour(job, statistics, order, 1, perf_counter() - start_time)
        statistics.stopped()

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of the tour, the same for every climber."""
        yield make_tour_event(job, climber, _read_order(job))


def _read_order(job: Job[GivenParams]) -> np.ndarray:
    """Return the given tour, (n,) int32."""
    order = np.array(job.params.tour or range(job.instance.n), np.int32)
    check_tour(job.instance.n, order)
    return order
