"""Replica exchange as a run: what it reports, repeats and refuses."""

from types import SimpleNamespace

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import uniform
from solvers import find
from solvers.algorithms.annealing import replica_exchange
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Replicas, Rows
from solvers.worker.frames import decode, encode_event_frame
from tests.shortened import shorten
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec, replay_events, story
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "simulated-annealing"
FEW = {
    "variant": "replica-exchange", "chains": 4, "moves_per_city": 20, "final_temperature_ratio": 0.2,
    "exchange_after": 7,
}  # fmt: skip


def run_solver(instance, seed=1, budget=None, **params):
    return collect_events(instance, make_spec(NAME, seed, budget, **(FEW | params)))


@pytest.fixture(scope="module")
def usual_run():
    return run_solver(load("kroA100"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("finish", shorten(["none", "best", "2-opt"], "2-opt".__eq__))
def test_every_replica_is_a_climb_ending_with_its_row(kind, finish):
    instance = KINDS[kind]()
    events = run_solver(instance, finish=finish)
    rows = np.concatenate([event.length for event in events if isinstance(event, Rows)])
    assert rows.size == 4
    for replica, climb in collect_climbs(events).items():
        assert climb.last
        assert climb.length + sum(delta for _, _, delta in climb.moves) == rows[replica]
    check_tour(instance.n, events[-1].order)
    assert events[-1].length == rows.min() == tour_length(instance, events[-1].order)


@each_row("n", range(1, 6))
@each_row("finish", ["none", "2-opt"])
def test_few_cities(n, finish):
    instance = uniform(n, 7)
    assert collect_events(instance, make_spec(NAME, **FEW, finish=finish))[-1].stop_reason == "completed"


def summarise_run(events):
    """The values that every repetition of a run must reproduce; rows inside chain 0 depend on its slices."""
    ladder = [
        (e.evaluations, e.replica.tolist(), e.length.tolist(), e.exchanges.tolist())
        for e in events
        if isinstance(e, Replicas)
    ]
    return story(events), ladder


@each_row("threads", ["1", "3"])
def test_threads_do_not_matter(usual_run, threads, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    assert summarise_run(run_solver(load("kroA100"))) == summarise_run(usual_run)


def test_any_replica_can_be_replayed(usual_run):
    for replica in (0, 3):
        again = collect_climbs(replay_events(load("kroA100"), make_spec(NAME, **FEW), replica))
        assert again == {replica: collect_climbs(usual_run)[replica]}


def test_the_ladder_is_reported(usual_run):
    events = [event for event in usual_run if isinstance(event, Replicas)]
    assert len(events) == (AnnealingParams(**FEW).periods - 1) // replica_exchange._PERIODS
    for event in events:
        assert sorted(event.replica.tolist()) == [0, 1, 2, 3]
        assert np.allclose(event.temperature / event.temperature[0], 0.2 ** (np.arange(4) / 3))
        assert event.exchanges.shape == (3,)
        assert np.all((event.exchanges >= 0) & (event.exchanges <= 1))
    acceptance = np.mean([event.acceptance for event in events], axis=0)
    lengths = np.mean([event.length for event in events[1:]], axis=0)
    assert acceptance[0] > acceptance[-1] > 0
    assert lengths[0] > lengths[-1], "the coldest has the shortest tours"
    assert len({tuple(event.replica) for event in events}) > 2, "replicas wander"
    evaluations = [event.evaluations for event in events]
    assert evaluations == sorted(evaluations)
    assert events[-1].evaluations <= usual_run[-1].evaluations


def test_reports_of_a_temperature_belong_to_its_replica():
    ladder = replica_exchange.ReplicaExchange.__new__(replica_exchange.ReplicaExchange)
    ladder.workers = [SimpleNamespace(moves=moves, evaluations=10) for moves in (1, 2, 3)]
    ladder.replica_at, ladder.temperatures = np.array([2, 0, 1]), np.array([9.0, 3.0, 1.0])
    ladder._lengths, ladder._before = np.array([70, 60, 80]), np.zeros((2, 3), np.int64)
    ladder._attempts, ladder._exchanges = np.array([4, 5]), np.array([1, 0])
    event = ladder._make_event()
    assert event.acceptance.tolist() == [0.3, 0.1, 0.2]
    assert event.length.tolist() == [80, 70, 60]
    assert (event.evaluations, event.exchanges.tolist()) == (30, [0.25, 0.0])


def test_linear_ladder_is_linear(usual_run):
    (event, *_) = (event for event in run_solver(load("kroA100"), schedule="linear") if isinstance(event, Replicas))
    assert np.allclose(event.temperature / event.temperature[0], 1 - 0.8 * np.arange(4) / 3)


def test_frame_has_the_whole_event(usual_run):
    event = next(event for event in usual_run if isinstance(event, Replicas))
    frame = decode(encode_event_frame(event, 0.0))
    assert frame.kind == "replicas"
    assert frame.values["evaluations"] == event.evaluations
    assert frame.arrays["temperature"].tolist() == event.temperature.tolist()


def test_run_cut_by_time_has_the_best_tour_of_all_replicas():
    events = run_solver(uniform(500, 1), budget={"seconds": 0.3}, moves_per_city=10_000)
    end = events[-1]
    assert end.stop_reason == "time"
    assert end.length == tour_length(uniform(500, 1), end.order)
    assert end.evaluations > 0


def test_an_evaluation_budget_cuts_the_first_replica_at_the_same_draw():
    ends = [run_solver(uniform(300, 2), budget={"evaluations": 100_001}, moves_per_city=500)[-1] for _ in range(2)]
    assert [end.evaluations for end in ends] == [100_001] * 2
    assert ends[0].order.tolist() == ends[1].order.tolist()


def test_too_many_replicas_are_refused():
    solver = find(NAME)
    params = AnnealingParams(variant="replica-exchange", chains=257)
    assert "256" in solver.refusal(uniform(5, 1), params, "cpu")
    assert not solver.refusal(uniform(5, 1), AnnealingParams(chains=257), "cpu")
    with pytest.raises(InstanceTooLarge, match="256"):
        run_solver(uniform(5, 1), chains=257)


def test_a_budget_that_is_reached_by_the_last_replica_ends_the_run():
    spec = make_spec("simulated-annealing", variant="replica-exchange", chains=2, budget={"iterations": 1})
    assert collect_events(uniform(16, 1), spec)[-1].stop_reason in ("iterations", "completed")
