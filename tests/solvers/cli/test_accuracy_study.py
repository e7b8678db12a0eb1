"""Climbers against accuracy: the study's numbers against a slow computation, and its command."""

import json
import statistics

import numpy as np
import pytest

from data.collection.resolve import load
from solvers.cli import main as cli_main
from solvers.cli.accuracy_study import Prefixes, Study, accuracy_percent
from solvers.cli.main import main
from solvers.events import Rows
from tests.solver_runs import events_of, spec_of

COUNTS = (1, 7, 40)


def slow_value(lengths, moves, optimum):
    """What a study says of some climbers, in plain arithmetic; times apart."""
    k, lowest = len(lengths), min(lengths)
    near = {p: sum(length <= optimum * (1 + p / 100) for length in lengths) for p in (1, 2, 5)}
    return {
        "climbers": k,
        "length": lowest,
        "accuracy_percent": pytest.approx(optimum / lowest * 100),
        **{f"within_{p}_percent": pytest.approx(100 * count / k) for p, count in near.items()},
        "scans": pytest.approx(sum(made + 1 for made in moves) / k),
    }


def columns(instance, seed, climbers):
    """Lengths and moves of the climbers of a run of so many, asked for apart."""
    rows = [event for event in events_of(instance, spec_of("two-opt", seed, climbers=climbers)) if type(event) is Rows]
    return [[value for each in rows for value in getattr(each, name).tolist()] for name in ("length", "moves")]


def test_a_study_is_what_runs_of_each_k_would_say():
    instance = load("berlin52")
    study = Study(spec_of("two-opt", 3), COUNTS, 3, instance)
    assert len({seed for seed, _, _ in study.run()}) == 3
    found = study.result()
    for run in found["runs"]:
        for k, value in zip(COUNTS, run["values"], strict=True):
            assert 0 < value.pop("seconds") <= run["seconds"]
            assert value == slow_value(*columns(instance, run["seed"], k), instance.optimum)
    for k, row in enumerate(found["rows"]):
        lengths = [run["values"][k]["length"] for run in found["runs"]]
        assert row["seeds"] == 3
        assert row["length"] == {"median": statistics.median(lengths), "min": min(lengths), "max": max(lengths)}


def test_batches_may_be_cut_anywhere():
    rng, instance = np.random.default_rng(1), load("berlin52")
    length, moves = rng.integers(7542, 8500, 300), rng.integers(40, 60, 300)
    prefixes, at = Prefixes((1, 10, 100, 300), instance), 0
    while at < 300:
        part = slice(at, at + int(rng.integers(1, 40)))
        empty = np.empty(0)
        prefixes.take(Rows(empty, length[part], moves[part], 51 * 25 * (moves[part] + 1), empty), float(at))
        at = part.stop
    for value in prefixes.values:
        wanted = slow_value(length[: value.climbers].tolist(), moves[: value.climbers].tolist(), 7542)
        assert {name: getattr(value, name) for name in wanted} == wanted
    assert prefixes.finished == 300


def test_where_no_optimum_is_known_nothing_is_made_up(capsys):
    assert accuracy_percent(100, None) is None
    arguments = ["study", "uniform:30:1", "--climbers", "1,5", "--seeds", "2"]
    assert main([*arguments, "--json"]) == 0
    (one, five) = json.loads(capsys.readouterr().out)["rows"]
    assert one["accuracy_percent"] is one["within_5_percent"] is five["within_1_percent"] is None
    assert five["length"]["max"] <= one["length"]["max"]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert "unknown" in told
    assert "%" in told.splitlines()[2]
    assert "100.0" not in told


def test_the_command_tells_a_table_and_raw_values(capsys):
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


def test_ctrl_c_tells_what_there_is(capsys, monkeypatch):
    handlers, rows = [], []
    monkeypatch.setattr(cli_main.signal, "signal", lambda number, handler: handlers.append(handler))

    def take(bar, event):
        if isinstance(event, Rows):
            rows.append(event)
        if sum(each.length.size for each in rows) > 60:
            handlers[0]()

    monkeypatch.setattr(cli_main.Bar, "take", take)
    assert main(["study", "berlin52", "--climbers", "1,50,1000000", "--seeds", "4"]) == 130
    told = capsys.readouterr().out
    assert "stopped after 0 of 4 seeds; seed 1 got to " in told
    assert [line.split()[0] for line in told.splitlines() if " median " in line and "of the seeds" not in line] == [
        "1", "50",
    ]  # fmt: skip


@pytest.mark.parametrize(
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
        ["more"],
    ],
)
def test_a_wrong_argument_is_one_sentence_and_exit_2(capsys, options):
    assert main(["study", "burma14", *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
