"""Helpers that run solvers: instances of every kind, events, and climbs assembled from their pieces."""

from collections.abc import Generator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers import SOLVERS
from solvers.core.events import (
    Ants,
    Colony,
    Edges,
    Event,
    Explanation,
    Field,
    Individuals,
    Moves,
    Population,
    Progress,
    Rows,
    Started,
    Tour,
)
from solvers.core.solver import Solver, is_exact
from solvers.core.stop import Budget, Counter
from solvers.gpu.limits import BOUNDLESS
from solvers.run import prepare, replay, run
from solvers.spec import VERSION, RunSpec
from tests import naive


def planar(kind: str, n: int, side: float, seed: int, whole: bool = True) -> Instance:
    """Random cities with this kind of distance."""
    points = np.random.default_rng(seed).uniform(0, side, (n, 2))
    return assemble(f"{kind}-{n}", kind, "inline", coordinates=np.rint(points) if whole else points)


#: One instance for each way to measure, the integer grid of EUC_2D and coordinates off it included.
KINDS = {
    "grid": lambda: load("berlin52"),
    "fractions": lambda: planar("EUC_2D", 40, 1000, 1, whole=False),
    "wide": lambda: uniform(30, 1),
    "crowded": lambda: planar("EUC_2D", 60, 5, 2),
    "ceil": lambda: planar("CEIL_2D", 33, 1000, 3),
    "att": lambda: planar("ATT", 37, 8000, 4),
    "geo": lambda: load("ulysses16"),
    "explicit": lambda: load("swiss42"),
}


def return_value(work: Generator[Any, None, Any]) -> Any:
    """The return value of a generator."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value


def admitted(solver: Solver, n: int, exact: int = 12) -> int:
    """The maximum number of cities of a run, or fewer if the solver proves its tour or has a lower limit."""
    most = solver.variants[0].max_cities(BOUNDLESS) if len(solver.variants) == 1 else None
    return min(n, exact) if is_exact(solver) else min(n, most or n)


def fit_instance(solver: Solver, instance: Instance, exact: int = 12) -> Instance:
    """The instance, or its first cities if a solver proves its tour."""
    n = admitted(solver, instance.n, exact)
    if n == instance.n:
        return instance
    coordinates = None if instance.coordinates is None else instance.coordinates[:n]
    weights = None if instance.weights is None else np.ascontiguousarray(instance.weights[:n, :n])
    return assemble(f"{instance.name}-{n}", instance.kind, "inline", coordinates=coordinates, weights=weights)


def events_within(seconds: float, instance: Instance, spec: RunSpec) -> list[Event]:
    """The events of a run limited to this many seconds, without its preparation."""
    counter, events = Budget().start(), []
    for event in run(prepare(spec), instance, counter):
        if isinstance(event, Started):
            counter.budget = Budget(seconds=counter.clock.seconds + seconds)
        events.append(event)
    return events


def make_spec(algorithm: str, seed: int = 1, budget: dict[str, Any] | None = None, **params: Any) -> RunSpec:
    """A spec with one stage; its instance is given separately."""
    stage = {"algorithm": algorithm, "params": params}
    fields = {"v": VERSION, "instance": {"name": "test"}, "stages": [stage], "seed": seed, "budget": budget or {}}
    return RunSpec.from_json(fields)


def small_params(solver: Solver, count: int = 20) -> dict[str, Any]:
    """Parameters that keep a solver's run short."""
    names = {declared.name for declared in solver.params.schema()}
    counts = "climbers", "samples", "starts", "iterations", "generations", "chains", "searches", "steps", "rounds"
    chosen = dict.fromkeys(counts, count)
    chosen |= {"population": 10, "offspring": 3}
    chosen["moves_per_city"] = 20  # what a chain does at each temperature
    chosen["steps_per_city"] = 5  # of a tabu search
    return {name: value for name, value in chosen.items() if name in names}


def collect_events(instance: Instance, spec: RunSpec, counter: Counter | None = None) -> list[Event]:
    """All events of a run."""
    return list(run(prepare(spec), instance, counter))


def column(events: list[Event], kind: type[Event], name: str) -> list[Any]:
    """The values of a column of all events of a kind."""
    return [value for event in events if isinstance(event, kind) for value in getattr(event, name).tolist()]


def replay_events(instance: Instance, spec: RunSpec, climber: int) -> list[Event]:
    """The recomputed events of one climber."""
    return list(replay(prepare(spec), instance, climber))


@dataclass(eq=False)
class Climb:
    """A climb put together from its pieces; `tours` are those that the pieces carry, by the move before which.

    `steps` has step and control of each move where the algorithm records them.
    """

    length: int
    start: list[int]
    moves: list[tuple[int, int, int]] = field(default_factory=list)
    steps: list[tuple[int, float]] = field(default_factory=list)
    tours: dict[int, list[int]] = field(default_factory=dict)
    last: bool = False

    def __eq__(self, other: object) -> bool:
        same = ("length", "start", "moves", "steps", "last")
        return isinstance(other, Climb) and all(getattr(self, name) == getattr(other, name) for name in same)


