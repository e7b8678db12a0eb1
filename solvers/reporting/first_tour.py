"""The tour of a run that ends before its algorithm starts."""

from collections.abc import Iterator

import numpy as np

from solvers.core.devices import cpu_text
from solvers.core.events import Event, Started
from solvers.core.neighbours import nearest_neighbour_tour
from solvers.core.solver import Job, Solver
from solvers.reporting.constructions import report_tour
from solvers.reporting.statistics import RunStatistics

#: Number of strips into which the map is cut for a tour, divided by the square root of the number of cities. For evenly
#: spread cities, distances across and along a strip are then equal (after L. Few, "The shortest path and the shortest
#: road through n points", 1955).
_STRIPS = np.sqrt(1 / 3)


def report_first_tour(solver: Solver, job: Job, compile_seconds: float) -> Iterator[Event]:
    """Yield the events of a stage whose budget ran out during preparation: of its start tour, or of a quick tour.

    Parameters
    ----------
    solver : Solver
    job : Job
    compile_seconds : float
        Seconds spent compiling or loading kernels until then.
    """
    yield Started(solver.name, job.variant.name, cpu_text(1), 1, compile_seconds)
    if job.start is not None:
        return
    statistics, order = RunStatistics(job, 1), _order(job)
    yield from report_tour(job, statistics, order, 1, job.stop.clock.seconds)
    statistics.stopped()


def _order(job: Job) -> np.ndarray:
    """Return a tour, (n,) int32, in strips up and down the map; without coordinates, the nearest-neighbour tour."""
    instance = job.instance
    if instance.weights is not None:
        return nearest_neighbour_tour(instance.weights)
    x, y = instance.display.T
    count = max(1, round(_STRIPS * np.sqrt(instance.n)))
    strip = np.minimum((count * (x - x.min()) / (np.ptp(x) or 1.0)).astype(int), count - 1)
    return np.lexsort((np.where(strip % 2, -y, y), strip)).astype(np.int32)
