"""The check for lost data finds every kind of loss."""

import contextlib
import dataclasses
import sqlite3
import time

import numpy as np
import pytest

from data.collection import resolve
from data.distances import tour_length
from runs.store.run_file import Entry, RunWriter, make_state_entry
from solvers.core.events import Tour
from solvers.worker.frames import decode, encode_event_frame, encode_instance_frame
from tests.faults.nothing_lost import lost_events
from tests.viewer import Seen

BURMA = resolve.load("burma14")
ORDER = np.arange(14, dtype=np.int32)
LENGTH = tour_length(BURMA, ORDER)


@pytest.fixture
def finished_file(tmp_path):
    """The file of a finished run, and the events that a viewer received."""
    path = tmp_path / "run.tourscope"
    writer = RunWriter.create(path, "abcdefghijkl", 12.5, "{}", encode_instance_frame(BURMA))
    now = time.time()
    tours = [Tour(ORDER, LENGTH, 0), Tour(ORDER[::-1].copy(), LENGTH, 1)]
    entries = [
        make_state_entry("running", "", now),
        *(Entry(now, "tour", encode_event_frame(tour, now)) for tour in tours),
    ]
    end = make_state_entry("interrupted", "", now)
    writer.append([*entries, end], ("interrupted", ""))
    writer.finish()
    frames = [entry.frame for entry in (*entries, end)]
    return path, Seen([1, 2, 3], dict(enumerate(frames[:3], 1)), tours=[(LENGTH, ORDER)])


def change_file(path, *statement):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(*statement)


def test_intact_run_passes(finished_file):
    path, seen = finished_file
    assert not lost_events(path, seen)
    assert not lost_events(path, seen, Seen())


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DELETE FROM events WHERE seq = 2", "numbers are missing"),
        ("UPDATE events SET frame = (SELECT frame FROM events WHERE seq = 3) WHERE seq = 2", "not as they were told"),
        ("UPDATE run SET state = 'running'", "it is called running"),
        ("DELETE FROM events WHERE seq > 2", "told"),
    ],
)
def test_missing_parts_of_a_file_are_found(finished_file, statement, why):
    path, seen = finished_file
    change_file(path, statement)
    assert why in lost_events(path, seen)


def test_invalid_tour_or_length_is_found(finished_file):
    path, seen = finished_file
    for length, order, why in (
        (LENGTH - 1, ORDER, "was shown as"),
        (LENGTH, np.zeros(14, np.int32), "does not visit each city once"),
    ):
        assert why in lost_events(path, dataclasses.replace(seen, tours=[(length, order)]))


@pytest.mark.parametrize(("seqs", "why"), [([1, 3], "told"), ([1, 2, 2], "told"), ([1, 2, 3, 4, 5], "told")])
def test_gaps_and_repetitions_are_found(finished_file, seqs, why):
    path, seen = finished_file
    assert why in lost_events(path, dataclasses.replace(seen, seqs=seqs))


def test_best_shown_tour_must_be_stored(finished_file):
    path, seen = finished_file
    change_file(path, "UPDATE events SET kind = 'rows' WHERE kind = 'tour'")
    assert "the best that is kept is None" in lost_events(path, seen)
    assert decode(seen.frames[2]).kind == "tour"
