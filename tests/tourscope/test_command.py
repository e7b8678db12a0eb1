"""The command ``tourscope``."""

import os

import pytest

from components.site.__main__ import main as make_site
from runs.web.options import parse_options
from studies.cli.arguments import parse_command
from tourscope import command
from tourscope.program import PROGRAM


@pytest.fixture
def replaced_process(monkeypatch):
    """Record the arguments and environment of Python instead of replacing this process."""
    taken = {}
    monkeypatch.setattr(os, "execve", lambda path, line, variables: taken.update(line=line[1:], variables=variables))
    monkeypatch.setattr(command, "_wait", lambda line, variables: 0)
    return taken


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the command waits for a process")
@pytest.mark.parametrize(
    ("expected", "runs"),
    [
        ([], [str(PROGRAM / "app.py"), "--open"]),
        (["--no-open", "--port", "0"], [str(PROGRAM / "app.py"), "--open", "--no-open", "--port", "0"]),
        (["race"], [str(PROGRAM / "app.py"), "--open", "race"]),
        (["run", "berlin52", "greedy"], ["-m", "solvers", "run", "berlin52", "greedy"]),
        (["data", "list"], ["-m", "data", "list"]),
        (["site", "public"], ["-m", "components.site", "public"]),
    ],
)
def test_each_command_runs_its_program(replaced_process, expected, runs):
    command.main(expected)
    assert replaced_process["line"] == runs
    assert replaced_process["variables"]["PYTHONPATH"].split(os.pathsep)[0] == str(PROGRAM)
    assert replaced_process["variables"]["PYTHONSAFEPATH"] == "1"


def test_an_unknown_command_is_refused(replaced_process, capsys):
    assert command.main(["rum"]) == 2
    assert not replaced_process
    assert "Unknown command 'rum'" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the command waits for a process")
def test_only_commands_with_own_solvers_search_the_working_directory(replaced_process):
    command.main(["run", "berlin52", "greedy"])
    assert os.getcwd() in replaced_process["variables"]["PYTHONPATH"].split(os.pathsep)[1:]
    command.main(["data", "list"])
    here = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    assert replaced_process["variables"]["PYTHONPATH"] == os.pathsep.join(filter(None, [str(PROGRAM), *here]))


@pytest.mark.parametrize(
    ("start", "usage"),
    [
        (parse_options, "usage: tourscope [-h]"),
        (lambda: parse_command(["study", "--help"]), "usage: tourscope study [-h]"),
        (lambda: make_site(["--help"]), "usage: tourscope site [-h]"),
    ],
)
def test_help_names_the_installed_command_even_in_a_checkout(start, usage, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["app.py", "--help"])
    with pytest.raises(SystemExit, match="0"):
        start()
    printed = capsys.readouterr().out
    assert printed.startswith(usage)
    assert "python -m" not in printed
