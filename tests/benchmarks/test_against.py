"""Comparing two commits: which numbers are compared, and that each checkout runs its own code."""

import json
import os
import socket
import subprocess

import pytest

from benchmarks import against
from benchmarks.checkouts import make_environment
from benchmarks.pages.browser import find_free_port

pytestmark = pytest.mark.slow

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


def test_figures_are_numbers_by_path():
    result = {
        "machine": {"threads": 2},
        "samples": {"a_s": [3.0, 1.0, 2.0]},
        "throughput": [{"name": "strip", "moves_per_second": [4.0, 6.0]}, {"n": 5, "fits": True}],
    }
    assert against.collect_figures(result) == {"a_s": 2.0, "throughput.0.moves_per_second": 5.0, "throughput.1.n": 5}


def test_figure_missing_in_one_commit_is_omitted():
    lines = against.format_table([{"a": 2.0, "gone": 1.0}, {"a": 4.0, "gone": 1.0}], [{"a": 1.0, "new": 3.0}])
    assert [line.split() for line in lines[1:]] == [["a", "3", "1", "0.333"]]


#: Stands for the kernels of a commit: says in which folder they were compiled.
KERNELS = """
import os
from pathlib import Path

def kernels(stop):
    with open("{log}", "a") as file:
        print("{which}", Path.cwd(), os.environ.get("NUMBA_CACHE_DIR"), file=file)
    yield ""
"""


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose only commit measures 4.0 and whose working tree measures 2.0."""
    repository = tmp_path / "repository"

    def git(*words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=repository, check=True)

    program = repository / "benchmarks" / "__main__.py"
    program.parent.mkdir(parents=True)
    git("init", "--quiet")
    program.write_text(FAKE.format(value=4.0, more=""))
    warmup = repository / "runs" / "engine" / "warmup.py"
    warmup.parent.mkdir(parents=True)
    warmup.write_text(KERNELS.format(log=tmp_path / "compiled", which="old"))
    git("add", ".")
    git("commit", "--quiet", "-m", "old")
    program.write_text(FAKE.format(value=2.0, more='parser.add_argument("--only")'))
    warmup.write_text(KERNELS.format(log=tmp_path / "compiled", which="new"))
    monkeypatch.setattr(against, "ROOT", repository)
    return repository


def test_each_checkout_runs_its_own_code(repository, tmp_path, capsys):
    output = tmp_path / "result.json"
    assert against.main(2, output, "HEAD", "page", ["--only", "starts"]) == 0
    assert "seconds" in capsys.readouterr().out
    found = json.loads(output.read_text())
    assert (found["old"], found["new"]) == ([{"seconds": 4.0}] * 2, [{"seconds": 2.0}] * 2)
    worktrees = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, text=True, check=True)
    assert len(worktrees.stdout.splitlines()) == 1


@pytest.mark.parametrize(("name", "compiled"), [("page", ["old", "new"]), ("two-opt-cpu", [])])
def test_kernels_are_compiled_before_a_page_is_measured(repository, tmp_path, monkeypatch, name, compiled):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "of this process")
    assert against.main(1, None, "HEAD", name, []) == 0
    log = tmp_path / "compiled"
    text = log.read_text().splitlines() if log.exists() else []
    assert [line.split()[0] for line in text] == compiled
    assert all(line.endswith(" None") for line in text)  # each checkout has a folder of its own
    assert make_environment().items() < os.environ.items()


def test_kept_checkout_is_reused(repository, tmp_path):
    folder = tmp_path / "kept"
    for _ in range(2):
        assert against.main(1, None, "HEAD", "page", [], folder) == 0
    folders = {line.split()[1] for line in (tmp_path / "compiled").read_text().splitlines() if line.startswith("old")}
    assert folders == {str(folder)}
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-aqm", "new"], cwd=repository)
    with pytest.raises(SystemExit, match="is a checkout of"):
        against.main(1, None, "HEAD", "page", [], folder)


def test_commit_without_compilation_is_still_measured(repository, capsys):
    (repository / "runs" / "engine" / "warmup.py").unlink()
    assert against.main(1, None, "HEAD", "page", []) == 0
    assert "its kernels compile in the first round" in capsys.readouterr().err


def test_page_is_served_on_a_free_port():
    first = find_free_port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first))
        assert find_free_port() != first


def test_failing_benchmark_ends_the_comparison(tmp_path, monkeypatch):
    with pytest.raises(SystemExit, match="No module named"):
        against.measure(tmp_path, "page", [])
