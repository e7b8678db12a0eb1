"""Climbers against accuracy: the study's numbers against a slow computation, and its command."""

import json
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from data.collection.resolve import load
from solvers.core.events import Rows
from studies.cli.arguments import parse_command
from studies.cli.main import main
from studies.file.reader import StudyReader
from studies.pool.run_log import Climbs
from studies.stats.accuracy import compute_accuracies
from studies.stats.references import find_references
from tests.clock import PATIENCE
from tests.solver_runs import collect_events, make_spec
from tests.tables import each_row

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
COUNTS = (1, 7, 40)


def slow_value(lengths, moves, optimum):
    """A study's record of some climbers in plain arithmetic, without times."""
    k, lowest = len(lengths), min(lengths)
    near = {p: sum(length <= optimum * (1 + p / 100) for length in lengths) for p in (1, 2, 5)}
    return {
        "climbers": k,
        "length": lowest,
        "accuracy_percent": pytest.approx(optimum / lowest * 100),
        **{f"within_{p}_percent": pytest.approx(100 * count / k) for p, count in near.items()},
        "scans": pytest.approx(sum(result + 1 for result in moves) / k),
    }


def columns(instance, seed, climbers):
    """Lengths and moves of the climbers of a run with this many, computed separately."""
    rows = [
        event
        for event in collect_events(instance, make_spec("two-opt", seed, climbers=climbers))
        if type(event) is Rows
    ]
    return [[value for each in rows for value in getattr(each, name).tolist()] for name in ("length", "moves")]


@pytest.fixture(scope="module")
def stored_study(tmp_path_factory):
    """A stored study of berlin52, and its JSON."""
    path = tmp_path_factory.mktemp("climbers") / "kept.tourstudy"
    flags = ["berlin52", "--climbers", ",".join(map(str, COUNTS)), "--seeds", "3", "--first-seed", "3"]
    command = [sys.executable, "-m", "solvers", "study", *flags, "--device", "cpu", "--out", str(path), "--json"]
    return path, json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def test_study_equals_separate_runs_of_each_k(stored_study):
    instance, found = load("berlin52"), stored_study[1]
    assert [run["seed"] for run in found["runs"]] == [3, 4, 5]
    for run in found["runs"]:
        for k, value in zip(COUNTS, run["values"], strict=True):
            assert value.pop("seconds") > 0
            assert value == slow_value(*columns(instance, run["seed"], k), instance.optimum)
            most, moves = columns(instance, run["seed"], COUNTS[-1])
            assert value == slow_value(most[:k], moves[:k], instance.optimum), "the first k climbers of every run"
    for k, row in enumerate(found["rows"]):
        lengths = [run["values"][k]["length"] for run in found["runs"]]
        assert row["seeds"] == 3
        assert row["length"] == {"median": statistics.median(lengths), "min": min(lengths), "max": max(lengths)}


def test_log_of_the_longest_runs_says_the_same(stored_study):
    path, found = stored_study
    with StudyReader(path) as reader:
        table = reader.table()
    answer = [
        row for row in compute_accuracies(table, find_references(table), at=COUNTS) if row.entry == len(COUNTS) - 1
    ]
    for row, folded in zip(answer, found["rows"], strict=True):
        for name in ("length", "accuracy_percent"):
            middle = getattr(row, name)
            spread = {"median": middle.median, "min": middle.minimum, "max": middle.maximum}
            assert spread == pytest.approx(folded[name])


def test_batches_may_be_cut_anywhere():
    rng = np.random.default_rng(1)
    length, empty, at, climbs = rng.integers(7542, 8500, 300), np.empty(0), 0, Climbs(7542)
    assert climbs.as_result() == {}
    while at < 300:
        part = slice(at, at + int(rng.integers(1, 40)))
        climbs.take(Rows(empty, length[part], empty, empty, empty))
        at = part.stop
    near = [sum(each * 100 <= (100 + p) * 7542 for each in length.tolist()) for p in (1, 2, 5)]
    assert climbs.as_result()["climbs"]["within"] == near


