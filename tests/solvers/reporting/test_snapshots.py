"""Snapshots of unrecorded chains: they are shown, and the record does not contain them."""

from pathlib import Path

import numpy as np
import pytest

from data.collection import resolve
from data.distances import tour_length
from runs.store.climb import build_climb_frame
from runs.store.live_tour import Follower
from solvers.algorithms.annealing import reporter
from solvers.core.events import Moves
from solvers.kernels import tours_cpu
from solvers.reporting import snapshots
from solvers.reporting.snapshots import TourSnapshots
from solvers.worker.frames import decode, encode_event_frame
from tests.plain_kernels import interpret
from tests.solver_runs import collect_events, make_spec


@pytest.fixture(scope="module")
def snapshot_events():
    """A run with snapshots at every slice, and a record that is full immediately."""
    instance = resolve.load("berlin52")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "_EVERY", 1e-4)
        patch.setattr(reporter, "RECORD_BYTES", 40_000)
        spec = make_spec("simulated-annealing", chains=4, moves_per_city=600, variant="sequential")
        return instance, [event for event in collect_events(instance, spec) if isinstance(event, Moves)]


@pytest.mark.slow
def test_snapshot_is_a_tour_of_its_length(snapshot_events):
    instance, moves = snapshot_events
    seen = [event for event in moves if event.is_snapshot]
    assert len(seen) > 3
    for event in seen:
        lengths = [tour_length(instance, tour) for tour in event.tours]
        assert lengths == event.length.tolist()
        assert (np.diff(event.first) > 0).all()
    assert len({tour.tobytes() for event in seen for tour in event.tours}) > 5


def test_follower_sees_every_snapshot(snapshot_events):
    _, moves = snapshot_events
    follower = Follower()
    for event in moves:
        heads = follower.follow(decode(encode_event_frame(event, 1.0)))
        if event.is_snapshot:
            assert [head.move for head in heads] == event.first.tolist()
            assert all((head.order == tour).all() for head, tour in zip(heads, event.tours, strict=True))
            assert all(head.order.base is None for head in heads), "a view would keep all of its frame"


def test_record_of_a_climb_is_the_same_without_snapshots(snapshot_events):
    _, moves = snapshot_events
    frames = [encode_event_frame(event, 1.0) for event in moves if 0 in event.climber]
    bare = [encode_event_frame(event, 1.0) for event in moves if 0 in event.climber and not event.is_snapshot]
    assert len(frames) > len(bare)
    assert build_climb_frame(0, frames) == build_climb_frame(0, bare)
    only = [encode_event_frame(event, 1.0) for event in moves if event.is_snapshot and 0 in event.climber]
    assert build_climb_frame(0, only) is None


def make_columns(count, n=40):
    generator = np.random.default_rng(7)
    i = generator.integers(0, n - 2, count).astype(np.int32)
    return i, (i + 1 + generator.integers(0, n - 1 - i)).astype(np.int32), np.arange(count, dtype=np.int32)


def test_snapshots_are_evenly_spread_and_far_enough_apart():
    n, columns = 40, make_columns(90)
    answer = TourSnapshots(n)
    order = np.arange(n, dtype=np.int32)
    (event,) = answer.take_due(3, 190, 5000, order, columns, 0.02)
    assert event.first.tolist() == [130, 160, 190]
    assert event.length.tolist() == [5000 - sum(range(30, 90)), 5000 - sum(range(60, 90)), 5000]
    assert event.climber.tolist() == [3, 3, 3]
    assert (order == np.arange(n)).all()
    walked = order.copy()
    for k, tour in enumerate(event.tours):
        interpret(tours_cpu.apply_moves)(walked, columns[0][30 * k : 30 * k + 30], columns[1][30 * k : 30 * k + 30])
        assert (walked == tour).all()
    assert list(answer.take_due(3, 200, 5000, order, columns, 0.021)) == []
    (between,) = TourSnapshots(n, 3).take_due(3, 190, 5000, order, columns, 0.026)
    assert between.first.tolist() == [121, 145, 166, 190]


def test_snapshots_take_bounded_memory():
    n = 100_000
    answer, order, columns = TourSnapshots(n), np.arange(n, dtype=np.int32), make_columns(5)
    seen = [len(event.tours) for k in range(400) for event in answer.take_due(0, 9, 1, order, columns, 0.5 * k)]
    assert 0 < 4 * n * sum(seen) <= 16 << 20


def test_module_does_not_load_kernels():
    web = [path for folder in ("components", "runs") for path in Path(folder).rglob("*.py")]
    assert not [path.name for path in web if "solvers.reporting.snapshots" in path.read_text()]
