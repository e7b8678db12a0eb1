"""The catalogue of texts contains exactly the texts used by modules and scripts, with their values."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from components.shell import catalogues, texts
from tests.assets.node import evaluate
from tests.tables import each_row

ROOT = Path(__file__).resolve().parents[3]
CATALOGUES = sorted(path.stem for path in (ROOT / "assets" / "texts").glob("*.json"))
#: Folders of `components/` and of `assets/` that write no text by themselves.
PYTHON_FOLDERS: tuple[str, ...] = (
    "algorithm", "embed", "figures", "instances", "learn", "library", "papers", "race", "shell", "site", "study",
    "watch",
)  # fmt: skip
SCRIPT_FOLDERS: tuple[str, ...] = (
    "common",
    "embed",
    "instances",
    "itinerary",
    "lower_bound",
    "nodes",
    "learn",
    "lesson",
    "library",
    "papers",
    "picture",
    "race",
    "site",
    "study",
    "video",
    "watch",
)
#: Names of keys, headers and the like, which begin as words do.
NAMES = {
    "Alt", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "Backspace", "Control", "Delete", "Down", "End", "Enter",
    "Escape", "Home", "Infinity", "Inter", "Meta", "PageDown", "PageUp", "Shift", "Space", "Tab", "Up",
    "Cache-Control", "Files", "Scope", "Tour", "TourScope", "&amp;", "&lt;", "<!DOCTYPE html>",
    "public, max-age=31536000, immutable", "&nbsp;&nbsp;&nbsp;", "y\0 domain", "left: \0%",
}  # fmt: skip
#: Modules that get `read`, which reads a page's texts, from the modules of these pages.
PASSED = {"algorithm/setup.py": ("watch", "race"), "shell/export_row.py": ("watch", "race")}
#: Stands for a value within a text.
VALUE = "\0"
_KEY = re.compile(r"[a-z0-9-]+(\.[A-Za-z0-9_-]+)*")
_PROSE = re.compile(
    r"(?s)^\W*[A-Z][a-z]+($|[ .,:;?!\u2026\u2019-])"  # a word with a capital
    r"|^(?!--|\w+:$).*[a-z]{2,}[.,:;?!\u2026]( |$)"  # the end of a clause
    r"|^ ?[a-z]+ [a-z]+ [a-z]+"  # three words
    rf"|{VALUE} [a-z]{{2,}}( |$)|(^| )[a-z]{{2,}} {VALUE}"  # a word beside a value
)
#: Arguments that no one reads, and those that someone does.
#: Constants that no one reads: a list of fonts, and options in the grid's own language.
_SILENT_CONSTANTS = {"FONT", "GRID_THEME"}
_SILENT = {"className", "class_name", "style", "id", "type", "classes", "pattern", "children_class", "autoComplete"}
_READ = {"title", "label", "placeholder", "aria_label"}
_SHOWS = re.compile(r"(textContent|title|placeholder|ariaLabel) = $|(title|\"aria-label\"|placeholder): $")
_LITERAL = r'"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`'  # a string, a template
_VALUES = re.compile(r"\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}")
#: What stands before strings of scripts that no one reads.
_UNSEEN = re.compile(
    r"(new \w*Error\(|\b(from|import|case)|\b(class|className)( =|:)|"
    r"querySelector(All)?\(|closest\((\w+,)?|clicked\(|matchMedia\(|matches\() $"
)
_TOKEN = re.compile(rf"{_LITERAL}|[(\[{{]|[)\]}}]|,", re.DOTALL)
_SAID = re.compile(
    r"/\*.*?\*/|//[^\n]*"  # comments
    r"|(?<=[(,=:!&|?>\[])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/"  # regular expressions
    rf"|(?P<said>{_LITERAL})",
    re.DOTALL,
)


class Asked(NamedTuple):
    """A place in the source that requests a text."""

    place: str
    catalogue: str
    key: str  # with `VALUE` where a part of it is computed
    values: frozenset[str] | None  # None if they are not written there
    chosen: bool = False  # one of two, that may need fewer of the values

    def asks_for(self, key: str) -> bool:
        return any(_pattern(self.key).fullmatch(each) for each in (key, key.removesuffix(".one")))


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """The keys that a place may request; there are more than `re` caches."""
    return re.compile(re.escape(key).replace(VALUE, "[^.]+"))


@cache
def all_requests() -> list[Asked]:
    return [*_asked_by_modules(), *_asked_by_templates(), *_asked_by_scripts()]


def _asked_by_modules() -> Iterator[Asked]:
    for path in sorted((ROOT / "components").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        names = {
            name.asname or name.name: name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "components.shell.texts"
            for name in node.names
        }
        for node in (each for each in ast.walk(tree) if isinstance(each, ast.Call)):
            place = f"{path.relative_to(ROOT)}:{node.lineno}"
            if "read" in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
                for page in PASSED.get(path.relative_to(ROOT / "components").as_posix(), ()):
                    yield from (Asked(place, page, key, None) for key in _keys(node.args[0], place))
            called = isinstance(node.func, ast.Name) and names.get(node.func.id)
            if called in CATALOGUES:
                values = (
                    None if any(each.arg is None for each in node.keywords) else {str(k.arg) for k in node.keywords}
                )
                for key in _keys(node.args[0], place):
                    yield Asked(place, called, key, None if values is None else frozenset(values))


def _asked_by_templates() -> Iterator[Asked]:
    """The texts whose keys are in the class's templates, see `components.shell.texts.fill_template`."""
    for path in sorted((ROOT / "components" / "classroom").glob("*.html")):
        for key in re.findall(r"\{([\w.]+)\}", path.read_text("utf-8")):
            if key in catalogues.load_texts("classroom"):
                yield Asked(str(path.relative_to(ROOT)), "classroom", key, frozenset())


