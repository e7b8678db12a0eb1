"""An uploaded run file is copied row by row if it is valid, and refused in one sentence otherwise."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

from data.collection import resolve
from runs.imports import run as child
from runs.imports import sandbox
from runs.imports.frame_checks import LAYOUTS, check_frame
from runs.imports.untrusted_files import InvalidUpload, adopt
from runs.store.climb import build_climb_frame, list_piece_keys
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from solvers.core import events
from solvers.run import prepare, run
from solvers.worker.frames import decode, encode, encode_event_frame, encode_instance_frame
from tests.sqlite_files import change
from tests.tables import each_row

pytestmark = pytest.mark.slow

NEW = "ABCDEFGHIJKL"


def take(raw, tmp_path):
    """Import an upload as the server does, in a new folder."""
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        upload = Path(folder) / "upload"
        upload.write_bytes(raw)
        adopt(upload, NEW, tmp_path / "new.tourscope")


@pytest.fixture
def valid_file(tmp_path, make_spec):
    """A valid run file, written by the collector."""
    import json

    path, spec, instance = tmp_path / "sound", make_spec("burma14", climbers=10), resolve.load("burma14")
    writer = RunWriter.create(path, "abcdefghijkl", 5.0, json.dumps(spec.to_json()), encode_instance_frame(instance))
    for event in run(prepare(spec), instance):
        raw = encode_event_frame(event, 2.0)
        writer.append([Entry(2.0, type(event).__name__.lower(), raw, list_piece_keys(decode(raw)))])
    state = encode("state", {"state": "finished", "reason": "completed", "at": 3.0}, {})
    writer.append([Entry(3.0, "state", state)], ("finished", "completed"))
    writer.finish()
    return path


def replace_frame(path, kind, values, arrays):
    change(path, f"UPDATE events SET frame = ? WHERE kind = '{kind}'", encode(kind, {"at": 1.0, **values}, arrays))


def test_valid_file_is_imported_completely(valid_file, tmp_path):
    take(valid_file.read_bytes(), tmp_path)
    with RunReader(valid_file) as old, RunReader(tmp_path / "new.tourscope") as new:
        assert new.meta().id == NEW
        assert (new.meta().spec, new.meta().state, new.meta().created) == (old.meta().spec, "finished", 5.0)
        assert decode(new.instance()).values["optimum"] == 3323
        assert new.count_recorded_climbs() == old.count_recorded_climbs() == 10
        ours, theirs = decode(build_climb_frame(3, new.climb(3))), decode(build_climb_frame(3, old.climb(3)))
        np.testing.assert_array_equal(ours.arrays["delta"], theirs.arrays["delta"])
        assert [row[0] for row in new.log(0, 10**9)] == [row[0] for row in old.log(0, 10**9)]
        assert decode(new.last("finished")).values == decode(old.last("finished")).values
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.tourscope", "sound"]


def test_file_of_another_kind_starts_no_process(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "run", None)
    with pytest.raises(InvalidUpload, match="of another kind"):
        take(b"no database", tmp_path)


def test_truncated_file_is_refused(valid_file, tmp_path, read_here):
    with pytest.raises(InvalidUpload):
        take(valid_file.read_bytes()[:-6000], tmp_path)


TOUR = {"length": 1, "climber": 0}
DAMAGES = {
    "format": lambda path: change(path, "UPDATE run SET format = 2"),
    "no spec": lambda path: change(path, "UPDATE run SET spec = '{}'"),
    "spec is a number": lambda path: change(path, "UPDATE run SET spec = 5"),
    "no instance": lambda path: change(path, "UPDATE run SET instance = NULL"),
    "instance without cities": lambda path: change(path, "UPDATE run SET instance = ?", encode("instance", {}, {})),
    "time": lambda path: change(path, "UPDATE events SET at = 'noon'"),
    "state": lambda path: change(path, "UPDATE run SET state = 'asleep'"),
    "states without end": lambda path: change(
        path,
        "WITH RECURSIVE more (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM more WHERE k <= 20000) INSERT INTO events"
        " SELECT 1000000 + k, at, kind, frame FROM more, (SELECT * FROM events WHERE kind = 'state' LIMIT 1)",
    ),
    "frame is text": lambda path: change(path, "UPDATE events SET frame = 'x' WHERE kind = 'rows'"),
    "unknown kind": lambda path: change(path, "UPDATE events SET kind = 'script' WHERE kind = 'rows'"),
    "tour twice": lambda path: replace_frame(path, "tour", TOUR, {"order": np.zeros(14, np.int32)}),
    "tour short": lambda path: replace_frame(path, "tour", TOUR, {"order": np.arange(13, dtype=np.int32)}),
    "tour dtype": lambda path: replace_frame(path, "tour", TOUR, {"order": np.arange(14, dtype=np.int64)}),
    "text for a number": lambda path: replace_frame(
        path, "tour", {"length": "<b>", "climber": 0}, {"order": np.arange(14, dtype=np.int32)}
    ),
    "a view": lambda path: change(
        path, "ALTER TABLE events RENAME TO old; CREATE VIEW events AS SELECT * FROM old"
    ),
    "a view beside": lambda path: change(path, "CREATE VIEW more AS SELECT * FROM events"),
    "a trigger": lambda path: change(path, "CREATE TRIGGER more AFTER UPDATE ON run BEGIN DELETE FROM run; END"),
    "a virtual table": lambda path: change(path, "DROP TABLE events; CREATE VIRTUAL TABLE events USING fts5(seq)"),
    "a generated column": lambda path: change(
        path, "ALTER TABLE events ADD COLUMN more BLOB GENERATED ALWAYS AS (zeroblob(60000000)) VIRTUAL"
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_refused(damage, valid_file, tmp_path, monkeypatch, capsys):
    DAMAGES[damage](valid_file)
    monkeypatch.setattr(sandbox, "limit", lambda: None)
    monkeypatch.setattr("sys.argv", ["adopt", str(valid_file), str(tmp_path / "new"), NEW])
    assert child.main() == sandbox.REFUSED
    assert capsys.readouterr().out.startswith("This run file cannot be imported: ")


def test_running_run_is_imported_as_interrupted(valid_file, tmp_path):
    change(valid_file, "UPDATE run SET state = 'running'")
    child.import_run(valid_file, tmp_path / "new", NEW)
    with RunReader(tmp_path / "new") as reader:
        assert reader.meta().state == "interrupted"
        assert decode(reader.last("state")).values["state"] == "interrupted"


def moves(**changed):
    one = np.zeros(1, np.int32)
    arrays = {
        "climber": one, "first": one, "count": one + 1, "tour": one, "length": np.zeros(1, np.int64),
        "last": np.ones(1, np.uint8), "tours": np.arange(5, dtype=np.int32)[None], "i": one, "j": one + 2, "delta": one,
    }  # fmt: skip
    return decode(
        encode("moves", {"at": 1.0}, arrays | {k: np.asarray(v, arrays[k].dtype) for k, v in changed.items()})
    )


def test_possible_moves_pass():
    assert decode(check_frame(moves(), "moves", 5)).arrays.keys() == moves().arrays.keys()


def add_steps(step, control):
    """The same moves with their recorded steps."""
    frame = moves()
    arrays = {"step": np.array(step, np.int64), "control": np.array(control, np.float64)}
    return decode(encode("moves", frame.values, {**frame.arrays, **arrays}))


@each_row(("step", "control"), [([7], [2.5]), ([0], [0.0]), ([-1], [0.0]), ([], [])])
def test_steps_of_moves_pass(step, control):
    arrays = decode(check_frame(add_steps(step, control), "moves", 5)).arrays
    assert (arrays["step"].tolist(), arrays["control"].tolist()) == (step, control)


@each_row(("step", "control"), [([-2], [1.0]), ([1], [-1.0]), ([1, 2], [1.0, 1.0]), ([1], []), ([1], [np.nan])])
def test_impossible_steps_are_refused(step, control):
    with pytest.raises(ValueError, match=r"step|control"):
        check_frame(add_steps(step, control), "moves", 5)


WRONG = [
    {"i": [2]}, {"i": [-1]}, {"j": [5]}, {"count": [2]}, {"count": [-1]}, {"tour": [1]}, {"tour": [-2]},
    {"climber": [-1]}, {"tours": [[0, 0, 1, 2, 3]]}, {"delta": [1, 1]},
]  # fmt: skip


@each_row("changed", WRONG)
def test_impossible_moves_are_refused(changed):
    with pytest.raises(ValueError, match=r".+"):
        check_frame(moves(**changed), "moves", 5)


def test_every_solver_event_has_its_layout():
    kinds = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, events.Event)]
    bases = {base for kind in kinds for base in kind.__bases__}
    assert {kind.__name__.lower() for kind in kinds if kind not in bases} | {"state"} == LAYOUTS.keys()


def test_fields_outside_the_contract_are_dropped():
    frame = decode(encode("compiling", {"at": 1.0, "script": "x"}, {"y": np.zeros(3, np.int32)}))
    clean = decode(check_frame(frame, "compiling", 5))
    assert (clean.values, clean.arrays) == ({"at": 1.0}, {})
