"""`check` accepts the template and the program's own solvers, and finds each planted fault."""

import subprocess
import sys

import pytest

from commands.check import TEMPLATE, main
from solvers import find
from solvers.check.contract import Contract
from solvers.user_files.solver_file import SolverFile
from tests.clock import PATIENCE
from tests.shortened import shorten
from tests.tables import each_row

pytestmark = pytest.mark.slow

LOOP = "        for climber in range(params.climbers):\n"
END = "            yield from climb.end(evaluations)\n"
STARTED = "        yield from report.started()\n"
#: By kind: what is replaced in the template, by what, and the sentence that tells it.
PLANTED = {
    "no permutation": (END, "            climb.order[1] = climb.order[0]\n" + END, "The tour visits a city twice"),
    "wrong length": (
        END,
        "            from solvers.core.events import Tour\n"
        "            yield Tour(climb.order.copy(), climb.length + 1 + climber, climber)\n" + END,
        "a tour was reported with the length",
    ),
    "below the optimum": (
        END,
        "            from dataclasses import replace\n"
        "            from solvers.core.events import Rows\n"
        "            for event in climb.end(evaluations):\n"
        "                yield replace(event, length=event.length - 1) if isinstance(event, Rows) else event\n",
        "was reported, and the shortest tour has",
    ),
    "no tour": ("range(params.climbers)", "range(0)", "the run ended without a tour"),
    "a clock in the dice": ("default_rng((job.seed, climber))", "default_rng()", "same seed gave two different"),
    "a result that depends on the cut": (
        END,
        "            from solvers.own import report as module\n"
        "            yield from climb.end(evaluations + int(module.SLICE == 0))\n",
        "How the work is cut into events changes the run",
    ),
    "long pieces": (
        "        if report.due():  # at most",
        "        from time import process_time\n"
        "        until = process_time() + (0.15 if len(order) == 2 and len(distances) == 60 else 0)\n"
        "        while process_time() < until:\n"
        "            pass\n"
        "        if report.due():  # at most",
        "ms of processor time, and at most 100 ms may pass",
    ),
    "compiles late": (
        LOOP,
        "        from time import process_time\n"
        "        until = 0 if 'late' in globals() else process_time() + 0.35\n"
        "        globals()['late'] = True\n"
        "        while process_time() < until:\n"
        "            pass\n" + LOOP,
        "The solver compiles after Started",
    ),
    "does not stop": (
        "            if report.stopped():\n                return\n",
        "",
        "With a budget of 2 iterations the run went on to climber number 20",
    ),
    "an exception": (LOOP, LOOP + "            if job.instance.n == 1:\n                [][0]\n", "IndexError"),
    "an exception of one parameter": (
        LOOP,
        "        if not params.local_search:\n            raise KeyError('search')\n" + LOOP,
        "With local_search = False: solver.py, line",
    ),
    "another number of climbers": ("range(params.climbers)", "range(params.climbers + 1)", "has reported 3 in Rows"),
    "no event": (STARTED, STARTED + "        yield 5\n", "solve yielded 5, which is no event"),
    "no Compiling": ("        yield from report.compiling()\n", "", "the first event must be Compiling"),
    "no Started": (STARTED, "", "the event after Compiling must be Started"),
    "no generator": (
        "        params = job.params\n",
        "        return []\n    def rest(self, job):\n        params = job.params\n",
        "solve is no generator",
    ),
    "a wrong move": ("climb.move(i, j, delta)", "climb.move(i, j, delta - 1)", "is said to change the length by"),
    "positions in the wrong order": (
        "climb.move(i, j, delta)",
        "climb.move(j, i, delta)",
        "ValueError: move(i, j) takes positions 0 <= i < j < 8; here are i =",
    ),
    "positions of no city": ("climb.move(i, j, delta)", "climb.move(i, j + 10**6, delta)", "takes positions 0 <= i"),
    "no start tour": ("if climber == 0 and job", "if climber < 0 and job", "begin the first one with job.start"),
    "yield without from": (END, END.replace("yield from", "yield"), "is no event. Write `yield from` before the call."),
    "another replay": (
        "    def solve(self",
        "    def replay(self, job, climber):\n"
        "        return super().replay(job, climber + 1)\n\n    def solve(self",
        "Replay makes other moves of climber 0 than the run",
    ),
    "a name in capitals": ('name = "my-solver"', 'name = "My Solver"', "must be of small letters, digits and hyphens"),
    "a taken name": ('name = "my-solver"', 'name = "two-opt"', "The name two-opt is taken by another solver"),
    "a default out of range": ("        20, label", "        0, label", "has the default 0, but must be a whole"),
    "no dataclass": ("@dataclass(frozen=True)\n", "", "MyParams must have @dataclass(frozen=True) above it"),
    "a parameter without param": ("params = MyParams", "params = dict", "must be a class derived from Params"),
    "a name of every run": (
        "    climbers: int",
        "    seed: int = param(1, label='S', help='S.', low=1, high=2)\n    climbers: int",
        "has a name that every run has already",
    ),
    "no solve": ("    def solve(self", "    def solves(self", "MySolver has no method solve"),
    "a syntax error": ("def solve(self, job: Job)", "def solve(self, job: Job", "SyntaxError"),
    "an import": ("import numpy as np", "import numpy_of_nobody as np", "line 14: ModuleNotFoundError"),
    "no solver": ("class MySolver(OwnSolver)", "class MySolver", "solver.py has no solver"),
}  # fmt: skip


