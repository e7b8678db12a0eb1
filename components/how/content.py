"""The drawer's contents for an algorithm: sections of its document, and its declared parameters."""

from html import escape

from components.shell import markdown
from components.shell.numbers import format_value
from components.shell.texts import how as text
from components.types import JsonObject
from runs.language import current_language
from runs.translation import translate
from solvers import SOLVERS, find
from solvers.core.params import Param
from solvers.core.solver import Solver
from solvers.user_files.absent import AbsentSolver
from solvers.user_files.solver_file import FileSolver

#: The first sections of every algorithm's document, which the drawer shows; translations have as many.
SECTIONS = ("Idea", "Formulas", "Pseudo-code", "On a GPU", "Cost of an iteration")
#: The section generated from declarations, and the last section.
PARAMETERS, SOURCES = "Parameters", "Sources"
#: The document about users' own solvers.
_GUIDE = "your-solver.md"
#: Level of the drawer's own heading.
_LEVEL = 2


def document_path(solver: Solver) -> str:
    """Return an algorithm's document path below ``docs/``."""
    return f"algorithms/{solver.name}.md"


def page(algorithm: str, base_path: str) -> JsonObject:
    """Return the drawer's page for an algorithm.

    Parameters
    ----------
    algorithm : str
    base_path : str
        Path under which the application is served, with a trailing slash.

    Returns
    -------
    dict
        ``title``; ``sections``, each with ``title``, ``anchor`` and ``html``; ``document``, the path of the source
        document.

    Raises
    ------
    InvalidParams
        If there is no such algorithm.
    """
    solver = find(algorithm)
    if isinstance(solver, FileSolver):
        return _make_page(solver, _read_file_sections(solver), _GUIDE)
    if isinstance(solver, AbsentSolver):
        return _make_page(solver, [_paragraphs("idea", solver.sentence())], _GUIDE)
    doc = markdown.document(document_path(solver), base_path, _LEVEL)
    sections = [*doc.sections[: len(SECTIONS)], _parameters_section(solver), doc.sections[-1]]
    return _make_page(solver, [*_find_other_language(doc), *map(_section, sections)], document_path(solver))


def _make_page(solver: Solver, sections: list[dict[str, str]], document: str) -> JsonObject:
    return {"title": translate(solver.title), "sections": sections, "document": document}


def _read_file_sections(solver: FileSolver) -> list[dict[str, str]]:
    """Return a user's solver's page, from the docstrings in its file."""
    return [
        _paragraphs("idea", solver.summary, *solver.doc.split("\n\n")),
        _section(_parameters_section(solver)),
        _paragraphs("sources", solver.source, solver.file.path.name),
    ]


def _parameters_section(solver: Solver) -> markdown.Section:
    return markdown.Section(text("parameters.title"), markdown.make_slug(PARAMETERS), _parameters(solver))


def algorithms() -> list[dict[str, str]]:
    """Return all algorithms in the drawer's list with ``name``, ``title`` and ``summary``."""
    return [
        {"name": solver.name, "title": translate(solver.title), "summary": translate(solver.summary)}
        for solver in SOLVERS
    ]


def document(path: str, base_path: str) -> JsonObject:
    """Return the drawer's page for a document of ``docs/``, in the form of `page`.

    Raises
    ------
    NoSuchDocument
        If there is no such document.
    """
    doc = markdown.document(path, base_path, _LEVEL)
    whole = [{"title": "", "anchor": "", "html": doc.introduction}] if doc.introduction else []
    sections = [*_find_other_language(doc), *whole, *map(_section, doc.sections)]
    return {"title": doc.title, "sections": sections, "document": path}


def untranslated_note(doc: markdown.Document) -> str:
    """Return the HTML note above a document without a translation; otherwise empty."""
    return "" if doc.language == current_language() else f'<p class="note">{escape(text("only-english"))}</p>'


def _find_other_language(doc: markdown.Document) -> list[dict[str, str]]:
    sentence = untranslated_note(doc)
    return [{"title": "", "anchor": "", "html": sentence}] if sentence else []


def _section(section: markdown.Section) -> dict[str, str]:
    return {"title": section.title, "anchor": section.anchor, "html": section.html}


def _heading(title: str, name: str) -> str:
    return f'<h{_LEVEL + 1} id="{markdown.make_slug(name)}">{escape(title)}</h{_LEVEL + 1}>'


def _paragraphs(name: str, *paragraphs: str) -> dict[str, str]:
    """Return a section of plain text from a user's file."""
    title = text(f"section.{name}")
    html_paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs if paragraph.strip())
    return {"title": title, "anchor": name, "html": _heading(title, name) + html_paragraphs}


def _parameters(solver: Solver) -> str:
    heading = _heading(text("parameters.title"), PARAMETERS)
    rows = [_parameter(param) for param in solver.params.schema()]
    listed = f"<dl>{''.join(rows)}</dl>" if rows else f"<p>{escape(text('parameters.none'))}</p>"
    return heading + listed


def _parameter(param: Param) -> str:
    symbol = f" <i>{escape(param.symbol)}</i>" if param.symbol else ""
    values = f" <small>{escape(_describe_values(param))}</small>" if _describe_values(param) else ""
    return f"<dt>{escape(translate(param.label))}{symbol}</dt><dd>{escape(translate(param.help))}{values}</dd>"


def _describe_values(param: Param) -> str:
    """Describe a parameter's default and valid values."""
    if param.kind == "tour":
        return ""
    if param.kind == "bool":
        return text("parameters.on") if param.default else text("parameters.off")
    if param.kind == "choice":
        return text("parameters.choice", default=str(param.default), choices=", ".join(param.choices))
    low, high, default = (
        format_value(value) for value in (param.low, param.high, param.default) if isinstance(value, int | float)
    )
    return text("parameters.number", default=default, low=low, high=high)