def test_nothing_is_invented_without_a_known_optimum(work_here, capsys):
    arguments = ["study", "uniform:30:1", "--climbers", "1,5", "--seeds", "2"]
    assert main([*arguments, "--json"]) == 0
    (one, five) = json.loads(capsys.readouterr().out)["rows"]
    assert one["accuracy_percent"] is one["within_5_percent"] is five["within_1_percent"] is None
    assert five["length"]["max"] <= one["length"]["max"]
    assert main(arguments) == 0
    output = capsys.readouterr().out
    assert "unknown" in output
    assert "%" in output.splitlines()[2]
    assert "100.0" not in output


def test_two_cities_have_no_moves(work_here, capsys):
    assert main(["study", "uniform:2:1", "--climbers", "3", "--seeds", "1", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["scans"] == {"median": 1, "min": 1, "max": 1}


def test_command_prints_a_table_and_raw_values(work_here, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["study", "burma14", "--climbers", "100,1,10,10", "--seeds", "3", "--first-seed", "5"]
    assert main([*arguments, "--variant", "sequential", "--device", "cpu", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["climbers"] == [1, 10, 100]
    assert [run["seed"] for run in found["runs"]] == found["seeds"] == [5, 6, 7]
    assert {run["variant"] for run in found["runs"]} == {"sequential"}
    assert all(run["device"] and run["versions"]["numba"] and run["finished"] == 100 for run in found["runs"])
    assert found["rows"][-1]["accuracy_percent"] == {"median": 100, "min": 100, "max": 100}
    assert main(arguments) == 0
    table = capsys.readouterr().out
    assert "seeds 5 to 7" in table
    assert [line.split()[:3] for line in table.splitlines() if " median " in line and "accuracy" not in line] == [
        ["1", "3", "median"], ["10", "3", "median"], ["100", "3", "median"],
    ]  # fmt: skip
    assert not list(tmp_path.iterdir()), "nothing is kept that nobody asked to keep"


@pytest.mark.long
def test_ctrl_c_reports_the_results_so_far(tmp_path):
    path = tmp_path / "cut.tourstudy"
    flags = ["berlin52", "--climbers", "1,50,10000000", "--seeds", "4", "--device", "cpu", "--out", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "solvers", "study", *flags],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while not path.exists() or count_finished(path) < 2:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        answer, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, err) == (130, "")
    assert "stopped after 0 of 4 seeds; seed 1 got to 50 climbers" in answer
    assert [line.split()[0] for line in answer.splitlines() if " median " in line and "of the seeds" not in line] == [
        "1", "50",
    ]  # fmt: skip


def count_finished(path):
    with StudyReader(path) as reader:
        return reader.counts()["finished"]


def test_run_has_the_whole_machine_unless_limited(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert parse_command(["study", "burma14"]).spec.threads == 3
    assert parse_command(["study", "burma14", "--threads", "1"]).spec.threads == 1


@each_row(
    "options",
    [
        ["--climbers", "1,x"],
        ["--climbers", "0"],
        ["--climbers", "1.5"],
        ["--climbers", ""],
        ["--seeds", "0"],
        ["--seeds", "2.5"],
        ["--first-seed", "-1"],
        ["--first-seed", str(2**53 - 1)],
        ["--variant", "best"],
        ["--device", "tpu"],
        ["--ants", "3"],
        ["--algorithms", "greedy"],
        ["--iterations", "3"],
        ["more"],
    ],
)
def test_wrong_argument_gives_one_sentence_and_exit_status_2(capsys, options):
    assert main(["study", "burma14", *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@each_row("option", [["--climbers", "3"], ["--variant", "cpu"]])
def test_climbers_options_require_an_instance(capsys, option):
    assert main(["study", "--instances", "gr17", "--algorithms", "two-opt", *option]) == 2
    assert option[0] in capsys.readouterr().err
