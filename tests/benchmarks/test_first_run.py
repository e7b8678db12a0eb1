"""The benchmark of first runs: each repetition has its own folders, which its second run uses again."""

import json
import subprocess

import pytest

from benchmarks import first_run


@pytest.fixture
def calls(monkeypatch):
    """Record the command and its environment instead of running it."""
    created_items = []
    monkeypatch.setattr(first_run, "describe_machine", dict)
    monkeypatch.setattr(
        first_run.subprocess, "run", lambda command, **options: created_items.append((command, options))
    )
    return created_items


def test_repetition_is_cold_and_then_warm_in_separate_folders(calls, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert first_run.main(2, tmp_path / "samples.json", ["gr17 greedy"], "tourscope", False, 0.5) == 0
    caches = [options["env"]["TOURSCOPE_CACHE"] for _, options in calls]
    assert caches[0] == caches[1] != caches[2] != caches[3] == caches[4] != caches[5]
    assert all("NUMBA_CACHE_DIR" not in options["env"] and options["check"] for _, options in calls)
    runs = [tuple(command) for command, _ in calls]
    assert set(runs[:2] + runs[3:5]) == {("tourscope", "run", "gr17", "greedy", "--time", "0.5")}
    assert {(command[0], *command[3:]) for command in (runs[2], runs[5])} == {("python", "gr17", "greedy", "0.5")}
    samples = json.loads((tmp_path / "samples.json").read_text())["samples"]["gr17 greedy"]
    assert {name: len(values) for name, values in samples.items()} == dict.fromkeys(
        ("cold clock", "cold processor", "warm clock", "warm processor", "first tour"), 2
    )
    assert "gr17 greedy" in capsys.readouterr().out


def test_failing_command_is_not_a_sample(tmp_path):
    with pytest.raises((subprocess.CalledProcessError, OSError)):
        first_run.time_command([str(tmp_path / "nothing")], tmp_path)
