"""Writes again for `tourscope` which algorithms the program declares, of which it imports nothing.

``python tests/tourscope/generate.py``, after a change of an algorithm's parameters.
"""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from solvers import SOLVERS  # noqa: E402
from solvers.core.params import Param  # noqa: E402
from solvers.core.solver import Solver  # noqa: E402

_HEAD = """# The types of `algorithm_classes`, written by `python tests/tourscope/generate.py`: do not edit.
# fmt: off
# ruff: noqa: E501
from dataclasses import dataclass
from typing import Literal

from tourscope.algorithm import Algorithm

"""
_WIDTH = 120


def declared_algorithms() -> str:
    """The algorithms with their parameters, from which `tourscope.algorithm_classes` makes classes."""
    return "[\n" + ",\n".join(json.dumps(_algorithm(solver), ensure_ascii=False) for solver in SOLVERS) + "\n]\n"


def stub() -> str:
    """The types of these classes, for editors and type checkers."""
    names = sorted(type(solver).__name__ for solver in SOLVERS)
    exported = textwrap.fill(
        ", ".join(f'"{name}"' for name in names), _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 4
    )
    return f"{_HEAD}__all__ = [\n{exported},\n]\n" + "".join(map(_format_class, SOLVERS))


def _format_class(solver: Solver) -> str:
    lines = [f"    {each.name}: {_type(each)} = {each.default!r}" for each in solver.params.schema()] or ["    ..."]
    head = f"\n@dataclass(frozen=True, kw_only=True)\nclass {type(solver).__name__}(Algorithm):"
    return "\n".join([head, *lines, ""])


def _algorithm(solver: Solver) -> dict[str, Any]:
    schema = solver.params.schema()
    text = f"{solver.title}.\n\n" + textwrap.fill(solver.summary, _WIDTH - 4)
    if schema:
        text += "\n\nParameters\n----------\n" + "\n".join(map(_describe_param, schema))
    if solver.source:
        text += "\n\nReferences\n----------\n" + textwrap.fill(solver.source, _WIDTH - 4)
    params = [[each.name, _type(each), each.default] for each in schema]
    return {"class": type(solver).__name__, "name": solver.name, "title": solver.title, "params": params, "doc": text}


def _describe_param(param: Param) -> str:
    allowed = f" {param.allowed.capitalize()}." if param.kind in ("int", "float", "tour") else ""
    text = textwrap.fill(f"{param.help}{allowed}", _WIDTH - 8)
    kind = {"int": "int", "float": "float", "bool": "bool", "tour": "tuple of int"}.get(param.kind, "str")
    return f"{param.name} : {kind}, default {param.default!r}\n" + textwrap.indent(text, "    ")


def _type(param: Param) -> str:
    if param.kind == "choice":
        return f"Literal[{', '.join(repr(choice) for choice in param.choices)}]"
    return {"int": "int", "float": "float", "bool": "bool", "tour": "tuple[int, ...]"}[param.kind]


if __name__ == "__main__":
    for name, text in (("algorithms.json", declared_algorithms()), ("algorithm_classes.pyi", stub())):
        (ROOT / "tourscope" / name).write_text(text, encoding="utf-8")
