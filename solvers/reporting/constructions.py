"""Events of construction algorithms: their edges, and their tour as `FinishedClimbs`."""

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from data.distances import edge_lengths, tour_length
from solvers.core.events import Edges, Event, Steps
from solvers.core.solver import Job
from solvers.reporting.statistics import CountedBatch, FinishedClimbs, RunStatistics


def make_edges_event(job: Job, climber: int, edges: np.ndarray) -> Edges:
    """Return a construction's event: its edges, (n, 2) int32, in the order in which they were chosen, with lengths."""
    return Edges(climber, edges, edge_lengths(job.instance, edges[:, 0], edges[:, 1]).astype(np.int32))


def make_tour_event(job: Job, climber: int, order: np.ndarray) -> Edges:
    """Return the event of a construction that chose its edges in tour order."""
    return next(make_tour_events(job, [climber], order[None]))


def make_tour_events(job: Job, climbers: Sequence[int], orders: np.ndarray) -> Iterator[Edges]:
    """Yield the event of `make_tour_event` for each of several tours, (k, n), which are measured together."""
    edges = np.stack((orders, np.roll(orders, -1, axis=1)), axis=2)
    lengths = edge_lengths(job.instance, edges[..., 0], edges[..., 1]).astype(np.int32)
    yield from map(Edges, climbers, edges, lengths)


def build_steps(
    job: Job,
    climber: int,
    edges: np.ndarray,
    leaves: np.ndarray,
    counts: np.ndarray,
    phase: np.ndarray | None = None,
    excess: int = -1,
) -> Steps:
    """Return the event of a construction that also removes edges.

    Parameters
    ----------
    job : Job
    climber : int
    edges : ndarray, shape (m, 2), int32
        The edges that are removed or added, step by step.
    leaves : ndarray, shape (m,), bool
        Whether each edge is removed.
    counts : ndarray, shape (s,), int
        Number of edges that each step removes or adds.
    phase : ndarray, shape (s,), uint8, optional
        The phase of the construction to which each step belongs; by default there is only one.
    excess : int
        See `Steps`.
    """
    lengths = edge_lengths(job.instance, edges[:, 0], edges[:, 1]).astype(np.int32)
    phase = np.zeros(counts.size, np.uint8) if phase is None else phase
    return Steps(
        climber, np.ascontiguousarray(edges), lengths, leaves, np.cumsum(counts).astype(np.int32), phase, excess
    )


def report_tour(
    job: Job, statistics: RunStatistics, order: np.ndarray, evaluations: int, seconds: float
) -> Generator[Event, None, CountedBatch]:
    """Yield a tour's edges, and then its events as the next climber's result; return what was counted."""
    batch = make_batch(job, order, evaluations, seconds)
    yield make_tour_event(job, statistics.finished, order)
    counted = statistics.count(batch)
    yield from statistics.events(batch, counted)
    return counted


def make_batch(job: Job, order: np.ndarray, evaluations: int, seconds: float) -> FinishedClimbs:
    """Return a construction as a batch of one climber, which has made no moves."""
    return FinishedClimbs.of_tours([tour_length(job.instance, order)], [evaluations], [seconds], order[None])
