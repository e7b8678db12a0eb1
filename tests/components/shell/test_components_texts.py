"""The catalogue of texts: what modules and scripts ask for is in it, with its values, and nothing else is."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from components.shell import texts
from tests.assets.node import evaluate

ROOT = Path(__file__).resolve().parents[3]
CATALOGUES = sorted(path.stem for path in (ROOT / "assets" / "texts").glob("*.json"))
#: Folders of `components/` and of `assets/` that write no text by themselves.
PYTHON_FOLDERS: tuple[str, ...] = ("figures", "watch")
SCRIPT_FOLDERS: tuple[str, ...] = ("watch/tour",)
#: Names of keys, headers and the like, and signs of HTML, which begin as words do.
NAMES = {
    "Alt", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "Backspace", "Control", "Delete", "Down", "End", "Enter",
    "Escape", "Home", "&amp;", "&lt;", "Infinity", "Inter", "Meta", "PageDown", "PageUp", "Shift", "Space", "Tab", "Up",
}  # fmt: skip
_NAME = re.compile(r"\{(\w+)\}")
_PROSE = re.compile(r"^\W*[A-Z][a-z]+($|[ .,:;?!\u2026\u2019-])|[a-z]{2,}[.,:;?!\u2026]( |$)|^ ?[a-z]+ [a-z]+ [a-z]+")
#: Arguments that no one reads.
_SILENT = {"className", "class_name", "style", "id", "type", "classes", "pattern", "children_class", "autoComplete"}
#: Constants that no one reads: a list of fonts, and options in the grid's own language.
_SILENT_CONSTANTS = {"FONT", "GRID_THEME"}


class Asked(NamedTuple):
    """A place that asks for a text."""

    place: str
    catalogue: str
    key: str
    whole: bool  # or the beginning of a key
    values: frozenset[str] | None  # None if they are not written there


@cache
def asked() -> list[Asked]:
    return [*_asked_by_modules(), *_asked_by_scripts()]


def _asked_by_modules():
    for path in sorted((ROOT / "components").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        names = {
            name.asname or name.name: name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "components.shell.texts"
            for name in node.names
        }
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and names.get(node.func.id)
            if called in CATALOGUES:
                key = node.args[0]
                given = None if any(each.arg is None for each in node.keywords) else {str(k.arg) for k in node.keywords}
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                for part, whole in _keys(key, place):
                    yield Asked(place, called, part, whole, None if given is None else frozenset(given))


def _keys(node, place):
    if isinstance(node, ast.IfExp):
        yield from _keys(node.body, place)
        yield from _keys(node.orelse, place)
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        yield node.values[0].value, False
    elif isinstance(node, ast.Constant):
        yield node.value, True
    else:
        raise AssertionError(f"{place}: the key of a text is written where the text is asked for")


def _asked_by_scripts():
    for path in _scripts():
        source = path.read_text("utf-8")
        for names, module in re.findall(r'import \{([^}]*)\} from "([^"]*/texts\.js)";', source):
            page = (path.parent / module).resolve().parent.name
            for name in names.split(","):
                imported, _, local = name.strip().partition(" as ")
                if imported == "text":
                    yield from _asked_in(source, local or imported, page, path)


def _asked_in(source, name, page, path):
    for found in re.finditer(rf"(?<![\w.]){name}\(\s*", source):
        place = f"{path.relative_to(ROOT)}:{source[: found.start()].count(chr(10)) + 1}"
        rest = source[found.end() :]
        call = re.match(r'"([^"]+)"(?:,\s*(\{[^{}]*\})?)?|`([^`$]*)\$\{|[^()]*?\? "([^"]+)" : "([^"]+)"', rest)
        assert call, f"{place}: the key of a text is written where the text is asked for"
        key, values, prefix, *either = call.groups()
        if key:
            after = rest[call.end() :].lstrip(", \n")
            given = (
                re.findall(r"[{,]\s*(\w+)\s*(?=[:,}])", values) if values else None if call.group(0)[-1] == "," else []
            )
            yield Asked(place, page, key, True, None if given is None or after[:1] == "{" else frozenset(given))
        for each in [prefix] if prefix else [one for one in either if one]:
            yield Asked(place, page, each, not prefix, None)


def _scripts():
    return [path for path in sorted((ROOT / "assets").rglob("*.js")) if "vendor" not in path.parts]


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_text_that_is_asked_for_is_there_with_its_values(catalogue):
    there = texts.texts_of(catalogue)
    for each in asked():
        if each.catalogue == catalogue and each.whole:
            assert each.key in there, f"{each.place} asks for {each.key}, which {catalogue}.json has not"
            if each.values is not None:
                wanted = set(_NAME.findall(there[each.key]))
                assert wanted <= each.values <= wanted | {"count"}, f"{each.place}: {each.key} needs {sorted(wanted)}"
        elif each.catalogue == catalogue:
            assert any(key.startswith(each.key) for key in there), f"{each.place}: no text begins with {each.key}"


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_text_is_asked_for(catalogue):
    mine = [each for each in asked() if each.catalogue == catalogue]
    whole, begun = {each.key for each in mine if each.whole}, tuple(each.key for each in mine if not each.whole)
    left = [
        key for key in texts.texts_of(catalogue) if key.removesuffix(".one") not in whole and not key.startswith(begun)
    ]
    assert left == []


def test_modules_and_scripts_read_a_text_alike():
    there = {"plain": "Start", "values": "{n} of {all} cities", "count": "{count} lanes", "count.one": "one lane"}
    rows = [
        ("plain", {}), ("values", {"n": 12345, "all": "very many"}), ("values", {"n": -3, "all": 0}),
        ("count", {"count": 1}), ("count", {"count": 0}), ("count", {"count": 1000}),
    ]  # fmt: skip
    read = evaluate(
        "assets/common/texts.js",
        "({ reader }, texts, rows) => rows.map(([key, values]) => reader(texts)(key, values))",
        there,
        rows,
    )
    assert read == [texts._text(there, key, **values) for key, values in rows]
    assert read[3:] == ["one lane", "0 lanes", "1\u202f000 lanes"]


def test_a_value_that_is_not_given_is_an_error():
    with pytest.raises(KeyError):
        texts._text({"values": "{n} cities"}, "values")
    failed = "({ reader }) => { try { return reader({ a: '{n}' })('a'); } catch (error) { return error.message; } }"
    assert evaluate("assets/common/texts.js", failed) == "The text a needs a value of n."


@pytest.mark.parametrize("folder", PYTHON_FOLDERS)
def test_a_module_writes_no_text_by_itself(folder):
    assert [line for path in sorted((ROOT / "components" / folder).rglob("*.py")) for line in _prose(path)] == []


def _prose(path):
    tree = ast.parse(path.read_text("utf-8"))
    silent = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        if isinstance(node, ast.keyword) and node.arg in _SILENT:
            silent |= {id(each) for each in ast.walk(node.value)}
        if isinstance(node, ast.Assign) and {getattr(each, "id", None) for each in node.targets} <= _SILENT_CONSTANTS:
            silent |= {id(each) for each in ast.walk(node.value)}
        if isinstance(node, ast.AnnAssign):
            silent |= {id(each) for each in ast.walk(node.annotation)}
    for node in ast.walk(tree):
        said = node.value if isinstance(node, ast.Constant) and id(node) not in silent else None
        if isinstance(said, str) and _PROSE.search(said) and said not in NAMES:
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {said}"


@pytest.mark.parametrize("folder", SCRIPT_FOLDERS)
def test_a_script_writes_no_text_by_itself(folder):
    assert [line for path in sorted((ROOT / "assets" / folder).rglob("*.js")) for line in _script_prose(path)] == []


def _script_prose(path):
    source = re.sub(r"/\*.*?\*/", lambda found: "\n" * found.group(0).count("\n"), path.read_text("utf-8"), flags=re.S)
    for number, line in enumerate(source.splitlines(), 1):
        line = re.sub(r"(^|\s)//.*", "", line)
        if not re.search(r"new (\w*Error)\(|^import |^\s*case ", line):
            for said in re.findall(r'"([^"]*)"|`([^`]*)`', line):
                if _PROSE.search("".join(said)) and "".join(said) not in NAMES:
                    yield f"{path.relative_to(ROOT)}:{number}: {''.join(said)}"
