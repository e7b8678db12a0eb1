"""Writes the module of `tourscope` that repeats the program's declarations of algorithms, without importing the
program.

``python tests/tourscope/generate.py``, after a change of an algorithm's parameters.
"""

import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from solvers import SOLVERS  # noqa: E402
from solvers.params import Param  # noqa: E402
from solvers.solver import Solver  # noqa: E402

_HEAD = '''"""{what}

Written by ``python tests/tourscope/generate.py``: do not edit.
"""
'''
_WIDTH = 120


def algorithms() -> str:
    """The module of the algorithms' classes."""
    names = sorted(type(solver).__name__ for solver in SOLVERS)
    head = _HEAD.format(what="The algorithms and their parameters.")
    head += "\nfrom __future__ import annotations\n\nfrom dataclasses import dataclass\n"
    head += "from typing import ClassVar, Literal\n\nfrom tourscope.algorithm import Algorithm\n\n"
    exported = ", ".join(f'"{name}"' for name in names)
    return _formatted(head + f"__all__ = [{exported}]\n\n" + "\n".join(map(_class, SOLVERS)))


def _class(solver: Solver) -> str:
    schema = solver.params.schema()
    lines = [f"@dataclass(frozen=True, kw_only=True)\nclass {type(solver).__name__}(Algorithm):"]
    text = f"{solver.title}.\n\n" + textwrap.fill(solver.summary, _WIDTH - 4)
    if schema:
        text += "\n\nParameters\n----------\n" + "\n".join(map(_described, schema))
    if solver.source:
        text += "\n\nReferences\n----------\n" + textwrap.fill(solver.source, _WIDTH - 4)
    lines += [textwrap.indent(f'"""{text}\n"""', "    ", lambda line: bool(line.strip()))]
    lines += [f'    name: ClassVar[str] = "{solver.name}"', f'    title: ClassVar[str] = "{solver.title}"', ""]
    lines += [f"    {declared.name}: {_type(declared)} = {declared.default!r}" for declared in schema]
    return "\n".join(lines) + "\n\n"


def _described(declared: Param) -> str:
    allowed = f" {declared.allowed.capitalize()}." if declared.kind in ("int", "float", "tour") else ""
    text = textwrap.fill(f"{declared.help}{allowed}", _WIDTH - 8)
    kind = {"int": "int", "float": "float", "bool": "bool", "tour": "tuple of int"}.get(declared.kind, "str")
    return f"{declared.name} : {kind}, default {declared.default!r}\n" + textwrap.indent(text, "    ")


def _type(declared: Param) -> str:
    if declared.kind == "choice":
        return f"Literal[{', '.join(repr(choice) for choice in declared.choices)}]"
    return {"int": "int", "float": "float", "bool": "bool", "tour": "tuple[int, ...]"}[declared.kind]


def _formatted(source: str) -> str:
    command = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", "algorithm_classes.py", "-"]
    done = subprocess.run(command, input=source, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    return done.stdout


if __name__ == "__main__":
    (ROOT / "tourscope" / "algorithm_classes.py").write_text(algorithms(), encoding="utf-8")