def plant_fault(tmp_path, kind: str):
    """The template with a fault, and the expected sentence about it."""
    old, new, sentence = PLANTED[kind]
    text = TEMPLATE.read_text()
    assert old in text
    path = tmp_path / "solver.py"
    path.write_text(text.replace(old, new, 1))
    return path, sentence


@pytest.fixture(autouse=True)
def short_check(monkeypatch):
    """Few cities and short runs."""
    monkeypatch.setattr(
        "commands.check.Contract", lambda solver, tell, cities: Contract(solver, tell, cities=60, seconds=0.2)
    )


def test_template_has_no_fault(tmp_path, capsys):
    path = tmp_path / "mine.py"
    assert main(["--template", str(path)]) == 0
    assert "check" in capsys.readouterr().out
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("mine.py: no fault in ")


@pytest.mark.parametrize("kind", shorten(PLANTED, list(PLANTED)[::3].__contains__))
def test_planted_fault_is_reported_in_a_sentence(tmp_path, capsys, kind):
    path, sentence = plant_fault(tmp_path, kind)
    assert main([str(path)]) == 1
    output = capsys.readouterr().out
    assert sentence in output
    assert all(line[-1] in ".:" for line in output.splitlines())


@each_row("name", ["random", "greedy"])
def test_own_solvers_of_the_program_have_no_fault(name):
    sentence: list[str] = []
    Contract(find(name), sentence.append, cities=60, seconds=0.2).check()
    assert sentence == []


@pytest.mark.long
def test_loop_without_events_ends_the_check(tmp_path):
    path = tmp_path / "solver.py"
    path.write_text(TEMPLATE.read_text().replace(LOOP, "        while True:\n            pass\n" + LOOP))
    script = (
        "import sys; from solvers.check import observing; observing.MAX_SILENT_SECONDS = 1.0\n"
        "from commands.check import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stdout == ("The solver has worked for 1 seconds without an event; yield one at least every 100 ms.\n")


def test_template_never_overwrites_a_file(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text("mine")
    assert main(["--template", str(path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_two_solvers_of_a_file_are_distinguished_by_name(tmp_path, capsys):
    path = tmp_path / "two.py"
    path.write_text(TEMPLATE.read_text() + "\n\nclass Other(MySolver):\n    name = 'other'\n")
    assert main([str(path)]) == 1
    assert "two.py has several solvers: name one of them, as two.py:MySolver" in capsys.readouterr().out
    assert SolverFile(f"{path}:Other").solver.name == "other"
