"""Lin-Kernighan on paths as round trips through one more city: against Held-Karp, and its record."""

import numpy as np
import pytest

from data.distances import tour_length
from data.generators import uniform
from data.instance import Instance
from data.paths import ANY, open_order, with_fixed_edges, with_path
from data.tsplib.normal_form import assemble
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.paths_cpu import ClosedPath, find_round_trip
from solvers.parallel.thread_team import ThreadTeam
from tests.matrices import from_weights
from tests.solver_runs import collect_climbs, collect_events, make_spec, replay_events, story
from tests.tables import each_row

pytestmark = pytest.mark.slow

ENDS = {"from": (2, None), "to": (None, 4), "between": (2, 4), "open": (ANY, ANY)}
LK = {"variant": "cpu", "rounds": 8}


def places(n: int, kind: str = "HAVERSINE_KM") -> Instance:
    points = np.random.default_rng(n).uniform(-40, 40, (n, 2)).round(3)
    return assemble("places", kind, "inline", coordinates=points)


def table(n: int) -> Instance:
    weights = np.triu(np.random.default_rng(n).integers(-5, 99, (n, n)), 1)
    return from_weights(weights + weights.T)


MAKES = {"uniform": lambda n: uniform(n, 3), "globe": places, "att": lambda n: places(n, "ATT"), "table": table}


@each_row("ends", ENDS.values())
@each_row("make", MAKES.values())
def test_paths_are_as_short_as_held_karp_proves(make, ends):
    path = with_path(make(11), *ends)
    assert find_round_trip(path) is not None
    end = collect_events(path, make_spec("lin-kernighan", 1, **LK))[-1]
    assert end.length == collect_events(path, make_spec("held-karp", variant="sequential"))[-1].length
    assert tour_length(path, end.order) == end.length
    order = open_order(path, end.order)
    assert [given for given, city in zip(ends, order[[0, -1]], strict=True) if given in (city, None, ANY)] == [*ends]


@each_row("ends", ENDS.values())
def test_path_and_round_trip_are_converted_and_measured(ends):
    path = with_path(uniform(40, 1), *ends)
    base, team = find_round_trip(path), ThreadTeam(1)
    closed = ClosedPath(path, base, LinKernighanParams(), team)
    for seed in range(5):
        order = open_order(path, np.random.default_rng(seed).permutation(path.n))
        order = np.append(order, path.start) if path.is_open else order
        paired = closed.pair(order)
        assert sorted(paired.tolist()) == list(range(41))
        for turned in (paired, paired[::-1], np.roll(paired, 7)):
            again = closed.unpair(turned.copy())
            assert closed.length(again) == tour_length(path, again) == closed.length(order)
            assert open_order(path, again).tolist() in (order[:40].tolist(), order[:40][::-1].tolist())


@each_row("ends", ENDS.values())
def test_the_record_is_exact_and_replayed(ends, monkeypatch):
    path, spec = with_path(uniform(60, 2), *ends), make_spec("lin-kernighan", 3, **LK)
    events = collect_events(path, spec)
    climbs = collect_climbs(events)
    for climb in climbs.values():
        order, length = list(climb.start), climb.length
        assert tour_length(path, np.array(order)) == length
        for i, j, delta in climb.moves:
            order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1]
            length += delta
            assert tour_length(path, np.array(order)) == length
    assert sum(len(climb.moves) for climb in climbs.values()) > 10
    assert collect_climbs(replay_events(path, spec, 3))[3].moves == climbs[3].moves
    monkeypatch.setattr("data.paths.MAX_EXPLICIT", 9)
    without_matrix = with_path(uniform(60, 2), *ends)
    assert without_matrix.weights is None
    assert story(collect_events(without_matrix, spec)) == story(events)


def test_direction_dependent_instance_is_searched_as_directed():
    rng = np.random.default_rng(1)
    asymmetric = from_weights(rng.integers(1, 99, (9, 9)))
    symmetric = from_weights(np.abs(np.subtract.outer(np.arange(9), np.arange(9))))
    assert find_round_trip(with_path(asymmetric, 0, None)) is None
    assert find_round_trip(asymmetric) is None
    assert find_round_trip(symmetric) is None
    assert find_round_trip(with_path(symmetric, 0, None)) is not None
    assert find_round_trip(with_path(with_fixed_edges(symmetric, [(3, 4)]), 0, None)) is None
    assert find_round_trip(with_path(uniform(5, 1), 0, None)) is None  # too few cities for candidates
    for edges in ([(3, 4)], [(0, 4), (5, 6)]):
        path = with_path(with_fixed_edges(uniform(10, 1), edges), 0, 7)
        end = collect_events(path, make_spec("lin-kernighan", 1, **LK))[-1]
        assert end.length == collect_events(path, make_spec("held-karp", variant="sequential"))[-1].length