def collect_climbs(events: list[Event]) -> dict[int, Climb]:
    """The recorded climbs of a run; asserts that the pieces follow each other without gaps."""
    from solvers.reporting.climbs import TOUR_EVERY  # imports Numba

    found: dict[int, Climb] = {}
    lengths: dict[int, int] = {}  # of each climb as far as it has come
    for event in events:
        if not isinstance(event, Moves) or event.is_snapshot:
            continue
        ends = np.cumsum(event.count)
        assert ends[-1] == event.i.size == event.j.size == event.delta.size
        for row, climber in enumerate(event.climber.tolist()):
            first, count, tour = int(event.first[row]), int(event.count[row]), int(event.tour[row])
            if first == 0 and climber not in found:
                assert tour >= 0
                found[climber] = Climb(int(event.length[row]), event.tours[tour].tolist())
                lengths[climber] = found[climber].length
            climb = found[climber]
            assert not climb.last
            assert first == len(climb.moves)
            assert first // TOUR_EVERY == max(first, first + count - 1) // TOUR_EVERY
            assert tour >= 0 or first % TOUR_EVERY
            if tour >= 0:
                climb.tours[first] = event.tours[tour].tolist()
            moves = slice(int(ends[row]) - count, int(ends[row]))
            columns = (event.i[moves].tolist(), event.j[moves].tolist(), event.delta[moves].tolist())
            assert event.length[row] == lengths[climber]
            climb.moves += zip(*columns, strict=True)
            climb.steps += zip(event.step[moves].tolist(), event.control[moves].tolist(), strict=True)
            assert len(climb.steps) in (0, len(climb.moves))
            lengths[climber] += sum(columns[2])
            climb.last = bool(event.last[row])
    return found


def check_local_optima(instance: Instance, events: list[Event]) -> None:
    """Assert that each recorded climb ends at its shortest tour, which no move improves."""
    matrix = distance_matrix(instance).tolist()
    for climb in collect_climbs(events).values():
        lengths = climb.length + np.cumsum([0, *(delta for _, _, delta in climb.moves)])
        assert lengths[-1] == lengths.min()
        tour = climb.start
        for i, j, _ in climb.moves:
            tour = naive.reversed_between(tour, i, j)
        assert naive.best_move(matrix, tour) is None


def check_replays(instance: Instance, spec: RunSpec) -> None:
    """Assert that each climb of a run, recomputed, ends at its length."""
    rows = [event.length for event in collect_events(instance, spec) if isinstance(event, Rows)]
    for climber, length in enumerate(np.concatenate(rows).tolist()):
        climb = collect_climbs(replay_events(instance, spec, climber))[climber]
        assert climb.length + sum(delta for _, _, delta in climb.moves) == length


def story(events: list[Event]) -> dict[str, Any]:
    """Everything that must be the same when a run is repeated: all except times and the batching of events."""
    rows = [event for event in events if isinstance(event, Rows)]
    progress = [event for event in events if isinstance(event, Progress)]
    columns = ("iteration", "evaluations", "best", "current", "mean")
    return {
        "climbs": collect_climbs(events),
        "edges": [(e.climber, e.edges.tolist(), e.delta.tolist()) for e in events if isinstance(e, Edges)],
        "explanations": [(e.climber, *event_values(e)) for e in events if isinstance(e, Explanation)],
        "tours": [(e.climber, e.length, e.order.tolist()) for e in events if isinstance(e, Tour)],
        "rows": {
            name: [value for event in rows for value in getattr(event, name).tolist()]
            for name in ("climber", "length", "moves", "evaluations")
        },
        "progress": {name: [v for event in progress for v in getattr(event, name).tolist()] for name in columns},
        "colony": [row for event in events if isinstance(event, Colony) for row in event_rows(event)],
        "population": [row for event in events if isinstance(event, Population) for row in event_rows(event)],
        "individuals": [event_values(event) for event in events if isinstance(event, Individuals)],
        "ants": [(e.iteration, e.lengths.tolist()) for e in events if isinstance(e, Ants)],
        "fields": [event_values(event) for event in events if isinstance(event, Field)],
    }


def event_rows(event: Colony | Population) -> list[tuple[Any, ...]]:
    """The rows of an event of columns."""
    return list(zip(*event_values(event), strict=True))


def event_values(event: Any) -> tuple[Any, ...]:
    """An event's fields, with arrays as lists."""
    values = [getattr(event, field.name) for field in fields(event)]
    return tuple(value.tolist() if isinstance(value, np.ndarray) else value for value in values)


#: Those whose runs can be repeated; `tests/solvers/algorithms/reference` tests the others.
OURS = [solver for solver in SOLVERS if solver.family != "reference"]
NAMES = [solver.name for solver in OURS]
