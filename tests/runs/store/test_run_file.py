"""The run file stores all appended events, returns climbs as the solver emitted them, and recovers after a crash."""

import shutil
import sqlite3
import time

import numpy as np
import pytest

from data.collection import resolve
from runs.store.climb import climb_frame, piece_keys
from runs.store.reader import RunReader
from runs.store.recovery import recover
from runs.store.run_file import Entry, RunWriter
from solvers.core.events import Moves, Tour
from solvers.run import prepare, run
from solvers.worker.frames import decode, encode, event_frame, instance_frame
from tests.sqlite_files import change

ID = "abcdefghijkl"


@pytest.fixture
def writer(tmp_path):
    return RunWriter.create(tmp_path / "run.tourscope", ID, 12.5, "{}", instance_frame(resolve.load("burma14")))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.tourscope"


def entry(kind: str, size: int = 0) -> Entry:
    return Entry(1.0, kind, encode(kind, {"at": 1.0}, {"x": np.zeros(size, np.uint8)}))


def test_log_returns_events_after_a_number_without_climbs(writer, path):
    assert writer.append([entry("started"), entry("moves"), entry("rows")]) == 3
    assert writer.append([entry("edges"), entry("progress")]) == 5
    with RunReader(path) as reader:  # while it is being written
        assert [row[0] for row in reader.log(0, 10**6)] == [1, 3, 5]
        assert [row[0] for row in reader.log(3, 10**6)] == [5]
        assert decode(reader.last("rows")).kind == "rows"
        assert reader.last_seq() == 5
        assert (reader.meta().id, reader.meta().created, reader.meta().state) == (ID, 12.5, "running")


def test_limit_is_respected_but_at_least_one_event_is_read(writer, path):
    writer.append([entry("rows", 1000) for _ in range(10)])
    with RunReader(path) as reader:
        assert len(reader.log(0, 2500)) == 3
        assert len(reader.log(9, 1)) == 1
        assert reader.log(10, 1) == []


def test_reading_the_log_skips_pieces_of_climbs(writer, path):
    connection = sqlite3.connect(path)
    plan = connection.execute(
        "EXPLAIN QUERY PLAN SELECT seq, at, frame FROM events "
        "WHERE seq > 5 AND kind NOT IN ('moves', 'edges') ORDER BY seq"
    ).fetchall()
    connection.close()
    assert "USING INDEX log" in str(plan)


def test_a_finished_run_is_one_file(writer, path):
    writer.append([entry("rows")], ("finished", "completed"))
    writer.finish()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with RunReader(path) as reader:
        assert (reader.meta().state, reader.meta().reason) == ("finished", "completed")


def test_active_run_is_copied_in_its_current_state(writer, path, tmp_path):
    writer.append([entry("rows")])
    with RunReader(path) as reader:
        reader.backup(tmp_path / "copy")
    writer.append([entry("rows")])
    with RunReader(tmp_path / "copy") as reader:
        assert reader.last_seq() == 1


def test_a_failed_transaction_leaves_nothing(writer, path):
    with pytest.raises(sqlite3.Error):
        writer.append([entry("rows"), Entry(1.0, "rows", object())])
    with RunReader(path) as reader:
        assert reader.last_seq() == 0
    assert writer.append([entry("rows")]) == 1


def test_a_file_of_another_kind_is_refused(tmp_path):
    change(tmp_path / "other", "CREATE TABLE run (x)")
    with pytest.raises(ValueError, match="not a TourScope run"):
        RunReader(tmp_path / "other")


def test_run_without_an_end_is_marked_interrupted_and_keeps_its_events(writer, path):
    writer.append([entry("started"), entry("moves")])
    writer.close()
    recover(path)
    recover(path)
    with RunReader(path) as reader:
        assert reader.meta().state == "interrupted"
        (_, _, last) = reader.log(1, 10**6)[-1]
        assert decode(last).values["state"] == "interrupted"
        assert reader.last_seq() == 3


