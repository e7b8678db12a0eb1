"""An imported tour: shown unchanged, and used as a start tour."""

import pytest

from commands.arguments import parse_command
from data.collection.resolve import load
from data.errors import InvalidInstance
from solvers import SOLVERS, find
from solvers.core.events import Edges, Rows, Tour
from solvers.core.machine import Machine
from solvers.plan import plan
from solvers.run import prepare, recompute_start, run
from solvers.spec import RunSpec
from tests.solver_runs import collect_climbs, collect_events, make_spec
from tests.tables import each_row

BERLIN = load("berlin52")
ORDER = BERLIN.optimal_tour.tolist()


def chain(*stages):
    named = [{"algorithm": algorithm, "params": params} for algorithm, params in stages]
    return RunSpec.from_json({**make_spec("given").to_json(), "stages": named})


def test_tour_is_reported_unchanged():
    events = collect_events(BERLIN, make_spec("given", tour=ORDER))
    (tour,) = [event for event in events if isinstance(event, Tour)]
    assert (tour.order.tolist(), tour.length) == (ORDER, 7542)
    (edges,) = [event for event in events if isinstance(event, Edges)]
    assert edges.edges.tolist() == [[a, b] for a, b in zip(ORDER, ORDER[1:] + ORDER[:1], strict=True)]


@each_row("tour", [ORDER[:-1], [*ORDER, 52], [*ORDER[:-1], ORDER[0]], [*ORDER[:-1], 199_999]])
def test_invalid_tour_is_refused_by_the_driver(tour):
    with pytest.raises(InvalidInstance) as refused:
        list(run(prepare(make_spec("given", tour=tour)), BERLIN))
    assert refused.value.code == "NOT_A_TOUR"


def test_two_opt_continues_from_it():
    order = ORDER[::2] + ORDER[1::2]
    spec = chain(("given", {"tour": order}), ("two-opt", {"climbers": 3}))
    events = collect_events(BERLIN, spec)
    climbs = collect_climbs(events)
    assert climbs[0].start == order
    assert climbs[0].moves
    assert events[-1].length <= climbs[0].length + sum(move[2] for move in climbs[0].moves)
    assert not any(isinstance(event, Edges) for event in events), "the climbers are those of the last stage"
    assert [c for event in events if isinstance(event, Rows) for c in event.climber.tolist()] == [0, 1, 2]
    assert recompute_start(plan(prepare(spec), BERLIN, Machine())).tolist() == order
    assert recompute_start(plan(prepare(make_spec("given")), BERLIN, Machine())) is None


def test_it_is_in_no_menu():
    assert [solver.name for solver in SOLVERS if not solver.listed] == ["given"]
    assert "given" not in [solver.name for solver in parse_command(["list"]).solvers]
    assert find("given").title == "Your tour"
