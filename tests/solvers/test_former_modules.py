"""Modules imported by users' solvers under former names."""

import subprocess
import sys
from pathlib import Path

import pytest

from solvers.former_modules import _ROOMS, current_name
from tests.tables import each_row

ROOT = Path(__file__).resolve().parents[2]


def test_every_former_name_belongs_to_a_module():
    for room, names in _ROOMS.items():
        found = {path.stem for path in (ROOT / "solvers" / room).iterdir() if path.name.strip("_") == path.name}
        assert {*names.split()} <= found


@each_row(
    ("former", "now"),
    [
        ("solvers.events", "solvers.core.events"),
        ("solvers.two_opt.kernels.climb_cpu", "solvers.algorithms.two_opt.kernels.climb_cpu"),
        ("solvers.core.events", ""),
        ("solvers.plan", ""),
        ("solvers", ""),
        ("events", ""),
    ],
)
def test_current_name(former, now):
    assert current_name(former) == now


def test_former_name_is_the_same_module():
    script = """
import importlib
import solvers.stop
from solvers import events, machine
from solvers.params import Params
from solvers.two_opt.params import TwoOptParams
import solvers.core.events as current
import solvers.core.params
assert events is current and events.__spec__.name == events.__name__ == "solvers.core.events"
assert solvers.stop is importlib.import_module("solvers.core.stop")
assert Params is solvers.core.params.Params and issubclass(TwoOptParams, Params)
importlib.reload(current)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_unknown_module_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"solvers\.ledger"):
        __import__("solvers.ledger")
