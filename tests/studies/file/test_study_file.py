"""The study file: complete runs only, one process at a time, refusals in one sentence, and fast reading."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import tracemalloc

import numpy as np
import pytest

from data.collection.resolve import load
from solvers.core.events import Finished, Progress
from solvers.spec import RunSpec
from studies.errors import InvalidStudy, StudyLocked
from studies.file import create
from studies.file import writer as study_file
from studies.file.lock import is_locked
from studies.file.reader import StudyReader
from studies.file.writer import Outcome, StudyFile
from studies.pool.run_log import ROW, Improvements, decode_logs
from studies.pool.worker import outcome
from tests.clock import is_within_bound
from tests.sqlite_files import change
from tests.studies.made_up import write_study
from tests.studies.small_study import finish_study, tiny_study

CLIMB = RunSpec.from_json(
    {"v": 1, "instance": {"name": "gr17"}, "stages": [{"algorithm": "two-opt", "params": {"climbers": 3}}]}
)


@pytest.fixture(scope="module")
def climb_outcome():
    return outcome(CLIMB, load("gr17"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "some.tourstudy"


def states(path):
    with StudyReader(path) as reader:
        return [row.state for row in reader.cells()]


def test_a_new_study_waits(path):
    with StudyFile(path, tiny_study()) as file:
        assert file.spec == tiny_study()
        assert states(path) == ["waiting"] * 8
    with StudyReader(path) as reader:
        assert [(row.name, row.n, row.optimum, row.proven) for row in reader.instances] == [
            ("burma14", 14, 3323, True),
            ("gr17", 17, 2085, True),
        ]
        assert reader.table().runs.length.size == 0


def test_result_of_a_run_is_read_back(path, climb_outcome):
    with StudyFile(path, tiny_study()) as file:
        file.begin(2)
        assert states(path)[2] == "running"
        file.finish(2, climb_outcome, seconds=1.5)
        file.fail(3, "It could not be.")
    with StudyReader(path) as reader:
        rows = list(reader.cells())
        table = reader.table()
        assert [(rows[2].state, rows[2].seconds), (rows[3].state, rows[3].sentence)] == [
            ("finished", 1.5),
            ("failed", "It could not be."),
        ]
        assert dict(reader.results()) == {2: climb_outcome.result}
        assert sorted(reader.tour(2)) == list(range(17))
        assert reader.counts() == {"waiting": 6, "running": 0, "finished": 1, "failed": 1}
    assert (table.runs.instance[0], table.runs.entry[0], table.runs.seed[0]) == (1, 0, 1)
    assert table.runs.length[0] == table.logs.length[-1] == climb_outcome.result["length"]
    assert table.entries.evaluation_units == ("move", "tour")


def test_a_finished_study_is_one_file(path):
    with StudyFile(path, tiny_study()):
        pass
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_another_study_is_refused(path):
    StudyFile(path, tiny_study()).close()
    with pytest.raises(InvalidStudy, match="another study"):
        StudyFile(path, tiny_study(seeds={"count": 3}))
    StudyFile(path, tiny_study(title="a new title")).close()
    assert not is_locked(path), "a refusal lets the study go"


def test_second_writer_is_refused_and_a_dead_one_does_not_block(path):
    program = (
        "import sys, time; from pathlib import Path; from studies.file.writer import StudyFile\n"
        "file = StudyFile(Path(sys.argv[1])); file.begin(0); print('has it', flush=True); time.sleep(600)"
    )
    StudyFile(path, tiny_study()).close()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, env=environment)
    try:
        assert other.stdout.readline() == b"has it\n"
        assert is_locked(path)
        with pytest.raises(StudyLocked, match="Another process"):
            StudyFile(path, tiny_study())
        assert states(path)[0] == "running", "others may read meanwhile"
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    assert not is_locked(path)
    with StudyFile(path, tiny_study()) as file:
        file.requeue()
    assert states(path) == ["waiting"] * 8


def test_study_killed_during_creation_is_created_again(path):
    path.with_name(f"{path.name}.part").write_bytes(b"half of a file")
    path.with_name(f"{path.name}.lock").touch()
    StudyFile(path, tiny_study()).close()
    assert states(path) == ["waiting"] * 8


def test_study_is_created_completely_or_not_at_all(path, monkeypatch):
    def raise_full(instances):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(create, "_make_instance_rows", raise_full)
    with pytest.raises(OSError, match="No space"):
        StudyFile(path, tiny_study())
    assert not path.exists()
    monkeypatch.undo()
    StudyFile(path, tiny_study()).close()
    assert states(path) == ["waiting"] * 8


def test_a_reader_writes_nothing(path):
    StudyFile(path, tiny_study()).close()
    with StudyReader(path) as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._connection.execute("DELETE FROM cells")


def test_run_is_written_completely_or_not_at_all(path, climb_outcome):
    with StudyFile(path, tiny_study()) as file:
        unwritable = Outcome(climb_outcome.result, climb_outcome.tour, object())
        with pytest.raises(sqlite3.Error):
            file.finish(0, unwritable, 1.0)
        file.finish(1, climb_outcome, 1.0)
    assert states(path)[:2] == ["waiting", "finished"]


def test_log_is_merged_regularly(path, climb_outcome, monkeypatch):
    def in_the_file():
        """The minimum that survives a power failure: the file without its log."""
        alone = path.with_name("alone.tourstudy")
        alone.write_bytes(path.read_bytes())
        connection = sqlite3.connect(f"{alone.as_uri()}?immutable=1", uri=True)
        (count,) = connection.execute("SELECT count(*) FROM cells WHERE state = 'finished'").fetchone()
        connection.close()
        return count

    with StudyFile(path, tiny_study()) as file:
        file.finish(0, climb_outcome, 1.0)
        assert in_the_file() == 0
        monkeypatch.setattr(study_file, "_CHECKPOINT_SECONDS", 0.0)
        file.finish(1, climb_outcome, 1.0)
        assert in_the_file() == 2


def test_a_title_can_be_changed(path):
    with StudyFile(path, tiny_study()) as file:
        file.rename("What I called it later")
    with StudyReader(path) as reader:
        assert reader.spec.title == "What I called it later"


def damage_file(path, statement):
    StudyFile(path, tiny_study()).close()
    change(path, statement)


DAMAGE = {
    "PRAGMA user_version = 2": "version 2",
    "PRAGMA application_id = 7": "not a study file",
    "DELETE FROM study": "lacks",
    "UPDATE study SET spec = '{'": "damaged",
    "UPDATE study SET spec = '{\"v\": 9}'": "damaged",
    "DROP TABLE study": "its tables",
}


@pytest.mark.parametrize(("statement", "word"), DAMAGE.items(), ids=DAMAGE)
def test_a_damaged_file_is_refused_in_one_sentence(path, statement, word):
    damage_file(path, statement)
    with pytest.raises(InvalidStudy, match=word) as refused:
        StudyReader(path)
    assert "\n" not in str(refused.value)
    assert str(path.parent) not in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\0" + bytes(500)])
def test_any_other_file_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(InvalidStudy):
        StudyReader(path)
    with pytest.raises(InvalidStudy):
        StudyFile(path, tiny_study())
    assert path.read_bytes() == content, "what is not ours is left alone"


def test_no_file_is_refused(path):
    with pytest.raises(InvalidStudy, match="no study"):
        StudyFile(path)
    assert list(path.parent.iterdir()) == []


REFUSED = {
    "listed twice": [{"name": "burma14"}, {"sha256": load("burma14").sha256}],
    "in one place": [{"cities": [[1, 1], [1, 1], [1, 1]]}],
}


@pytest.mark.parametrize(("word", "instances"), REFUSED.items(), ids=REFUSED)
def test_impossible_instances_of_a_study(path, word, instances):
    with pytest.raises(InvalidStudy, match=word):
        StudyFile(path, tiny_study(instances=instances))
    assert list(path.parent.iterdir()) == []


def test_instances_of_one_name_are_distinguished(path):
    square = [[0, 0], [0, 5], [5, 5], [5, 0]]
    StudyFile(path, tiny_study(instances=[{"cities": square}, {"cities": [*square[:3], [6, 0]]}])).close()
    with StudyReader(path) as reader:
        assert [row.name for row in reader.instances] == ["4 cities", "4 cities (2)"]


def progress(best, elapsed=None):
    best = np.array(best, np.int64)
    counted = np.arange(1, best.size + 1)
    return Progress(counted, counted * 10, counted / 8 if elapsed is None else elapsed, best, best, best * 1.0)


def end(length, seconds=9.0, to_best=8.5):
    return Finished(np.arange(3), length, 50, 600, seconds, to_best, 0.0, "time", "CPU", 1, {})


def test_improvements_are_where_the_best_length_falls():
    saved = Improvements()
    saved.take(progress([9, 9, 7]))
    saved.take(progress([]))
    saved.take(progress([7, 8, 5]))
    saved.take(progress([8, 7]))  # as a program of one's own may report it
    assert saved.rows(end(5))[["evaluations", "length"]].tolist() == [(10, 9), (30, 7), (30, 5)]


def test_best_tour_after_the_last_progress_counts_at_the_end():
    saved = Improvements()
    saved.take(progress([9]))
    assert saved.rows(end(4)).tolist()[1:] == [(8.5, 600, 50, 4)]


def test_improvement_never_exceeds_its_runs_end():
    saved = Improvements()
    saved.take(progress([9, 8], elapsed=np.array([1.0, 1.5])))
    assert saved.rows(end(8, seconds=1.25))["seconds"].tolist() == [1.0, 1.25]


def test_tour_of_length_0_is_not_an_improvement():
    rows = np.array([(0.5, 1, 1, 7), (0.75, 2, 2, 0)], ROW)
    logs = decode_logs([rows[:1].tobytes(), rows.tobytes(), rows[1:].tobytes()])
    assert logs.offsets.tolist() == [0, 1, 2, 2]
    assert logs.length.tolist() == [7, 7]


@pytest.mark.long
@pytest.mark.slow
def test_three_thousand_runs_are_read_in_a_second(path, climb_outcome):
    """A study of 3,000 runs with logs of 200 improvements each: the columns of all runs, and all improvements."""
    rows = np.empty(200, ROW)
    rows["length"] = np.arange(climb_outcome.result["length"] + 199, climb_outcome.result["length"] - 1, -1)
    rows["seconds"] = np.linspace(0, climb_outcome.result["seconds"], 200)
    rows["evaluations"] = np.linspace(0, climb_outcome.result["evaluations"], 200).astype(np.int64)
    rows["iterations"] = 1
    long = Outcome(climb_outcome.result, climb_outcome.tour, rows.tobytes())
    with StudyFile(path, tiny_study(seeds={"count": 750})) as file:
        for number in range(3000):
            file.finish(number, long, 1.0)
    took = []
    for _ in range(3):
        began = time.process_time()
        with StudyReader(path) as reader:
            table = reader.table()
        took.append(time.process_time() - began)
    assert (table.runs.length.size, table.logs.length.size) == (3000, 600_000)
    assert is_within_bound(min(took), 1.0), took


@pytest.mark.skipif(os.name != "posix", reason="other systems close folders in other ways")
def test_killed_study_is_readable_in_a_read_only_folder_without_its_log(path, climb_outcome):
    with StudyFile(path, tiny_study()) as file:
        file.finish(0, climb_outcome, 1.0)
    change(path, "PRAGMA journal_mode = WAL")
    assert not path.with_name(f"{path.name}-wal").exists()
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, folder)
        os.chmod(copy, 0o444)
        os.chmod(folder, 0o555)
        if (child := os.fork()) == 0:
            if os.geteuid() == 0:
                os.setuid(65534)  # the superuser may write anywhere
            with contextlib.suppress(BaseException), StudyReader(type(path)(copy)) as reader:
                os._exit(0 if reader.counts()["finished"] == 1 else 2)
            os._exit(1)
        _, status = os.waitpid(child, 0)
        os.chmod(folder, 0o755)
    assert os.waitstatus_to_exitcode(status) == 0


def test_finished_study_is_readable_where_it_cannot_be_written(path):
    finish_study(path, tiny_study(seeds={"count": 1}))
    path.chmod(0o400)
    with StudyReader(path) as reader:
        assert reader.counts()["finished"] == 4
        assert not reader.is_being_worked_on()


def test_table_holds_only_the_result_fields_of_its_columns(tmp_path):
    """A study may have 100,000 runs. These small ones take 936 bytes each, and 1,675 with complete results."""
    path = write_study(tmp_path / "many.tourstudy", instances=4, seeds=20, improvements=2)
    with StudyReader(path) as reader:
        reader.table()  # whatever is loaded or cached once
        tracemalloc.start()
        try:
            reader.table()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 400 * 1250
