"""Paths, names, commands and links in the documents, and names in packages' docstrings, are up to date."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.tables import each_row

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md"), *ROOT.glob("*.md")])
PACKAGES = (
    "benchmarks", "commands", "components", "data", "exports", "fuzz", "papers", "runs", "solvers", "studies", "tests",
    "tourscope", "website",
)  # fmt: skip
FOLDERS = (*PACKAGES, "assets", "docs")
PRODUCT = ("assets", "commands", "components", "data", "exports", "runs", "solvers", "studies")
#: Files of the user's data folder, which is laid out like the folders here in part.
OF_THE_HOME = (".tourscope", ".tourstudy", ".tourrace")
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./*-]*")
_FILE = re.compile(r"[\w.*-]+\.(?:py|js|css|md)")
_DOTTED = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+(?::\w+)?")
_COMMAND = re.compile(rf"-m ((?:{'|'.join(PACKAGES)})(?:\.\w+)*)")
_DATA = re.compile(r".*\.(?:csv|json|parquet|py|js|css|md)")
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def spans(text: str) -> Iterator[str]:
    """The texts in backticks outside of fenced blocks."""
    yield from re.findall(r"`([^`\n]+)`", _FENCE.sub("", text))


def wrong_path(span: str) -> bool:
    """Whether a span names a missing file or folder of the project."""
    if span.endswith(OF_THE_HOME):
        return False
    if _PATH.fullmatch(span):
        return not any(ROOT.glob(span.rstrip("/"))) if "*" in span else not (ROOT / span).exists()
    return bool(_FILE.fullmatch(span)) and span not in known_files() and not any(ROOT.glob(span))


@cache
def known_files() -> frozenset[str]:
    """Names of all files below the project's folders."""
    return frozenset(path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*"))


def wrong_name(dotted: str) -> bool:
    """Whether a dotted name is neither a module nor defined in one or in its classes."""
    parts, place = dotted.replace(":", ".").split("."), ROOT
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    module = bool(parts) and (place / f"{parts[0]}.py").is_file()
    source = place / (f"{parts.pop(0)}.py" if module else "__init__.py")
    if not source.is_file():
        return True
    nodes = ast.parse(source.read_text()).body
    for name in parts:
        found = [node for node in nodes if name in defined_names(node)]
        if not found:
            return True
        nodes = found[0].body if isinstance(found[0], ast.ClassDef) else []
    return False


def defined_names(node: ast.stmt) -> set[str]:
    """Names defined by a statement."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return {node.name}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {name.asname or name.name for name in node.names}
    return set()


def wrong_link(document: Path, target: str, anchor: str) -> bool:
    """Whether a link leads to a missing file or heading."""
    if re.match(r"[a-z]+:", target):
        return False
    path = (document.parent / target).resolve() if target else document
    return not path.exists() or (bool(anchor) and anchor not in anchors(path))


@cache
def anchors(document: Path) -> frozenset[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", _FENCE.sub("", document.read_text()), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in found)


def words(table: str) -> list[str]:
    """The terms of the glossary: its first column, without parentheses."""
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ") and "**" not in line]
    return [word.strip() for row in rows[1:] for word in re.sub(r"\(.*?\)", "", row).split(",")]


@cache
def used_text() -> str:
    """The text of the code and all other documents, in lower case and on one line."""
    texts = [path.read_text() for path in DOCUMENTS if path.name != "glossary.md"]
    for folder in PRODUCT:
        texts += [path.read_text() for end in ("py", "js") for path in (ROOT / folder).rglob(f"*.{end}")]
    return " ".join("\n".join(texts).lower().replace("#", " ").split())


def unused_terms(table: str) -> list[str]:
    """Terms of a glossary that neither the code nor another document uses."""
    return [word for word in words(table) if word.lower() not in used_text()]


def mistakes(document: Path, text: str) -> list[str]:
    """All errors in a text that replaces a document."""
    marked = list(spans(text))
    return [
        *(span for span in marked if wrong_path(span)),
        *(span for span in marked if _DOTTED.fullmatch(span) and not _DATA.fullmatch(span) and wrong_name(span)),
        *(f"-m {module}" for module in _COMMAND.findall(text) if wrong_name(module)),
        *(f"{target}#{anchor}" for target, anchor in _LINK.findall(text) if wrong_link(document, target, anchor)),
    ]


@each_row("document", DOCUMENTS)
def test_document_names_existing_things(document):
    assert not mistakes(document, document.read_text())


@each_row(
    ("text", "found"),
    [
        ("`runs/service.py` and `assets/watch/*.js`, `variants.py`, `runs/*.tourscope`", []),
        ("`runs/desk.py`", ["runs/desk.py"]),
        ("`assets/nothing*.js`", ["assets/nothing*.js"]),
        ("`acs_warp_cuda.py`", ["acs_warp_cuda.py"]),
        ("`solvers.core.stop.Budget` and `solvers.run`", []),
        ("`solvers.spec.RunSpec.from_json`", []),
        ("`solvers.algorithms.two_opt.cuda.Nothing`", ["solvers.algorithms.two_opt.cuda.Nothing"]),
        ("`solvers.ledger`", ["solvers.ledger"]),
        ("```\npython -m data list\npython -m runs.worker\n```", ["-m runs.worker"]),
        ("[a](server.md#frames) [b](gone.md) [c](server.md#gone)", ["gone.md#", "server.md#gone"]),
    ],
)
def test_wrong_name_is_found(text, found):
    assert mistakes(ROOT / "docs" / "architecture.md", text) == found


def test_glossary_covers_the_used_words():
    table = (ROOT / "docs" / "glossary.md").read_text()
    assert len(words(table)) > 80
    assert not unused_terms(table)
    assert unused_terms(table + "| pheromonometer, tour | what measures it | | |\n") == ["pheromonometer"]


def unknown_modules(package: Path, docstring: str) -> list[str]:
    """Lower-case names in single backticks in a package's docstring that the package lacks."""
    names = re.findall(r"(?<!`)`([a-z_0-9.]+)`(?!`)", docstring)
    there = {path.name for path in package.iterdir()} | {path.stem for path in package.glob("*.py")}
    return [name for name in names if name not in there and not (_DOTTED.fullmatch(name) and not wrong_name(name))]


@each_row("package", [name for name in PACKAGES if name != "tests"])
def test_package_names_its_modules(package):
    for path in (ROOT / package).rglob("__init__.py"):
        docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
        assert docstring, path
        assert not unknown_modules(path.parent, docstring), path


def test_unknown_module_of_a_package_is_found():
    assert unknown_modules(ROOT / "runs" / "stream", "`collector`, ``told``, `hub`, `runs.service`") == ["hub"]


def count_words(*texts: str) -> int:
    """The number of words, as counted by ``wc -w``."""
    return sum(len(text.split()) for text in texts)


def test_the_english_documents_stay_short():
    texts = [
        path.read_text() for folder in (".", "algorithms", "lessons") for path in (ROOT / "docs" / folder).glob("*.md")
    ]
    assert 40_000 < count_words(*texts) <= 55_000


@each_row("document", sorted((ROOT / "docs" / "algorithms").glob("*.md")))
def test_an_idea_has_at_most_110_words(document):
    idea = re.search(r"^## Idea\n(.*?)^## ", document.read_text(), re.DOTALL | re.MULTILINE)
    assert idea
    assert 20 < count_words(idea[1]) <= 110
