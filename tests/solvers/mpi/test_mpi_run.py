"""Runs in several processes with every algorithm, and the tables that processes fill together."""

import ast
import inspect
import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from commands.arguments import UsageError, parse_command
from data.generators import uniform
from solvers.core.errors import RunFailed
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.mpi import launcher
from solvers.mpi.communicator import Communicator
from solvers.mpi.remote_run import MpiRun
from solvers.worker.frames import Frame
from tests.solvers.mpi.mpi_started import change_ranks, command_line
from tests.solvers.mpi.mpi_trial import ANTS, COUNT, DTYPES, TrialParams, make_values

needs_mpi = [
    pytest.mark.skipif(bool(launcher.unavailable_reason()), reason=launcher.unavailable_reason() or "MPI is there"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]
REGISTERED = "import solvers\nfrom tests.solvers.mpi.mpi_trial import Trial\nsolvers.SOLVERS += (Trial(),)\n"
OWN = ("--solver", "tests.solvers.mpi.mpi_trial:Trial")


def make_job(**params) -> Job:
    return Job(uniform(5, 1), TrialParams.from_mapping(params), 17, "cpu", Budget().start())


def final_report(run: MpiRun) -> Frame:
    """The final report of process 0."""
    answer = run.ask("advance")
    while not answer.values["finished"]:
        answer = run.ask("advance")
    return answer


@pytest.fixture
def register_trial(monkeypatch, tmp_path):
    change_ranks(REGISTERED, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("ranks", "windows", "machine"),
    [
        (3, True, 2),  # two share memory, the third sends
        *(
            pytest.param(*way, marks=pytest.mark.long)
            for way in [(1, True, 8), (2, True, 8), (4, True, 8), (2, False, 8), (4, False, 8)]
        ),
    ],
)
@pytest.mark.usefixtures("register_trial")
class TestTables:
    pytestmark = needs_mpi

    def test_processes_fill_tables_together(self, ranks, windows, machine):
        with closing(MpiRun("trial", make_job(machine=machine), ranks, windows)) as run:
            answer = final_report(run)
        found = answer.values
        assert found["wrong"] == [0] * len(DTYPES)
        np.testing.assert_array_equal(answer.arrays["table"], make_values(DTYPES[-1])[::-1])
        assert found["sizes"] == COUNT
        assert found["lengths"] == list(range(ANTS))
        assert found["own"] == [10, 0, -5]
        assert found["least"] == [11 - ranks, 0, -5]


@pytest.mark.usefixtures("register_trial")
class TestRuns:
    pytestmark = needs_mpi

    @pytest.mark.long
    @pytest.mark.parametrize("windows", [True, False])
    def test_memory_reserved_for_one_table_is_not_available_to_another(self, windows):
        with closing(MpiRun("trial", make_job(scarce=True), 2, windows)) as run:
            answer = final_report(run).values["refused"]
        assert ("1,000 bytes" in answer, "room for 500" in answer) == (windows, windows)

    def test_process_0_answers_for_its_part(self):
        with closing(MpiRun("trial", make_job(), 2)) as run:
            answer = run.ask("twice", {"word": "ä"}, {"once": np.arange(3)})
            assert answer.values == {"seed": 17, "word": "ä"}
            np.testing.assert_array_equal(answer.arrays["twice"], [0, 2, 4])
            with pytest.raises(RunFailed, match="the log has the details"):
                run.ask("what no part knows")

    @pytest.mark.long
    def test_command_line_accepts_any_algorithm_with_such_a_variant(self):
        done = command_line("trial", *OWN, "--mpi", "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["algorithm"] == "trial"
        assert "2 processes" in found["device"]


def test_engine_supports_every_algorithm_with_the_variant():
    command = parse_command(["run", "burma14", "trial", *OWN, "--mpi"])
    assert command.spec is not None
    assert command.spec.stages[0].params == {"variant": "mpi"}
    with pytest.raises(UsageError, match="no variant mpi"):
        parse_command(["run", "burma14", "greedy", *OWN, "--mpi"])


def test_single_process_has_private_tables():
    alone, expected = Communicator(), make_values("uint16")
    table = alone.table(COUNT, "uint16")
    assert (table.shape, table.dtype, alone.split(COUNT)) == ((COUNT,), np.uint16, (0, COUNT))
    table[:] = expected
    alone.blank(table)
    alone.synchronise()
    alone.merge(table)
    np.testing.assert_array_equal(table, expected)
    np.testing.assert_array_equal(alone.minimum(np.array([3, -4])), [3, -4])


def test_overrides_for_several_processes_are_complete():
    source = Path(launcher.__file__).with_name("mpi_communicator.py").read_text()
    (several,) = (each for each in ast.parse(source).body if isinstance(each, ast.ClassDef))
    own = {each.name for each in several.body if isinstance(each, ast.FunctionDef)}
    assert own >= {name for name, _ in inspect.getmembers(Communicator, inspect.isfunction)}
