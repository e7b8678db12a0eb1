"""Bundles a page's modules into a script and its sheets into one: two requests instead of a hundred.

Each module becomes the body of a function, after the modules that it imports, and `import` reads the object returned by
such a function. The bundle exports every module by its path below ``assets/``, for tests and a browser's console. A
bundle has the texts of one language.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from components.shell import palette
from runs.language import DEFAULT

#: Folder of scripts and style sheets.
FOLDER = Path(__file__).resolve().parents[2] / "assets"
#: An import: its names, and the module's path relative to the importing module.
_IMPORT = re.compile(r'^import\b([^;"]*)"(\.[^"]+)"[^;"]*(?:"json"[^;"]*)?;', re.MULTILINE)
_LIST = re.compile(r"^export \{([^}]*)\};", re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:const|function\*?|async function|class) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_RENAMED = re.compile(r"(\w+) as (\w+)")
_URL = re.compile(r'url\("(?!data:|[a-z]+:|/|#)([^"]+)"\)')


def list_modules(entry: str, replacements: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return a module and all modules it loads, each after its own imports.

    Parameters
    ----------
    entry : str
        Path below ``assets/``, such as ``watch/main.js``.
    replacements : mapping of str to str, optional
        Replacements of modules.

    Raises
    ------
    OSError
        If a module is missing.
    """
    visited, order = set[str](), list[str]()

    def visit(module: str) -> None:
        if module not in visited:
            visited.add(module)
            for imported in list_imports((replacements or {}).get(module, module)):
                visit(imported)
            order.append(module)

    visit(entry)
    return tuple(order)


@cache
def list_imports(module: str) -> tuple[str, ...]:
    """Return a module's direct imports; a JSON file has none."""
    return tuple(
        _resolve(module, match[2]) for match in _IMPORT.finditer(_read_source(module)) if module.endswith(".js")
    )


def build_script(entry: str, language: str = DEFAULT) -> str:
    """Return a module and everything it loads as a single module.

    Parameters
    ----------
    entry : str
        As in `list_modules`.
    language : str
        Language of its texts.

    Raises
    ------
    OSError
        If a module is missing.
    ValueError
        If a module uses an unsupported form of import or export.
    """
    order = list_modules(entry)
    exported = ", ".join(f'{_make_name(module)} as "{module}"' for module in order)
    bodies = (_rewrite_body(module, module, language) for module in order)
    return "\n".join([*bodies, f"export {{ {exported} }};\n"])


def build_maker(
    entry: str, replacements: Mapping[str, str], arguments: Mapping[str, str], language: str = DEFAULT
) -> str:
    """Return the source of a function that creates all modules on each call and returns `entry`'s exports.

    Parameters
    ----------
    entry : str
    replacements : mapping of str to str
        Replacements of modules, as in `list_modules`, with the same exports.
    arguments : mapping of str to str
        Modules passed to the function: the exports of each, by the name of the function's argument.
    language : str
        Language of the texts.

    Raises
    ------
    OSError, ValueError
        As `build_script`.
    """
    order = [module for module in list_modules(entry, replacements) if module not in arguments]
    heads = [f"const {_make_name(module)} = {{ {name}: () => {name} }};" for module, name in arguments.items()]
    bodies = [*heads, *(_rewrite_body(replacements.get(module, module), module, language) for module in order)]
    return f"({', '.join(arguments.values())}) => {{\n" + "\n".join(bodies) + f"\nreturn {_make_name(entry)};\n}}"


def build_sheet(*folders: str) -> str:
    """Join the style sheets in folders of ``assets/`` into one for ``pages/``, ordered by folder and file name."""
    return "\n".join(_move_addresses(path) for name in folders for path in sorted((FOLDER / name).rglob("*.css")))


def read_sheet(path: Path) -> str:
    """Return a style sheet; the one of colours with those of the algorithms."""
    text = path.read_text("utf-8")
    return f"{text}\n{palette.declare_colours()}" if path.name == "colours.css" else text


def load_catalogue(path: str, language: str) -> str:
    """Load a catalogue of ``texts/`` in a language, as JSON; missing texts are in English."""
    if language == DEFAULT:
        return _read_source(path)
    file = FOLDER / "texts" / language / posixpath.basename(path)
    translated = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return json.dumps(json.loads(_read_source(path)) | translated, ensure_ascii=False, indent=2)


def _rewrite_body(module: str, named: str, language: str) -> str:
    return _embed_catalogue(module, language) if module.startswith("texts/") else _join(module, named)


@cache
def _embed_catalogue(module: str, language: str) -> str:
    return f"const {_make_name(module)} = {{ default: {load_catalogue(module, language)} }};"


@cache
def _join(module: str, named: str) -> str:
    source = _read_source(module)
    if module.endswith(".json"):
        return f"const {_make_name(named)} = {{ default: {source} }};"
    exported = list(_list_exports(source))
    body = _DECLARED.sub("", _LIST.sub("", _IMPORT.sub(lambda match: _replace_import(module, match), source)))
    if other := _OTHER.search(body):
        raise ValueError(f"{module}: a bundle cannot hold {other[0]!r}")
    return f"const {_make_name(named)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _list_exports(source: str) -> Iterator[str]:
    for match in _LIST.finditer(source):
        for each in filter(None, map(str.strip, match[1].split(","))):
            local_name, _, outside = each.partition(" as ")
            yield f"{outside}: {local_name}" if outside else local_name
    for match in _DECLARED.finditer(source):
        yield match[1]


def _replace_import(module: str, match: re.Match[str]) -> str:
    """Return the statement that replaces an import, with as many lines, so that line numbers stay."""
    names, source = match[1].strip().removesuffix("from").strip(), _make_name(_resolve(module, match[2]))
    lines = "\n" * match[0].count("\n")
    if not names:
        return lines
    if names.startswith("*"):
        raise ValueError(f"{module}: a bundle cannot hold {match[0]!r}")
    if names.startswith("{"):  # a comment, which keeps its own lines
        return "const " + _RENAMED.sub(r"\1: \2", names) + f" = {source};"
    return f"const {names} = {source}.default;{lines}"


def _make_name(module: str) -> str:
    """Return a module's name in a bundle."""
    return re.sub(r"\W", "_", module)


def _resolve(module: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), path))


@cache
def _read_source(path: str) -> str:
    return (FOLDER / path).read_text("utf-8")


def _move_addresses(path: Path) -> str:
    """Return a sheet's text with addresses of pictures and fonts relative to ``pages/``."""
    folder = path.parent.relative_to(FOLDER).as_posix()

    def move(match: re.Match[str]) -> str:
        return f'url("{posixpath.relpath(posixpath.join(folder, match[1]), "pages")}")'

    return _URL.sub(move, read_sheet(path))
