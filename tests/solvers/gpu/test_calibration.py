"""Constants tuned on a GPU: the commands that measure them exist, and so do the listed constants of the kernels."""

import ast
import importlib
import re
from pathlib import Path

from benchmarks.__main__ import BENCHMARKS
from solvers.gpu import calibration

TEXT = Path(calibration.__file__).read_text()


def test_every_section_names_existing_benchmarks():
    sections = re.split(r"\n# (?=[^\n]*-{10})", TEXT)[1:]
    assert sections
    for section in sections:
        commands = re.findall(r"python -m benchmarks ([\w-]+)", section)
        assert commands, section
        assert set(commands) <= set(BENCHMARKS)


def test_every_constant_states_its_trade_off_and_is_used():
    lines = TEXT.splitlines()
    sources = [
        set(re.findall(r"\w+", path.read_text())) for path in Path(calibration.__file__).parents[1].rglob("*.py")
    ]
    for node in ast.parse(TEXT).body:
        if isinstance(node, ast.Assign):
            before = lines[node.lineno - 2]
            names = [name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)]
            assert before.startswith("#: ") or "=" in before, names
            for name in names:
                assert sum(name in words for words in sources) > 1, f"nobody uses {name}"


def test_kernel_constants_are_in_the_documented_place():
    text = " ".join((calibration.__doc__ or "").split())
    found = re.findall(r"`(solvers\.[\w.]+)` \(((?:``\w+``(?:, )?)+)\)", text)
    assert len(found) > 8
    for module, names in found:
        for name in re.findall(r"``(\w+)``", names):
            assert hasattr(importlib.import_module(module), name), f"{module} has no {name}"