def _keys(node: ast.expr, place: str) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _keys(node.body, place)
        yield from _keys(node.orelse, place)
    else:
        sentence = _constant_text(node)
        assert sentence.lstrip(VALUE) == sentence != "", (
            f"{place}: the key of a text is written where the text is asked for"
        )
        yield sentence


def _constant_text(node: ast.AST) -> str:
    """The text of a constant or an f-string, with `VALUE` for its values; otherwise None."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_constant_text(each) or VALUE for each in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _asked_by_scripts() -> Iterator[Asked]:
    for path in _scripts():
        source = path.read_text("utf-8")
        for names, module in re.findall(r'import \{([^}]*)\} from "([^"]*/texts\.js)";', source):
            page = (path.parent / module).resolve().parent.name
            for name in names.split(","):
                imported, _, local = name.strip().partition(" as ")
                if imported == "text":
                    yield from _asked_in(source, local or imported, page, path)


def _asked_in(source: str, name: str, page: str, path: Path) -> Iterator[Asked]:
    for found in re.finditer(rf"(?<![\w.]){name}\(", source):
        place = f"{path.relative_to(ROOT)}:{source[: found.start()].count(chr(10)) + 1}"
        key, *values = _parts(source, found.end())
        either = re.fullmatch(rf".*?\?\s*({_LITERAL})\s*:\s*({_LITERAL})", key, re.DOTALL)
        keys = either.groups() if either else [key]
        inputs = _find_names(values[0]) if values else frozenset()
        for each in keys:
            assert each[0] in '"`', f"{place}: the key of a text is written where the text is asked for"
            yield Asked(place, page, _plain(each), inputs, either is not None)


def _parts(source: str, at: int) -> list[str]:
    """The text between commas from a position to the closing bracket."""
    parts, begin, depth = [], at, 0
    for token in _TOKEN.finditer(source, at):
        depth += (token[0] in "([{") - (token[0] in ")]}")
        if depth < 0 or (token[0] == "," and not depth):
            parts.append(source[begin : token.start()].strip())
            begin = token.end()
        if depth < 0:
            break
    return parts if parts[-1] else parts[:-1]


def _find_names(values: str) -> frozenset[str] | None:
    """The names in the source of an object; None if not all are written there."""
    parts = _parts(values, 1) if values.startswith("{") else ["..."]
    names = [re.match(r"\w+", part) for part in parts]
    return frozenset(name[0] for name in names if name) if all(names) else None


def _plain(literal: str) -> str:
    """The text of a string or template, with `VALUE` for its values."""
    sentence = literal[1:-1]
    return _VALUES.sub(VALUE, sentence) if literal[0] == "`" else sentence


def _scripts(folder: str = "") -> list[Path]:
    return [path for path in sorted((ROOT / "assets" / folder).rglob("*.js")) if "vendor" not in path.parts]


@each_row("catalogue", CATALOGUES)
def test_catalogue_is_sorted(catalogue):
    there = catalogues.load_texts(catalogue)
    assert list(there) == sorted(there)
    for key, sentence in there.items():
        assert _KEY.fullmatch(key), f"{key} is no key"
        assert sentence == sentence.strip() != "", f"{key}: {sentence!r}"
        assert not re.search(r"[{}]", texts.NAME.sub("", sentence)), f"{key}: {sentence!r}"
        if key.endswith(".one") and key.removesuffix(".one") in there:
            names, one = ({*texts.NAME.findall(there[each])} for each in (key.removesuffix(".one"), key))
            assert one <= names | {"count"}, f"{key} needs other values than the text for many"


@pytest.mark.slow
@each_row("catalogue", CATALOGUES)
def test_every_requested_text_exists_with_its_values(catalogue):
    there = catalogues.load_texts(catalogue)
    for each in all_requests():
        if each.catalogue != catalogue:
            continue
        found = [key for key in there if each.asks_for(key) and not key.endswith(".one")]
        assert found, f"{each.place} asks for {each.key}, which {catalogue}.json has not"
        for key in found if each.values is not None else []:
            wanted = set(texts.NAME.findall(there[key]))
            assert wanted <= each.values, f"{each.place}: {key} needs {sorted(wanted)}"
            assert each.chosen or each.values <= wanted | {"count"}, f"{each.place}: {key} needs {sorted(wanted)} alone"
            assert "count" in each.values or f"{key}.one" not in there, f"{each.place}: {key} needs a count"


@each_row("catalogue", CATALOGUES)
def test_every_text_is_requested(catalogue):
    mine = [each for each in all_requests() if each.catalogue == catalogue]
    assert [key for key in catalogues.load_texts(catalogue) if not any(each.asks_for(key) for each in mine)] == []


def test_modules_and_scripts_read_a_text_alike():
    there = {"plain": "Start", "values": "{n} of {all} cities", "count": "{count} lanes", "count.one": "one lane"}
    rows = [
        ("plain", {}), ("values", {"n": 12345, "all": "very many"}), ("values", {"n": -3, "all": 0}),
        ("values", {"n": 1999.5, "all": 0.4}),
        ("count", {"count": 1}), ("count", {"count": 0}), ("count", {"count": 1000}),
    ]  # fmt: skip
    read = evaluate(
        "assets/common/texts.js",
        "({ reader }, texts, rows) => rows.map(([key, values]) => reader(texts)(key, values))",
        there,
        rows,
    )
    assert read == [texts._format_text(there, key, **values) for key, values in rows]
    assert read[4:] == ["one lane", "0 lanes", "1\u202f000 lanes"]


@each_row("values", [{}, {"n": None}])
def test_missing_or_non_numeric_value_is_an_error(values):
    with pytest.raises((KeyError, TypeError)):
        texts._format_text({"values": "{n} cities"}, "values", **values)
    failed = """({ reader }, values) => {
      try { return reader({ a: "{n}" })("a", values); } catch (error) { return error.message; }
    }"""
    read = evaluate("assets/common/texts.js", failed, values)
    assert read == "The text a needs a text or a number as n."


@each_row("folder", PYTHON_FOLDERS)
def test_module_contains_no_literal_text(folder):
    code = {ROOT / "components" / path for path in ("shell/bundle.py", "embed/script.py", "embed/document.py")}
    modules = {*(ROOT / "components" / folder).rglob("*.py")} - code
    assert [line for path in sorted(modules) for line in _prose(path)] == []


def _prose(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    silent, read = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(node.value)
        if isinstance(node, ast.keyword) and node.arg in _SILENT:
            silent |= {*ast.walk(node.value)}
        if isinstance(node, ast.keyword) and node.arg in _READ:
            read.add(node.value)
        if isinstance(node, ast.Assign) and {getattr(each, "id", None) for each in node.targets} <= _SILENT_CONSTANTS:
            silent |= {*ast.walk(node.value)}
        if isinstance(node, ast.AnnAssign):
            silent |= {*ast.walk(node.annotation)}
        if isinstance(node, ast.JoinedStr):
            silent |= {*node.values}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TypeVar":
            silent |= {*node.args}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("startswith", "endswith", "removeprefix", "removesuffix"):
                silent |= {*node.args}
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "html":
                read |= {each for child in node.args[:1] for each in getattr(child, "elts", [child])}
    for node in ast.walk(tree):
        sentence = "" if node in silent else _constant_text(node)
        if (_PROSE.search(sentence) or (node in read and re.search("[a-z]{2}", sentence))) and sentence.partition("\n")[
            0
        ] not in NAMES:
            yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '')}: {sentence}"


@pytest.mark.slow
@each_row("folder", SCRIPT_FOLDERS)
def test_script_contains_no_literal_text(folder):
    assert [line for path in _scripts(folder) for line in _script_prose(path)] == []


def _script_prose(path: Path) -> Iterator[str]:
    source = path.read_text("utf-8")
    for start, literal in _literals(source, 0):
        before, sentence = source[:start].rstrip() + " ", _plain(literal)
        visible = _PROSE.search(sentence) or (_SHOWS.search(before) and sentence)
        if visible and not _UNSEEN.search(before) and sentence not in NAMES:
            yield f"{path.relative_to(ROOT)}:{source[:start].count(chr(10)) + 1}: {sentence}"


def _literals(source: str, at: int) -> Iterator[tuple[int, str]]:
    """The strings and templates of a script with their positions, including those within templates."""
    for found in _SAID.finditer(source, at):
        if found["said"]:
            yield found.start(), found["said"]
        if found["said"] and found["said"][0] == "`":
            for value in _VALUES.finditer(found["said"]):
                for start, literal in _literals(value[0], 2):
                    yield found.start() + value.start() + start, literal


@each_row("sheet", sorted((ROOT / "assets").glob("[!v]*/**/*.css")))
def test_style_sheet_contains_no_text(sheet):
    assert not re.search(r"content: *[\"'][^;]*(?<!\\)\b[A-Za-z]{2}", sheet.read_text("utf-8"))


def test_texts_outside_the_catalogue_are_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    module, script = tmp_path / "module.py", tmp_path / "script.js"
    module.write_text('html.P("live")\nf"seed {n}"\nx = "Start"\nx = [f"{n} of {m}", "no device is here"]\n')
    script.write_text(
        'x = "Start"; // "Not this"\nx = /"/.test(y) ? `${n} cities` : "";\nx.title = "live";\nx = `a\n${y}`;\n'
        'throw new Error("Not this");\nx = `${y}, ${z ? `at ${z}` : "a whole tour."}`;\n'
    )
    assert sorted(line.rpartition(":")[0] for line in _prose(module)) == [f"module.py:{k}" for k in (1, 2, 3, 4, 4)]
    assert [line.rpartition(":")[0] for line in _script_prose(script)] == [f"script.js:{k}" for k in (1, 2, 3, 7, 7)]
