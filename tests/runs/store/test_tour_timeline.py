"""The film of a run and its clock, against the run's own seconds and reported tours."""

import numpy as np
import pytest

from data.collection import resolve
from data.distances import tour_length
from runs.store.clock import RunClock
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from runs.store.tour_timeline import build_film, build_order
from solvers.core.events import Compiling, Started, Tour
from solvers.worker.frames import decode, encode, encode_event_frame, encode_instance_frame
from tests.tables import each_row


def state(name, at):
    return decode(encode("state", {"state": name, "reason": "", "at": at}, {}))


def progress(elapsed, at):
    nothing = np.zeros(1, np.int64)
    arrays = {"iteration": nothing, "evaluations": nothing, "best": nothing, "elapsed": np.array([elapsed])}
    return decode(encode("progress", {"at": at}, arrays))


STARTED = Started("two-opt", "cpu", "CPU", 1, 0.0)


def test_clock_stops_during_compilation_and_pauses():
    clock = RunClock()
    answer = [
        clock.follow(frame)
        for frame in (
            state("running", 99.0),
            decode(encode_event_frame(Compiling(), 100.0)),
            decode(encode_event_frame(STARTED, 107.0)),
            state("paused", 107.5),
            state("running", 120.0),
            progress(0.8, 120.25),
            decode(encode_event_frame(Compiling(), 121.25)),
            decode(encode_event_frame(STARTED, 130.0)),
            state("finished", 131.0),
            state("finished", 140.0),
        )
    ]
    assert answer == pytest.approx([0, 0, 0, 0.5, 0.5, 0.8, 1.8, 1.8, 2.8, 2.8])
    assert clock.started


def test_clock_never_goes_back():
    clock = RunClock()
    clock.follow(decode(encode_event_frame(STARTED, 10.0)))
    assert clock.follow(progress(5.0, 15.0)) == 5.0
    assert clock.follow(progress(4.0, 16.0)) == 5.0


@pytest.fixture(scope="module")
def finished_run(run_service, until):
    from solvers.spec import RunSpec

    stages = [{"algorithm": "nearest-neighbour"}, {"algorithm": "two-opt", "params": {"climbers": 1_000_000}}]
    spec = {"v": 1, "instance": {"name": "kroA200"}, "stages": stages, "budget": {"seconds": 1.0}}
    run = run_service.start(RunSpec.from_json(spec))
    until(lambda: run_service.active_run(run) is None)
    return run


def test_pictures_are_tours_of_their_lengths(run_service, finished_run):
    instance, found = resolve.load("kroA200"), decode(build_film(run_service.path(finished_run)))
    at, orders = found.arrays["at"], found.arrays["orders"]
    assert orders.dtype == np.uint16
    assert 10 < len(at) <= 1000
    assert (np.diff(at) > 0).all()
    assert at[-1] <= found.values["seconds"]
    for order, length in zip(orders, found.arrays["length"].tolist(), strict=True):
        assert tour_length(instance, order.astype(np.int32)) == length


def test_film_ends_with_the_run(run_service, finished_run):
    with RunReader(run_service.path(finished_run)) as reader:
        seconds = decode(reader.last("finished")).values["seconds"]
    assert decode(build_film(run_service.path(finished_run))).values["seconds"] == pytest.approx(seconds, abs=0.02)


def test_film_includes_the_write_ahead_log(tmp_path):
    burma = resolve.load("burma14")
    path = tmp_path / "abcdefghijkl.tourscope"
    writer = RunWriter.create(path, path.stem, 1.0, "{}", encode_instance_frame(burma))
    assert decode(build_film(path)).arrays["orders"].shape == (0, 14)
    before = path.stat()
    writer.append([Entry(1.0, "started", encode_event_frame(STARTED, 1.0))])
    for count in range(3):
        tour = np.roll(np.arange(14, dtype=np.int32), count)
        writer.append(
            [Entry(2.0 + count, "tour", encode_event_frame(Tour(tour, tour_length(burma, tour), 0), 2.0 + count))]
        )
        assert decode(build_film(path)).arrays["orders"][-1].tolist() == tour.tolist()
    assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
    writer.finish()


@each_row("n", [1, 2, 3, 17])
def test_edges_in_any_order_become_a_visiting_order(n):
    rng = np.random.default_rng(n)
    order = rng.permutation(n)
    edges = np.stack((order, np.roll(order, -1)), axis=1)[rng.permutation(n)]
    found = build_order(edges.astype(np.int32), n)
    assert sorted(found.tolist()) == list(range(n))
    ends = {frozenset(pair) for pair in zip(found.tolist(), np.roll(found, -1).tolist(), strict=True)}
    assert ends == {frozenset(pair) for pair in edges.tolist()}


@each_row("edges", [[[0, 1], [1, 2], [2, 3]], [[0, 1], [1, 0], [2, 3], [3, 2]], [[0, 1]] * 4])
def test_edges_that_form_no_tour_have_no_order(edges):
    assert build_order(np.array(edges, np.int32), 4) is None
