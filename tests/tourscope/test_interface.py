"""The Python interface: its examples, results and errors, and how a run ends."""

import doctest
import importlib
import inspect
import io
import os
import pkgutil
import re
import signal
import subprocess
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

import tourscope as ts
from data.collection.resolve import load
from data.distances import tour_length
from solvers import SOLVERS
from solvers.core.solver import is_exact
from solvers.run import prepare
from solvers.run import run as run_here
from solvers.spec import RunSpec
from tests.clock import wait_until
from tests.solvers.user_files.mine import changed_template
from tests.tables import each_row
from tests.tourscope.generate import ROOT
from tourscope.caller import Caller

pytestmark = pytest.mark.slow
#: Longer than any test: such a run ends because it is cancelled.
FOREVER = 3600
#: Its default of 100 iterations takes a fifth of a second, and a busy test comes too late to end it.
ENDLESS = ts.AntSystem(iterations=1_000_000)


MODULES = [importlib.import_module(f"tourscope.{each.name}") for each in pkgutil.iter_modules(ts.__path__)
           if each.name != "__main__"]  # fmt: skip
WITH_EXAMPLES = [each for each in (ts, *MODULES) if ">>>" in inspect.getsource(each)]


@each_row("module", WITH_EXAMPLES)
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_examples_of_the_document():
    found = doctest.testfile(str(ROOT / "docs" / "python-api.md"), module_relative=False, encoding="utf-8")
    assert found.attempted > 5
    assert not found.failed


@each_row("name", ["README.md", "docs/first-steps.md"])
def test_the_example_of_a_script_prints_a_whole_tour(name, capsys):
    text = (ROOT / name).read_text("utf-8")
    (example,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "ts.solve" in block]
    exec(compile(example, name, "exec"), known := {})
    result = known["result"]
    assert result.length >= result.optimum
    assert capsys.readouterr().out.split()[:2] == [str(result.length), str(result.gap)]


def test_run_matches_the_program():
    stage = {"algorithm": "two-opt", "params": {"climbers": 20, "variant": "sequential"}}
    spec = RunSpec.from_json({"v": 2, "instance": {"name": "kroA100"}, "stages": [stage], "seed": 7})
    *_, end = run_here(prepare(spec), load("kroA100"))
    result = ts.solve("kroA100", ts.TwoOpt(climbers=20, variant="sequential"), seed=7)
    assert (result.length, result.evaluations, result.iterations) == (end.length, end.evaluations, end.iterations)
    assert np.array_equal(result.tour, end.order)


def test_length_matches_the_tour():
    instance = load("ulysses16")
    result = ts.solve(instance.coordinates, ts.TwoOpt(climbers=5), distances="GEO")
    assert sorted(result.tour) == list(range(16))
    assert result.length == tour_length(instance, result.tour)


@each_row("name", [solver.name for solver in SOLVERS if is_exact(solver)])
def test_every_exact_algorithm_states_its_proof(name):
    result = ts.solve([[0, 0], [0, 300], [500, 300], [500, 0], [900, 100]], ts.algorithms()[name]())
    assert (result.proven, result.optimum, result.gap) == (True, result.length, 0.0)
    heuristic = ts.solve([[0, 0], [0, 300], [500, 300], [500, 0], [900, 100]], ts.TwoOpt(climbers=5))
    assert (heuristic.proven, heuristic.optimum, heuristic.gap) == (False, None, None)
    assert heuristic.length >= result.length


def test_directed_matrix():
    weights = np.array([[0, 1, 9], [9, 0, 1], [1, 9, 0]])
    assert ts.solve(weights, ts.HeldKarp()).length == 3
    assert ts.solve(weights.T, ts.HeldKarp()).length == 3


def test_fixed_edges_are_in_the_tour():
    corners = [[0, 0], [0, 300], [400, 300], [400, 0]]
    result = ts.solve(corners, ts.HeldKarp(), fixed=[(0, np.int64(2))])
    assert (result.length, result.proven) == (500 + 300 + 500 + 300, True)
    path = ts.solve(corners, ts.HeldKarp(), fixed=[("1", "3")], start="2", end="4")
    assert (path.tour.tolist(), path.length) == ([1, 0, 2, 3], 1100)


def test_a_file(tmp_path):
    header = "NAME: three\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n"
    path = tmp_path / "three.tsp"
    path.write_text(f"{header}NODE_COORD_SECTION\n1 0 0\n2 300 0\n3 0 400\nEOF\n")
    for values in (path, str(path)):
        result = ts.solve(values, ts.Greedy())
        assert (result.instance, result.length, result.gap) == ("three", 1200, None)
        with pytest.raises(ts.InvalidInstance, match="No such file"):
            ts.solve(type(values)(tmp_path / "none.tsp"), ts.Greedy())


