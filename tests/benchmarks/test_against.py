"""Two commits against each other: which numbers are compared, and that each checkout runs its own code."""

import json
import subprocess

import pytest

from benchmarks import against

#: A benchmark that knows no option `--only`, and measures what is written in it.
FAKE = """
import argparse, json
parser = argparse.ArgumentParser()
parser.add_argument("name")
parser.add_argument("--repeats", type=int)
parser.add_argument("--json")
{more}
given = parser.parse_args()
with open(given.json, "w") as file:
    json.dump({{"machine": {{"load": 1.0}}, "samples": {{"seconds": [{value}, 9.0, {value}]}}}}, file)
"""


def test_figures_are_numbers_by_their_paths():
    result = {
        "machine": {"threads": 2},
        "samples": {"a_s": [3.0, 1.0, 2.0]},
        "throughput": [{"name": "strip", "moves_per_second": [4.0, 6.0]}, {"n": 5, "fits": True}],
    }
    assert against.figures_of(result) == {"a_s": 2.0, "throughput.0.moves_per_second": 5.0, "throughput.1.n": 5}


def test_a_figure_that_one_commit_lacks_is_left_out():
    lines = against.table([{"a": 2.0, "gone": 1.0}, {"a": 4.0, "gone": 1.0}], [{"a": 1.0, "new": 3.0}])
    assert [line.split() for line in lines[1:]] == [["a", "3", "1", "0.333"]]


def test_each_checkout_runs_its_own_code(tmp_path, monkeypatch, capsys):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=repository, check=True)

    repository = tmp_path / "repository"
    program = repository / "benchmarks" / "__main__.py"
    program.parent.mkdir(parents=True)
    git("init", "--quiet")
    program.write_text(FAKE.format(value=4.0, more=""))
    git("add", ".")
    git("commit", "--quiet", "-m", "old")
    program.write_text(FAKE.format(value=2.0, more='parser.add_argument("--only")'))
    monkeypatch.setattr(against, "ROOT", repository)
    output = tmp_path / "result.json"
    assert against.main(2, output, "HEAD", "page", ["--only", "starts"]) == 0
    assert "seconds" in capsys.readouterr().out
    found = json.loads(output.read_text())
    assert (found["old"], found["new"]) == ([{"seconds": 4.0}] * 2, [{"seconds": 2.0}] * 2)
    worktrees = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, text=True, check=True)
    assert len(worktrees.stdout.splitlines()) == 1


def test_a_benchmark_that_fails_ends_it(tmp_path, monkeypatch):
    with pytest.raises(SystemExit, match="No module named"):
        against.measure(tmp_path, "page", [])