def test_ended_run_of_a_killed_server_becomes_one_file(writer, path, tmp_path):
    writer.append([entry("rows")], ("finished", "completed"))
    killed = tmp_path / "killed"
    shutil.copytree(path.parent, killed)  # with the write-ahead log, as nobody has closed the file
    recover(killed / path.name)
    assert [file.name for file in killed.iterdir()] == [path.name]
    with RunReader(killed / path.name) as reader:
        assert (reader.meta().state, reader.last_seq()) == ("finished", 1)


def test_server_does_not_open_ended_runs_for_recovery(writer, path, monkeypatch):
    writer.append([entry("rows")], ("finished", "completed"))
    writer.finish()
    opened = []
    monkeypatch.setattr("runs.store.recovery.RunReader", opened.append)
    recover(path)
    assert not opened


def test_run_without_events_is_interrupted_after_a_kill(path, monkeypatch):
    with monkeypatch.context() as killed:
        killed.setattr("runs.store.run_file.open_database", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            RunWriter.create(path, ID, 12.5, "{}", instance_frame(resolve.load("burma14")))
    recover(path)
    with RunReader(path) as reader:
        assert reader.meta().state == "interrupted"


def test_a_damaged_file_does_not_keep_the_server_from_starting(tmp_path, caplog):
    path = tmp_path / "x.tourscope"
    path.write_bytes(b"SQLite format 3\0" + bytes(200))
    recover(path)
    assert "cannot be used" in caplog.text


def test_a_recorded_climb_is_what_the_solver_emitted(writer, path, make_spec):
    spec = make_spec("burma14", climbers=30)
    instance = resolve.load("burma14")
    emitted: dict[int, list] = {}
    for event in run(prepare(spec), instance):
        raw = event_frame(event, time.time())
        kind = type(event).__name__.lower()
        writer.append([Entry(1.0, kind, raw, piece_keys(decode(raw)))])
        if isinstance(event, Moves):
            ends = np.cumsum(event.count)
            for row, climber in enumerate(event.climber.tolist()):
                part = slice(ends[row] - event.count[row], ends[row])
                emitted.setdefault(climber, []).append(np.stack([event.i[part], event.j[part], event.delta[part]]))
        if isinstance(event, Tour):
            best = event
    with RunReader(path) as reader:
        assert reader.count_recorded_climbs() == 30
        for climber, parts in emitted.items():
            climb = decode(climb_frame(climber, reader.climb(climber)))
            moves = np.stack([climb.arrays[name] for name in ("i", "j", "delta")])
            np.testing.assert_array_equal(moves, np.concatenate(parts, axis=1))
            assert climb.values["complete"]
            for after in np.cumsum([0, *(part.shape[1] for part in parts)])[:-1]:
                rest = decode(climb_frame(climber, reader.climb(climber, int(after)), int(after)))
                assert (np.stack([rest.arrays[name] for name in ("i", "j", "delta")]) == moves[:, after:]).all()
                assert (rest.arrays["at"] == climb.arrays["at"][climb.arrays["at"] >= after]).all()
                assert rest.values["complete"]
            none = decode(climb_frame(climber, reader.climb(climber, moves.shape[1] + 1), moves.shape[1] + 1))
            assert not none.arrays["delta"].size
            assert not none.values["complete"]
        climb = decode(climb_frame(best.climber, reader.climb(best.climber)))
    assert climb.values["length"] + climb.arrays["delta"].sum() == best.length
    order = climb.arrays["tours"][0].copy()
    for i, j in zip(climb.arrays["i"], climb.arrays["j"], strict=True):
        order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1].copy()
    np.testing.assert_array_equal(order, best.order)


def test_climb_with_a_gap_counts_as_unrecorded():
    one = np.ones(1, np.int32)
    columns = dict.fromkeys(("climber", "first", "count"), one) | {"length": np.ones(1, np.int64)}
    moves = {
        "last": np.ones(1, np.uint8),
        "tour": 0 * one,
        "tours": np.zeros((1, 4), np.int32),
        "i": one,
        "j": one,
        "delta": one,
    }
    assert climb_frame(1, [encode("moves", {"at": 1.0}, {**columns, **moves})]) is None
    assert climb_frame(1, []) is None
