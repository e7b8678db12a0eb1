"""Checks a run's events: their order, tours and lengths, columns, moves and constructions.

A fault is a pair: a word for its kind, since each kind is reported only once, and a sentence without a capital letter
and a full stop.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from data.distances import check_tour, edge_lengths, tour_length
from data.errors import InvalidInstance
from data.instance import Instance
from solvers.core.events import Compiling, Edges, Event, Moves, Progress, Rows, Started, Tour
from solvers.core.solver import Solver

Fault = tuple[str, str]
_PROGRESS = ("iteration", "evaluations", "elapsed", "best", "current", "mean")
_ROWS = ("climber", "length", "moves", "evaluations", "seconds")


def find_faults(solver: Solver, instance: Instance, events: list[Event], minimum: int | None) -> Iterator[Fault]:
    """Yield the faults in a finished run's events.

    Parameters
    ----------
    solver : Solver
    instance : Instance
    events : list of Event
    minimum : int or None
        The length of a shortest tour.
    """
    yield from _check_order(solver, events)
    for event in events:
        if isinstance(event, Tour):
            yield from _check_tour(instance, event)
        elif isinstance(event, Edges):
            yield from _check_edges(instance, event)
    if not any(isinstance(event, Tour) for event in events):
        yield "no tour", "the run ended without a tour; is `yield from` missing before climb.end(...)?"
    yield from _check_bests(events)
    yield from _check_columns(events, Progress, _PROGRESS)
    yield from _check_columns(events, Rows, _ROWS)
    yield from _check_rows(events)
    yield from _check_moves(instance, [event for event in events if isinstance(event, Moves)])
    if minimum is not None:
        yield from _check_optimum(events, minimum)


def _check_order(solver: Solver, events: list[Event]) -> Iterator[Fault]:
    if not events or not isinstance(events[0], Compiling):
        yield "compiling", "the first event must be Compiling"
    others = [event for event in events if not isinstance(event, Compiling)]
    if not others or not isinstance(others[0], Started):
        yield "started", "the event after Compiling must be Started: yield from report.started()"
    for event in others:
        if isinstance(event, Started):
            if event.algorithm != solver.name:
                yield "algorithm", f"Started names the algorithm {event.algorithm!r:.80}, not {solver.name}"
            if event.variant not in {variant.name for variant in solver.variants}:
                yield "variant", f"Started names the variant {event.variant!r:.80}, which is not declared"


def _check_tour(instance: Instance, event: Tour) -> Iterator[Fault]:
    order = np.asarray(event.order)
    try:
        check_tour(instance.n, order)
    except InvalidInstance as error:
        yield "permutation", f"a tour is not a permutation of the cities: {str(error).rstrip('.')}"
        return
    if order.dtype != np.int32:
        yield "dtype", f"the order of a tour has the type {order.dtype}, but must be int32"
    if event.length != (exact := tour_length(instance, order)):
        yield "length", f"a tour was reported with the length {event.length:,}, which measures {exact:,}"


def _check_bests(events: list[Event]) -> Iterator[Fault]:
    lengths = [event.length for event in events if isinstance(event, Tour)]
    if lengths != sorted(set(lengths), reverse=True):
        yield "no new best", "a tour was reported that is not shorter than the best one before it"


def _check_columns(events: list[Event], kind: type[Event], names: tuple[str, ...]) -> Iterator[Fault]:
    for event in events:
        if not isinstance(event, kind):
            continue
        columns: dict[str, Any] = {name: getattr(event, name) for name in names}
        if any(not isinstance(column, np.ndarray) or column.ndim != 1 for column in columns.values()):
            yield f"columns of {kind.__name__}", f"the columns of {kind.__name__} must be arrays of one dimension"
            return
        if len({column.size for column in columns.values()}) > 1:
            yield f"columns of {kind.__name__}", f"the columns of {kind.__name__} must be of one size"
            return
    if kind is not Progress:
        return
    rows = [event for event in events if isinstance(event, Progress)]
    for name, sign in (("iteration", 1), ("evaluations", 1), ("elapsed", 1), ("best", -1)):
        if rows and np.any(sign * np.diff(np.concatenate([getattr(event, name) for event in rows])) < 0):
            yield f"progress of {name}", f"the column {name} of Progress goes back"


def _check_rows(events: list[Event]) -> Iterator[Fault]:
    climbers = [int(climber) for event in events if isinstance(event, Rows) for climber in event.climber]
    if climbers != list(range(len(climbers))):
        yield "climbers", "the climbers of Rows must be 0, 1, 2, ..., each once and in this order"


def _check_edges(instance: Instance, event: Edges) -> Iterator[Fault]:
    n, edges = instance.n, np.asarray(event.edges)
    if edges.shape != (n, 2) or np.bincount(edges.ravel(), minlength=n).tolist() != [2] * n:
        yield "edges", f"the construction {event.climber} is no tour: each city must have two edges"
    elif np.asarray(event.delta).tolist() != edge_lengths(instance, *edges.T).tolist():
        yield "edge lengths", f"the construction {event.climber} names lengths that its edges do not have"


def _check_moves(instance: Instance, events: list[Moves]) -> Iterator[Fault]:
    """Apply the reported moves in order to the reported tours."""
    current: dict[int, np.ndarray] = {}
    for event in events:
        at = 0
        for k, climber in enumerate(event.climber.tolist()):
            if event.tour[k] >= 0:
                tour = np.array(event.tours[event.tour[k]])
                if climber in current and event.count[k] and not np.array_equal(tour, current[climber]):
                    yield (
                        "climb",
                        f"climb {climber}: its moves do not lead to the tour that is told next",
                    )
                    return
                current[climber] = tour
            elif climber not in current:
                yield "climb", f"climb {climber} begins without a tour"
                return
            count = int(event.count[k])
            fault = _apply_moves(instance, current[climber], int(event.length[k]), event, slice(at, at + count))
            if fault:
                yield "move", f"climb {climber}: {fault}"
                return
            at += count


def _apply_moves(instance: Instance, order: np.ndarray, length: int, event: Moves, rows: slice) -> str:
    """Apply the moves of one part of a climb to `order` in place; return a fault, or "" if there is none."""
    n = instance.n
    if length != (exact := tour_length(instance, order)):
        return f"its tour is said to be {length:,} long, and measures {exact:,}"
    for i, j, delta in zip(event.i[rows].tolist(), event.j[rows].tolist(), event.delta[rows].tolist(), strict=True):
        if not 0 <= i < j < n:
            return f"the move ({i}, {j}) is not one of two positions 0 <= i < j < {n}"
        a, b, c, d = order[i], order[i + 1], order[j], order[(j + 1) % n]
        new, old = (
            edge_lengths(instance, np.array([a, b]), np.array([c, d])),
            edge_lengths(instance, np.array([a, c]), np.array([b, d])),
        )
        if delta != (exact := int(new.sum() - old.sum())):
            return f"the move ({i}, {j}) is said to change the length by {delta:,}, and changes it by {exact:,}"
        order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1].copy()
    return ""


def _check_optimum(events: list[Event], minimum: int) -> Iterator[Fault]:
    claims = [event.length for event in events if isinstance(event, Tour)]
    claims += [int(value) for event in events if isinstance(event, Progress) for value in event.best]
    claims += [int(value) for event in events if isinstance(event, Rows) for value in event.length]
    if claims and min(claims) < minimum:
        yield "optimum", f"a length of {min(claims):,} was reported, and the shortest tour has {minimum:,}"
