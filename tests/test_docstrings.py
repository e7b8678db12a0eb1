"""The parameters and attributes named in docstrings exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    "benchmarks",
    "commands",
    "components",
    "data",
    "exports",
    "papers",
    "runs",
    "solvers",
    "studies",
    "tourscope",
)
_SECTION = r"^{}\n-+\n(.*?)(?=^\w[\w ]*\n-{{3,}}\n|\Z)"


def described(node: ast.AST, section: str) -> set[str]:
    """The names that a numpydoc section of a docstring describes."""
    if section not in (ast.get_docstring(node, clean=False) or ""):
        return set()
    text = re.search(_SECTION.format(section), ast.get_docstring(node) or "", re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) :", text[1] if text else "", re.MULTILINE)
    return {name.strip(" *") for line in lines for name in line.split(",")}


def arguments(function: ast.AST) -> set[str]:
    return {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}


def members(cls: ast.ClassDef) -> set[str]:
    """The names defined by a class, and those set by its methods."""
    names = {each.name for each in cls.body if isinstance(each, ast.FunctionDef)}
    names |= {each.id for each in ast.walk(cls) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return names | {each.attr for each in ast.walk(cls) if isinstance(each, ast.Attribute)}


def unknown(source: str) -> list[str]:
    """Names in docstrings that are missing from the code."""
    found: list[str] = []
    if not re.search(r"^ +(Parameters|Attributes)$", source, re.MULTILINE):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if names := described(node, "Parameters"):
                found += names - arguments(node)
        elif isinstance(node, ast.ClassDef):
            init = next((each for each in node.body if getattr(each, "name", "") == "__init__"), None)
            found += described(node, "Parameters") - arguments(init) if init else ()
            names = set() if node.bases else described(node, "Attributes")
            found += names - members(node) if names else ()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_name_existing_things(folder):
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    assert {path.name: names for path in paths if (names := unknown(path.read_text("utf-8")))} == {}


def test_removed_names_are_found():
    function = 'def f(a):\n    """F.\n\n    Parameters\n    ----------\n    a, b : int\n    """'
    cls = 'class C:\n    """C.\n\n    Attributes\n    ----------\n    x : int\n    y : int\n    """\n    x = 1'
    assert (unknown(function), unknown(cls)) == (["b"], ["y"])
