"""Forged or damaged study files: each is refused in one sentence, without using memory."""

import tracemalloc
import zlib

import orjson
import pytest

from data.collection.resolve import load
from data.limits import MAX_BYTES
from solvers.spec import RunSpec
from studies.cli.main import main
from studies.errors import InvalidStudy
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.worker import outcome
from tests.sqlite_files import change
from tests.studies.small_study import tiny_study

SPEC = tiny_study(instances=[{"name": "gr17"}], seeds={"count": 1})


@pytest.fixture(scope="module")
def climb_outcome():
    stages = [{"algorithm": "two-opt", "params": {"climbers": 3}}]
    return outcome(RunSpec.from_json({"v": 1, "instance": {"name": "gr17"}, "stages": stages}), load("gr17"))


@pytest.fixture
def path(tmp_path, climb_outcome):
    path = tmp_path / "some.tourstudy"
    with StudyFile(path, SPEC) as file:
        file.finish(0, climb_outcome, 1.0)
        file.finish(1, climb_outcome, 1.0)
    return path


def read_all(path):
    """Read everything that readers use of a study."""
    with StudyReader(path) as reader:
        answer = [list(reader.cells()), dict(reader.results()), reader.counts(), reader.instances, reader.table()]
        return [*answer, reader.tour(0), reader.instance_text(0)]


def test_valid_file_is_read(path):
    assert len(read_all(path)[0]) == 2


def change_result(result, **values):
    return orjson.dumps({**result, **values}).decode()


DAMAGE = {
    "a ragged log": "UPDATE cells SET log = x'0102030405' WHERE number = 0",
    "no log": "UPDATE cells SET log = NULL",
    "a log that is text": "UPDATE cells SET log = 'none'",
    "an empty result": "UPDATE cells SET result = '{}'",
    "a result that is a list": "UPDATE cells SET result = '[]'",
    "a result that is a number": "UPDATE cells SET result = 7",
    "a deep result": f"UPDATE cells SET result = '{'[' * 5000}'",
    "no such entry": "UPDATE cells SET entry = 99",
    "no such instance": "UPDATE cells SET instance = -1",
    "no such seed": "UPDATE cells SET seed = 12",
    "no such cell": "UPDATE cells SET number = 77 WHERE number = 1",
    "no such state": "UPDATE cells SET state = 'lost'",
    "a cell that is missing": "DELETE FROM cells WHERE number = 1",
    "a time that is text": "UPDATE cells SET took = 'long'",
    "a short tour": "UPDATE cells SET tour = x'00000000'",
    "a tour that is none": "UPDATE cells SET tour = zeroblob(68)",
    "bad zlib": "UPDATE instances SET text = x'0102'",
    "an instance that is missing": "DELETE FROM instances",
    "an instance of text cities": "UPDATE instances SET n = 'many'",
    "an instance of a long name": "UPDATE instances SET name = hex(zeroblob(5000))",
    "a name that steers the terminal": "UPDATE instances SET name = char(27) || '[2J'",
    "a view": "CREATE VIEW more AS SELECT * FROM cells",
    "a generated column": "ALTER TABLE cells ADD COLUMN more BLOB AS (zeroblob(60000000)) VIRTUAL",
    "a trigger": "CREATE TRIGGER more AFTER UPDATE ON cells BEGIN DELETE FROM cells; END",
    "no table": "DROP TABLE cells",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_other_file_is_refused_in_one_sentence(path, capsys, statement):
    change(path, statement)
    with pytest.raises(InvalidStudy) as refused:
        read_all(path)
    assert str(refused.value).startswith("some.tourstudy ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "values",
    [{"length": "1"}, {"length": -1}, {"length": 2.5}, {"seconds": None}, {"evaluations": 2**63}, {"proven": 1},
     {"iterations": True}, {"device": "a" * 10**5}, {"stop_reason": "\x1b[2J"}],
)  # fmt: skip
def test_result_with_wrong_types_is_refused(path, climb_outcome, values):
    change(path, "UPDATE cells SET result = ?", change_result(climb_outcome.result, **values))
    with pytest.raises(InvalidStudy, match="damaged"):
        read_all(path)


def test_command_line_reports_it_in_one_sentence(path, capsys):
    change(path, "UPDATE cells SET result = '{}'")
    assert main(["study", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_bomb_is_not_unpacked(path):
    packer = zlib.compressobj(9)
    bomb = b"".join([*(packer.compress(bytes(10**6)) for _ in range(100)), packer.flush()])
    change(path, "UPDATE instances SET text = ?", bomb)
    with StudyReader(path) as reader:
        tracemalloc.start()
        with pytest.raises(InvalidStudy, match="damaged"):
            reader.instance_text(0)
        assert tracemalloc.get_traced_memory()[1] < 5 * MAX_BYTES
        tracemalloc.stop()


def test_a_sentence_is_shown_as_one_line(path):
    change(path, "UPDATE cells SET state = 'failed', sentence = 'a' || char(10) || char(27) || '[2J' WHERE number = 1")
    with StudyReader(path) as reader:
        assert [row.sentence for row in reader.cells()] == ["", "a [2J"]
