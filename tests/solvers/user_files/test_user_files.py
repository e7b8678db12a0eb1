"""Users' solvers in the registry: loaded from their file's text, described, run, reported and missing."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import solvers
from commands.check import main as check
from commands.main import main
from data.collection.resolve import load as load_instance
from data.distances import tour_length
from data.generators import uniform
from solvers import BUILT_IN, SOLVERS, find
from solvers.check.story import group_moves
from solvers.core.errors import InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.events import Edges, Moves, Tour
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.own import report
from solvers.run import prepare, run
from solvers.spec import RunSpec
from solvers.user_files import watching
from solvers.user_files.declarations import describe_solver, parse_attributes
from solvers.user_files.loading import FaultySolver, describe_fault, load
from solvers.user_files.solver_file import SolverFile, list_inherited_files
from studies.cli.arguments import parse_command as read_study
from tests.solvers.user_files.mine import changed_template, empty_registry
from tests.tables import each_row

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "your-solver.md"


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """A registry whose changes are invisible to other tests."""
    empty_registry(monkeypatch)


def make_spec(name: str = "my-solver", instance: str = "berlin52", **params) -> RunSpec:
    stages = [{"algorithm": name, "params": params}]
    return RunSpec.from_json({"v": 2, "instance": {"name": instance}, "stages": stages})


def collect_events(spec: RunSpec) -> list:
    return list(run(prepare(spec), load_instance(spec.instance["name"])))


def test_file_saved_twice_within_a_second_is_reloaded(tmp_path):
    path = changed_template(tmp_path)
    os.utime(path, (1000, 1000))
    assert load(path).title == "My solver"
    path.write_text(path.read_text().replace("My solver", "My Solver"))
    os.utime(path, (1000, 1000))
    assert load(path).title == "My Solver"


@each_row(
    ("old", "new", "sentence"),
    [
        ("import numpy as np", "import numpy as np\nnp.nothing", r"mine\.py, line 15: AttributeError: .*"),
        ("import numpy as np", "import numpy as np\nraise SystemExit", r"mine\.py, line 15: SystemExit\."),
        ("class MySolver", "class My Solver", r"mine\.py, line 29: SyntaxError: .*"),
        ("params = MyParams", "params = None", r"mine\.py: MySolver\.params must be a class derived from Params\."),
    ],
)
def test_unloadable_file_reports_its_line(tmp_path, old, new, sentence):
    with pytest.raises(FaultySolver) as caught:
        SolverFile(str(changed_template(tmp_path, (old, new)))).real()
    assert re.fullmatch(sentence, str(caught.value)), str(caught.value)


def test_missing_file_says_so(tmp_path):
    assert "nobody.py cannot be read" in SolverFile(str(tmp_path / "nobody.py")).fault()


def test_long_message_is_shortened_to_one_line(tmp_path):
    sentence = describe_fault(tmp_path / "mine.py", ValueError("\x1b[31mtoo\x1b[0m\n" + "long " * 200))
    assert sentence.startswith("mine.py: ValueError: too long")
    assert "\n" not in sentence
    assert len(sentence) < 300


def test_file_is_described_by_another_process_as_declared(tmp_path):
    real = load(changed_template(tmp_path))
    result = SolverFile("mine.py", json.loads(json.dumps(describe_solver(real)))).solver
    assert result.params.schema() == real.params.schema()
    assert result.params.from_mapping({"climbers": 7}).climbers == 7
    with pytest.raises(InvalidParams):
        result.params.from_mapping({"climbers": 0})
    for name in ("name", "title", "summary", "family", "iteration_unit", "step_unit", "variants", "presets", "views"):
        assert getattr(result, name) == getattr(real, name)
    for solver in BUILT_IN:  # whatever a solver may declare
        parse_attributes(json.loads(json.dumps(describe_solver(solver))))


@pytest.mark.slow
def test_server_does_not_import_a_file_but_describes_it(tmp_path):
    path = changed_template(tmp_path, ("import numpy as np", "import numpy as np\nprint('hello')"))
    watching.join([str(path)])
    assert find("my-solver").title == "My solver"
    assert SOLVERS.files[0].loaded is None
    assert [file.path for file in list_inherited_files()] == [path]
    path.write_text(path.read_text().replace('"My solver"', '"Mine now"').replace("climbers: int", "tours: int"))
    watching.Watcher._look(SOLVERS.files[0])
    assert find("my-solver").title == "Mine now"
    assert [declared.name for declared in find("my-solver").params.schema()] == ["tours", "local_search"]
    path.write_text("nonsense")
    watching.Watcher._look(SOLVERS.files[0])
    assert find("my-solver").title == "Mine now", "it stays as it was"
    with pytest.raises(FaultySolver, match=r"mine\.py, line 1: NameError"):
        watching.join([str(path)])


def test_file_that_ends_its_process_is_reported(tmp_path):
    path = changed_template(tmp_path, ("import numpy as np", "import os\nos._exit(3)"))
    with pytest.raises(FaultySolver, match=r"mine\.py: the import has ended the process, with status 3\."):
        watching.join([str(path)])


def test_file_is_listed_last_and_its_fault_reported_by_name(tmp_path):
    SOLVERS.join(SolverFile(str(changed_template(tmp_path))))
    assert [solver.name for solver in SOLVERS] == [*(each.name for each in BUILT_IN), "my-solver"]
    assert SOLVERS[-1].name == "my-solver"
    with pytest.raises(FaultySolver, match="the name my-solver is taken by another solver"):
        SOLVERS.join(SolverFile(str(changed_template(tmp_path, name="other.py"))))
    (tmp_path / "mine.py").write_text("nonsense")
    SOLVERS.files[:] = [SolverFile(str(tmp_path / "mine.py"))]  # as a worker would find it
    assert find("two-opt") is BUILT_IN[0]
    assert len(SOLVERS) == len(BUILT_IN)
    with pytest.raises(InvalidParams, match=r"mine\.py, line 1: NameError"):
        find("my-solver")


def test_change_beside_the_file_changes_the_fingerprint(tmp_path):
    file = SolverFile(str(changed_template(tmp_path)))
    seen = [file.fingerprint()]
    (tmp_path / "helper.py").write_text("")
    seen.append(file.fingerprint())
    (tmp_path / "notes.txt").write_text("")
    assert seen[0] != seen[1] == file.fingerprint()


def test_error_within_a_run_is_one_sentence_with_its_line(tmp_path, caplog):
    SOLVERS.join(
        SolverFile(str(changed_template(tmp_path, ("    n, evaluations", "    undefined\n    n, evaluations"))))
    )
    with pytest.raises(RunFailed, match=r"^mine\.py, line 74: NameError: name 'undefined' is not defined\.$"):
        collect_events(make_spec())
    assert "Traceback" in caplog.text or caplog.records[0].exc_info


def test_run_can_be_cancelled_while_the_file_requests_distances(tmp_path):
    SOLVERS.join(SolverFile(str(changed_template(tmp_path))))
    counter = Budget().start()
    counter.cancel()
    *_, end = run(prepare(make_spec()), uniform(600, 1), counter)
    assert end.stop_reason == "cancelled"
    assert end.evaluations == 1, "a first tour, before any of the file's"


def test_result_records_the_state_of_the_file(tmp_path):
    SOLVERS.join(SolverFile(str(changed_template(tmp_path))))
    before = collect_events(make_spec(climbers=1))[-1].versions["mine.py"]
    changed_template(tmp_path, ("My own file", "Mine"))
    assert collect_events(make_spec(climbers=1))[-1].versions["mine.py"] != before


def test_unrecorded_climb_is_repeated(tmp_path, monkeypatch):
    file = SolverFile(str(changed_template(tmp_path)))
    SOLVERS.join(file)
    recorded = {}
    for event in collect_events(make_spec(climbers=12)):
        if isinstance(event, Moves):
            recorded |= {climber: recorded.get(climber, []) + moves for climber, moves in group_moves(event).items()}
    assert sorted(recorded) == list(range(12))
    monkeypatch.setattr(report, "RECORD_BYTES", 0)
    best = {event.climber for event in collect_events(make_spec(climbers=12)) if isinstance(event, Tour)}
    stored = {
        climber
        for event in collect_events(make_spec(climbers=12))
        if isinstance(event, Moves)
        for climber in event.climber
    }
    assert stored == best
    params = file.solver.params.from_mapping({"climbers": 12})
    for climber in (0, 5, 11):
        job = Job(load_instance("berlin52"), params, 1, "auto", Budget(seconds=1e-9).start())
        again = [event for event in file.solver.replay(job, climber) if isinstance(event, Moves)]
        assert [move for event in again for move in group_moves(event)[climber]] == recorded[climber]


def test_built_tour_is_shown_edge_by_edge(tmp_path):
    changes = ("            yield from climb.end(evaluations)\n", "            yield from report.built(start, 1)\n")
    SOLVERS.join(SolverFile(str(changed_template(tmp_path, changes))))
    edges = [event for event in collect_events(make_spec(climbers=3, local_search=False)) if isinstance(event, Edges)]
    assert [event.climber for event in edges] == [0, 1, 2]


@each_row("turned", [False, True])
def test_segment_is_moved_as_by_cutting_and_pasting(turned):
    instance, random = uniform(12, 1), np.random.default_rng(1)

    class Silent:
        """A report without readers."""

    for _ in range(200):
        first, last = sorted(random.integers(1, 11, 2).tolist())
        to = int(random.choice([k for k in range(11) if k < first - 1 or k > last] or [-1]))
        if to < 0:
            continue
        order = random.permutation(12)
        job = Job(instance, solvers.own.own_solver.NoParams(), 1, "cpu", Budget().start())
        climb = report.Climb(Silent(), job, 0, order, True)
        climb.move_segment(first, last, to, turned)
        segment = order[first : last + 1].tolist()
        rest = [city for city in order.tolist() if city not in segment]
        at = rest.index(order[to]) + 1
        wanted = rest[:at] + (segment[::-1] if turned else segment) + rest[at:]
        assert climb.order.tolist() == wanted
        assert climb.length == tour_length(instance, climb.order)


def test_missing_solver_is_known_from_a_stored_file_and_cannot_run():
    with pytest.raises(InvalidParams):
        find("gone-with-it")
    SOLVERS.tolerate(["gone-with-it", "two-opt", 5, "x" * 1000])
    gone = find("gone-with-it")
    assert (gone.title, gone.listed) == ("gone-with-it", False)
    assert gone not in list(SOLVERS)
    assert find("two-opt") is BUILT_IN[0]
    with pytest.raises(InstanceTooLarge, match="The solver gone-with-it is not here: start TourScope with its file"):
        collect_events(make_spec("gone-with-it", whatever=3))
    with pytest.raises(InvalidParams):
        find("x" * 1000)


def test_the_command_line_takes_a_file(tmp_path, capsys):
    path = str(changed_template(tmp_path))
    assert main(["run", "burma14", "my-solver", "--solver", path, "--climbers", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["length"] >= 3323
    assert main(["list", "--solver", path]) == 0
    assert "--local-search" in capsys.readouterr().out
    assert main(["run", "burma14", "my-solver", "--solver", str(tmp_path / "nobody.py")]) == 2
    assert "nobody.py cannot be read" in capsys.readouterr().err


def test_a_study_takes_a_file_to_its_workers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = changed_template(tmp_path)
    words = ["study", "--instances", "burma14", "--algorithms", "my-solver:climbers=2,two-opt", "--solver", path.name]
    assert read_study(words).spec.entries[0].stages[0].algorithm == "my-solver"
    assert [file.solver.name for file in list_inherited_files()] == ["my-solver"]


@pytest.mark.long
def test_student_example_of_the_guide_has_no_fault(tmp_path, capsys):
    """The full file with Numba, and its Or-opt within the template."""
    blocks = re.findall(r"```(?:python)?\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    fast = tmp_path / "fast.py"
    fast.write_text(next(block for block in blocks if block.startswith('"""2-opt')))
    function, call, start = (
        next(block for block in blocks if block.strip().startswith(words))
        for words in ("def or_opt", "evaluations += yield from or_opt", "start = random")
    )
    old = "                evaluations = yield from two_opt(distances, climb, report)\n"
    mine = changed_template(tmp_path, (old, old + call))
    text = re.sub(r" *start = yield from .*\n", start, mine.read_text())
    mine.write_text(f"{text}\n\n{function}")
    for path in (fast, mine):
        assert check([str(path), "--cities", "60"]) == 0, capsys.readouterr().out
