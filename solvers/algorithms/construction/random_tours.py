"""Random tours: a baseline, and start tours for climbs."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from data.distances import edge_lengths
from solvers.algorithms.construction.tries import make_variants
from solvers.core.devices import cpu_text
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params, param
from solvers.core.solver import Job, Solver, Variant
from solvers.reporting.constructions import make_tour_event
from solvers.reporting.statistics import FinishedClimbs, RunStatistics

#: Number of edges measured at a time, which takes a few milliseconds.
_EDGES = 200_000


@dataclass(frozen=True)
class RandomToursParams(Params):
    """Parameters of `RandomTours`."""

    samples: int = param(
        1000, label="Samples", help="How many random tours are measured.", low=1, high=10_000_000, step=1, scale="log",
    )  # fmt: skip


class RandomTours(Solver[RandomToursParams]):
    """Draws uniformly random tours and measures them."""

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "Random tours"
    family: ClassVar[str] = "construction"
    source: ClassVar[str] = 'R. Durstenfeld, "Algorithm 235: Random permutation" (CACM 7, 1964)'
    summary: ClassVar[str] = "Visits the cities in random order, again and again, and keeps the shortest tour."
    params: ClassVar[type[Params]] = RandomToursParams
    variants: ClassVar[tuple[Variant, ...]] = make_variants(
        "solvers.kernels.tours_cpu:random_tours", "One tour after the other.", supports_large=True
    )
    iteration_unit: ClassVar[str] = "sample"
    evaluation_unit: ClassVar[str] = "tour"
    makes_start: ClassVar[bool] = True

    def solve(self, job: Job[RandomToursParams]) -> Generator[Event, None, None]:
        """Draw and measure tours; record the edges of new bests."""
        yield Compiling()
        start_time = perf_counter()
        _draw(job, 0, 1)
        yield Started(self.name, "sequential", cpu_text(1), 1, perf_counter() - start_time)
        samples = job.params.samples
        statistics, at_once = RunStatistics(job, samples), max(1, _EDGES // job.instance.n)
        while statistics.finished < samples:
            batch = _sample(job, statistics.finished, min(at_once, samples - statistics.finished))
            counted = statistics.count(batch)
            for at in counted.improvements.tolist():
                yield make_tour_event(job, statistics.finished + at, batch.order[at])
            yield from statistics.events(batch, counted)
            if statistics.stopped():
                break

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Edges` of one sample."""
        yield make_tour_event(job, climber, _draw(job, climber, 1)[0])


def _draw(job: Job, first: int, count: int) -> np.ndarray:
    """Return `count` random tours, numbered from `first`, (count, n) int32; 0 is the stage's start tour, if any."""
    from solvers.kernels.tours_cpu import random_tours

    orders = np.empty((count, job.instance.n), np.int32)
    random_tours(np.uint64(job.seed), first, orders)
    if first == 0 and job.start is not None:
        orders[0] = job.start
    return orders


def _sample(job: Job, first: int, count: int) -> FinishedClimbs:
    start_time = perf_counter()
    orders = _draw(job, first, count)
    length = edge_lengths(job.instance, orders, np.roll(orders, -1, axis=1)).sum(axis=1)
    seconds = np.full(count, (perf_counter() - start_time) / count)
    return FinishedClimbs(length, np.zeros(count, np.int64), np.ones(count, np.int64), seconds, orders)
