"""The Python interface's notice while a run is being prepared."""

import sys

import numpy as np
import pytest

from tourscope import events, solving


@pytest.fixture
def clock(monkeypatch):
    """A simulated clock."""
    now = [100.0]
    monkeypatch.setattr(solving.time, "monotonic", lambda: now[0])
    return now


def follow(clock) -> None:
    """A run with 30 seconds of preparation, and the same time before its next event."""
    waiting = solving.PreparationNotice()
    waiting.wait()
    waiting.update(events.Compiling())
    for _ in range(3):
        waiting.wait()
        clock[0] += 10
        waiting.update(events.Compiling())
    waiting.wait()
    waiting.update(events.Moves(*(np.empty(0, np.int32),) * 10))
    clock[0] += 30
    waiting.wait()


def test_file_gets_one_line(clock, capsys):
    follow(clock)
    assert capsys.readouterr().err.count("compiled once.\n") == 1


def test_terminal_counts_the_seconds(clock, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    follow(clock)
    output = capsys.readouterr().err
    assert [line.rpartition(": ")[2] for line in output.strip().split("\r")] == ["10 s", "20 s", "30 s"]
    assert output.endswith("\n")


def test_a_short_preparation_is_not_mentioned(clock, capsys):
    waiting = solving.PreparationNotice()
    waiting.update(events.Compiling())
    clock[0] += solving.PATIENCE / 2
    waiting.wait()
    assert not capsys.readouterr().err
