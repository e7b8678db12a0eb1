"""Collects the sentence templates of data, solvers, runs and studies from the source.

A template is a text of the source with ``{0}``, ``{1}``, ... in place of its values.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count
from pathlib import Path

from papers.catalogue import ALL_PAPERS, PAPERS
from solvers import SOLVERS

ROOT = Path(__file__).resolve().parents[3]
#: Folders and files whose texts a page may show.
SPEAKING = (
    "data/collection/drawing.py", "data/collection/instance_reference.py", "data/collection/listing.py",
    "data/collection/optima.py",
    "data/collection/resolve.py", "data/collection/uploads.py", "data/display.py", "data/distances.py",
    "data/errors.py",
    "data/files.py",
    "data/generators.py", "data/map_files", "data/missing.py", "data/paths.py",
    "data/places/largest.py", "data/recognition.py",
    "data/distance_kinds.py", "data/rounding.py", "data/sqlite_files.py",
    "data/suggest.py", "data/tables", "data/tsplib", "exports", "papers/findings",
    "papers/recipes", "papers/roofline.py", "runs", "solvers", "studies/file/checks.py",
    "studies/file/create.py", "studies/file/lock.py", "studies/file/reader.py", "studies/pool", "studies/report",
    "studies/spec", "studies/stats", "studies/tuning",
)  # fmt: skip
#: What speaks to the command line, to the log or to another program.
SILENT = (
    "data/tsplib/exchange.py",
    "runs/calls", "runs/web/log.py", "runs/web/metrics.py", "runs/web/health.py", "runs/web/languages.py",
    "runs/web/join_codes.py", "runs/web/listening.py", "runs/web/options.py", "runs/web/window.py",
    "runs/imports/frame_checks.py", "runs/language.py",
    "runs/translation.py", "runs/store/proof.py", "runs/web/downloads.py", "runs/library/search.py",
    "runs/library/cache.py",
    "solvers/check", "exports/drawing", "exports/itinerary/route_files.py", "solvers/own/template.py",
    "solvers/worker/fork", "solvers/worker/frames.py", "solvers/worker/worker_io.py", "solvers/worker/process.py",
    "solvers/worker/ray/connection.py", "solvers/worker/ray/options.py", "solvers/__main__.py",
    "solvers/former_modules.py",
    "solvers/core/sources.py",
    "solvers/result.py",
    "solvers/mpi", "studies/cli", "studies/report/terminal.py", "studies/report/climbers.py",
    "studies/report/verdicts.py", "studies/report/tuning.py", "studies/tuning/advisor.py",
    "studies/stats/logs.py", "studies/stats/table.py",
)  # fmt: skip
_PROSE = re.compile(
    r"(?s)^\W*[A-Z][a-z]+[ ,:;?!’-]"  # a sentence that begins
    r"|^(?!--|\w+:$).*[a-z]{2,}[.,:;?!…]( |$)"  # the end of a clause
    r"|^ ?[a-z]+ [A-Za-z-]+ [a-z]+"  # three words
    r"|\{\d\} [a-z]{2,}( |$)|(^| )[a-z]{2,} \{\d\}"  # a word beside a value
)
#: Code, citations and what is written to files: no one reads it as a sentence.
_CODE = re.compile(
    r"SELECT |CREATE |^tuple\[|^Callable\[|^Queue\[|^[\w.]+:$|\(\d{4}\)|^\{ \.reg|redux|cp\.async|"
    r"^; |\\|default-src|[a-z]=|"
    r"^[A-Z][a-z]+-[A-Z][a-z]+$|^Content-Security-Policy$|^(\w+ )*\w+\b: (http|python)|<meta|TIME_LIMIT|"
    r"licence|^section|^, section"
)
_LOGS = ("re.compile", "print", "_log.error", "_log.warning", "_log.info", "_log.exception", "parser.add_argument")


#: What sentences are put together of that are no templates themselves, and words in them.
COMPOSED = {
    "The algorithms are {0}.", "The cities are {0}.", "The entries are {0}.",
    "The fields are {0}.", "The instances are {0}.", "The parameters are {0}.",
    "The parts are {0}.", "The presets are {0}.", "The variants are {0}.",
    "Unknown {0} {1}; the {2}s are {3}.", "Unknown {0} {1}.", "{0}, {1} or {2}", "{0}, then {1}",
    "{0}, {1} and {2}",
    'There is no page at this address. <a href="{0}">Open TourScope</a>',
    # regions of the world
    "Africa", "Asia", "Europe", "North America", "Oceania", "South America", "the world",
    "Join", "a number", "algorithm", "field", "instance", "lane", "left out", "parameter", "part", "preset", "race",
    "random restarts", "run", "study", "variant",
    # of results that were measured
    "several moves a scan after {0}",
    "3,410 GB/s. From a copy within it.", "CPU, 1 thread, ours", "CPU, 64 threads, ours", "Cities", "GPU, ours",
    "Threads beyond the cores would take turns, and are not measured.",
    "a scan by one thread takes too long to be measured", "arithmetic", "billion moves/s", "billion/s",
    "calc, two rows", "calculated, {0}", "tuned, rule", "warp, nearest-first",
    "matr_g, two rows", "matr_g_ro, two rows", "matr_s, two rows", "memory", "moves a second",
    "of arithmetic", "of memory", "of square roots", "square roots", "operations", "time",
}  # fmt: skip


def declared_texts() -> Iterator[str]:
    """Texts in the declarations of algorithms, parameters and variants, except sources, which are citations."""
    for solver in SOLVERS:
        yield from (solver.title, solver.summary, solver.comparison)
        for param in solver.params.schema():
            yield from (param.label, param.help)
        for variant in solver.variants:
            yield from (variant.key_idea, variant.note, variant.memory)
        yield from (preset.title for preset in solver.presets)


def citations() -> set[str]:
    """The sources of presets, whose words between citations may be translated."""
    presets = json.loads((ROOT / "solvers" / "presets" / "published.json").read_text("utf-8"))
    return {
        re.sub(r"\$\{\w+\}|^.+ \(\d{4}\)(?=:)", "{0}", each["source"])
        for several in presets.values()
        for each in several
    }


def templates() -> dict[str, str]:
    """The templates, each with its place in the source."""
    found = {sentence: "solvers" for sentence in declared_texts() if sentence}
    found |= {sentence: "papers" for sentence in published_names() if re.search("[a-z]{2}", sentence)}
    for path in sorted({each for name in SPEAKING for each in _files(ROOT / name)}):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(SILENT) and "/kernels/" not in name:
            for line, sentence in _of(ast.parse(path.read_text("utf-8"))):
                found.setdefault(sentence, f"{name}:{line}")
    return found


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [*path.rglob("*.py")]


def _of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    silent = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(node.value)
        if isinstance(node, ast.JoinedStr):
            silent |= {*node.values}
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _LOGS:
            silent |= {*ast.walk(node)}
        if isinstance(node, ast.keyword) and node.arg == "source":
            silent |= {*ast.walk(node.value)}
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
            silent |= {*ast.walk(node.annotation)}
    for node in ast.walk(tree):
        sentence = "" if node in silent else _template(node)
        if _PROSE.search(sentence) and not _CODE.search(sentence):
            yield getattr(node, "lineno", 0), sentence


def _template(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        values = iter(range(len(node.values)))
        return "".join(
            str(each.value) if isinstance(each, ast.Constant) else f"{{{next(values)}}}" for each in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def published_names() -> Iterator[str]:
    """Names on the papers' page: claims, entries, axes, and the rows and columns of tables."""
    for paper in ALL_PAPERS:
        yield from (paper.claim, paper.machine)
        if paper not in PAPERS:  # it is our own
            yield from (paper.title, paper.venue)
        for entry in paper.entries:
            numbers = map(str, count())
            yield re.sub(r"\{[^{}]+\}", lambda _, numbers=numbers: f"{{{next(numbers)}}}", entry.finding)
            yield from (entry.place, entry.title, entry.headline, entry.note, entry.recipe.summary)
            yield from (entry.drawing.x, entry.drawing.y)
            if entry.authors_code:
                yield entry.authors_code.name
            if entry.likeness:
                yield from asdict(entry.likeness).values()
            if entry.published:
                yield from (entry.published.head, *entry.published.columns, *entry.published.units)
                yield from entry.published.rows