def test_text_is_a_name_before_it_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the process of the program may have started elsewhere
    text = "NAME: here\nTYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n1 0 0\n2 300 0\nEOF\n"
    for name in ("berlin52", "berlin", "here.tsp"):
        (tmp_path / name).write_text(text)
    assert [ts.solve(name, ts.Greedy()).length for name in ("berlin", "here.tsp")] == [600, 600]
    assert ts.solve("berlin52", ts.Greedy()).optimum == 7542


@each_row(
    ("instance", "algorithm", "options", "error", "sentence"),
    [
        ("berlin52", ts.TwoOpt(climbers=0), {}, ts.InvalidParams, "climbers is 0, but must be a whole number from 1"),
        ("berlin52", ts.Greedy(), {"seconds": -1}, ts.InvalidParams, "seconds is -1, but must be more than 0"),
        ("berlin53", ts.Greedy(), {}, ts.InvalidInstance, "did you mean berlin52"),
        ([[0, 1, 2], [1, 0, 3]], ts.Greedy(), {}, ts.InvalidInstance, "The array is 2 x 3"),
        ([[0, 1, 2], [1, 0, 0.5], [2, 0.5, 0]], ts.Greedy(), {}, ts.InvalidInstance, "not a whole number"),
        ([[0, 1e10, 2], [5, 0, 1], [2, 1, 0]], ts.Greedy(), {}, ts.InvalidInstance, "scale the distances down"),
        ([[0, np.nan, 2], [5, 0, 1], [2, 1, 0]], ts.Greedy(), {}, ts.InvalidInstance, "not a finite number"),
        ("kroA100", ts.HeldKarp(), {}, ts.InstanceTooLarge, "no memory holds those of 100 cities"),
        ("ftv33", ts.Christofides(), {}, ts.DeviceUnavailable, "directed"),
        ("berlin52", ts.Greedy(), {"fixed": [(0, 1, 2)]}, ts.InvalidParams, "pairs of cities"),
        ("berlin52", ts.Greedy(), {"fixed": [(0, "53")]}, ts.InvalidInstance, "Unknown city"),
        ("berlin52", "two-opt", {}, ts.InvalidParams, r"such as ts.TwoOpt\(\), not 'two-opt'"),
        ("berlin52", [ts.Greedy(), ts.TwoOpt], {}, ts.InvalidParams, "An algorithm is an object"),
        ([[0, 1], [1, 0]], ts.Greedy(), {"distances": "KM"}, ts.InvalidInstance, "one of EUC_2D,.*, not 'KM'"),
        (5, ts.Greedy(), {}, ts.InvalidInstance, "coordinates are n x 2"),
    ],
)
def test_errors_have_the_programs_sentences(instance, algorithm, options, error, sentence):
    with pytest.raises(error, match=sentence):
        ts.solve(instance, algorithm, **options)
    assert issubclass(error, ts.TourScopeError)
    assert ts.solve("berlin52", ts.Greedy()).optimum == 7542


def test_close_cities_are_warned_about_and_measured_better(tmp_path):
    square = [[0, 0], [0.25, 0], [0.5, 0.5]]
    with pytest.warns(UserWarning, match="scale by 1000"):
        ts.solve(square, ts.Greedy())
    finer = ts.solve(square, ts.Greedy(), scale=1000)
    assert (finer.length, finer.unit) == (250 + 559 + 707, "")
    stops = [[48.1371, 11.5754], [48.1352, 11.582], [48.14, 11.577]]
    town = ts.solve(stops, ts.Greedy(), distances="degrees")
    assert (town.length, town.unit) == (533 + 650 + 344, "m")
    path = tmp_path / "decimals.tsp"
    cities = "1 50.75 8.25\n2 50.1 8.7\n3 49.95 8.9\nEOF\n"
    path.write_text(f"TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n{cities}")
    with pytest.warns(UserWarning, match="60 minutes"):
        assert ts.solve(path, ts.Greedy()).unit == "km"
    assert ts.solve(path, ts.Greedy(), distances="degrees").length == 201_156


def test_doubtful_instance_is_warned_about_at_the_callers_line(tmp_path):
    with pytest.warns(ts.InstanceWarning, match="scale by 1000") as solved:
        ts.solve([[0, 0], [0.25, 0], [0.5, 0.5]], ts.Greedy())
    path = tmp_path / "five.tsp"
    path.write_text("NAME: five\nTYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: ATT\nNODE_COORD_SECTION\n1 0 0\n2 9 0\n")
    with ts.run(path, ts.Greedy()) as run, pytest.warns(ts.InstanceWarning, match="ends without EOF") as ran:
        list(run)
    assert {warning.filename for warning in (*solved, *ran)} == {__file__}


def test_warning_as_error_ends_the_run():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ts.InstanceWarning)
        with pytest.raises(ts.InstanceWarning):
            ts.solve([[0, 0], [1, 1], [2, 3]], ENDLESS)
    assert ts.solve("berlin52", ts.Greedy()).optimum == 7542


