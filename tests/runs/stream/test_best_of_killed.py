"""A run whose worker crashes keeps the best tour that was shown."""

import pytest

from data.collection.resolve import load
from data.distances import tour_length
from runs.store.live_tour import Follower
from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from solvers.core.events import Moves, Tour
from solvers.worker.frames import decode, encode, encode_event_frame
from tests.clock import wait_until
from tests.runs.conftest import two_opt_spec
from tests.solver_runs import collect_events
from tests.solver_runs import make_spec as solver_spec


@pytest.fixture(scope="module")
def annealing_events():
    """The events of an annealing chain to its end, with its climb in pieces."""
    answer = collect_events(load("burma14"), solver_spec("simulated-annealing", chains=1))
    return [event for event in answer if isinstance(event, Moves)]


def best_shown(moves) -> int:
    follower = Follower()
    return min(head.length for event in moves for head in follower.follow(decode(encode_event_frame(event, 1.0))))


def stored_tours(service, run) -> list:
    """The tours in the file of a finished run."""
    wait_until(lambda: run not in service.active_runs())
    with RunReader(service.path(run)) as reader:
        assert reader.meta().state in FINAL
        return [decode(raw) for raw in reader.read_frames("tour")]


@pytest.mark.parametrize("how", ["killed", "failed"])
def test_a_chain_that_ends_early_leaves_its_best_tour(scripted, annealing_events, how):
    service, engine = scripted
    run = service.start(two_opt_spec("burma14"))
    worker = engine.handles[-1]
    worker.say(*annealing_events)
    if how == "failed":
        worker._frames.put(encode("failed", {"sentence": "It failed.", "error": "RunFailed"}, {}))
    worker.kill()
    _, tour = stored_tours(service, run)
    assert tour.values["length"] == best_shown(annealing_events) == tour_length(load("burma14"), tour.arrays["order"])


def test_chain_that_reported_a_better_tour_leaves_no_other(scripted, annealing_events):
    service, engine = scripted
    run = service.start(two_opt_spec("burma14"))
    order = annealing_events[0].tours[0]
    engine.handles[-1].say(*annealing_events, Tour(order, best_shown(annealing_events), 0))
    engine.handles[-1].kill()
    assert [tour.values["length"] for tour in stored_tours(service, run)] == [10_000, best_shown(annealing_events)]
