"""The head follows climbs piece by piece and matches the complete tours that the solver reports in between."""

import numpy as np

from data.collection import resolve
from data.distances import tour_length
from runs.store.live_tour import Follower
from solvers.core.events import Edges, Moves
from solvers.run import prepare, run
from solvers.worker.frames import decode, encode_event_frame
from tests.solver_runs import collect_events, make_spec


def test_every_head_is_a_tour_of_its_length(make_spec):
    instance = resolve.load("berlin52")
    follower, seen = Follower(), 0
    for event in run(prepare(make_spec(climbers=40)), instance):
        for head in follower.follow(decode(encode_event_frame(event, 1.0))):
            if head.walk == "moves":
                seen += 1
                assert tour_length(instance, head.order) == head.length
                assert decode(head.frame()).values["at"] == 1.0
    assert seen > 1


def test_thousands_of_moves_in_one_event_give_their_tour():
    instance = resolve.load("berlin52")
    follower, most = Follower(), 0
    for event in collect_events(instance, make_spec("simulated-annealing", chains=2, moves_per_city=100)):
        heads = follower.follow(decode(encode_event_frame(event, 1.0)))
        if isinstance(event, Moves):
            most = max(most, event.i.size)
            head = heads[-1]
            assert all(tour_length(instance, each.order) == each.length for each in heads)
            assert [each.move for each in heads] == sorted(each.move for each in heads)
            assert tour_length(instance, head.order) == head.length
            assert not event.i.size or head.last[:3] == (event.i[-1], event.j[-1], event.delta[-1])
    assert most > 1000


def test_a_construction_ends_with_its_last_edge():
    edges = np.array([[0, 3], [1, 2], [3, 1], [2, 0]], np.int32)
    (head,) = Follower().follow(decode(encode_event_frame(Edges(7, edges, np.array([1, 2, 3, 4], np.int32)), 1.0)))
    frame = decode(head.frame())
    assert frame.values == {"climber": 7, "move": 4, "length": 10, "at": 1.0, "elapsed": 0.0, "walk": "edges"}
    np.testing.assert_array_equal(frame.arrays["edges"], edges)
    np.testing.assert_array_equal(frame.arrays["last"], [2, 0, 4])