def test_cancel_ends_with_a_result():
    with ts.run("kroA100", ENDLESS, seconds=FOREVER) as run:
        for event in run:
            if isinstance(event, ts.events.Tour):
                run.cancel()
    assert isinstance(event, ts.events.Finished)
    assert run.result.stop_reason == "cancelled"
    assert list(run) == []


def test_leaving_the_block_ends_the_run_and_frees_its_process():
    with ts.run("kroA100", ENDLESS, seconds=FOREVER) as run:
        next(event for event in run if isinstance(event, ts.events.Tour))
        caller = run._caller
    assert run.result.stop_reason == "cancelled"
    with ts.run("berlin52", ts.Greedy()) as other:
        assert other._caller is caller


@pytest.mark.long
def test_two_runs_at_a_time():
    with ts.run("kroA100", ENDLESS, seconds=FOREVER) as long:
        next(long)
        assert ts.solve("berlin52", ts.Greedy()).length >= 7542
        assert long.result is None


SCRIPT = """
import signal
import tourscope as ts
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts tests in the background has it ignored
try:
    with ts.run("kroA100", ts.AntSystem(iterations=1_000_000), seconds=3600) as run:
        for event in run:
            if isinstance(event, ts.events.Tour):
                print("tour", run._caller._process.pid, flush=True)
except KeyboardInterrupt as error:
    print("\\n", type(error).__name__, len(error.result.tour), flush=True)  # it may have cut a line
print(ts.solve("berlin52", ts.Greedy()).instance)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends the signal of Ctrl+C")
def test_an_interrupt_ends_the_run_but_not_the_program():
    with subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as caller:
        pid = int(caller.stdout.readline().split()[1])
        caller.send_signal(signal.SIGINT)
        lines = [line for line in caller.stdout if line.strip() and not line.startswith("tour")]
    assert [line.split() for line in lines] == [["Interrupted", "100"], ["berlin52"]]
    assert caller.returncode == 0
    wait_until(lambda: not psutil.pid_exists(pid))


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_killed_caller_leaves_no_process():
    with subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as caller:
        pid = int(caller.stdout.readline().split()[1])
        caller.kill()
    wait_until(lambda: not psutil.pid_exists(pid))


def test_process_ends_with_its_input_and_is_not_killed():
    values, killed = io.BytesIO(), list[bool]()

    def wait(seconds=None):
        if not values.closed:
            raise subprocess.TimeoutExpired("the program", seconds)

    caller = Caller.__new__(Caller)
    caller._owner, caller._process = (
        os.getpid(),
        SimpleNamespace(stdin=values, wait=wait, kill=lambda: (killed.append(True), values.close())),
    )
    caller.end()
    assert values.closed
    assert not killed


def test_caller_imports_nothing_of_the_program_or_its_packages():
    code = "import sys, tourscope as ts; ts.solve('berlin52', ts.Greedy()); print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).split()
    tops = {name.partition(".")[0] for name in loaded}
    foreign = {
        *("anywidget", "ipywidgets", "traitlets", "numba", "dash", "plotly", "scipy", "orjson", "pandas"),
        *("data", "solvers", "exports", "commands", "runs", "studies", "papers", "components"),
    }
    assert "numpy" in tops
    assert not tops & foreign


def test_own_solver_matches_the_program(tmp_path):
    path = changed_template(tmp_path)
    named = f"{path}:MySolver"  # workers start anew for each name
    first = ts.solve("burma14", ts.Own(named, climbers=3), seed=1)
    assert (first.iterations, first.stop_reason) == (3, "completed")
    assert "mine.py" in first.versions
    again = ts.solve("burma14", [ts.Greedy(), ts.Own(named, climbers=2)], seed=1)
    assert again.iterations == 1 + 2
    assert ts.solve("burma14", ts.TwoOpt(climbers=3)).length >= 3323
    with pytest.raises(ts.InvalidParams, match="climbers"):
        ts.solve("burma14", ts.Own(named, climbers=-1))
    # another file whose solver has the same name, and a changed one
    other = changed_template(tmp_path, ("climb.end(evaluations)", "climb.end(1_000_000)"), name="other.py")
    assert ts.solve("burma14", ts.Own(other, climbers=3)).evaluations >= 1_000_000
    changed_template(tmp_path, ("climb.end(evaluations)", "climb.end(nothing)"), name="other.py")
    with pytest.raises(ts.RunFailed, match=r"other\.py, line 55: NameError: name 'nothing' is not defined"):
        ts.solve("burma14", ts.Own(other, climbers=3))
    other.write_text("climbers = = 3")
    with pytest.raises(ts.RunFailed, match=r"other\.py, line 1: SyntaxError"):
        ts.solve("burma14", ts.Own(other))
    with pytest.raises(ts.RunFailed, match=r"none\.py cannot be read"):
        ts.solve("burma14", [ts.Own(path, climbers=1), ts.Own(tmp_path / "none.py")])
    assert ts.solve("burma14", ts.Own(path, climbers=3), seed=1).length == first.length
